"""Benchmarks of the user's own programs: runs them several times, and puts what they print of times and rates
side by side, as medians."""

import re
import statistics
import subprocess
import time

REPEATS, SECONDS = 5, 5  # runs of a version: so many, unless they take longer
LONGEST = 300            # seconds of one run
FIGURE = re.compile(r"(?<![\w.])(\d+(?:\.\d*)?(?:e[+-]?\d+)?) ?"
                    r"(ns|us|µs|ms|s|[kMGT]i?B/s|[MGT]FLOPS?(?:/s)?|[kMG] \w+/s|fps)(?![\w/])")
WHOLE = "the whole program"


def figures(output):
    """{(label, unit): value} of what a program prints, such as "kernel 1.5 ms, copies 0.2 ms"; the label is the
    part of the sentence before a figure."""
    found = {}
    for line in output.splitlines():
        end = 0
        for match in FIGURE.finditer(line):
            label = re.sub(r"^[\s,;:.()=]+|[\s,;:.()=]+$", "", line[end:match.start()])
            label = re.split(r"[,;.] ", label)[-1] or "-"
            key, number = (label, match[2]), 2
            while key in found:  # the same words again
                key, number = (f"{label} ({number})", match[2]), number + 1
            found[key] = float(match[1])
            end = match.end()
    return found


class Version:
    """One program, its runs, and why it failed if it did."""

    def __init__(self, name, path, arguments):
        self.name, self.runs, self.failed = name, [], ""
        began = time.monotonic()
        while not self.failed and (not self.runs or len(self.runs) < REPEATS and time.monotonic() - began < SECONDS):
            self.run([path, *arguments])

    def run(self, command):
        began = time.monotonic()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            self.failed = f"no end within {LONGEST} s"
            return
        self.runs.append({(WHOLE, "ms"): 1e3 * (time.monotonic() - began), **figures(done.stdout)})
        if done.returncode != 0:
            lines = [line for line in done.stdout.splitlines() if line.strip()]
            self.failed = f"exit code {done.returncode}: {lines[-1] if lines else 'no message'}"

    def values(self, key):
        return [run[key] for run in self.runs if key in run]


def number(value):
    return f"{value:.4g}" if value < 10000 else f"{value:.0f}"


def table(versions):
    """Lines of Markdown: a row for each figure, a column for each version; of a single one also the range."""
    keys = list(dict.fromkeys(key for version in versions for run in version.runs for key in run))
    alone = len(versions) == 1
    rows = [["", *(version.name for version in versions), "unit", *(["from", "to"] if alone else [])]]
    for key in keys:
        cells = [version.values(key) for version in versions]
        row = [key[0], *(number(statistics.median(values)) if values else "" for values in cells), key[1]]
        rows.append(row + ([number(min(cells[0])), number(max(cells[0]))] if alone else []))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(f"{cell:{width}}" for cell, width in zip(row, widths)) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("-" * width for width in widths) + " |", *lines[1:]]


def report(versions, arguments, device, limits):
    """Prints the table; returns the exit code."""
    good = [version for version in versions if not version.failed]
    if good:
        runs = [len(version.runs) for version in good]
        how_often = f"{min(runs)}{f' to {max(runs)}' if max(runs) > min(runs) else ''}"
        print(f"{device.words()}{', with ' + ' '.join(arguments) if arguments else ''}; "
              f"{'one run' if max(runs) == 1 else f'medians of {how_often} runs'}\n")
        print("\n".join(table(good)))
    if good and not any(len(run) > 1 for version in good for run in version.runs):
        print("\nIt prints no time of its own. Time the kernel between two events, and print it: "
              "printf(\"kernel %.3f ms\\n\", ms).")
    for version in versions:
        if version.failed:
            print(f"{version.name} failed: {version.failed}")
    if good and limits:
        print("\nThe limits of this device: "
              + ", ".join(f"{words} {number(limits[name])} {unit}" for name, words, unit in
                          (("copy", "copy", "GB/s"), ("read", "read", "GB/s"),
                           ("multiply_add", "multiply and add", "GFLOP/s")) if name in limits) + ".")
    if good and device.kind != "gpu":
        print("\nTimes on the CPU device say nothing about a GPU.")
    return 0 if len(good) == len(versions) else 1
