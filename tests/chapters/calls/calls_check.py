"""What each program of the course asks of CUDA, and the figures that it prints: compared with calls.txt.

    calls_check.py BUILD [--table | --update] [PROGRAM...]

Each program runs at a small, odd size with CPU_DEVICE_CALLS (runtime/device/calls.h), which writes down its launches,
copies and waits, and lets events count steps of 0.01 ms. The host's clock counts, too (counted_clock.cpp). So a grid
without its last block, a copy of half the bytes, a timing without its wait, a second launch that is missing, a wrong unit
or factor, and the mean instead of the median all change a line.

Four rules do not depend on the table. Something must run between two events whose time is measured. An option must
change the calls, a file or the output, apart from the place where its own value is printed. --table leaves out this rule
for options that the arguments of a row set, since the row shows what they do. With --threads N or --blocks N there must be a
launch of that shape, for numbers all over the option's range. And two sizes never lead to the same calls.

--update writes the table anew. Read the difference before you commit it: each changed line must be what you meant.
A number that differs from run to run is a * there.
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import os
import pathlib
import platform
import queue
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TABLE = HERE / "calls.txt"
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")
SETTINGS = {"CPU_DEVICE_THREADS": "2", "CPU_DEVICE_MULTIPROCESSORS": "4", "CPU_DEVICE_MEMORY": str(64 << 20),
            "CPU_DEVICE_COUNT": "2", "OMP_NUM_THREADS": "1"}
# Milliseconds that a launch takes, by chapter: these programs make a kernel longer until it takes 5 ms.
STEP_MS = {"nbody": "10"}
LIMIT_S = 120
LONGEST_PERIOD = 60  # of calls that are repeated


def programs(build, with_all=False):
    """{name: (executable, its small arguments)}, for the programs that are built; `with_all`: those of left_out.txt, too."""
    small = {}
    for line in (ROOT / "tests/checked_run/checked_programs.txt").read_text().splitlines():
        words = line.split("!")[0].split()
        if words and not line.startswith("#"):
            small[words[0]] = words[1:]
    small.update((name, words.split()) for name, words in reasons("arguments.txt").items())
    names = [line.split(":")[0] for line in (ROOT / "tests/harness/defaults.txt").read_text().splitlines()
             if ":" in line and not line.startswith("#")]
    skipped = {} if with_all else left_out()
    found = {}
    for name in names:
        paths = [path for path in build.glob(f"*/{name}") if path.is_file() and os.access(path, os.X_OK)]
        if paths and name not in skipped:
            found[name] = (paths[0], small.get(name, []))
    return found


def left_out():
    return reasons("left_out.txt")


def reasons(file):
    """{what: why} of a file with lines such as `hash_find --load: the reason`."""
    lines = (HERE / file).read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


class Cores:
    """Each program gets one core, so that it prints the same number of cores on every machine."""

    def __init__(self, clock):
        self.clock = clock
        self.free = queue.Queue()
        for core in sorted(os.sched_getaffinity(0)):
            self.free.put(core)

    def run(self, command, environment, folder):
        core = self.free.get()
        try:
            return subprocess.run(command, env=environment, cwd=folder, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LIMIT_S,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        finally:
            self.free.put(core)


def repeated(lines, i, period):
    """How often the lines from i on stand there, one time after the other."""
    times = 1
    while lines[i:i + period] == lines[i + times * period:i + (times + 1) * period]:
        times += 1
    return times


def compressed(lines):
    """The lines, with what is repeated at once written once. Programs repeat a measurement until they have measured long
    enough, so the count of these says nothing."""
    done, i = [], 0
    while i < len(lines):
        most = min(LONGEST_PERIOD, (len(lines) - i) // 2)
        counts = [(period * times, -period, times) for period in range(1, most + 1)
                  if (times := repeated(lines, i, period)) > 1]
        if counts:
            covered, period, times = max(counts)
            group = lines[i:i - period]
            measured = any(line.startswith("time from") for line in group)
            inside = compressed(group)
            done += inside if measured else [f"{times} times:"] + ["  " + line for line in inside]
            i += covered
        else:
            done.append(lines[i])
            i += 1
    return done


def of_threads(text):
    """The calls of each host thread after those of the others, in an order that does not depend on who began."""
    threads = {}
    for line in text.splitlines():
        number, words = line.split(" ", 1)
        threads.setdefault(number, []).append(words)
    parts = sorted(compressed(lines) for lines in threads.values())
    if len(parts) < 2:
        return [line for part in parts for line in part]
    return [line for part in parts for line in ["a host thread:"] + ["  " + one for one in part]]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def observe(cores, executable, arguments):
    """(exit code, calls, lines of stdout, {file that it wrote: digest}) of one run."""
    code, asked, out, _, files = observe_all(cores, executable, arguments, {}, lambda path: (path.name, digest(path)))
    return code, asked, out, dict(files)


def without_machine(text, executable):
    """What a program prints, without what depends on the machine."""
    text = re.sub("0x[0-9a-f]{8,}", "(an address)", text.replace(f"{ROOT}/", ""))
    text = re.sub(r"CPU device \((?:[^()]|\([^()]*\))*\)", "CPU device", text)  # also "Intel(R) Xeon(R)"
    text = re.sub(r"(clockRate|l2CacheSize) +\d+( MHz)? +", r"\1: that of the machine, ", text)
    text = re.sub(r"this machine has \d+", "this machine has some", text)
    text = re.sub(r"(?m)^(simd .*\S) +\S+e-\S+$", r"\1 that of the vectors", text)  # in another order with other vectors
    if executable.name == "device_properties":
        text = re.sub(r"(?<=\S)  +", "  ", text)  # its columns are as wide as the name of the machine's processor
    return text.splitlines()


def observe_all(cores, executable, arguments, settings, of_file):
    """(exit code, calls, lines of stdout and of stderr, what of_file() says of each file that it wrote) of one run, with
    other settings of the CPU device."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        calls = pathlib.Path(other, "calls")
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("CPU_DEVICE_") and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment.update(SETTINGS, CPU_DEVICE_CALLS=str(calls), LD_PRELOAD=str(cores.clock),
                           CPU_DEVICE_CALLS_STEP_MS=STEP_MS.get(executable.parent.name, ""))
        environment.update(settings)
        done = cores.run([str(executable), *arguments], environment, folder)
        asked = of_threads(calls.read_text()) if calls.exists() else []
        files = [of_file(path) for path in sorted(pathlib.Path(folder).iterdir()) if path.is_file()]
        return (done.returncode, asked, without_machine(done.stdout, executable), without_machine(done.stderr, executable),
                files)


def masked(runs):
    """The lines of the first run, with a * for each number that another run prints differently."""
    lines = list(runs[0])
    for other in runs[1:]:
        if len(other) != len(lines):
            return ["*"]
        for i, line in enumerate(other):
            if NUMBER.sub("0", line) != NUMBER.sub("0", runs[0][i]):
                lines[i] = "*"
                continue
            theirs, before = NUMBER.findall(line), NUMBER.findall(runs[0][i])
            if lines[i] == "*" or theirs == before:
                continue
            masks = iter("*" if a != b or mask == "*" else mask
                         for a, b, mask in zip(before, theirs, re.findall(r"\*|" + NUMBER.pattern, lines[i])))
            lines[i] = NUMBER.sub(lambda _: next(masks), runs[0][i])
    return lines


def fits(line, pattern):
    """A * stands for one number, or for the whole line."""
    if pattern == "*":
        return True
    return re.fullmatch(re.escape(pattern).replace(r"\*", NUMBER.pattern), line) is not None


def section(name, arguments, code, calls, out):
    title = f"## {' '.join([name, *arguments])} -> {code}"
    return "\n".join([title, *["  " + line for line in calls], *["> " + line for line in out]])


def read_table():
    parts = re.split(r"^(?=## )", TABLE.read_text(), flags=re.M)[1:] if TABLE.exists() else []
    return {part.split()[1]: part.rstrip("\n") for part in parts}


def write_table(table):
    TABLE.write_text("\n".join(["# What the programs ask of CUDA, and what they print. Written by calls_check.py.",
                                *[table[name] for name in sorted(table)]]) + "\n")


def rule_of_events(calls):
    """What is wrong if nothing runs between two events."""
    return [f"nothing runs between the two events: {line.strip()}" for line in calls if line.endswith(": 0 steps")]


def differs(now, expected):
    """The lines in which a section differs from the table's, as a diff."""
    new, old = now.splitlines(), expected.splitlines()
    if len(new) == len(old) and all(a == b or fits(a.removeprefix("> "), b.removeprefix("> ")) for a, b in zip(new, old)):
        return []
    return list(difflib.unified_diff(old, new, "calls.txt", "now", lineterm="", n=2))


def other_values(default, low, high, now):
    """Values of an option that differ from the one in use: the next one, and one that is far away."""
    number = float(now)
    whole = "." not in now + default + low + high and "e" not in low
    for near in ((number + 1, number - 1, number / 2), (number * 2 + 3, number / 2)):
        for value in near:
            if float(low) <= value <= float(high) and value != number and not (whole and value != int(value)):
                yield str(int(value)) if whole else f"{value:g}"
                break


def option_ranges(name):
    """(option, default, lowest, highest) of each option with a range."""
    text = next(line for line in (ROOT / "tests/harness/defaults.txt").read_text().splitlines()
                if line.startswith(name + ":"))
    return re.findall(r"(--[\w-]+) (\S+) \((\S+) to (\S+)\)", text)


def options(name, arguments):
    """(option, value now, other values) of each option with a range."""
    for option, default, low, high in option_ranges(name):
        now = arguments[arguments.index(option) + 1] if option in arguments else default
        yield option, now, list(other_values(default, low, high, now))


def without(lines, value):
    return [re.sub(rf"(?<![\w.]){re.escape(value)}(?![\w.])", "#", line) for line in lines]


def has_effect(base, run, now, value):
    """Whether a run with another value of an option differs from the first one, apart from the value itself. Numbers that
    differ from run to run are not compared."""
    code, calls, out, files = run
    if (code, calls, files) != base[:3] or len(out) != len(base[3]):
        return True
    # Where the value is not printed, the same number may stand for something else.
    patterns = [line for line in base[3] if line != "*"]
    pairs = list(zip(out, without(out, value)))
    return not all(any(fits(line, pattern) or fits(masked_line, masked_pattern) for line, masked_line in pairs)
                   for pattern, masked_pattern in zip(patterns, without(patterns, now)))


def rule_of_options(cores, name, executable, arguments, base, excused, only_unset):
    """What is wrong: options that change nothing but their own value in the output."""
    wrong = []
    for option, now, values in options(name, arguments):
        if f"{name} {option}" in excused or not values or (only_unset and option in arguments):
            continue
        for value in values:
            changed = list(arguments)
            if option in changed:
                changed[changed.index(option) + 1] = value
            else:
                changed += [option, value]
            if has_effect(base, observe(cores, executable, changed), now, value):
                break
        else:
            wrong.append(f"{option} {' or '.join(values)} instead of {now} changes no call, no file, and nothing that is "
                         "printed but its value")
    return wrong


# By option: where its value is in the line of a launch, and the values that are tried.
SHAPES = {"--threads": (re.compile(r"blocks of \((\d+),(\d+),(\d+)\) threads"), (32, 96, 160, 257, 480, 768, 1024)),
          "--blocks": (re.compile(r"\((\d+),(\d+),(\d+)\) blocks of"), (1, 2, 7, 40, 130))}


def rule_of_shapes(cores, name, executable, arguments, excused):
    """What is wrong: values of --threads and --blocks that no launch has. As many blocks as the elements need are enough."""
    wrong = []
    ranges = option_ranges(name)
    used = {option: arguments[arguments.index(option) + 1] if option in arguments else default for option, default, _, _ in ranges}
    in_a_block = int(used.get("--threads") or used.get("--tile") or 0)
    needed = -(-int(used["--size"]) // in_a_block) if "--size" in used and in_a_block else None
    for option, default, low, high in ranges:
        if option not in SHAPES or f"{name} {option}" in excused:
            continue
        pattern, values = SHAPES[option]
        for value in values:
            if not int(low) <= value <= int(high):
                continue
            changed = list(arguments)
            if option in changed:
                changed[changed.index(option) + 1] = str(value)
            else:
                changed += [option, str(value)]
            code, calls, *_ = observe(cores, executable, changed)
            shapes = {x * y * z for line in calls for x, y, z in (map(int, shape) for shape in pattern.findall(line))}
            if code != 2 and value not in shapes and not (option == "--blocks" and needed is not None and needed < value and needed in shapes):
                wrong.append(f"{option} {value} (default {default}): the launches have {sorted(shapes)}")
    return wrong


SIZES = ("--size", "--m", "--n", "--k", "--chunk", "--pixels")  # options that are a number of elements


def rule_of_sizes(cores, name, executable, arguments, calls_now, excused):
    """What is wrong: sizes, some of them several times the one in use, with which a program asks for the same."""
    wrong = []
    ranges = option_ranges(name)
    for option, default, low, high in ranges if calls_now else []:
        if option not in SIZES or f"{name} {option}" in excused:
            continue
        now = int(arguments[arguments.index(option) + 1] if option in arguments else default)
        known = {}
        for value in sorted({now, now // 5 + 1, now // 2 + 1, now + now // 3 + 1, 2 * now + 1, 3 * now + 2}):
            if not int(low) <= value <= int(high):
                continue
            changed = list(arguments)
            if option in changed:
                changed[changed.index(option) + 1] = str(value)
            else:
                changed += [option, str(value)]
            code, calls, *_ = observe(cores, executable, changed)
            if code in (2, 77):
                continue
            if (same := known.setdefault(tuple(calls), value)) != value:
                wrong.append(f"{option} {value} asks for the same as {option} {same}")
    return wrong


def examine(cores, name, program, table, excused, given):
    executable, arguments = program
    runs = [observe(cores, executable, arguments) for _ in range(3 if given.update else 1)]
    for run in runs[1:]:
        if run[:2] != runs[0][:2]:
            return None, ["two runs ask for different things", *difflib.unified_diff(runs[0][1], run[1], lineterm="", n=2)]
    code, calls, _, files = runs[0]
    now = section(name, arguments, code, calls, masked([run[2] for run in runs]))
    wrong = rule_of_events(calls)
    if not given.update:
        wrong += differs(now, table[name]) if name in table else ["not in calls.txt. Add it with --update."]
    old = now if given.update else table.get(name, now)
    base = (code, calls, files, [line[2:] for line in old.splitlines() if line.startswith("> ")])
    wrong += rule_of_options(cores, name, executable, arguments, base, excused, given.table)
    wrong += rule_of_shapes(cores, name, executable, arguments, excused)
    return now, wrong + rule_of_sizes(cores, name, executable, arguments, calls, excused)


def compile_clock(folder):
    library = pathlib.Path(folder, "counted_clock.so")
    subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", HERE / "counted_clock.cpp", "-o", library], check=True)
    return library


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    if platform.machine() != "x86_64":
        return 77  # the last digits of sums differ there
    every = programs(given.build.resolve())
    chosen = {name: every[name] for name in given.names or every}
    table, excused, failures = read_table(), reasons("without_effect.txt"), 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        cores = Cores(compile_clock(folder))
        results = {name: pool.submit(examine, cores, name, program, table, excused, given)
                   for name, program in chosen.items()}
        for name, result in results.items():
            try:
                now, wrong = result.result()
            except subprocess.TimeoutExpired as late:
                now, wrong = None, [str(late)]
            if wrong:
                failures += 1
                print(f"FAILED: {name}", *wrong, sep="\n  ")
            if given.update and now:
                table[name] = now
                write_table(table)
    if not given.names and not given.update and len(chosen) < len(table):
        print("not built, and not looked at:", *sorted(set(table) - set(chosen)))
    print(f"{len(chosen)} programs, {failures} with differences")
    return failures > 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
