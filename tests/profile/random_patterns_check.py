#!/usr/bin/env python3
"""Random access patterns: what ./course profile counts, against what ncu counted on an H200.

    random_patterns_check.py NVCC FOLDER                 compares; FOLDER is for the program. NVCC: the CPU device's
    random_patterns_check.py --gpu NVCC FOLDER           counts with ncu on this machine's GPU. NVCC: NVIDIA's
    random_patterns_check.py --record FOLDER             makes ncu/random_patterns.tsv of what the former wrote

Each line of the table is a launch of random_patterns.cu: what it does, and its counts. random_known.txt says which
differences stay, and why.
"""

import csv
import fnmatch
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import profile as tool  # noqa: E402  tools/profile.py, not Python's own

TABLE = HERE / "ncu/random_patterns.tsv"
PIECE = 58  # launches that one ncu counts: four files
MOST_SHOWN = 12

METRICS = {f"{words}_{what}": f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum"
           for op, words in (("ld", "load"), ("st", "store"), ("red", "reduction")) for what in ("requests", "sectors")}
METRICS.update({f"shared_{words}_conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"
                for op, words in (("ld", "load"), ("st", "store"))})
METRICS["divergent_branches"] = "smsp__sass_branch_targets_threads_divergent.sum"
METRICS.update({f"local_{words}_sectors": f"l1tex__t_sectors_pipe_lsu_mem_local_op_{op}.sum"
                for op, words in (("ld", "load"), ("st", "store"))})
METRICS.update({f"blocks_by_{what}": f"launch__occupancy_limit_{what}"
                for what in ("blocks", "warps", "shared_mem", "registers")})
COMPARED = [name for name in METRICS if not name.startswith(("blocks_by", "local"))] + ["warps"]
KINDS = {"global_load": "load", "global_store": "store", "global_reduction": "reduction", "global_atomic": "atomic",
         "shared_load": "shared_load", "shared_store": "shared_store"}


# ---------------------------------------------------------------------------- on a GPU

def count_on_gpu(nvcc, folder):
    program = folder / "random_patterns"
    subprocess.run([nvcc, "-std=c++17", "-O2", "-arch=native", str(HERE / "random_patterns.cu"), "-o", str(program)],
                   check=True)
    ncu = tool.ncu.find()
    for first in range(0, 10000, PIECE):
        output = folder / f"launches_{first}.txt"
        with open(output, "w") as file:
            subprocess.run([ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                            "--cache-control", "none", "--metrics", ",".join(METRICS.values()), "--log-file",
                            str(folder / f"counts_{first}.csv"), str(program), str(first), str(first + PIECE)],
                           stdout=file, stderr=subprocess.STDOUT, check=True, env={**os.environ, "LC_ALL": "C"})
        launches = [line for line in output.read_text().splitlines() if "\t" in line]
        print(f"{first} to {first + len(launches) - 1}", flush=True)
        if len(launches) < PIECE:
            break
    program.unlink()


def record(folder):
    lines = ["\t".join(["launch", "kernel", "blocks", "threads", "shared", "pattern", *METRICS])]
    for first in sorted(int(path.stem.split("_")[1]) for path in folder.glob("launches_*.txt")):
        launches = [line for line in (folder / f"launches_{first}.txt").read_text().splitlines() if "\t" in line]
        text = (folder / f"counts_{first}.csv").read_text().splitlines()
        start = next((i for i, line in enumerate(text) if line.startswith('"ID"')), None)
        rows = [row for row in csv.DictReader(text[start:]) if (row["ID"] or "").isdigit()]
        if len(rows) != len(launches):
            sys.exit(f"counts_{first}.csv has {len(rows)} launches, launches_{first}.txt has {len(launches)}")
        for line, row in zip(launches, rows):
            lines.append("\t".join([line, *(f"{tool.ncu.number(row[metric]):.0f}" for metric in METRICS.values())]))
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} launches recorded")


# ---------------------------------------------------------------------------- here

def counted(kernel, device):
    counts = dict.fromkeys(COMPARED, 0)
    counts["divergent_branches"] = sum(b["count"] for b in kernel["divergent_branches"])
    for a in kernel["accesses"]:
        name = KINDS[a["kind"]]
        values = {f"{name}_conflicts": a["bank_conflicts"]} if name.startswith("shared") else \
                 {f"{name}_requests": a["requests"], f"{name}_sectors": a["sectors"]}
        for key, value in values.items():
            counts[key] = counts.get(key, 0) + value
    counts["warps"] = tool.occupancy(kernel, device)[0]
    return counts


def count_here(nvcc, folder):
    """[(the line that the program prints, its counts)]"""
    program, path = folder / "random_patterns", folder / "random_patterns.json"
    subprocess.run([nvcc, "--branches", str(HERE / "random_patterns.cu"), "-o", str(program)], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    done = subprocess.run([str(program)], env={**environment, "CPU_DEVICE_PROFILE": str(path)}, check=True, text=True,
                          stdout=subprocess.PIPE)
    whole = json.loads(path.read_text())
    # The bytes of shared memory tell launches of one kernel apart.
    kernels = {(k["kernel"], k["grid"][0], tuple(k["block"]), k["shared_bytes_per_block"]): k for k in whole["kernels"]}
    launches = []
    for line in done.stdout.splitlines():
        _, name, grid, block, shared, _ = line.split("\t")
        kernel = kernels[name, int(grid), tuple(map(int, block.split())), int(shared)]
        launches.append((line, counted(kernel, whole["device"])))
    return launches


def warps_at_a_time(row):
    """What ncu calls the theoretical occupancy, registers left aside."""
    x, y, z = map(int, row["threads"].split())
    blocks = min(int(row[f"blocks_by_{what}"]) for what in ("blocks", "warps", "shared_mem"))
    return blocks * ((x * y * z + 31) // 32)


def known():
    """[(pattern of a launch's line, count, reason)]"""
    lines = (HERE / "random_known.txt").read_text().splitlines()
    rules = [line.split(" :: ") for line in lines if line and not line.startswith("#")]
    return [tuple(part.strip() for part in rule) for rule in rules]


def compare(nvcc, folder):
    with open(TABLE, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    launches, rules, used, wrong, values = count_here(nvcc, folder), known(), set(), 0, 0
    if len(rows) != len(launches):
        print(f"{len(launches)} launches instead of {len(rows)}")
        wrong += 1
    for row, (line, here) in zip(rows, launches):
        if line.split("\t") != [row[name] for name in ("launch", "kernel", "blocks", "threads", "shared", "pattern")]:
            print(f"another pattern than the recorded one:\n  {line}")
            wrong += 1
            continue
        for name in COMPARED:
            there = warps_at_a_time(row) if name == "warps" else int(row[name])
            values += 1
            if here[name] == there:
                continue
            rule = next((r for r in rules if fnmatch.fnmatchcase(line.replace("[", "("), r[0]) and
                         fnmatch.fnmatchcase(name, r[1])), None)
            if rule:
                used.add(rule)
                continue
            wrong += 1
            if wrong <= MOST_SHOWN:
                print(f"{line}\n  {name}: {here[name]} here, {there} by ncu")
    for rule in set(rules) - used:
        print(f"random_known.txt: nothing differs any more: {' :: '.join(rule)}")
        wrong += 1
    print(f"{len(rows)} launches, {values} counts compared, {wrong} wrong")
    return 1 if wrong else 0


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[-1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if sys.argv[1] == "--gpu":
        return count_on_gpu(sys.argv[2], folder)
    if sys.argv[1] == "--record":
        return record(folder)
    return compare(sys.argv[1], folder)


if __name__ == "__main__":
    sys.exit(main())
