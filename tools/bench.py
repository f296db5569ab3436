#!/usr/bin/env python3
"""Runs the versions of a program side by side, and NVIDIA's libraries with them: ./course bench.

    tools/bench.py --build FOLDER --device gpu|cpu|tiny --out FOLDER [NAME...]
    tools/bench.py --programs [NAME...]      the targets that must be built

Each program verifies its result before it prints a time; one that fails is listed as
failed, and makes the exit code 1. Prints tables in Markdown, and writes index.html and bench.json
into the folder given by --out. --limits and --peers name the programs made of limits.cu and peers.cu.
"""

import argparse
import collections
import datetime
import decimal
import functools
import html
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A pattern's group says what the program prints: ms, us, or a rate (in the topic's unit times `printed`).
MOVES = r"kernel reads(?: and writes)? (?P<rate>[\d.]+) GB/s"
HISTOGRAM = r"kernel (?P<rate>[\d.]+) GB/s"
HEAT = r"kernels [\d.]+ ms, (?P<us>[\d.]+) us per step"
NBODY = r"(?P<rate>[\d.e+]+) GFLOP/s: "
INSERT = r"(?:insert|build) .*?(?P<rate>[\d.e+]+) M keys/s"
FIND = r"find .*?(?P<rate>[\d.e+]+) M keys/s"
ONE_THREAD = r"\none thread +(?P<ms>[\d.]+) ms"
ALL_CORES = r"core(?:s| \(no OpenMP\))? +(?P<ms>[\d.]+) ms"
SIMD = r", SIMD +(?P<ms>[\d.]+) ms"
TABLES = r", 4 tables +(?P<ms>[\d.]+) ms"
JULIA = r"%s +(?P<ms>[\d.]+) ms, [\d.]+ times as fast"
RAYS = r"kernel (?P<ms>[\d.]+) ms"
ALONE = r"kernel (?P<ms>[\d.]+) ms"
IN_A_ROW = r"in a row (?P<ms>[\d.]+) ms"
IN_A_GRAPH = r"in a graph (?P<ms>[\d.]+) ms"
PRODUCT = r"%s +kernel (?P<ms>[\d.]+) ms"

# versions: (program, what changed, more arguments, pattern).
# work(n): what a run of size n does, such that work / milliseconds is a rate in `unit`.
# limit: a name of limits.cu, the factor that makes the topic's unit of it (negative: the limit is a
# time, and the rate counts per time), and what it means.
# sizes: arguments on a GPU, on the CPU device, and for the test; n is that of --size, or of --m. "host": for the CPU's
# rows in a table of a GPU's, so that they do not take minutes.
Topic = collections.namedtuple("Topic", "title unit work sizes versions limit printed",
                               defaults=[1])

SQUARE = "--m {0} --n {0} --k {0}"
PRODUCT_SIZES = {"gpu": SQUARE.format(8192), "cpu": SQUARE.format(512), "tiny": SQUARE.format(33)}

TOPICS = {
    "vector_add": Topic(
        "Vector add, 3 vectors of ints", "GB/s", lambda n: 12e-6 * n,
        {"gpu": "--size 134217728", "cpu": "--size 16777216", "tiny": "--size 100000",
         "host": "--size 67108864"}, [
            ("vector_add_stride", "128 x 128 threads, as in the book", "", MOVES),
            ("vector_add_stride", "1056 x 256 threads", "--blocks 1056 --threads 256", MOVES),
            ("vector_add_wide", "16 bytes per load, a thread for each", "", MOVES),
            ("vector_add_cores", "CPU: one thread", "", ONE_THREAD),
            ("vector_add_cores", "CPU: all cores", "", ALL_CORES),
            ("vector_add_cores", "CPU: all cores, SIMD", "", SIMD)],
        ("copy", 1, "a copy within the device's memory")),
    "dot": Topic(
        "Dot product, floats", "GB/s", lambda n: 8e-6 * n,
        {"gpu": "--size 134217728", "cpu": "--size 16777216", "tiny": "--size 100000"}, [
            ("dot", "32 x 256 threads, as in the book", "", MOVES),
            ("dot_fast", "16 bytes per load, all multiprocessors, shuffles", "", MOVES),
            ("dot_last_block", "also the result, in the same launch", "", MOVES)],
        ("read", 1, "a kernel that only reads")),
    "dot_short": Topic(
        "Dot product, the book's 33 * 1024 floats: little more than a launch", "per us",
        lambda n: 1e-3,
        {"gpu": "--size 33792", "cpu": "--size 33792", "tiny": "--size 1000"}, [
            ("dot_last_block", "one launch, alone", "", ALONE),
            ("dot_last_block", "one of 100 in a row", "", IN_A_ROW),
            ("dot_last_block", "one of 100 in a graph", "", IN_A_GRAPH)],
        ("launch", -1e-3, "launches of an empty kernel, in a row")),
    "matmul": Topic(
        "Matrix product, floats", "TFLOP/s", lambda n: 2e-9 * n**3, PRODUCT_SIZES, [
            ("matmul_naive", "x along a column: uncoalesced", "", PRODUCT % "column of c"),
            ("matmul_naive", "x along a row", "", PRODUCT % "row of c"),
            ("matmul_tiled", "tiles in shared memory", "", PRODUCT % "shared memory"),
            ("matmul_registers", "8 x 8 elements per thread", "", PRODUCT % "per thread"),
            ("matmul_fast", "copies run ahead", "", PRODUCT % "ahead")],
        ("multiply_add", 1e-3, "multiply-adds alone")),
    "matmul_tf32": Topic(
        "Matrix product, tensor cores, tf32", "TFLOP/s", lambda n: 2e-9 * n**3, PRODUCT_SIZES, [
            ("matmul_tensor", "wmma", "", PRODUCT % "tf32, sums in float"),
            ("matmul_tensor", "mma in PTX", "", PRODUCT % "tf32 with mma in PTX")],
        ("tensor", 1, "")),
    "matmul_half": Topic(
        "Matrix product, tensor cores, half in, float out", "TFLOP/s", lambda n: 2e-9 * n**3, PRODUCT_SIZES, [
            ("matmul_tensor", "wmma", "", PRODUCT % "half, sums in float")],
        ("tensor", 1, "")),
    "julia": Topic(
        "Julia set", "G pixels/s", lambda n: 1e-6 * n * n,
        {"gpu": "--size 4096", "cpu": "--size 1000", "tiny": "--size 100", "host": "--size 2048"}, [
            ("julia_threads", "one thread per block, as in the book", "", JULIA % "per block"),
            ("julia_threads", "16 x 16 threads", "", JULIA % "16 threads"),
            ("julia_fast", "tests every fourth step", "", JULIA % "every fourth step"),
            ("julia_fast", "also warps of 8 x 4 pixels", "", JULIA % "8 x 4"),
            ("julia_cores", "CPU: one thread", "", ONE_THREAD),
            ("julia_cores", "CPU: all cores", "", ALL_CORES),
            ("julia_cores", "CPU: all cores, SIMD", "", SIMD)],
        ("multiply_add", 1 / 2 / (6 * 24.4), "only 6 instructions for each of 24.4 steps")),
    "rays": Topic(
        "Ray tracer, 2340 spheres", "G rays x spheres/s", lambda n: 2340e-6 * n * n,
        {"gpu": "--size 2048 --spheres 2340", "cpu": "--size 256 --spheres 2340",
         "tiny": "--size 40 --spheres 2340"}, [
            ("ray_global_timed", "spheres in global memory, each tested", "", RAYS),
            ("ray_constant_timed", "in constant memory, as in the book", "", RAYS),
            ("ray_tiles", "each block selects the spheres in its tile", "", RAYS)],
        ("multiply_add", 1 / 2 / 5, "only 5 instructions for each ray and sphere")),
    "heat": Topic(
        "Heat, steps on a square plate", "G cells/s", lambda n: 1e-6 * n * n,
        {"gpu": "--size 16384 --steps 160", "cpu": "--size 1024 --steps 16",
         "tiny": "--size 20 --steps 9"}, [
            ("heat_global", "two kernels per step, as in the book", "", HEAT),
            ("heat_fused", "one kernel per step, one bit per heater", "", HEAT),
            ("heat_blocked", "eight steps per pass, in registers", "", HEAT)],
        ("copy", 0.125, "a copy of all cells in each step, 8 bytes per cell")),
    "histogram": Topic(
        "Histogram of random bytes", "GB/s", lambda n: 1e-6 * n,
        {"gpu": "--size 1073741824", "cpu": "--size 33554432", "tiny": "--size 1000000",
         "host": "--size 268435456"}, [
            ("histogram_shared_atomics", "a histogram per block, as in the book", "", HISTOGRAM),
            ("histogram_wide_loads", "16 bytes per load, a histogram per warp", "", HISTOGRAM),
            ("histogram_private", "a histogram per thread, no atomics", "", HISTOGRAM),
            ("histogram_lanes", "a column of counters per lane", "", HISTOGRAM),
            ("histogram_cores", "CPU: one thread", "", ONE_THREAD),
            ("histogram_cores", "CPU: all cores", "", ALL_CORES),
            ("histogram_cores", "CPU: all cores, four tables each", "", TABLES)],
        ("read", 1, "a kernel that only reads")),
    "hash_insert": Topic(
        "Hash table, insertions", "G keys/s", lambda n: 1e-6 * n,
        {"gpu": "--size 26214400", "cpu": "--size 1000000", "tiny": "--size 1000"}, [
            ("hash_exchange", "lists, one exchange per key", "--buckets 33554432", INSERT),
            ("hash_find", "one table without lists", "--partitions 1", INSERT),
            ("hash_find", "keys sorted by partition first", "", INSERT)],
        ("random_reads", 1, "one random 8-byte read per key"), 1e-3),
    "hash_find": Topic(
        "Hash table, lookups, half of them for keys that are in the table", "G keys/s",
        lambda n: 1e-6 * n,
        {"gpu": "--size 26214400", "cpu": "--size 1000000", "tiny": "--size 1000"}, [
            ("hash_find", "slots 50 % taken", "", FIND),
            ("hash_find", "slots 80 % taken", "--load 80", FIND)],
        ("random_reads", 1, "one random 8-byte read per key"), 1e-3),
    "nbody": Topic(
        "N-body, all pairs, 20 operations for each", "TFLOP/s", lambda n: 20e-9 * n * n,
        {"gpu": "--size 65536", "cpu": "--size 4096 --steps 3", "tiny": "--size 100 --steps 1"}, [
            ("nbody_float4", "global memory", "", NBODY),
            ("nbody_shared", "tiles in shared memory", "", NBODY),
            ("nbody_registers", "several bodies per thread", "", NBODY),
            ("nbody_pairs", "each pair once", "", NBODY)],
        ("multiply_add", 1e-3, "multiply-adds alone"), 1e-3),
}

# Programs with pictures must draw one.
PICTURES = {"heat": "--frames 1 --save picture.png", "julia": "--save picture.png",
            "rays": "--save picture.png"}


# ----------------------------------------------------------------------------------- measuring

@functools.lru_cache(maxsize=None)
def run_program(command, repeats, seconds):
    """What its runs print, up to `repeats` of them; rows of one program share them."""
    results, began = [], time.monotonic()
    while not results or (len(results) < repeats and time.monotonic() - began < seconds):
        with tempfile.TemporaryDirectory() as folder:
            results.append(subprocess.run(command, cwd=folder, capture_output=True, text=True,
                                          check=False))
        if results[-1].returncode != 0:
            break
    return results


def find_time(result, pattern, topic, work):
    """Milliseconds, or None and why there are none; 0 if the program prints a time or a rate of 0."""
    match = re.search(pattern, result.stdout, re.S)
    if result.returncode != 0 or match is None:
        lines = (result.stderr if result.returncode != 0 else result.stdout).strip().splitlines()
        return None, lines[-1] if lines else f"exit code {result.returncode} and not a word"
    (what, value), = match.groupdict().items()
    value = float(value)
    if value == 0:
        return 0, ""
    return {"ms": value, "us": value * 1e-3, "rate": work / (value * topic.printed)}[what], ""


def size_of(arguments):
    return int(re.search(r"--(?:size|m) (\d+)", arguments).group(1))


def add_time(row, topic, work, milliseconds):
    row["ms"] = statistics.median(milliseconds)
    row["runs"] = len(milliseconds)
    row["rate"] = work / row["ms"]
    row["spread"] = [work / max(milliseconds), work / min(milliseconds)]


def run_version(program, name, arguments, version, options):
    topic = TOPICS[name]
    _, change, more, pattern = version
    words = (arguments + " " + more).split()
    if name in PICTURES:
        words += PICTURES[name].split()
    row = {"version": version[0], "change": change, "arguments": " ".join(words)}
    work = topic.work(size_of(arguments))
    milliseconds = []
    for result in run_program((program, *words), options.repeats, options.seconds):
        value, problem = find_time(result, pattern, topic, work)
        if value is None:
            row["failed"] = problem
            return row
        if value > 0:
            milliseconds.append(value)
    if milliseconds:
        add_time(row, topic, work, milliseconds)
    return row


def run_peers(peers, name, size):
    """Rows of the libraries: lines "name<TAB>milliseconds" from the program `peers`."""
    if not peers:
        return []
    topic = TOPICS[name]
    result = subprocess.run([peers, name, str(size)], capture_output=True, text=True, check=False)
    rows = []
    for line in result.stdout.splitlines():
        library, _, milliseconds = line.partition("\t")
        row = {"version": library, "change": "library"}
        add_time(row, topic, topic.work(size), [float(milliseconds)])
        rows.append(row)
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or [f"exit code {result.returncode}"]
        rows.append({"version": "libraries", "change": "library", "failed": lines[-1]})
    return rows


def measure_limits(program, device):
    if not program:
        return {}
    words = [program] + (["tiny"] if device == "tiny" else [])
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit("course: the limits could not be measured: " + result.stderr.strip())
    limits = {}
    for line in result.stdout.splitlines():
        name, value = line.split("\t")
        limits[name] = float(value)
    # Reading alone is at least as fast as copying. On the CPU device, the threads stride when they read.
    limits["read"] = max(limits["read"], limits["copy"])
    return limits


def limit_of(topic, limits):
    """In the topic's unit, or None."""
    name, factor, _ = topic.limit
    if not limits.get(name):
        return None
    return limits[name] * factor if factor > 0 else -factor / limits[name]


def measure(name, programs, limits, options):
    topic = TOPICS[name]
    arguments = topic.sizes[options.device]
    rows = []
    for version in topic.versions:
        on_host = version[1].startswith("CPU") and options.device == "gpu"
        rows.append(run_version(programs[version[0]], name,
                                topic.sizes["host"] if on_host else arguments, version, options))
    rows += run_peers(options.peers, name, size_of(arguments))
    limit = limit_of(topic, limits)
    best = max((row["rate"] for row in rows if row["change"] == "library" and "rate" in row),
               default=None)
    for row in rows:
        if "rate" in row:
            if limit:
                row["of_limit"] = row["rate"] / limit
            if best:
                row["times_library"] = row["rate"] / best
    return {"name": name, "title": f"{topic.title}, {arguments}", "unit": topic.unit,
            "limit": limit, "limit_means": topic.limit[2], "rows": rows}


# -------------------------------------------------------------------------------- what is shown

def time_in_words(ms):
    return f"{ms * 1e3:.3g} us" if ms < 0.1 else f"{ms:.4g} ms"


def rate_in_words(rate):
    """Four digits, without an exponent: 53,620 and 0.01066."""
    four = decimal.Decimal(f"{rate:.4g}")
    return f"{four:,f}" if four >= 10000 else f"{four:f}"


def ratio_in_words(ratio, decimals):
    """Small ones with two digits, because 0 says nothing."""
    return f"{ratio:.2g}" if ratio < 10**-decimals else f"{ratio:.{decimals}f}"


def cells(row):
    """version, what changed, time, rate, % of the reference, times the library"""
    if "failed" in row:
        return [row["version"], row["change"], "failed: " + row["failed"], "", "", ""]
    if "rate" not in row:
        return [row["version"], row["change"], "too short or too slow to measure", "", "", ""]
    share = f"{ratio_in_words(100 * row['of_limit'], 0)} %" if "of_limit" in row else "-"
    times = ratio_in_words(row["times_library"], 2) if "times_library" in row else "-"
    return [row["version"], row["change"], time_in_words(row["ms"]), rate_in_words(row["rate"]),
            share, times]


def heads(topic):
    return ["version", "what changed", "time", topic["unit"], "of the reference", "times the library"]


def limit_in_words(topic):
    if not topic["limit"]:
        return ""
    return f"The reference: {topic['limit_means']}, {rate_in_words(topic['limit'])} {topic['unit']}."


def markdown(topic):
    table = [heads(topic)] + [cells(row) for row in topic["rows"]]
    widths = [max(len(line[i]) for line in table) for i in range(6)]
    table.insert(1, ["-" * width for width in widths])
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths)) + " |"
             for line in table]
    return f"\n### {topic['title']}\n\n" + "\n".join(lines) + "\n\n" + limit_in_words(topic)


STYLE = """
body { font: 16px/1.4 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em;
       color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25em .8em .25em 0; border-bottom: 1px solid #ddd; vertical-align: top }
td.number, th.number { text-align: right; white-space: nowrap }
td.bar { width: 34% }
svg { display: block; width: 100%; height: 1.3em }
.version { fill: #2a7f62 } .library { fill: #8a8f98 } .limit { stroke: #c0392b; stroke-width: 2 }
.failed { color: #c0392b }
"""


def bar(row, topic):
    """The rate as a bar of up to 100 units, the limit as a red line."""
    rates = [r["rate"] for r in topic["rows"] if "rate" in r]
    longest = max(rates + ([topic["limit"]] if topic["limit"] else []))
    kind = "library" if row["change"] == "library" else "version"
    line = ""
    if topic["limit"]:
        x = 100 * topic["limit"] / longest
        line = f"<line class='limit' x1='{x:.2f}' x2='{x:.2f}' y1='0' y2='10' vector-effect='non-scaling-stroke'/>"
    return ("<svg viewBox='0 0 100 10' preserveAspectRatio='none' role='img' "
            f"aria-label='{row['rate']:.4g} {html.escape(topic['unit'])}'>"
            f"<rect class='{kind}' x='0' y='1' height='8' width='{100 * row['rate'] / longest:.2f}'/>"
            f"{line}</svg>")


def page(report):
    e = html.escape
    facts = [report["machine"], report["date"]] + [f"{k} {v}" for k, v in report["versions"].items()]
    parts = ["<!DOCTYPE html>\n<html lang='en'><meta charset='utf-8'><title>Benchmarks</title>",
             f"<style>{STYLE}</style><h1>Benchmarks</h1>",
             "<p>" + e("; ".join(facts)) + f". Medians of up to {report['repeats']} runs, each of "
             "which prints the median of several launches, after it has verified its result. A red "
             "line is the reference, gray bars are NVIDIA's libraries.</p>"]
    for topic in report["topics"]:
        numbers = "".join(f"<th{' class=number' if i > 1 else ''}>{e(head)}"
                          for i, head in enumerate(heads(topic)))
        parts.append(f"<h2 id='{topic['name']}'>{e(topic['title'])}</h2>\n<table><tr>{numbers}<th>")
        for row in topic["rows"]:
            if "rate" not in row:
                kind = " class=failed" if "failed" in row else ""
                parts.append(f"<tr><td>{e(row['version'])}<td>{e(row['change'])}"
                             f"<td colspan=5{kind}>{e(cells(row)[2])}")
                continue
            shown = "".join(f"<td{' class=number' if i > 1 else ''}>{e(cell)}"
                            for i, cell in enumerate(cells(row)))
            parts.append(f"<tr>{shown}<td class=bar>{bar(row, topic)}")
        parts.append(f"</table><p>{e(limit_in_words(topic))}</p>")
    return "\n".join(parts) + "</html>\n"


# ---------------------------------------------------------------------------------- what it is

def first_line(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return result.stdout.strip().splitlines()[0] if result.returncode == 0 and result.stdout.strip() \
        else ""


def machine(device):
    processor = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            processor = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M).group(1)
    except (OSError, AttributeError):
        pass
    host = f"{os.cpu_count() or 1} cores of {processor}"
    if device == "gpu":
        gpu = first_line("nvidia-smi", "--query-gpu=name", "--format=csv,noheader") or "a GPU"
        return f"{gpu}; its host: {host}"
    return f"the CPU device on {host}"


def versions(device):
    """What the figures depend on, besides the machine."""
    found = {"course": first_line("git", "-C", str(ROOT), "describe", "--always", "--dirty"),
             "compiler": first_line("c++", "--version")}
    if device == "gpu":
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        try:
            text = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout
        except OSError:
            text = ""
        release = re.search(r"release ([\d.]+)", text)
        found["CUDA"] = release.group(1) if release else ""
        found["driver"] = first_line("nvidia-smi", "--query-gpu=driver_version",
                                     "--format=csv,noheader")
    return {k: v for k, v in found.items() if v}


def find_programs(build, names):
    """The path of each program in the build folder; ends with 2 if one is not there."""
    found = {}
    for name in names:
        paths = sorted(build.glob(f"*/{name}"))
        paths = [path for path in paths if path.is_file() and os.access(path, os.X_OK)]
        if paths:
            found[name] = str(paths[0])
    missing = [name for name in names if name not in found]
    if missing:
        print("course: not built: " + ", ".join(missing), file=sys.stderr)
        sys.exit(2)
    return found


def parse():
    parser = argparse.ArgumentParser(prog="course bench", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--device", choices=["gpu", "cpu", "tiny"], default="cpu")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--limits", metavar="PROGRAM")
    parser.add_argument("--peers", metavar="PROGRAM")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="runs of each program")
    parser.add_argument("--seconds", type=float, default=5, metavar="S",
                        help="after which no further run of a program is begun")
    parser.add_argument("--programs", action="store_true", help="list what must be built")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name in options.names:
        if name not in TOPICS:
            print(f"course: there is no benchmark '{name}'; there are {', '.join(TOPICS)}",
                  file=sys.stderr)
            sys.exit(2)
    return options


def main():
    options = parse()
    names = options.names or list(TOPICS)
    needed = sorted({version[0] for name in names for version in TOPICS[name].versions})
    if options.programs:
        print("\n".join(needed))
        return 0
    programs = find_programs(options.build.resolve(), needed)
    report = {"machine": machine(options.device), "device": options.device,
              "date": datetime.date.today().isoformat(), "versions": versions(options.device),
              "repeats": options.repeats, "limits": measure_limits(options.limits, options.device),
              "topics": []}
    print(f"{report['machine']}; {report['date']}; " +
          ", ".join(f"{k} {v}" for k, v in report["versions"].items()))
    options.out.mkdir(parents=True, exist_ok=True)
    for name in names:
        began = time.monotonic()
        topic = measure(name, programs, report["limits"], options)
        topic["seconds"] = round(time.monotonic() - began, 1)
        report["topics"].append(topic)
        print(markdown(topic), flush=True)
        # After each topic, so that the results so far are kept if the run is stopped.
        (options.out / "bench.json").write_text(json.dumps(report, indent=1) + "\n",
                                                encoding="utf-8")
        (options.out / "index.html").write_text(page(report), encoding="utf-8")
    print(f"\nwrote {options.out / 'index.html'} and bench.json")
    return 1 if any("failed" in row for topic in report["topics"] for row in topic["rows"]) else 0


if __name__ == "__main__":
    sys.exit(main())
