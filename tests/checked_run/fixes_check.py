#!/usr/bin/env python3
"""Checks that ./course check --fix repairs races: of the wrong programs of tests/mistakes.

    tests/checked_run/fixes_check.py NVCC BUILD_FOLDER [NAME...] [--jobs N]
    tests/checked_run/fixes_check.py --table

Each of the programs must be repaired: a checked run has no finding, and the program prints and returns the same as its
right twin. With --all it tries every pair of races, and those that are repaired must be the ones in fixes.txt. --table compares
the table in tests/mistakes/repairs.md with that list; --table --write writes it.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "mistakes"
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from course.fixes import ENCODING, SECONDS, Repair, run_program  # noqa: E402  pylint: disable=wrong-import-position


def compiled(options, source, target, *words):
    return subprocess.run([options.nvcc, "--check", *words, source, "-o", target], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def result(program, environment):
    """What it prints and returns."""
    done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                          timeout=SECONDS, check=False)
    return done.returncode, done.stdout


def has_right_result(source, lines, environment, options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / source.name).write_text("".join(lines), **ENCODING)
        if not (compiled(options, folder / source.name, folder / "repaired") and compiled(options, source, folder / "right", "-DRIGHT")):
            return False
        return result(folder / "repaired", environment) == result(folder / "right", environment)


def repaired(name, options):
    """Whether the program is repaired and has the right result, and the number of candidates."""
    source = SOURCES / f"{name}.cu"
    environment = dict(os.environ, **dict(re.findall(r"^// environment: (\w+)=(\S*)", source.read_text(), re.M)))

    def check(path, report):
        target = path.with_suffix("")
        return run_program(target, [], report, environment) if compiled(options, path, target) else None

    repair = Repair(source, check)
    _, after, left = repair.repaired()
    if after is None or left:
        return "not repaired", repair.tried
    return "repaired" if has_right_result(source, after, environment, options) else "repaired, with another result", repair.tried


def kind_of_race(path):
    """The first kind of race that the program is to have."""
    kind = re.search(r"// finds (race-[a-z-]+|warp-sync|lost-update)", path.read_text())
    return kind and kind[1]


def names_of_races():
    return sorted(path.stem for path in SOURCES.glob("*.cu") if kind_of_race(path))


def in_list():
    return (HERE / "fixes.txt").read_text().split()


def table():
    pairs, done = collections.Counter(), collections.Counter()
    for name in names_of_races():
        kind = kind_of_race(SOURCES / f"{name}.cu")
        pairs[kind] += 1
        done[kind] += name in in_list()
    rows = [f"| {kind} | {pairs[kind]} | {pairs[kind]} | {done[kind]} |" for kind in sorted(pairs)]
    return "\n".join(["| kind | pairs | have a story | repaired |", "| --- | ---: | ---: | ---: |", *rows,
                      f"| **all** | **{sum(pairs.values())}** | **{sum(pairs.values())}** | **{sum(done.values())}** |"]) + "\n"


def compare_table(write):
    page = SOURCES / "repairs.md"
    text = page.read_text()
    begin = text.index("| kind |")
    if write:
        page.write_text(text[:begin] + table())
    elif text[begin:] != table():
        print(f"{page}: its table is not that of fixes.txt; tests/checked_run/fixes_check.py --table --write writes it")
        return 1
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("nvcc", type=pathlib.Path, nargs="?")
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="for temporary files")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: those in fixes.txt")
    parser.add_argument("--all", action="store_true", help="every pair of races")
    parser.add_argument("--table", action="store_true", help="compare the table of repairs.md, or write it")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_intermixed_args()
    if not options.table and options.folder is None:
        parser.error("NVCC and BUILD_FOLDER are needed")
    return options


def main():
    options = parse_options()
    if options.table:
        return compare_table(options.write)
    options.nvcc = options.nvcc.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(options.folder.resolve())
    names = names_of_races() if options.all else options.names or in_list()
    right, different = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, (verdict, tried) in zip(names, pool.map(lambda name: repaired(name, options), names)):
            right += [name] * (verdict == "repaired")
            if (verdict == "repaired") != (name in in_list()):
                different += 1
            if options.all or verdict != "repaired":
                print(f"{name}: {verdict}, {tried} tried", flush=True)
    print(f"{len(right)} of {len(names)} repaired" + (f", {different} not as in fixes.txt" if different else ""))
    return 1 if different or not options.all and len(right) < len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
