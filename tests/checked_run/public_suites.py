#!/usr/bin/env python3
"""Checked runs of two public suites of kernels with races, from clones of their repositories.

    git clone https://github.com/JohnJacobsonIII/HiRace-Artifact-SC24
    git clone https://github.com/csl-iisc/ScoR
    tests/checked_run/public_suites.py NVCC hirace HiRace-Artifact-SC24
    tests/checked_run/public_suites.py NVCC scor ScoR

HiRace: the kernels of indigo/indigo_sources, each with the six graphs of indigo/input and the authors' launch
of 1024 blocks of 256 threads. The name of a file says which bugs are in it: atomicBug, guardBug, syncBug and
raceBug are races, boundsBug is an index beyond an array.
ScoR: the 32 programs of microbenchmarks/src, with a wait for the kernel before they end (they do not wait, so
that the kernel might not run), as they are otherwise and without the word volatile, each in three orders of the
threads. Their names begin with race or norace.

Prints what was found as a table in Markdown, and each program that differs from its name. --csv FILE writes the
kinds of the findings of each run. Exit code 1 if something differs.
"""

import argparse
import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RACES = {"lost-update", "warp-sync"}  # and what begins with race-
ORDERS = ("forward", "reverse", "shuffle:3")


def findings(program, arguments, report, **more_environment):
    """The kinds of the findings of one run; notes do not count."""
    environment = dict(os.environ, CPU_DEVICE_REPORT=str(report), CPU_DEVICE_LEAKS="none",
                       CPU_DEVICE_UNREAD="none", **more_environment)
    try:
        subprocess.run([str(program), *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    except subprocess.TimeoutExpired:
        return {"timeout"}
    results = json.loads(report.read_text())["runs"][0]["results"]
    return {result["ruleId"] for result in results if result["level"] != "note"}


def has_race(kinds):
    return any(kind in RACES or kind.startswith("race-") for kind in kinds)


def compile_checked(nvcc, source, program, *options):
    done = subprocess.run([nvcc, "--check", *options, str(source), "-o", str(program)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{source.name} does not compile: {done.stderr.strip().splitlines()[0]}")
    return done.returncode == 0


def hirace_runs(nvcc, suite, folder, pattern):
    """Yields (name, what its name says, input, kinds)."""
    graphs = sorted((suite / "indigo/input").glob("*.egr"))
    for source in sorted((suite / "indigo/indigo_sources").glob("*/*.cu")):
        if not re.search(pattern, source.stem):
            continue
        program = folder / "program"
        if not compile_checked(nvcc, source, program, f"-I{suite / 'indigo/indigo_include'}"):
            continue
        bugs = set(re.findall(r"(\w+?)Bug", source.stem.replace("_", " ")))
        says = "race" if bugs - {"bounds"} else "bounds" if bugs else "clean"
        for graph in graphs:
            yield source.stem, says, graph.stem, findings(program, (graph, 256, 1024), folder / "report.sarif")


def scor_runs(nvcc, suite, folder, pattern):
    for source in sorted((suite / "microbenchmarks/src").glob("*.cu")):
        if not re.search(pattern, source.stem):
            continue
        waits = source.read_text().replace("return 0;", "cudaDeviceSynchronize(); return 0;")
        for words, text in (("as they are", waits), ("without volatile", re.sub(r"\bvolatile\b", "", waits))):
            program, changed = folder / "program", folder / source.name
            changed.write_text(text)
            if not compile_checked(nvcc, changed, program):
                continue
            says = "race" if source.stem.startswith("race") else "clean"
            for order in ORDERS:
                yield (source.stem, says, f"{words}, {order}",
                       findings(program, (), folder / "report.sarif", CPU_DEVICE_ORDER=order))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("nvcc", help="the CPU device's")
    parser.add_argument("suite", choices=("hirace", "scor"))
    parser.add_argument("folder", type=pathlib.Path, help="a clone of the suite's repository")
    parser.add_argument("--only", default="", metavar="PATTERN", help="programs with this in their names")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    runs = {"hirace": hirace_runs, "scor": scor_runs}[options.suite]
    counts = collections.defaultdict(collections.Counter)
    rows, differ = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, says, given, kinds in runs(os.path.abspath(options.nvcc), options.folder.resolve(),
                                             pathlib.Path(folder), options.only):
            rows.append((name, says, given, " ".join(sorted(kinds))))
            count = counts[given]
            count[says] += 1
            right = {"race": has_race(kinds), "bounds": "out-of-bounds" in kinds, "clean": not kinds}[says]
            count[says, right] += 1
            count["race reported, none named"] += says == "bounds" and has_race(kinds)
            if not right:
                differ.append((name, given, kinds))
    if options.csv:
        with options.csv.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("program", "named", "input", "findings"), *rows])
    print("| run | with races | found | clean | silent | bounds only | found | of these, also a race |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for given, count in counts.items():
        print(f"| {given} | {count['race']} | {count['race', True]} | {count['clean']} | {count['clean', True]} "
              f"| {count['bounds']} | {count['bounds', True]} | {count['race reported, none named']} |")
    for name, given, kinds in differ:
        print(f"{name}, {given}: {' '.join(sorted(kinds)) or 'no findings'}")
    return 1 if differ or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
