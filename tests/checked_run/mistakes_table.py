#!/usr/bin/env python3
"""Prints the tables of tests/mistakes/compute_sanitizer.md from the .csv beside it, which
tests/checked_run/mistakes_gpu.sh writes: what compute-sanitizer found of each kind, and what it did not.

    tests/checked_run/mistakes_table.py

A wrong program counts as found if a tool complains about it, and not about the right one in the
same words (addresses and offsets aside).
"""

import collections
import csv
import pathlib
import re
import sys
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "mistakes"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from mistakes_check import KINDS, expected_findings  # noqa: E402  pylint: disable=wrong-import-position


def first_kind(source):
    """That of the first finding which the comments of the program name."""
    return next(iter(expected_findings(source)), ("uninitialized",))[0]  # or it only warns


def words(row):
    return re.sub(r"\+?0x[0-9a-f]+", "", row["message"])


def main():
    runs = collections.defaultdict(dict)
    with open(FOLDER / "compute_sanitizer.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            runs[row["name"], row["way"]][row["tool"]] = row
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])  # pairs, found, not run, false alarms
    missed, tools, not_run, alarms = collections.defaultdict(list), collections.Counter(), [], []
    for source in sorted(FOLDER.glob("*.cu")):
        name, kind = source.stem, first_kind(source)
        wrong, right = runs[name, "wrong"], runs[name, "right"]
        complaints = [tool for tool, row in right.items() if row["found"] == "yes"]
        found = [tool for tool, row in wrong.items() if row["found"] == "yes"
                 and not (tool in complaints and words(right[tool]) == words(row))]
        ran = any(not row["ended"].startswith("not run") for row in wrong.values())
        for i, happened in enumerate([True, found, not ran, complaints]):
            counts[kind][i] += bool(happened)
        tools.update(found)
        if not ran:
            not_run.append(name)
        elif not found:
            missed[kind].append(name)
        alarms += [f"{name} ({tool})" for tool in complaints]
    print("| kind | pairs | checked run | compute-sanitizer | not run | false alarms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in KINDS:
        pairs, found, absent, false = counts[kind]
        print(f"| {kind} | {pairs} | {pairs} | {found} | {absent or ''} | {false or ''} |")
    pairs, found, absent, false = map(sum, zip(*counts.values()))
    print(f"| **all** | **{pairs}** | **{pairs}** | **{found}** | **{absent}** | **{false}** |")
    print(f"\nby tool: {dict(tools)}\nnot run: {', '.join(not_run)}\nfalse alarms: {', '.join(alarms)}\n")
    for kind in KINDS:
        if missed[kind]:
            line = f"- {kind} ({len(missed[kind])} of {counts[kind][0]}): {', '.join(missed[kind])}"
            print(textwrap.fill(line, 98, subsequent_indent="  ", break_on_hyphens=False))


if __name__ == "__main__":
    main()
