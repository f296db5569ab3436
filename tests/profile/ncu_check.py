#!/usr/bin/env python3
"""`./course profile --gpu` without a GPU: what ncu writes is read as it is, and what goes wrong is said
in one line.

    tests/profile/ncu_check.py FOLDER

tests/profile/ncu/ holds what ncu 2025.3 wrote about two programs of the course on an H200, less the columns
that nobody reads. A stand-in for ncu plays it back; a stand-in for nvcc makes no program.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests/profile/ncu"
sys.path.insert(0, str(ROOT / "tools"))
import ncu  # noqa: E402

failures = []


def check(good, text):
    if not good:
        failures.append(text)
        print("FAIL", text)


# What it does is in FAKE_NCU: the name of a sample, or a mishap.
FAKE_NCU = r'''#!/bin/bash
case " $* " in
  *' --import '*' raw '*) cat "$SAMPLES/$FAKE_NCU.raw.csv"; exit ;;
  *' --import '*' source '*) cat "$SAMPLES/$FAKE_NCU.source.csv"; exit ;;
esac
echo '==PROF== Connected to process 7 (/home/somebody/program)'
case $FAKE_NCU in
  permission)
    echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.'
    exit 1 ;;
  gone) echo '==ERROR== Failed to initialize the profiler: LibraryNotLoaded'; exit 1 ;;
  absent)
    echo 'skipped: needs two GPUs'
    echo '==ERROR== The application returned an error code (77).'
    exit 77 ;;
  quiet) echo '==WARNING== No kernels were profiled.'; exit 0 ;;
  endless) sleep 1000 & echo $! >"$SLEEPER"; wait; exit ;;
esac
echo '==PROF== Profiling "transpose_naive" - 0 (1/3): 0%....50%....100% - 10 passes'
while (($#)); do [[ $1 != --export ]] || : >"$2"; shift; done
'''
FAKE_NVCC = r'''#!/bin/bash
while (($#)); do
  case $1 in
    -MF) echo "program:" >"$2" ;;
    -o) printf '#!/bin/sh\n' >"$2"; chmod +x "$2" ;;
  esac
  shift
done
'''


def report(name):
    return ncu.read_report(*((SAMPLES / f"{name}.{page}.csv").read_text().splitlines()
                             for page in ("raw", "source")))


def check_samples():
    found = report("transpose")
    size = ((8, 8, 1), (32, 32, 1))
    check(list(found) == [(f"transpose_{way}", *size) for way in ("naive", "tiled", "padded")], f"{list(found)}")
    metrics, lines = found[("transpose_tiled", *size)]
    here = {words: metrics[metric] for words, (metric, _, _) in ncu.METRICS.items() if metrics[metric]}
    check(here == {"loads, requests": 2048, "loads, sectors": 8192, "stores, requests": 2048,
                   "stores, sectors": 8192, "shared loads, bank conflicts": 63488,
                   "shared memory, passes": 67584}, f"counts of transpose_tiled: {here}")
    check(metrics[ncu.MULTIPROCESSORS] == 132, "multiprocessors")
    check(lines == {("transpose.cu", 36, "loads, sectors"): 8192, ("transpose.cu", 42, "stores, sectors"): 8192,
                    ("transpose.cu", 42, "shared loads, bank conflicts"): 63488}, f"lines: {lines}")
    (key, (metrics, lines)), = report("histogram_shared_atomics").items()
    check(key == ("count_bytes", (1056, 1, 1), (256, 1, 1)), f"the histogram's kernel: {key}")
    check(metrics[ncu.METRICS["shared atomics, bank conflicts"][0]] == 6714, "conflicts of the histogram")
    check(lines == {("histogram_shared_atomics.cu", 20, "divergent branches"): 1,
                    ("histogram_shared_atomics.cu", 21, "loads, sectors"): 3126,
                    ("histogram_shared_atomics.cu", 21, "shared atomics, bank conflicts"): 6714,
                    ("histogram_shared_atomics.cu", 25, "reductions, sectors"): 67584}, f"lines: {lines}")


def check_odd_input():
    raw = (SAMPLES / "transpose.raw.csv").read_text().splitlines()
    source = (SAMPLES / "transpose.source.csv").read_text().splitlines()
    check(ncu.read_report([], []) == {}, "nothing")
    check(ncu.read_report(["==WARNING== No kernels were profiled."], []) == {}, "a warning alone")
    noisy = ncu.read_report(["==PROF== Connected", "the program's own words", *raw], ["==PROF==", *source])
    check(noisy == report("transpose"), "lines before the table")
    cut = ncu.read_report(raw, source[:200])
    check(len(cut) == 3 and not any(lines for _, lines in cut.values()), "a source page that is cut")
    check(cut[("transpose_naive", (8, 8, 1), (32, 32, 1))][0] ==
          report("transpose")[("transpose_naive", (8, 8, 1), (32, 32, 1))][0], "counts without lines")
    absent = [line.replace('"67,584"', '"n/a"') for line in raw]
    tiled = ncu.read_report(absent, source)[("transpose_tiled", (8, 8, 1), (32, 32, 1))][0]
    check("memory_l1_wavefronts_shared" not in tiled, "a metric that is not available")
    # A line with quotation marks, which ncu does not double.
    quoted = [line.replace('"29","if (x < n', '"29","printf("%d, %d", x, y); if (x < n') for line in source]
    check(quoted != source and ncu.read_report(raw, quoted) == report("transpose"), "a line with a string")
    for text, name in (("void n::registers_kernel<4>(const float4 *)", "registers_kernel"), ("k(int *)", "k"),
                       ("void (anonymous namespace)::k<(bool)1>(int)", "k"), ("k", "k")):
        check(ncu.kernel_name(text) == name, f"the name of {text}: {ncu.kernel_name(text)}")
    check([ncu.number(text) for text in ("1,632", "0.5", "n/a", "", None, "nan")] ==
          [1632, 0.5, None, None, None, None], "numbers")


def course_profile(folder, mishap, *arguments):
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "SAMPLES": str(SAMPLES),
                   "FAKE_NCU": mishap}
    done = subprocess.run([sys.executable, "-B", str(ROOT / "tools/profile.py"), "--gpu", str(folder / "nvcc"),
                           str(ROOT / "ch05_threads/transpose.cu"), *arguments], env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    errors = [line for line in done.stderr.splitlines() if "compiling" not in line]
    return done.returncode, done.stdout, errors


def check_tool(folder):
    code, output, errors = course_profile(folder, "transpose", "--size", "256")
    check(code == 0 and errors == [], f"the tool: {code}, {errors}")
    table = [line for line in output.partition("one launch of")[2].splitlines()[1:] if line.startswith("  ")]
    check(len(table) == 22 and all(line.endswith("none") for line in table), f"the table: {table}")
    code, output, errors = course_profile(folder, "transpose", "--nonsense")
    check(code == 2 and len(errors) == 1 and "no option '--nonsense'" in errors[0], f"bad usage: {code}, {errors}")
    for mishap, words in (("permission", "this user may not read the GPU's counters"),
                          ("gone", "ncu counted nothing: Failed to initialize the profiler"),
                          ("absent", "transpose --size 256 ended with 77: skipped: needs two GPUs"),
                          ("quiet", "launches no kernel on the GPU")):
        code, output, errors = course_profile(folder, mishap, "--size", "256")
        check(code == 2 and output == "" and len(errors) == 1 and words in errors[0], f"{mishap}: {code}, {errors}")


def check_endless(folder):
    sleeper = folder / "sleeper"
    ncu.SECONDS = 2
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    try:
        ncu.measure(folder / "program", [], {**os.environ, "FAKE_NCU": "endless", "SLEEPER": str(sleeper)})
        check(False, "an endless program")
    except ncu.Problem as problem:
        check("ncu takes more than" in str(problem), f"an endless program: {problem}")
    time.sleep(0.2)
    child = int(sleeper.read_text())
    alive = os.path.exists(f"/proc/{child}") and " Z " not in pathlib.Path(f"/proc/{child}/stat").read_text()
    check(not alive, "what ncu had started still runs")
    if alive:
        os.kill(child, signal.SIGKILL)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("ncu", FAKE_NCU), ("nvcc", FAKE_NVCC)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    check_samples()
    check_odd_input()
    check_tool(folder)
    check_endless(folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
