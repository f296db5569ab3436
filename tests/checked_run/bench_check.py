#!/usr/bin/env python3
"""How much slower, and larger, a checked run is than an unchecked one.

    tests/checked_run/bench_check.py BUILD CHECKED_BUILD [NAME...] [--runs N] [--profiled]

Runs each program of the table with both builds (presets cpu and cpu-check), on one worker, since a
checked run has one thread at a time; prints the processor's seconds (the least of N runs) and the
largest memory, their ratios, and the medians. Times are of the whole program, its checking on the host
included. An unchecked run is measured twice: as it is, with the threads of a block as loops, and with
CPU_DEVICE_LOOPS=0, thread by thread, as a checked run has them. --profiled: also those of profiled runs,
next to the checked ones; their programs are compiled as for ./course profile.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "profile"))
import profile_gpu  # noqa: E402

# Sizes at which the kernels, not the start of the program, take the time.
PROGRAMS = """
ch04_parallel/vector_add_blocks --size 65535
ch04_parallel/julia_blocks --size 400
ch04_parallel/julia_threads --size 400
ch04_parallel/julia_fast --size 400
ch05_threads/vector_add_threads --size 1024
ch05_threads/vector_add_stride --size 2000000
ch05_threads/vector_add_wide --size 2000000
ch05_threads/dot --size 2000000
ch05_threads/dot_fast --size 2000000
ch05_threads/dot_last_block --size 300000
ch05_threads/shared_bitmap --size 512
ch05_threads/ripple --size 256 --frames 8
ch06_constant/ray_global --size 256
ch06_constant/ray_constant --size 256
ch06_constant/ray_tiles --size 256
ch07_texture/heat_global --size 128 --frames 2
ch07_texture/heat_texture_1d --size 128 --frames 2
ch07_texture/heat_texture_2d --size 128 --frames 2
ch07_texture/heat_fused --size 128 --frames 2
ch07_texture/heat_blocked --size 128 --frames 2
ch08_interop/ripple_mouse --frames 3
ch09_atomics/histogram_global_atomics --size 2000000
ch09_atomics/histogram_shared_atomics --size 2000000
ch09_atomics/histogram_private --size 2000000
ch09_atomics/histogram_wide_loads --size 2000000
ch09_atomics/histogram_lanes --size 2000000
appA_hashtable/dot_locked --size 1000000
appA_hashtable/dot_atomic_add --size 1000000
appA_hashtable/hash_lock_free --size 200000
appA_hashtable/hash_exchange --size 200000
appA_hashtable/hash_block_chains --size 200000
appA_hashtable/hash_find --size 50000
nbody/nbody_float3 --size 1024
nbody/nbody_shared --size 1024
nbody/nbody_constant --size 1024
nbody/nbody_registers --size 1024
nbody/nbody_pairs --size 1024
nbody/nbody_simulation --size 512 --steps 5
"""


def measure(program, arguments, runs, **more_environment):
    """Processor's seconds (the least), largest resident set in MiB; None if it does not end with 0."""
    seconds, memory = [], []
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.update(more_environment, CPU_DEVICE_THREADS="1")
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([str(program), *arguments], cwd=folder, env=environment,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                return None
            seconds.append(usage.ru_utime + usage.ru_stime)
            memory.append(usage.ru_maxrss / 1024)
    return min(seconds), max(memory)


def measure_profiled(row, runs):
    program = profile_gpu.build(" ".join(row), None)[0]
    return measure(program, row[1:], runs, CPU_DEVICE_PROFILE="counts.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="the cpu preset's")
    parser.add_argument("checked", type=pathlib.Path, help="the cpu-check preset's")
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; default: all")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--profiled", action="store_true", help="profiled runs, too")
    options = parser.parse_args()
    rows = [line.split() for line in PROGRAMS.split("\n") if line]
    rows = [row for row in rows if not options.names or row[0].split("/")[1] in options.names]
    slower, slower_than_fibers, larger, beside_checked = [], [], [], []
    print(f"{'program':28}{'loops s':>8}{'fibers':>8}{'checked':>9}{'of loops':>10}{'of fibers':>10}{'MiB':>8}{'checked':>9}{'times':>7}"
          + (f"{'profiled':>10}{'of checked':>12}" if options.profiled else ""))
    for name, *arguments in rows:
        plain = measure((options.build / name).resolve(), arguments, options.runs)
        fibers = measure((options.build / name).resolve(), arguments, options.runs, CPU_DEVICE_LOOPS="0")
        checked = measure((options.checked / name).resolve(), arguments, options.runs)
        short = name.split("/")[1]
        profiled = measure_profiled([name, *arguments], options.runs) if options.profiled else (0, 0)
        if None in (plain, fibers, checked, profiled):
            print(f"{short:28} does not end with 0")
            continue
        slower.append(checked[0] / plain[0])
        slower_than_fibers.append(checked[0] / fibers[0])
        larger.append(checked[1] / plain[1])
        beside_checked.append(profiled[0] / checked[0])
        print(f"{short:28}{plain[0]:8.2f}{fibers[0]:8.2f}{checked[0]:9.2f}{slower[-1]:10.1f}{slower_than_fibers[-1]:10.1f}"
              f"{plain[1]:8.0f}{checked[1]:9.0f}{larger[-1]:7.1f}"
              + (f"{profiled[0]:10.2f}{beside_checked[-1]:12.2f}" if options.profiled else ""), flush=True)
    if slower:
        for word, of in (("median", statistics.median), ("largest", max)):
            print(f"{word:28}{'':25}{of(slower):10.1f}{of(slower_than_fibers):10.1f}{'':17}{of(larger):7.1f}")
    if slower and options.profiled:
        print(f"profiled, of checked: median {statistics.median(beside_checked):.2f}, largest {max(beside_checked):.2f}, "
              f"at most 1 in {sum(ratio <= 1 for ratio in beside_checked)} of {len(beside_checked)}")
    return 0 if len(slower) == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
