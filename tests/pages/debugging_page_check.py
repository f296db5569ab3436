#!/usr/bin/env python3
"""The sessions in DEBUGGING.md: gdb must print what the page shows.

    tests/pages/debugging_page_check.py [--print]    --print: what it prints of each session

A session begins with `$ ./course debug ...` and goes on in the next blocks until another begins. Below a command, the page
shows all of what gdb prints, or nothing. After `^C`, numbers may differ: they are those of the threads at that moment.
Exit code: 0, 1 with the differences, 77 without gdb.
"""

import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "DEBUGGING.md"
PROMPT = "(gdb) "
SECONDS = 120  # for an answer, which includes compiling
ATTEMPTS = 10  # to interrupt threads where the page shows them
NOISE = re.compile(r"^(\[Thread debugging|\[Switching to Thread|Using host libthread_db|Starting program|Reading symbols|"
                   r"warning: Error disabling address|Breakpoint \d+ at|The program being debugged has been started|"
                   r"Start it from the beginning)")
ROW = re.compile(r"^[* ]*\(N,N,N\) ")


def sessions():
    """[(words after ./course debug, [(command, lines below it)])]"""
    found = []
    for block in re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.S | re.M):
        if not block.startswith(("$ ./course debug", PROMPT)):
            continue
        for line in block.splitlines():
            if line.startswith("$ ./course debug "):
                found.append((line.split()[3:], []))
            elif line.startswith(PROMPT):
                found[-1][1].append((line[len(PROMPT):], []))
            else:
                found[-1][1][-1][1].append(line)
    return found


def plain(lines, interrupted):
    """What does not differ from run to run."""
    text = "\n".join(line for line in lines if not NOISE.match(line))
    text = re.sub(r"0x[0-9a-f]{4,}", "ADDRESS", text)
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if interrupted:
        lines = [re.sub(r"\d+", "N", re.sub(r" +", " ", line)) for line in lines]
        rows = {re.sub(r"^.*\) N ", "", line) for line in lines if ROW.match(line)}  # what threads do, and where
        lines = [line for line in lines if not ROW.match(line)] + sorted(rows)
    return lines


class Gdb:
    def __init__(self, words):
        self.process = subprocess.Popen(
            [ROOT / "course", "debug", *words], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "DEBUGINFOD_URLS": "", "COLUMNS": "160", "LINES": "100"})
        os.set_blocking(self.process.stdout.fileno(), False)
        self.answer()

    def answer(self, until=PROMPT):
        """What gdb prints until it asks for the next command, None if it takes too long."""
        text, end = "", time.monotonic() + SECONDS
        while not text.endswith(until) and until not in (text if until != PROMPT else ""):
            piece = self.process.stdout.read()
            if piece:
                text += piece.decode(errors="replace")
            elif piece == b"" or time.monotonic() > end:
                sys.exit(f"FAIL: gdb ended, or did not answer: {text}")
            else:
                time.sleep(0.05)
        return text.removesuffix(PROMPT).split("\n")

    def type(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()

    def interrupt(self):
        """Ctrl-C, once the program runs its kernel."""
        self.answer("libthread_db")
        time.sleep(2)
        shown = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], text=True, check=False,
                               stdout=subprocess.PIPE).stdout
        for child in shown.split():
            os.kill(int(child), signal.SIGINT)

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def differences(words, commands):
    """What a session prints, and how it differs from the page."""
    gdb, printed, found = Gdb(words), [], []
    for command, shown in commands:
        interrupts = shown[:1] == ["^C"]
        gdb.type(command)
        if interrupts:
            gdb.interrupt()
        answer = gdb.answer()
        printed += [PROMPT + command, *answer]
        expected, got = (plain(lines, interrupts) for lines in (shown[interrupts:], answer))
        if interrupts:
            got = [line for line in got if "libthread_db" not in line]
        if shown and expected != got:
            found += [f"{PROMPT}{command}", *difflib.unified_diff(expected, got, "DEBUGGING.md", "gdb", lineterm="", n=99)]
    gdb.end()
    return printed, found


def main():
    gdb = os.environ.get("CUDA_DEBUG_GDB", "gdb")
    try:
        tried = subprocess.run([gdb, "-nx", "-batch", "-ex", "python print('yes')", "-ex", "run", "/bin/true"], text=True,
                               check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    except OSError:
        tried = ""
    if "yes" not in tried or "exited normally" not in tried:
        print("skipped: there is no gdb with Python that can run programs (sudo apt-get install gdb)")
        return 77
    failed, all_sessions = 0, sessions()
    for words, commands in all_sessions:
        interrupts = any(shown[:1] == ["^C"] for _, shown in commands)
        for _ in range(ATTEMPTS if interrupts else 1):
            printed, found = differences(words, commands)
            if not found:
                break
        if "--print" in sys.argv:
            print("\n".join(printed))
        if found:
            failed += 1
            print(f"FAIL: ./course debug {' '.join(words)}", *found, sep="\n")
    print(f"{len(all_sessions)} sessions, {failed} differ from the page")
    return 1 if failed or len(all_sessions) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
