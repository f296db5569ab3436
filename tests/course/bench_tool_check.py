#!/usr/bin/env python3
"""./course bench: its programs at tiny sizes, and its arithmetic, with stand-ins for programs.

    tests/course/bench_tool_check.py BUILD FOLDER    BUILD: with all programs; FOLDER: to work in
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import bench  # noqa: E402

failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print(f"FAIL: {what}", flush=True)


def near(a, b):
    return abs(a - b) <= 1e-3 * abs(b)


def run(*words):
    return subprocess.run([sys.executable, "-B", str(ROOT / "tools/bench.py"), *map(str, words)],
                          capture_output=True, text=True, check=False)


def stand_in(path, *lines, exit_code=0):
    """A program that prints these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\ncat <<'END'\n" + "\n".join(lines) + f"\nEND\nexit {exit_code}\n")
    path.chmod(0o755)
    return path


# limits.cu has no figure for tensor cores.
WITHOUT_LIMIT = {"matmul_tf32", "matmul_half"}


def real_programs(build, out):
    """Every topic with the programs themselves: each prints what the patterns look for."""
    result = run("--build", build, "--device", "tiny", "--repeats", 1, "--out", out,
                 "--limits", build / "tools/limits")
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")
    report = json.loads((out / "bench.json").read_text())
    page = (out / "index.html").read_text()
    check([t["name"] for t in report["topics"]] == list(bench.TOPICS), "every topic, in order")
    check(report["machine"] and re.fullmatch(r"\d{4}-\d\d-\d\d", report["date"]), "machine and date")
    check(report["versions"].get("compiler"), "versions")
    check(sorted(report["limits"]) == ["copy", "launch", "multiply_add", "random_reads", "read"] and
          all(value > 0 for value in report["limits"].values()), "limits")
    for topic in report["topics"]:
        rows = topic["rows"]
        check(len(rows) == len(bench.TOPICS[topic["name"]].versions), f"{topic['name']}: versions")
        # On a busy machine a program may print a rate of 0.0; but not all of them.
        seen = [row for row in rows if "rate" in row]
        check((topic["limit"] is None) == (topic["name"] in WITHOUT_LIMIT), f"{topic['name']}: its limit")
        check(seen and all(row["rate"] > 0 and (topic["limit"] is None or row["of_limit"] > 0) for row in seen) and
              not any("failed" in row for row in rows),
              f"{topic['name']}: the rows have a rate and a share: {rows}")
        check(f"id='{topic['name']}'" in page, f"{topic['name']} on the page")
    seen = [row for topic in report["topics"] for row in topic["rows"] if "rate" in row]
    check(page.count("<rect") == len(seen), "a bar for each row")
    check(page.count("<line") == sum("of_limit" in row for row in seen), "a line for each row with a limit")


def numbers_in_words():
    rates = [bench.rate_in_words(rate) for rate in (0.010663, 9999.4, 53620.4, 123456)]
    check(rates == ["0.01066", "9999", "53,620", "123,500"], f"rates: {rates}")
    # Around each power of ten, and where four digits round up to it: no exponent, and the rate is off by half a digit at most.
    for power in range(-8, 13):
        for rate in (1.0, 1.00049, 1.0005, 1.234, 9.994, 9.9994, 9.9995, 9.9999):
            rate *= 10.0**power
            words = bench.rate_in_words(rate)
            check(re.fullmatch(r"[\d,]+(\.\d+)?", words) and ("," in words) == (float(words.replace(",", "")) >= 10000) and
                  abs(float(words.replace(",", "")) - rate) <= 0.000501 * rate, f"the rate {rate!r}: {words}")
    shares = [bench.ratio_in_words(share, 0) for share in (0.0051, 0.71, 1.4, 870)]
    check(shares == ["0.0051", "0.71", "1", "870"], f"shares: {shares}")
    times = [bench.ratio_in_words(ratio, 2) for ratio in (0.00058, 0.0342, 1.034)]
    check(times == ["0.00058", "0.03", "1.03"], f"times the library: {times}")


def arithmetic(folder):
    """Known figures in, known figures out."""
    build = folder / "build"
    copy = "a copy within the device's memory moves 200 GB/s"
    stand_in(build / "ch05/dot", "the kernel reads 50.0 GB/s; " + copy)
    stand_in(build / "ch05/dot_fast", "the kernel reads 100.0 GB/s; " + copy)
    stand_in(build / "ch05/dot_last_block", "the kernel reads 150.0 GB/s; " + copy)
    limits = stand_in(folder / "limits", "copy\t200", "read\t300", "launch\t0.005")
    # 100000 products are 0.8 MB: 0.008 ms at 100 GB/s.
    peers = stand_in(folder / "peers", "cuBLAS\t0.008", "CUB\t0.016")
    out = folder / "out"
    result = run("--build", build, "--device", "tiny", "--out", out, "--limits", limits, "--peers",
                 peers, "--repeats", 3, "dot")
    check(result.returncode == 0, "stand-ins: " + result.stderr)
    rows = json.loads((out / "bench.json").read_text())["topics"][0]["rows"]
    check([row["version"] for row in rows] == ["dot", "dot_fast", "dot_last_block", "cuBLAS", "CUB"],
          "versions first, then libraries")
    for row, rate in zip(rows, (50, 100, 150, 100, 50)):
        check(near(row["rate"], rate) and near(row["ms"], 0.8 / rate), f"rate and time of {row}")
        check(near(row["of_limit"], rate / 300), f"share of the limit of {row}")
        check(near(row["times_library"], rate / 100), f"times the best library of {row}")
    check(rows[0]["runs"] == 3, "three runs")
    line = next(x for x in result.stdout.splitlines() if x.startswith("| dot_last_block"))
    words = [word.strip() for word in line.strip("|").split("|")]
    check(words[2:] == ["5.33 us", "150", "50 %", "1.50"], f"the table's line: {line}")
    page = (out / "index.html").read_text()
    widths = [float(w) for w in re.findall(r"<rect class='\w+' [^>]*width='([\d.]+)'", page)]
    check(len(widths) == 5 and near(widths[2], 50) and near(widths[0], 50 / 3), f"bars: {widths}")
    check(page.count("class='library'") == 2, "the libraries' bars differ")

    # Runs that differ: the median, between the slowest and the fastest.
    for times in ([4.0, 1.0, 2.0], [2.0, 2.0, 8.0], [5.0], [1.0, 3.0]):
        row = {}
        bench.add_time(row, None, 12, times)
        slowest, fastest = row["spread"]
        check((slowest, fastest) == (12 / max(times), 12 / min(times)) and slowest <= row["rate"] <= fastest, f"spread of {times}: {row}")
        check(row["runs"] == len(times) and row["rate"] == 12 / row["ms"] and
              sum(t <= row["ms"] for t in times) * 2 >= len(times) <= sum(t >= row["ms"] for t in times) * 2, f"median of {times}: {row}")
    # The short one counts time: the limit is the empty kernel's.
    stand_in(build / "ch05/dot_last_block",
             "kernel 0.0100 ms, one of 100 in a row 0.0080 ms, in a graph 0.0020 ms, end")
    run("--build", build, "--device", "tiny", "--out", out, "--limits", limits, "dot_short")
    rows = json.loads((out / "bench.json").read_text())["topics"][0]["rows"]
    check([round(row["ms"], 6) for row in rows] == [0.01, 0.008, 0.002]
          and near(rows[1]["of_limit"], 0.625)
          and "times_library" not in rows[0], f"short: {rows}")


def what_goes_wrong(folder):
    build, out = folder / "build", folder / "out"
    stand_in(build / "ch05/dot", "dot: [0] is 1, expected 2", exit_code=1)
    stand_in(build / "ch05/dot_fast", "no figure here")
    stand_in(build / "ch05/dot_last_block", "the kernel reads 0.0 GB/s")
    peers = stand_in(folder / "peers", "cuBLAS\t0.008", exit_code=1)
    result = run("--build", build, "--device", "tiny", "--out", out, "--peers", peers, "dot")
    rows = json.loads((out / "bench.json").read_text())["topics"][0]["rows"]
    check(result.returncode == 1, "a program that fails makes the exit code 1")
    check("failed" in rows[0] and "rate" not in rows[0], "a wrong result has no rate")
    check(rows[1].get("failed") == "no figure here", "what it says instead of a figure")
    check("failed" not in rows[2] and "rate" not in rows[2] and "too slow" in result.stdout,
          "a rate of 0 is no failure, and no rate")
    check("failed" in rows[-1], "libraries that fail")
    check("class=failed" in (out / "index.html").read_text(), "failures on the page")
    for words, said in ((["--build", build, "--out", out, "nonsense"], "no benchmark 'nonsense'"),
                        (["--build", build, "--out", out, "nbody"], "not built: nbody_float4")):
        result = run(*words)
        check(result.returncode == 2 and said in result.stderr and
              result.stderr.count("\n") == 1, f"{words[-1]}: {result.stderr}")


def main():
    build, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    numbers_in_words()
    arithmetic(folder / "arithmetic")
    what_goes_wrong(folder / "wrong")
    real_programs(build, folder / "real")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
