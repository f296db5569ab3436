#!/usr/bin/env python3
"""Counts the kernels of the course that have a form as loops over the threads of a block: at least nine of ten of
those that do not wait for other threads in ways that only threads can.

    tests/cpu_device/loops_count.py NVCC [FILE.cu...]    default: all programs of the course

A kernel in a header counts once. Tile kernels, whose blocks have one thread, and programs that are wrong on purpose
(NAME_broken) are left out.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAITS = re.compile(r"may be a lock|the class \w+|olatile|_sync\(|__syncwarp|__activemask|__nanosleep|__threadfence"
                   r"|the result of atomic|a function with '__shared__'"
                   r"|'(cg|cuda|cub|nvcuda|wmma|asm|atomic|atomic_ref|cooperative_groups)'")
PLACE = re.compile(r'# (\d+) "(.*?)"')
EVENT = re.compile(r'::cpu_device::kernel\("(\w+)"|/\* no loops: (.*?) ?\*/|BlockPlace& (cpu_device_place)')


def kernels_of(nvcc, program):
    """{(file, line, name): reason why it has no form as loops, or ''}"""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "rewritten")
        done = subprocess.run([nvcc, "-w", f"-I{ROOT}/common", "-cuda", program, "-o", text], stderr=subprocess.PIPE)
        if done.returncode != 0:  # a library that is not here
            return {}
        lines = text.read_text(errors="replace").split("\n")
    kernels, place, key = {}, ("", 0), None
    for line in lines:
        marker = PLACE.match(line)
        if marker:
            place = (marker[2], int(marker[1]) - 1)
            continue
        place = (place[0], place[1] + 1)
        for name, reason, loops in EVENT.findall(line):
            if name:
                key = (*place, name)
            elif key is not None:
                kernels[key] = "" if loops else reason
    return kernels


def main():
    nvcc, *programs = sys.argv[1:]
    if not programs:
        programs = [path for pattern in ("ch*/*.cu", "appA_hashtable/*.cu", "nbody/*.cu") for path in ROOT.glob(pattern)]
    programs = [path for path in programs if not str(path).endswith("_broken.cu")
                and "cuda_tile.h" not in pathlib.Path(path).read_text()]
    kernels = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda path: kernels_of(nvcc, path), sorted(programs)):
            kernels.update(found)
    loops = sum(reason == "" for reason in kernels.values())
    waiting = sum(WAITS.search(reason) is not None for reason in kernels.values())
    others = len(kernels) - loops - waiting
    for (file, line, name), reason in sorted(kernels.items()):
        if reason and not WAITS.search(reason):
            print(f"{os.path.relpath(file, ROOT)}:{line}: {name}: {reason}")
    print(f"{loops} kernels have a form as loops, {others} have none, {waiting} wait for other threads")
    return 0 if loops >= 50 and loops >= 9 * others else 1


if __name__ == "__main__":
    sys.exit(main())
