#!/usr/bin/env python3
"""Runs the versions of a chapter's program side by side, and library peers with them.

usage: bench.py --build FOLDER --device gpu|cpu|tiny --out FOLDER [--repeats N] [--peers FILE] [NAME...]
       bench.py --programs [NAME...]      the programs that must be built

Each program verifies its result before it prints a time; what fails stands in the table as failed.
Prints a table, and writes index.html and bench.json into the folder given by --out.
"""
import argparse
import datetime
import html
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile

FAST = r"kernel reads(?: and writes)? ([\d.]+) GB/s.*?([\d.]+) GB/s"
HISTOGRAM = r"kernel ([\d.]+) GB/s; this device copies ([\d.]+) GB/s"
NBODY = r"([\d.e+]+) GFLOP/s: [\d.e+-]+ % of the ([\d.e+]+) GFLOP/s"
HEAT = r"kernels [\d.]+ ms, ([\d.]+) us per step"
INSERT = r"(?:insert|build) .*?([\d.]+) M keys/s"
FIND = r"find .*?([\d.]+) M keys/s"

# name: title, unit, {device: arguments}, versions (program, what changed, more arguments, pattern).
# The pattern's first group is the rate, the second, if there is one, the device's limit.
TOPICS = {
    "vector_add": ("Vector add, 3 vectors of whole numbers", "GB/s",
                   {"gpu": "--size 1000000000", "cpu": "--size 33554432", "tiny": "--size 1000"}, [
        ("vector_add_stride", "128 x 128 threads, as in the book", "", FAST),
        ("vector_add_stride", "1056 x 256 threads", "--blocks 1056 --threads 256", FAST),
        ("vector_add_wide", "16 bytes per load, a thread for each", "", FAST)]),
    "dot": ("Dot product", "GB/s",
            {"gpu": "--size 268435456", "cpu": "--size 33554432", "tiny": "--size 1000"}, [
        ("dot", "32 x 256 threads, as in the book", "", FAST),
        ("dot_fast", "16 bytes per load, all multiprocessors, shuffles", "", FAST),
        ("dot_last_block", "the result, too, in the same launch", "", FAST)]),
    "heat": ("Heat, steps on a square plate", "G cells/s",
             {"gpu": "--size 16384 --steps 160", "cpu": "--size 1024 --steps 16",
              "tiny": "--size 20 --steps 9"}, [
        ("heat_global", "two kernels per step, as in the book", "", HEAT),
        ("heat_fused", "one kernel per step, one bit per heater", "", HEAT),
        ("heat_blocked", "eight steps per pass, in registers", "", HEAT)]),
    "histogram": ("Histogram of random bytes", "GB/s",
                  {"gpu": "--size 4294967296", "cpu": "--size 104857600", "tiny": "--size 1000"}, [
        ("histogram_shared_atomics", "a histogram per block, as in the book", "", HISTOGRAM),
        ("histogram_wide_loads", "16 bytes per load, a histogram per warp", "", HISTOGRAM),
        ("histogram_private", "a histogram per thread, no atomics", "", HISTOGRAM),
        ("histogram_lanes", "a column of counters per lane", "", HISTOGRAM)]),
    "hash_insert": ("Hash table, insertions", "M keys/s",
                    {"gpu": "--size 26214400", "cpu": "--size 1000000", "tiny": "--size 1000"}, [
        ("hash_exchange", "lists, one exchange per key", "--buckets 33554432", INSERT),
        ("hash_find", "one table without lists", "--partitions 1", INSERT),
        ("hash_find", "keys sorted by partition first", "", INSERT)]),
    "hash_find": ("Hash table, look-ups, half of them found", "M keys/s",
                  {"gpu": "--size 26214400", "cpu": "--size 1000000", "tiny": "--size 1000"}, [
        ("hash_find", "places 50 % taken", "", FIND),
        ("hash_find", "places 80 % taken", "--load 80", FIND)]),
    "nbody": ("N-body, all pairs", "GFLOP/s",
              {"gpu": "--size 65536", "cpu": "--size 4096 --steps 3", "tiny": "--size 100 --steps 1"}, [
        ("nbody_float4", "global memory", "", NBODY),
        ("nbody_shared", "tiles in shared memory", "", NBODY),
        ("nbody_registers", "several bodies per thread", "", NBODY),
        ("nbody_pairs", "each pair once", "", NBODY)]),
}


def rate_of(topic, arguments, match):
    """The rate in the topic's unit, and the device's limit or None."""
    value = float(match.group(1))
    if topic == "heat":
        size = int(re.search(r"--size (\d+)", arguments).group(1))
        return size * size / value * 1e-3 if value > 0 else 0, None
    return value, float(match.group(2)) if match.re.groups > 1 else None


def run_once(command, pattern):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    match = re.search(pattern, result.stdout, re.S)
    if result.returncode != 0 or match is None:
        lines = (result.stderr or result.stdout).strip().splitlines()
        return None, lines[-1] if lines else "no output"
    return match, ""


def run_version(build, chapter_of, topic, arguments, version, repeats):
    program, change, more, pattern = version
    words = (arguments + " " + more).split()
    if topic == "heat":
        words += ["--frames", "1", "--save", "heat.png"]
    row = {"version": program, "change": change, "arguments": " ".join(words)}
    rates, limits = [], []
    for _ in range(repeats):
        match, problem = run_once([os.path.join(build, chapter_of[program], program)] + words, pattern)
        if match is None:
            row["failed"] = problem
            return row
        rate, limit = rate_of(topic, arguments, match)
        rates.append(rate)
        if limit:
            limits.append(limit)
    row["rate"] = statistics.median(rates)
    row["spread"] = [min(rates), max(rates)]
    if limits:
        row["limit"] = statistics.median(limits)
    return row


def run_peers(peers, topic):
    """Rows of the libraries: lines "topic<TAB>name<TAB>rate" from the program `peers`."""
    if not peers:
        return []
    result = subprocess.run([peers, topic], capture_output=True, text=True, check=False)
    rows = []
    for line in result.stdout.splitlines():
        name, rate = line.split("\t")
        rows.append({"version": name, "change": "library", "rate": float(rate)})
    return rows


def describe(row, best_peer):
    if "failed" in row:
        return ["failed: " + row["failed"], "", ""]
    share = "%.0f %%" % (100 * row["rate"] / row["limit"]) if row.get("limit") else "-"
    times = "%.2f" % (row["rate"] / best_peer) if best_peer else "-"
    return ["%.4g" % row["rate"], share, times]


def print_topic(title, unit, rows, best_peer):
    print("\n" + title)
    print("%-26s %-50s %12s %10s %8s" % ("version", "what changed", unit, "of limit", "library"))
    for row in rows:
        print("%-26s %-50s %12s %10s %8s" % ((row["version"], row["change"]) +
                                             tuple(describe(row, best_peer))))
    sys.stdout.flush()


def page(report):
    parts = ["<!DOCTYPE html><meta charset='utf-8'><title>Benchmarks</title><style>body{font:16px "
             "sans-serif;max-width:60em;margin:2em auto}td,th{padding:.2em .6em;text-align:left}"
             ".bar{background:#4a7;height:1em}.peer{background:#999}</style><h1>Benchmarks</h1>",
             "<p>%s, %s, medians of %d runs</p>" % (html.escape(report["machine"]), report["date"],
                                                    report["repeats"])]
    for topic in report["topics"]:
        peers = [r["rate"] for r in topic["rows"] if r["change"] == "library"]
        most = max([r.get("rate", 0) for r in topic["rows"]] + [1e-9])
        parts.append("<h2>%s</h2><table><tr><th>version<th>what changed<th>%s<th>of limit<th>times "
                     "the library<th>" % (html.escape(topic["title"]), html.escape(topic["unit"])))
        for row in topic["rows"]:
            cells = [row["version"], row["change"]] + describe(row, max(peers) if peers else None)
            bar = "<div class='bar%s' style='width:%.1fem'></div>" % (
                " peer" if row["change"] == "library" else "", 18 * row.get("rate", 0) / most)
            parts.append("<tr>" + "".join("<td>" + html.escape(c) for c in cells) + "<td>" + bar)
        parts.append("</table>")
    return "\n".join(parts) + "\n"


def machine(build, device):
    if device == "gpu":
        result = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version",
                                 "--format=csv,noheader"], capture_output=True, text=True, check=False)
        return result.stdout.strip().splitlines()[0] if result.returncode == 0 else "a GPU"
    return "CPU device, %d cores (%s)" % (os.cpu_count() or 1, platform.machine())


def main():
    parser = argparse.ArgumentParser(prog="course bench", description=__doc__.splitlines()[0])
    parser.add_argument("--build")
    parser.add_argument("--device", choices=["gpu", "cpu", "tiny"], default="cpu")
    parser.add_argument("--out")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peers")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name in options.names:
        if name not in TOPICS:
            print("course: there is no benchmark '%s'; there are %s" % (name, ", ".join(TOPICS)),
                  file=sys.stderr)
            return 2
    names = options.names or list(TOPICS)
    programs = sorted({version[0] for name in names for version in TOPICS[name][3]})
    if options.programs:
        print("\n".join(programs))
        return 0
    options.build = os.path.abspath(options.build)  # programs run in a folder of their own
    chapter_of = {}
    for chapter in os.listdir(options.build):
        folder = os.path.join(options.build, chapter)
        for program in programs:
            if os.path.isfile(os.path.join(folder, program)):
                chapter_of[program] = chapter
    missing = [program for program in programs if program not in chapter_of]
    if missing:
        print("course: not built: " + ", ".join(missing), file=sys.stderr)
        return 2
    report = {"machine": machine(options.build, options.device), "device": options.device,
              "date": datetime.date.today().isoformat(), "repeats": options.repeats, "topics": []}
    failed = False
    print("%s, %s, medians of %d runs" % (report["machine"], report["date"], options.repeats))
    for name in names:
        title, unit, sizes, versions = TOPICS[name]
        rows = [run_version(options.build, chapter_of, name, sizes[options.device], version,
                            options.repeats) for version in versions]
        rows += run_peers(options.peers, name)
        peers = [row["rate"] for row in rows if row["change"] == "library"]
        print_topic(title + ", " + sizes[options.device], unit, rows, max(peers) if peers else None)
        failed = failed or any("failed" in row for row in rows)
        report["topics"].append({"name": name, "title": title + ", " + sizes[options.device],
                                 "unit": unit, "rows": rows})
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    with open(os.path.join(options.out, "index.html"), "w", encoding="utf-8") as file:
        file.write(page(report))
    print("\nwrote %s and bench.json" % os.path.join(options.out, "index.html"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
