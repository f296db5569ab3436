#!/usr/bin/env python3
"""Runs the course's programs as checked runs, or one program under compute-sanitizer.

    tools/check.py all BUILD < PROGRAMS     PROGRAMS: lines CHAPTER NAME, as ./course gives them
    tools/check.py gpu PROGRAM [ARGS...]    the four tools of compute-sanitizer, in our words

The first prints a line for each program and exits with 1 if a program that should be right has a
finding, or one that is broken on purpose is not explained. A result that nothing reads also counts as
a finding (CPU_DEVICE_UNREAD=error). Sizes: tests/checked_run/checked_programs.txt.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 120  # that a program may take


def table():
    """{name: (arguments, words that must come or None)}"""
    rows = {}
    for line in (ROOT / "tests/checked_run/checked_programs.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        command, _, words = line.partition("!")
        name, *arguments = command.split()
        rows[name] = (arguments, words.strip() or None)
    return rows


def run(program, arguments):
    """Exit code (None: too long), all output, seconds."""
    began = time.monotonic()
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.setdefault("CPU_DEVICE_COUNT", "2")
    environment.setdefault("CPU_DEVICE_UNREAD", "error")
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([str(program), *arguments], stdin=subprocess.DEVNULL, cwd=folder,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=SECONDS, errors="replace")
            return done.returncode, done.stdout, time.monotonic() - began
        except subprocess.TimeoutExpired as late:
            text = late.stdout or b""
            return None, text.decode(errors="replace"), time.monotonic() - began


def verdict(program, arguments, words):
    """(as it should be, text of one line, output if not)"""
    if words is not None and words.startswith("not run:"):
        return True, "            " + words, ""
    code, output, seconds = run(program, arguments)
    last = [line for line in output.splitlines() if "CPU device: checked run:" in line]
    said = last[-1].split("checked run: ")[1] if last else "no summary"
    if code is None:
        good, said = False, f"ran for more than {SECONDS} s"
    elif words is None:
        good = code in (0, 77) and "no findings" in said
        if code == 77:
            said = "skipped here"
    else:
        good = words in output
        said = f"broken on purpose, and explained: {words}" if good else f"not explained ({words})"
    return good, f"{seconds:6.1f} s  {said}", output


def check_all(build):
    rows = table()
    programs = [line.split()[:2] for line in sys.stdin if line.strip()]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        def one(entry):
            chapter, name = entry
            program = build / chapter / name
            if not program.exists():
                return name, True, "            not built here", ""
            return (name, *verdict(program, *rows.get(name, ([], None))))
        for name, good, text, output in pool.map(one, programs):
            print(f"{'ok  ' if good else 'FAIL'} {name:24}{text}", flush=True)
            if not good:
                failed += 1
                print("\n".join("     | " + line for line in output.splitlines()[-40:]), flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


TOOLS = (
    ("memcheck", "bounds, misaligned and freed memory", ["--tool", "memcheck", "--leak-check", "full"]),
    ("racecheck", "races in shared memory", ["--tool", "racecheck", "--racecheck-report", "all"]),
    ("initcheck", "memory read before it was written", ["--tool", "initcheck"]),
    ("synccheck", "barriers that some threads do not reach", ["--tool", "synccheck"]),
)


def gpu(program, arguments):
    """What the four tools find, with the learner's lines."""
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.path.exists(sanitizer):
        print("course: compute-sanitizer is not here; it comes with the CUDA Toolkit", file=sys.stderr)
        return 2
    total = 0
    # In a child process the tools find less, and a window would wait for somebody to close it.
    environment = {**os.environ, "COURSE_WATCHDOG": "off"}
    environment.pop("DISPLAY", None)
    for tool, what, options in TOOLS:
        print(f"{tool}: {what}", flush=True)
        try:
            done = subprocess.run([sanitizer, *options, "--print-limit", "1000", program, *arguments],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, errors="replace",
                                  env=environment)
            output = done.stdout
        except subprocess.TimeoutExpired:
            print(f"  not done after {SECONDS} s: a kernel that waits forever, or a size too large for "
                  "this tool; try a smaller one")
            total += 1
            continue
        said = [line for line in output.splitlines()
                if line.strip() and not line.startswith("=========")]
        if said:
            print(f"  (the program's last line: {said[-1].strip()[:160]})")
        counts = {}
        title = None
        for line in output.splitlines():
            if not line.startswith("========="):
                continue
            text = line.strip("= ").strip()
            if re.match(r"(Invalid|Error|Warning|Race|Uninitialized|Barrier|Leaked|Program hit)", text):
                title = text
            place = re.search(r"(?:at |in )?\S*?([^/\s(]+\.(?:cuh?|h|cpp)):(\d+)", text)
            if title is not None and place:
                key = (place.group(1), int(place.group(2)), re.sub(r"0x[0-9a-f]+", "an address", title))
                counts[key] = counts.get(key, 0) + 1
                title = None
        for (file, line, words), count in sorted(counts.items()):
            print(f"  {file}:{line}: {words}" + (f" ({count} times)" if count > 1 else ""))
        if not counts:
            summary = [line for line in output.splitlines() if "SUMMARY" in line]
            print("  " + (summary[-1].strip("= ") if summary else "no summary: did the program start?"))
        total += len(counts)
    return 1 if total else 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "all":
        return check_all(pathlib.Path(sys.argv[2]).resolve())
    if len(sys.argv) >= 3 and sys.argv[1] == "gpu":
        return gpu(sys.argv[2], sys.argv[3:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
