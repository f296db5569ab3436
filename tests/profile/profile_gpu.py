#!/usr/bin/env python3
"""Counts the kernels of chapters 4 to 7, 9 and N-body by ncu on this machine's GPU and on the CPU device,
and prints the table of tests/profile/profile_counts.md.

    tests/profile/profile_gpu.py NVCC [NAME...]     NVCC: NVIDIA's; NAME: only these programs
    tests/profile/profile_gpu.py --from FILE        the table again from counts.json, which the former writes

ncu counts the first 40 launches of each program. With 16 cores and an H200 it takes some minutes.
"""

import concurrent.futures
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import ncu  # noqa: E402
import profile as tool  # noqa: E402  tools/profile.py, not Python's own

PROGRAMS = """
ch04_parallel/julia_threads --size 200
ch05_threads/vector_add_stride --size 10007
ch05_threads/vector_add_wide --size 100003
ch05_threads/dot_single_thread --size 10007
ch05_threads/dot --size 10007
ch05_threads/dot_warp --size 10007
ch05_threads/dot_shuffle --size 10007
ch05_threads/dot_groups --size 10007
ch05_threads/dot_fast --size 100003
ch05_threads/dot_last_block --size 100003
ch05_threads/divergence --size 1024
ch05_threads/transpose --size 256
ch05_threads/shared_bitmap --size 128
ch05_threads/ripple --size 128 --frames 2
ch06_constant/ray_global --size 96
ch06_constant/ray_constant --size 96
ch06_constant/ray_grid_constant --size 96
ch06_constant/ray_scattered --size 64
ch06_constant/ray_tiles --size 96 --spheres 300
ch07_texture/heat_global --size 96 --steps 10 --frames 1
ch07_texture/heat_graph --size 96 --steps 10 --frames 1
ch07_texture/heat_grid_sync --size 96 --steps 10 --frames 1
ch07_texture/heat_texture_1d --size 96 --steps 10 --frames 1
ch07_texture/heat_texture_2d --size 96 --steps 10 --frames 1
ch07_texture/heat_fused --size 96 --steps 10 --frames 1
ch07_texture/heat_blocked --size 96 --steps 16 --frames 1
ch09_atomics/histogram_global_atomics --size 100003
ch09_atomics/histogram_shared_atomics --size 100003
ch09_atomics/histogram_wide_loads --size 100003
ch09_atomics/histogram_private --size 100003
ch09_atomics/histogram_lanes --size 100003
appA_hashtable/dot_atomic_add --size 10007
nbody/nbody_float3 --size 256 --steps 2
nbody/nbody_float4 --size 256 --steps 2
nbody/nbody_shared --size 256 --steps 2
nbody/nbody_constant --size 256 --steps 2
nbody/nbody_registers --size 256 --steps 2
nbody/nbody_pairs --size 1024 --steps 2
nbody/nbody_periodic --size 256 --steps 2
"""


def build(line, nvcc):
    source = ROOT / (line.split()[0] + ".cu")
    options = ["-lglut", "-lGL", "-lpng", "-lwebpmux", "-lwebp"]
    if source.parent.name == "nbody":
        options.append("-ftz=true")
    return tool.compile_programs(source, options, nvcc)


def measure(line, programs):
    """[compare() of the program]; a text, if it could not be counted."""
    try:
        return tool.count_both(*programs, line.split()[1:])[1]
    except (ncu.Problem, SystemExit) as problem:
        return str(problem)


def figure(value):
    return tool.number(value)


def cells(entry):
    """The words of one kernel's last cell: what is equal, and every difference, by line where known."""
    if entry["here"] is None:
        return "not launched on the CPU device"
    differing = [row for row in entry["rows"] if abs(row[1] - row[2]) >= 0.5]
    if not differing:
        return f"equal in all {len(entry['rows'])} counts"
    words = [f"{what} {figure(here)} : {figure(there)}" for what, here, there in differing]
    where = {}
    for _, line, what, here, there in entry["lines"]:
        if abs(here - there) >= 0.5:
            where.setdefault(f"line {line}", []).append(f"{what} {figure(here)} : {figure(there)}")
    lines = "; ".join(f"{place}: {', '.join(found)}" for place, found in where.items())
    same = len(entry["rows"]) - len(differing)
    return f"{same} equal; " + ", ".join(words) + (f" ({lines})" if lines else "")


def print_table(results):
    print("| program | kernel | blocks of threads | counted here : by ncu |\n| --- | --- | --- | --- |")
    for line, compared in results.items():
        program = line.partition("/")[2]
        if isinstance(compared, str):
            print(f"| `{program}` | | | {compared} |")
            continue
        for entry in compared:
            size = f"{tool.size_in_words(list(entry['grid']))} of {tool.size_in_words(list(entry['block']))}"
            if entry["here"] and entry["here"] != [list(entry["grid"]), list(entry["block"])]:
                size += ", here " + " of ".join(tool.size_in_words(list(n)) for n in entry["here"])
            print(f"| `{program}` | `{entry['kernel']}` | {size} | {cells(entry)} |")
            program = ""


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "--from":
        print_table(json.loads(pathlib.Path(sys.argv[2]).read_text()))
        return 0
    nvcc, names = sys.argv[1], sys.argv[2:]
    lines = [line for line in PROGRAMS.split("\n") if line and (not names or line.split()[0].split("/")[1] in names)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        building = {line: pool.submit(build, line, nvcc) for line in lines}
        programs = {line: future.result() for line, future in building.items()}
    results = {}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # ncu counts one launch at a time
        measuring = {line: pool.submit(measure, line, programs[line]) for line in lines}
        for line, future in measuring.items():
            results[line] = future.result()
            print(f"{line}: {'counted' if isinstance(results[line], list) else results[line]}", file=sys.stderr,
                  flush=True)
            pathlib.Path("counts.json").write_text(json.dumps(results))
    print_table(results)
    return 0 if all(isinstance(one, list) for one in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
