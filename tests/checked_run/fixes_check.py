#!/usr/bin/env python3
"""Checks that ./course check --fix repairs races: of the wrong programs of tests/mistakes.

    tests/checked_run/fixes_check.py NVCC BUILD_FOLDER [NAME...] [--jobs N]

Without NAME, those in fixes.txt: each must be repaired, so that a checked run has no finding and the program ends
with 0. --all tries every pair of races, and prints which are repaired.
"""

import argparse
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
from course.fixes import Repair, run_program  # noqa: E402  pylint: disable=wrong-import-position


def repaired(name, options):
    """Whether the program is repaired, and the number of candidates."""
    source = SOURCES / f"{name}.cu"
    environment = dict(os.environ, **dict(re.findall(r"^// environment: (\w+)=(\S*)", source.read_text(), re.M)))

    def check(path, report):
        target = path.with_suffix("")
        done = subprocess.run([options.nvcc, "--check", path, "-o", target], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        return run_program(target, [], report, environment) if done.returncode == 0 else None

    repair = Repair(source, check)
    _, after, left = repair.repaired()
    return after is not None and not left, repair.tried


def names_of_races():
    return sorted(path.stem for path in SOURCES.glob("*.cu") if re.search(r"// finds (race-|warp-sync|lost-update)", path.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("nvcc", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, help="for temporary files")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--all", action="store_true", help="every pair of races; fails for none")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    options.nvcc = options.nvcc.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(options.folder.resolve())
    names = options.names or (names_of_races() if options.all else (HERE / "fixes.txt").read_text().split())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, (right, tried) in zip(names, pool.map(lambda name: repaired(name, options), names)):
            failed += not right
            if options.all or not right:
                print(f"{name}: {'repaired' if right else 'NOT repaired'}, {tried} tried", flush=True)
    print(f"{len(names) - failed} of {len(names)} repaired")
    return 1 if failed and not options.all else 0


if __name__ == "__main__":
    sys.exit(main())
