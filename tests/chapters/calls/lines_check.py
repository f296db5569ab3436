"""What each program prints and draws, with many command lines: compared with lines.txt.

    lines_check.py BUILD [--update] [PROGRAM...]

calls_check.py runs each program once, and writes down what it asks of CUDA. Here each program runs about ten times: --help,
its small arguments, each option at its lowest value and at 0, each word of an option, each flag, each pair of these, four
mixtures of all options, without --frames, on
devices with other properties, with too little memory, with a file that it must refuse, and with damaged results
(CPU_DEVICE_CALLS_DAMAGE, runtime/device/calls.h). So an option that is not used, a wrong word in --help, a unit, a rate with
a wrong count, a case that is printed in another way, a tolerance that is too wide, a message of a program that fails, and a
picture that is wrong in the CPU's version, too, change a line.

In lines.txt, `$` begins a command line, `!` a line of stderr, and `=` stands for lines that are those of the small arguments.
Of a picture, each of its 4 x 4 parts has a mean color, RGB in hexadecimal, which may be off by one. Times are counted, as in
calls_check.py. A * stands for a number that differs from run to run.

--update writes the table anew. Read the difference before you commit it: each changed line must be what you meant.
"""
import argparse
import concurrent.futures
import difflib
import itertools
import os
import pathlib
import platform
import random
import re
import struct
import sys
import tempfile
import zlib

import calls_check

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "lines.txt"
SMALL_ENOUGH = 4096  # a numeric option is not set to more, unless its small value is more
SMALL_PICTURE = 150  # pixels along a side
TINY = re.compile(r"\d\.?\d*e-\d\d")  # errors, and what is left of numbers that cancel out: different with another compiler or processor
OPTION = re.compile(r"^  --([\w-]+)(?: (\S+))? +\S")
RANGE = re.compile(r"\((\S+) to (\S+), default (\S+)\)$")
PARTS = 4  # of a picture, along each side
DAMAGED_BITS = range(0, 32, 3)


def options_of(help_text):
    """[(name, "N" or "X", low, high, default, help), (name, "words", [...]), (name, "flag"), (name, placeholder)]"""
    found = []
    for line in help_text:
        option = OPTION.match(line)
        if not option or option[1] == "help":
            continue
        name, placeholder = option[1], option[2]
        numbers = RANGE.search(line)
        if numbers and placeholder in ("N", "X"):
            found.append((name, placeholder, *numbers.groups(), line))
        elif placeholder and "|" in placeholder:
            found.append((name, "words", placeholder.split("|")))
        elif placeholder in ("FILE", "N", "X"):
            found.append((name, placeholder))
        else:
            found.append((name, "flag"))
    return found


def with_value(arguments, option, *value):
    """The arguments, with the option at another value."""
    done = list(arguments)
    if "--" + option in done:
        at = done.index("--" + option)
        del done[at:at + 1 + len(value)]
    return done + ["--" + option, *value]


def without(arguments, option):
    """The arguments, without a numeric option."""
    at = arguments.index("--" + option) if "--" + option in arguments else len(arguments)
    return arguments[:at] + arguments[at + 2:]


def choices(option):
    """The values of an option that is a flag or takes one of some words."""
    return [()] if option[1] == "flag" else [(word,) for word in option[2]]


def random_value(rng, option, now, small):
    _, kind, low, high, _, words = option
    if kind == "X":
        return f"{min(float(high), max(float(low), rng.choice([0.5, 0.8, 1.5, 2]) * float(now))):g}"
    most = min(int(high), max(small, int(now)))
    near = [int(now) // 2, int(now) - 1, int(now) + 1, int(now) * 2 - 1, int(now) * 3 // 2]
    if "a power of two" in words:
        near = [int(now) // 2, int(now) // 4, int(now) * 2]
    elif "a multiple of 256" in words:
        near = [256, 512, 1024]
    return str(min(most, max(int(low), rng.choice(near))))


def command_lines(name, small, options, kept):
    """[(settings of the device, arguments)] after --help and the small arguments."""
    rows, rng = [], random.Random(name)  # a string as a seed is the same in every run of Python
    free = [option for option in options if option[0] not in kept]
    names = [option[0] for option in options]
    small_enough = SMALL_PICTURE if "save" in names else SMALL_ENOUGH
    for option in free:
        if option[1] in ("N", "X") and len(option) > 2:
            now = small[small.index("--" + option[0]) + 1] if "--" + option[0] in small else option[4]
            values = [option[2]] + (["0"] if float(option[2]) < 0 < float(option[3]) and option[1] == "N" else [])
            rows += [({}, with_value(small, option[0], value)) for value in values if float(value) != float(now)]
        elif option[1] == "words":
            rows += [({}, with_value(small, option[0], word)) for word in option[2]]
        elif option[1] == "flag":
            rows.append(({}, with_value(small, option[0])))
    for one, other in itertools.combinations([option for option in free if option[1] in ("words", "flag")], 2):
        rows += [({}, with_value(with_value(small, one[0], *first), other[0], *second))
                 for first in choices(one) for second in choices(other)]
    for _ in range(4 if len(free) > 1 else 2):
        arguments = list(small)
        for option in free:
            if option[1] in ("N", "X") and len(option) > 2:
                now = small[small.index("--" + option[0]) + 1] if "--" + option[0] in small else option[4]
                arguments = with_value(arguments, option[0], random_value(rng, option, now, small_enough))
            elif option[1] == "words":
                arguments = with_value(arguments, option[0], rng.choice(option[2]))
            elif option[1] == "flag" and rng.random() < 0.4 and "--" + option[0] not in small:
                arguments = with_value(arguments, option[0])
        rows.append(({}, arguments))
    if "save" in names:
        rows += [({}, with_value(small, "save", "picture.jpg")), ({}, with_value(small, "save", "no_folder/picture.png"))]
        if "frames" in names:
            rows.append(({}, with_value(with_value(small, "frames", "3"), "save", "picture.png")))
            if "frames" not in kept:
                rows.append(({}, with_value(without(small, "frames"), "save", "picture.png")))
    rows += [({"CPU_DEVICE_MULTIPROCESSORS": "7", "CPU_DEVICE_COUNT": "3"}, list(small)),
             ({"CPU_DEVICE_COUNT": "1"}, list(small)), ({"CPU_DEVICE_COUNT": "0"}, list(small)),
             ({"CPU_DEVICE_MEMORY": "5000"}, list(small)), ({"HOST_MEMORY_KB": "3"}, list(small)),
             ({"CPU_DEVICE_CALLS_DAMAGE": "30"}, list(small))]
    return [row for i, row in enumerate(rows) if row not in rows[:i] and row != ({}, list(small))]


def pixels_of(data):
    """(width, height, rows of RGB) of a picture as libpng writes it: 8 bits, not interlaced."""
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, bits, color = head[:4]
    channels = {2: 3, 6: 4}[color]
    assert bits == 8
    raw, stride = zlib.decompress(packed), width * channels
    before, rows = bytearray(stride), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = line[x - channels] if x >= channels else 0
            up, corner = before[x], before[x - channels] if x >= channels else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                paeth = left + up - corner
                guess = min((abs(paeth - left), 0, left), (abs(paeth - up), 1, up), (abs(paeth - corner), 2, corner))[2]
            else:
                break
            line[x] = (line[x] + guess) & 255
        rows.append([line[x:x + 3] for x in range(0, stride, channels)])
        before = line
    return width, height, rows


def picture_words(data):
    width, height, rows = pixels_of(data)
    words = []
    for part_y in range(PARTS):
        for part_x in range(PARTS):
            cells = [rows[y][x] for y in range(part_y * height // PARTS, (part_y + 1) * height // PARTS)
                     for x in range(part_x * width // PARTS, (part_x + 1) * width // PARTS)]
            words.append("".join(f"{round(sum(cell[c] for cell in cells) / len(cells)):02x}" for c in range(3)) if cells
                         else "none")
    return f"{width} x {height}: " + " ".join(words)


def file_line(path):
    if path.suffix == ".png":
        return f"file {path.name} {picture_words(path.read_bytes())}"
    return f"file {path.name}"


def observe(cores, executable, settings, arguments):
    """(exit code, lines) of one run."""
    # One worker, so that sums by atomics are added up in one order.
    code, _, out, err, files = calls_check.observe_all(cores, executable, arguments, {"CPU_DEVICE_THREADS": "1", **settings},
                                                       file_line)
    if code < 0:
        return "crash", []  # where it does depends on addresses
    return code, ["> " + line for line in out] + ["! " + line for line in err] + files


def fits(line, pattern):
    if line == pattern or re.match(r"\d+:", line):
        return line == pattern
    if line.startswith("file ") and pattern.startswith("file "):
        mine, theirs = line.split(" "), pattern.split(" ")
        return len(mine) == len(theirs) and all(near(a, b) for a, b in zip(mine, theirs))
    return line[:1] == pattern[:1] and calls_check.fits(TINY.sub("tiny", line[2:]), TINY.sub("tiny", pattern[2:]))


def near(word, other):
    """Whether two mean colors are one apart at most; other words must be equal."""
    if word == other:
        return True
    if not re.fullmatch("[0-9a-f]{6}", word) or not re.fullmatch("[0-9a-f]{6}", other):
        return False
    return all(abs(a - b) <= 1 for a, b in zip(bytes.fromhex(word), bytes.fromhex(other)))


def masked(runs):
    return runs[0] if all(run == runs[0] for run in runs) else [
        line if line == "*" else runs[0][i][:2] + line if len(line) == 1 else line
        for i, line in enumerate(calls_check.masked(runs))]


def title(settings, arguments, code):
    return "$ " + " ".join([*(f"{k}={v}" for k, v in settings.items()), *arguments, "->", str(code)])


def shortened(lines, base):
    """The lines, with `=` for runs of lines that are those of the base at the same place."""
    done = []
    for i, line in enumerate(lines):
        if i < len(base) and line == base[i]:
            if done and done[-1].startswith("= "):
                done[-1] = f"= {int(done[-1][2:]) + 1}"
            else:
                done.append("= 1")
        else:
            done.append(line)
    return done


def lengthened(lines, base):
    done = []
    for line in lines:
        if line.startswith("= "):
            done += base[len(done):len(done) + int(line[2:])]
        else:
            done.append(line)
    return done


def examine(cores, name, program, whole, kept, times):
    """[(title, lines)] of one program."""
    executable, small = program
    code, lines = observe(cores, executable, {}, ["--help"])
    rows = [(title({}, ["--help"], code), lines)]
    options = options_of([line[2:] for line in lines])
    if not whole:
        return rows
    for settings, arguments in [({}, list(small)), *command_lines(name, small, options, kept)]:
        runs = [observe(cores, executable, settings, arguments) for _ in range(times)]
        codes = sorted({str(code) for code, _ in runs})
        rows.append((title(settings, arguments, "*" if len(codes) > 1 else codes[0]), masked([lines for _, lines in runs])))
    rows.append(("$ a damaged bit: exit code ->", [damage_noticed(cores, executable, small)]))
    return rows


def damage_noticed(cores, executable, small):
    """Exit codes with each third bit of the last word of each copy to the host damaged: how far off may a result be?"""
    codes = [observe(cores, executable, {"CPU_DEVICE_CALLS_DAMAGE": str(bit)}, list(small))[0] for bit in DAMAGED_BITS]
    return " ".join(f"{bit}:{code}" for bit, code in zip(DAMAGED_BITS, codes))


def written(name, rows):
    base = rows[1][1] if len(rows) > 1 else []
    lines = [f"## {name}"]
    for i, (head, body) in enumerate(rows):
        lines += [head, *(shortened(body, base) if i > 1 else body)]
    return lines


def read(lines):
    rows = []
    for line in lines[1:]:
        if line.startswith("$ "):
            rows.append((line, []))
        else:
            rows[-1][1].append(line)
    base = rows[1][1] if len(rows) > 1 else []
    return [(head, lengthened(body, base) if i > 1 else body) for i, (head, body) in enumerate(rows)]


def differs(now, expected):
    wrong = []
    if [head.rsplit(" -> ")[0] for head, _ in now] != [head.rsplit(" -> ")[0] for head, _ in expected]:
        wrong += ["other command lines", *difflib.unified_diff([h for h, _ in expected], [h for h, _ in now], lineterm="", n=0)]
    table = dict((head.rsplit(" -> ")[0], (head, body)) for head, body in expected)
    for head, body in now:
        if head.rsplit(" -> ")[0] not in table:
            continue
        was, lines = table[head.rsplit(" -> ")[0]]
        same_code = was == head or was.endswith("*")
        if not same_code or (lines != ["*"] and not (len(lines) == len(body) and all(map(fits, body, lines)))):
            wrong += [head + ("" if same_code else f"  (not {was.rsplit(' ')[-1]})"),
                      *difflib.unified_diff(lines, body, "lines.txt", "now", lineterm="", n=0)]
    return wrong


def read_table():
    parts = re.split(r"^(?=## )", TABLE.read_text(), flags=re.M)[1:] if TABLE.exists() else []
    return {part.split()[1]: part.rstrip("\n").split("\n") for part in parts}


def write_table(table):
    TABLE.write_text("\n".join(["# What the programs print and draw. Written by lines_check.py.",
                                *("\n".join(table[name]) for name in sorted(table))]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    if platform.machine() != "x86_64":
        return 77  # the last digits of sums differ there
    every = calls_check.programs(given.build.resolve(), with_all=True)
    chosen = {name: every[name] for name in given.names or every}
    kept = {name: words.split(": ", 1)[0].split() for name, words in calls_check.reasons("kept_options.txt").items()}
    left_out = calls_check.left_out()
    table, failures = read_table(), 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        cores = calls_check.Cores(calls_check.compile_clock(folder))
        results = {name: pool.submit(examine, cores, name, program, name not in left_out,
                                     kept.get(name, []) + kept.get("all", []), 2 if given.update else 1)
                   for name, program in chosen.items()}
        for name, result in results.items():
            rows = result.result()
            if given.update:
                table[name] = written(name, rows)
                write_table(table)
                continue
            if name in table:
                wrong = differs(rows, read(table[name]))
            else:  # a program of left_out.txt may not have been built on the machine where the table was written
                wrong = [] if name in left_out else ["not in lines.txt. Add it with --update."]
            if wrong:
                failures += 1
                print(f"FAILED: {name}", *wrong, sep="\n  ")
    print(f"{len(chosen)} programs, {failures} with differences")
    if failures:
        print("If each of them is what you meant, run this with --update and the programs' names, and commit lines.txt.")
    return failures > 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
