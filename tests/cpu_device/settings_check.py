#!/usr/bin/env python3
"""Each setting of the environment, at and beyond each of its limits: what is valid runs, all else ends the program with one line.

    settings_check.py NVCC FOLDER
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import time

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


# Each way to get BYTES bytes of device memory.
WAYS_TO_ALLOCATE = {
    "cudaMalloc": "return cudaMalloc(&p, BYTES);",
    "cudaMalloc twice": "cudaError_t e = cudaMalloc(&p, 4096); return e ? e : cudaMalloc(&p, BYTES - 4096);",
    "cudaMalloc after cudaFree": "cudaError_t e = cudaMalloc(&p, BYTES - 1); if (!e) e = cudaFree(p); return e ? e : cudaMalloc(&p, BYTES);",
    "cudaMallocPitch": "size_t pitch; return cudaMallocPitch(&p, &pitch, 512, BYTES / 512);",
    "cudaMalloc3D": "cudaPitchedPtr all; return cudaMalloc3D(&all, make_cudaExtent(512, 64, BYTES / 512 / 64));",
    "cudaMallocArray": "cudaArray_t a; cudaChannelFormatDesc f = cudaCreateChannelDesc<int>(); return cudaMallocArray(&a, &f, 1024, BYTES / 4096);",
    "cudaMallocAsync": "cudaError_t e = cudaMallocAsync(&p, BYTES, 0); return e ? e : cudaDeviceSynchronize();",
    "cuMemAlloc": "CUdeviceptr d; return cudaError_t(cuMemAlloc(&d, BYTES));",
    "cuMemCreate": "CUmemGenericAllocationHandle m; CUmemAllocationProp how = {}; how.type = CU_MEM_ALLOCATION_TYPE_PINNED; "
                   "how.location.type = CU_MEM_LOCATION_TYPE_DEVICE; return cudaError_t(cuMemCreate(&m, BYTES, &how, 0));",
    "a graph launched twice": "cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t node, end; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams how = {}; "
                              "how.bytesize = BYTES; how.poolProps.allocType = cudaMemAllocationTypePinned; "
                              "how.poolProps.location.type = cudaMemLocationTypeDevice; cudaError_t e = cudaGraphAddMemAllocNode(&node, g, nullptr, 0, &how); "
                              "if (!e) e = cudaGraphAddMemFreeNode(&end, g, &node, 1, how.dptr); if (!e) e = cudaGraphInstantiate(&x, g, 0); "
                              "if (!e) e = cudaGraphLaunch(x, 0); if (!e) e = cudaGraphLaunch(x, 0); return e ? e : cudaDeviceSynchronize();"}
BYTES = 2 << 20


def check_memory(nvcc, folder):
    """Memory of exactly the size that is there is given, in each way; of one byte more it is not."""
    lines = ["#include <cuda.h>", "#include <cstdlib>", f"constexpr size_t BYTES = {BYTES};"]
    lines += [f"cudaError_t way{n}() {{ [[maybe_unused]] void* p; {way} }}" for n, way in enumerate(WAYS_TO_ALLOCATE.values())]
    lines += ["int main(int, char** words) {", "  cudaFree(nullptr);",
              f"  cudaError_t (*ways[])() = {{{', '.join(f'way{n}' for n in range(len(WAYS_TO_ALLOCATE)))}}};",
              "  const cudaError_t error = ways[atoi(words[1])]();", "  return error == cudaErrorMemoryAllocation ? 1 : error ? 3 : 0;", "}"]
    (folder / "memory.cu").write_text("\n".join(lines) + "\n")
    subprocess.run([nvcc, folder / "memory.cu", "-o", folder / "memory", "-lcuda"], check=True)
    for number, way in enumerate(WAYS_TO_ALLOCATE):
        for there, expected in ((BYTES, 0), (BYTES + 1, 0), (BYTES - 1, 1)):
            code, errors = run(folder / "memory", "CPU_DEVICE_MEMORY", str(there), str(number))
            check(f"{way}: {BYTES} bytes of {there} give {code}, expected {expected}", code == expected, errors)


def run(program, name, value, *words):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_") or k == "CPU_DEVICE_CACHE"}
    done = subprocess.run([program, *words], env={**environment, name: value}, capture_output=True, text=True, timeout=120, check=False)
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


# In which order the blocks and the threads of the first block begin, on one worker.
ORDERS = """\
#include <cstdio>
__global__ void note(int* tickets, int* blocks, int* threads) {
  if (threadIdx.x == 0) blocks[atomicAdd(tickets, 1)] = blockIdx.x;
  if (blockIdx.x == 0) threads[atomicAdd(tickets + 1, 1)] = threadIdx.x;
}
int main() {
  int* a;
  cudaMallocManaged(&a, 100 * sizeof(int));
  a[0] = a[1] = 0;
  note<<<12, 16>>>(a, a + 2, a + 14);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 2; i < 30; i++) printf("%d ", a[i]);
  cudaFree(a);
}
"""


def check_orders(nvcc, folder):
    """Each order is what its name says; a seed gives the same order again, and another seed another one."""
    (folder / "orders.cu").write_text(ORDERS)
    subprocess.run([nvcc, folder / "orders.cu", "-o", folder / "orders"], check=True)

    def order(value):
        environment = {**os.environ, "CPU_DEVICE_THREADS": "1", "CPU_DEVICE_ORDER": value}
        numbers = [int(n) for n in subprocess.run([folder / "orders"], env=environment, capture_output=True, text=True, check=True).stdout.split()]
        return numbers[:12], numbers[12:]
    up = list(range(12)), list(range(16))
    check("forward", order("forward") == up and order("") == up)
    check("reverse", order("reverse") == tuple(one[::-1] for one in up))
    seeds = [order(f"shuffle:{seed}") for seed in (0, 1, 2, 3, 65536, SEED - 1, SEED)]
    for blocks, threads in seeds:
        check("a shuffle has each of them once", (sorted(blocks), sorted(threads)) == up and blocks != up[0] and threads != up[1], f"{blocks} {threads}")
    check("each seed has an order of its own", len({str(one) for one in seeds}) == len(seeds), str(seeds))
    for which, words in enumerate(("blocks", "threads")):  # of so few blocks there are only 48 orders
        check(f"the order of {words} depends on the seed", len({str(one[which]) for one in seeds}) > len(seeds) // 2, str(seeds))
    check("the same seed gives the same order", [order(f"shuffle:{seed}") for seed in (1, SEED)] == [seeds[1], seeds[-1]])


# Kernels that get somewhere all the time.
LONG = """\
#include <cstdlib>
__global__ void barriers(int rounds) {
  for (int i = 0; i < rounds; i++) __syncthreads();
}
__global__ void blocks() {}
__global__ void atomics(int* sum, int rounds) {
  for (int i = 0; i < rounds; i++) atomicAdd(sum, 1);
}
int main(int, char** arguments) {
  const int rounds = atoi(arguments[2]);
  int* sum;
  cudaMalloc(&sum, 4), cudaMemset(sum, 0, 4);
  switch (arguments[1][0]) {
    case 'b': barriers<<<1, 4>>>(rounds); break;
    case 'm': blocks<<<rounds, 1>>>(); break;
    default: atomics<<<1, 1>>>(sum, rounds);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) cudaFree(sum);
  return error != cudaSuccess;
}
"""


def check_long_kernels(nvcc, folder):
    """CPU_DEVICE_TIMEOUT ends kernels that get nowhere, not those that take long."""
    (folder / "long.cu").write_text(LONG)
    subprocess.run([nvcc, "--check", folder / "long.cu", "-o", folder / "long"], check=True)

    def run(what, rounds, **environment):
        begin = time.monotonic()
        done = subprocess.run([folder / "long", what, str(rounds)], env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        return done, time.monotonic() - begin
    for what in ("barriers", "many blocks", "atomics"):
        rounds, seconds = 10000, 0
        while seconds < 0.2:  # so many rounds take long enough to know how many take three seconds
            rounds *= 4
            seconds = run(what, rounds)[1]
        done, _ = run(what, int(rounds * 3 / seconds), CPU_DEVICE_TIMEOUT="1")
        check(f"a kernel with {what} may take longer than CPU_DEVICE_TIMEOUT",
              done.returncode == 0 and "time is up" not in done.stderr and "no progress" not in done.stderr, done.stderr)


# What a program may do before it ends; whether it launches a kernel; whether it ends in a way that a library can see.
ENDS = {"usage": ("return 2;", False, True), "exit": ("exit(3);", False, True), "_exit": ("_exit(4);", False, False),
        "abort": ("signal(SIGABRT, SIG_DFL), abort();", False, False), "nothing": ("return 0;", False, True), "copy": ("cudaMemcpy(&x, a, 4, cudaMemcpyDeviceToHost); return 0;", False, True),
        "kernel": ("add<<<1, 1>>>(a); return cudaDeviceSynchronize();", True, True)}
BEFORE = '{"counts": "of the run before"}\n'


def check_kept_files(nvcc, folder):
    """The file that CPU_DEVICE_PROFILE names stays as it is, byte for byte, unless the program has launched a kernel."""
    lines = ["#include <csignal>", "#include <cstdlib>", "#include <unistd.h>",
             "__global__ void add(int* a) { *a = 1; }", "int main(int, char** words) {",
             "  [[maybe_unused]] int x, *a = nullptr;", "  const int how = atoi(words[1]);"]
    for number, (name, (text, _, _)) in enumerate(ENDS.items()):
        needed = "cudaMalloc(&a, 4), cudaMemset(a, 0, 4); " if "(&x" in text or "(a)" in text else ""
        lines.append(f"  if (how == {number}) {{ {needed}{text} }}  // {name}")
    (folder / "ends.cu").write_text("\n".join(lines) + "\n}\n")
    subprocess.run([nvcc, "--branches", folder / "ends.cu", "-o", folder / "ends"], check=True)
    path = folder / "kept.json"
    for (number, (name, (_, launches, seen))), before in itertools.product(enumerate(ENDS.items()), (None, "", BEFORE)):
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_text(before)
        code, errors = run(folder / "ends", "CPU_DEVICE_PROFILE", str(path), str(number))
        after = path.read_text() if path.exists() else None
        writes = launches or (seen and before is None)
        good = after not in (None, before) and '"kernels"' in after if writes else after == before
        check(f"{name}: a file of {before!r} is {'written' if writes else 'kept'}", good, f"now {after!r}, exit code {code}: {errors}")


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    check_long_kernels(nvcc, folder)
    (folder / "add.cu").write_text(SOURCE)
    for way, options, numbers, words in (("plain", [], NUMBERS, WORDS), ("checked", ["--check"], OF_CHECKED_RUNS, WORDS_OF_CHECKED_RUNS)):
        program = folder / way
        subprocess.run([nvcc, *options, folder / "add.cu", "-o", program], check=True)
        for name, (low, high) in numbers.items():
            check_setting(program, name, ["", str(low), str(high)], [str(low - 1), str(high + 1), *NO_NUMBERS])
        for name, (valid, others) in words.items():
            check_setting(program, name, valid, others)
    check_orders(nvcc, folder)
    check_time_limit(nvcc, folder)
    check_memory(nvcc, folder)
    check_kept_files(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
