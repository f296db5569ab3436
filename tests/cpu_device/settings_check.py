#!/usr/bin/env python3
"""Each setting of the environment, at and beyond each of its limits: what is valid runs, all else ends the program with one line.

    settings_check.py NVCC FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
# pylint: disable=wrong-import-position
from counting import check, finish, nvcc_and_folder  # noqa: E402

SOURCE = """\
__global__ void add(int* a) { atomicAdd(a, 1); }
int main() {
  int *a, count = 0, result = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 0;
  cudaMalloc(&a, sizeof(int)), cudaMemset(a, 0, sizeof(int));
  add<<<3, 4>>>(a);
  cudaMemcpy(&result, a, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
  return result != 12;
}
"""
NO_NUMBERS = ["x", "1x", "-", "+", "1 ", "1.5", "0x1", "99999999999999999999"]
# name: (lowest, highest)
NUMBERS = {"CPU_DEVICE_THREADS": (1, 256), "CPU_DEVICE_COUNT": (0, 16), "CPU_DEVICE_MULTIPROCESSORS": (1, 1024),
           "CPU_DEVICE_MEMORY": (1, (1 << 63) - 1), "CPU_DEVICE_LOCKSTEP": (0, 1), "CPU_DEVICE_LOOPS": (0, 1), "CPU_DEVICE_DEBUGGER": (0, 1)}
OF_CHECKED_RUNS = {"CPU_DEVICE_TIMEOUT": (1, 1000000), "CPU_DEVICE_CHECK_EXIT": (0, 255)}
SEED = (1 << 32) - 1
# name: (valid values, others)
WORDS = {
    "CPU_DEVICE_ORDER": (["", "forward", "reverse", "shuffle", "shuffle:0", "shuffle:1", f"shuffle:{SEED}"],
                         ["backward", "shuffle:", "shuffle:-1", "shuffled", "shuffle:x", f"shuffle:{SEED + 1}", "Forward", "reverse "]),
    "CPU_DEVICE_EXITED_THREADS": (["", "ignore"], ["ignored", "0"])}
WORDS_OF_CHECKED_RUNS = {
    "CPU_DEVICE_SCHEDULE": (["", "0", "1", "2147483647", "0-0", "3-3", "3-4", "0-2"], ["-1", "x", "3-2", "3-", "-3", "1-2-3", "2147483648", "1-2147483648"]),
    "CPU_DEVICE_LEAKS": (["none", "note", "error"], ["no", "None", "1"]),
    "CPU_DEVICE_UNREAD": (["none", "note", "error"], ["no", "None", "1"])}


# A kernel without end. The watchdog looks after each usleep(): here that is short, so that its seconds take no time.
ENDLESS = """\
#include <ctime>
extern "C" int usleep(unsigned microseconds) {
  const timespec time = {0, 20L * microseconds};
  return nanosleep(&time, nullptr);
}
__global__ void run_on(unsigned* a) {
  unsigned i = 1;
  while (i != 0) i = i * 3 + *a;  // odd forever
  *a = i;
}
int main() {
  unsigned* a;
  cudaMalloc(&a, sizeof(int)), cudaMemset(a, 0, sizeof(int));
  run_on<<<1, 1>>>(a);
  cudaDeviceSynchronize();
}
"""


def run(program, name, value):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_") or k == "CPU_DEVICE_CACHE"}
    done = subprocess.run([program], env={**environment, name: value}, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr


def check_setting(program, name, valid, others):
    for value in valid:
        code, errors = run(program, name, value)
        check(f"{name}={value} is valid", code != 2 and name not in errors, f"{code}: {errors}")
    for value in others:
        code, errors = run(program, name, value)
        lines = errors.strip().splitlines()
        check(f"{name}={value} is refused, in one line that names both", code == 2 and len(lines) == 1 and name in errors and
              repr(value.removeprefix("shuffle:") if value.startswith("shuffle:") else value) in errors, f"{code}: {errors}")


def check_time_limit(nvcc, folder):
    """How long a kernel may run on: as the table in README.md says, and as is set."""
    readme = (pathlib.Path(__file__).resolve().parents[2] / "common/cpu_device/README.md").read_text(encoding="utf-8")
    default = re.search(r"^\| `CPU_DEVICE_TIMEOUT` \|.*; default (\d+)", readme, re.M)[1]
    (folder / "endless.cu").write_text(ENDLESS)
    subprocess.run([nvcc, "--check", folder / "endless.cu", "-o", folder / "endless"], check=True)
    for value, seconds in (("", default), ("1", "1"), ("2", "2"), ("7", "7"), (str(int(default) + 1), str(int(default) + 1))):
        code, errors = run(folder / "endless", "CPU_DEVICE_TIMEOUT", value)
        check(f"CPU_DEVICE_TIMEOUT={value} ends a kernel after {seconds} s", code == 1 and f" {seconds} s" in errors, f"{code}: {errors}")


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    (folder / "add.cu").write_text(SOURCE)
    for way, options, numbers, words in (("plain", [], NUMBERS, WORDS), ("checked", ["--check"], OF_CHECKED_RUNS, WORDS_OF_CHECKED_RUNS)):
        program = folder / way
        subprocess.run([nvcc, *options, folder / "add.cu", "-o", program], check=True)
        for name, (low, high) in numbers.items():
            check_setting(program, name, ["", str(low), str(high)], [str(low - 1), str(high + 1), *NO_NUMBERS])
        for name, (valid, others) in words.items():
            check_setting(program, name, valid, others)
    check_time_limit(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
