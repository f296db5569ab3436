#!/usr/bin/env python3
"""What a page says to type does what it says: the compile commands of INSTALL.md, and the keys that pages name.

    tests/course/by_hand_check.py NVCC FOLDER

The three commands link listings of the book with the libraries of pictures. They get three listings of tests/listings under other
names. "Press Ctrl-..." is pressed in a terminal, while a kernel runs that never ends.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

LISTINGS = {"julia.cu": "julia_gpu.cu", "ripple.cu": "moving_rings.cu", "basic.cu": "window/shared_buffer.cu"}
ENDLESS = """\
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait_for<<<1, 32>>>(flag);
  cudaDeviceSynchronize();
}
"""


def check_commands(nvcc, folder):
    listings = folder / "listings"
    listings.mkdir(exist_ok=True)
    common = folder / "common"
    if not common.exists():
        common.symlink_to(ROOT / "common")
    commands = re.findall(r"^nvcc (\w+\.cu) .*-lglut.*$", (ROOT / "INSTALL.md").read_text(encoding="utf-8"), re.M)
    check("INSTALL.md compiles the three listings", sorted(commands) == sorted(LISTINGS), commands)
    for line in re.findall(r"^nvcc \w+\.cu .*-lglut.*$", (ROOT / "INSTALL.md").read_text(encoding="utf-8"), re.M):
        name = line.split()[1]
        shutil.copy(ROOT / "tests/listings" / LISTINGS[name], listings / name)
        done = subprocess.run([nvcc, *line.split()[1:]], cwd=listings, capture_output=True, text=True, errors="replace", check=False)
        check(f"INSTALL.md: {line}", done.returncode == 0 and (listings / name[:-3]).exists(), done.stderr[-600:])


def output_after(program, keys):
    """What a program in a terminal writes in the seconds after the keys are pressed, and whether it runs on."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(program, [program])
    text = b""
    for _ in range(20):  # until its kernel runs
        time.sleep(0.5)
        os.write(terminal, keys)
        while select.select([terminal], [], [], 0.5)[0]:
            try:
                text += os.read(terminal, 4096)
            except OSError:
                break
            if len(text) > 200:
                break
        with open(f"/proc/{child}/stat", encoding="utf-8") as file:
            state = file.read().rpartition(")")[2].split()[0]
        if b"wait_for" in text or state not in "RSD":  # stopped, or ended
            break
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    return text.decode(errors="replace"), state in "RSD"


def check_keys(nvcc, folder):
    (folder / "endless.cu").write_text(ENDLESS)
    subprocess.run([nvcc, "endless.cu", "-o", "endless"], cwd=folder, check=True)
    for page, words in (("DEBUGGING.md", r"Without a debugger, press Ctrl-(.)"), ("common/cpu_device/README.md", r"Press Ctrl-(.) to see what")):
        key = re.search(words, (ROOT / page).read_text(encoding="utf-8"))
        check(f"{page} names a key", key)
        if key:
            text, runs = output_after(str(folder / "endless"), bytes([ord(key[1]) & 0x1f]))
            check(f"{page}: Ctrl-{key[1]} prints where the threads are", "wait_for" in text and "endless.cu" in text, text)
            check(f"{page}: the program continues after Ctrl-{key[1]}", runs)


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    check_commands(nvcc, folder)
    check_keys(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
