#!/usr/bin/env python3
"""The CPU device next to PoCL and to loops by hand: nine kernels, in processor time.

    tools/bench_cpu.py NVCC FOLDER [PART]

NVCC: the CPU device's. FOLDER: for the programs. PART: of the sizes, such as 0.1. ./course bench cpu starts this.

Each benchmark runs five times in each of three rounds, in which the columns take turns: other programs on the machine then
slow all of them. The least processor time counts. All must compute the same, to the last bit: otherwise the exit code is 1. PoCL is Debian's pocl-opencl-icd (with ocl-icd-opencl-dev and opencl-headers).
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = ROOT / "tools/bench_cpu"
KERNELS = ROOT / "tests/cpu_device/loops/nine_kernels.cu"
LINE = re.compile(r"(\S.*?) +([0-9.]+) ms +([0-9a-f]{16})")
ROUNDS = 3
BY_HAND = ["-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fopenmp-simd", "-fno-math-errno"]


def build(*command):
    """The compiler's text if it fails, otherwise ''."""
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
    except OSError as error:
        return str(error)
    return done.stdout or "it failed" if done.returncode != 0 else ""


def measure(program, arguments, **settings):
    """{benchmark: (milliseconds, result)}, or the last line that the program says."""
    done = subprocess.run([program, *arguments], env={**os.environ, **settings}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
    return {name: (float(ms), result) for name, ms, result in LINE.findall(done.stdout)}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    nvcc, folder, arguments = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    programs = []  # (title, what measure() takes)
    for title, program, command, settings in (
            ("loops", "nine_kernels", [nvcc, "-O2", KERNELS], {"CPU_DEVICE_THREADS": "1"}),
            ("thread by thread", "nine_kernels", None, {"CPU_DEVICE_THREADS": "1", "CPU_DEVICE_LOOPS": "0"}),
            ("PoCL", "nine_opencl", ["g++", "-std=c++17", "-O2", SOURCES / "nine_opencl.cpp", "-lOpenCL"],
             {"POCL_MAX_PTHREAD_COUNT": "1"}),
            ("by hand", "nine_loops", ["g++", *BY_HAND, SOURCES / "nine_loops.cpp"], {})):
        problem = build(*command, "-o", folder / program) if command else ""
        found = problem.splitlines()[0] if problem else measure(folder / program, arguments, **settings)
        if isinstance(found, str):
            print(f"bench cpu: without {title}: {found}", file=sys.stderr)
            if program == "nine_kernels":
                return 1
            continue
        programs.append((title, found, folder / program, settings))
    columns = [(title, found) for title, found, _, _ in programs]
    for _ in range(ROUNDS - 1):
        for title, found, program, settings in programs:
            again = measure(program, arguments, **settings)
            if isinstance(again, str) or any(again[name][1] != found[name][1] for name in found):
                sys.exit(f"bench cpu: {title} ends otherwise when it runs again")
            found.update({name: min(found[name], again[name]) for name in found})
    ours = columns[0][1]
    titles = [title for title, _ in columns]
    others = [title for title in titles if title in ("PoCL", "by hand")]
    head = [*titles, *(f"loops / {title}" for title in others)]
    print("Processor time of one worker in ms, the least of 15\n")
    print("| kernel | " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * len(head))
    wrong = 0
    for name, (ms, result) in ours.items():
        row = [found[name][0] for _, found in columns]
        ratios = [ms / max(found[name][0], 0.01) for title, found in columns if title in others]
        print(f"| {name} | " + " | ".join([f"{value:.1f}" for value in row] + [f"{ratio:.2f}" for ratio in ratios]) + " |")
        for title, found in columns:
            if found[name][1] != result:
                print(f"bench cpu: {name}: {title} computes something else", file=sys.stderr)
                wrong += 1
    return 1 if wrong or len(ours) != 9 else 0


if __name__ == "__main__":
    sys.exit(main())
