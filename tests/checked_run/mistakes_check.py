#!/usr/bin/env python3
"""Checks that the checked run finds the mistakes of tests/mistakes: all of them, and nothing else.

    tests/checked_run/mistakes_check.py NVCC BUILD_FOLDER [NAME...] [--jobs N] [--orders] [--environment K=V ...]
                                        [--schedules 1-1000]

Each tests/mistakes/NAME.cu is compiled twice with `NVCC --check`, as it is (wrong) and with -DRIGHT,
and run with CPU_DEVICE_REPORT. The wrong program must report exactly what its comments say, the
right one nothing. Each race must have a story for ./course check --story:

    // finds KIND      on every line that the finding names
    // warns           nvcc warns there of a local variable that nobody has set
    // warns: to g++ 12, // warns: from g++ 13    the same, where compilers name different lines
    // finds KIND#1    the same, where a program has several findings
    // environment: K=V    a setting that both programs run with

What a program prints must agree with its report: each finding with its source line, lines, count and hint, the names and
numbers of the last line, and the exit code. A finding that says which schedule repeats it is found again under that
schedule alone, and not under those that came before it.

tests/mistakes/words.txt has the words of the findings of some pairs, so a wrong name, number, index or verb shows. --update
writes the words of the pairs that are named anew. Read the difference before you commit it.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from course.story import parts, races, tell  # noqa: E402  pylint: disable=wrong-import-position

KINDS = (
    "race-warp race-block race-grid race-fence race-scope race-atomic race-exclusion lost-update "
    "race-same-value race-volatile warp-sync race-kernels "
    "race-host out-of-bounds misaligned uninitialized unwritten-copy wrong-side use-after-free "
    "freed-in-use arithmetic wrong-pointer no-progress lock-order call-order unchecked barrier shuffle leak "
    "unread-result").split()
# What the last line of a checked run calls one and several findings of a kind.
NAMES = {
    **dict.fromkeys(("race-warp", "race-block", "race-grid", "race-atomic", "race-same-value", "race-exclusion", "race-host"),
                    ("race", "races")),
    **dict.fromkeys(("race-fence", "race-volatile"), ("missing fence", "missing fences")),
    "race-scope": ("scope too narrow", "scopes too narrow"), "lost-update": ("lost update", "lost updates"),
    "warp-sync": ("warp-synchronous code", "places with warp-synchronous code"),
    "race-kernels": ("missing stream order", "missing stream orders"),
    "out-of-bounds": ("out-of-bounds access", "out-of-bounds accesses"),
    "misaligned": ("misaligned access", "misaligned accesses"),
    "uninitialized": ("uninitialized read", "uninitialized reads"),
    "unwritten-copy": ("unwritten result", "unwritten results"),
    "wrong-side": ("wrong memory space", "wrong memory spaces"), "use-after-free": ("use after free", "uses after free"),
    "freed-in-use": ("memory freed while in use", "pieces of memory freed while in use"),
    "arithmetic": ("arithmetic error", "arithmetic errors"), "wrong-pointer": ("wrong argument", "wrong arguments"),
    "no-progress": ("endless kernel", "endless kernels"), "lock-order": ("lock order", "lock orders"),
    "call-order": ("wrong call order", "wrong call orders"), "unchecked": ("unchecked error", "unchecked errors"),
    "barrier": ("divergent barrier", "divergent barriers"),
    "shuffle": ("incomplete warp operation", "incomplete warp operations"), "leak": ("leak", "leaks"),
    "unread-result": ("unread result", "unread results")}
SOURCES = pathlib.Path(__file__).resolve().parents[1] / "mistakes"
WORDS = SOURCES / "words.txt"
SECONDS = 20  # that a program may run
SECONDS_OF_SCHEDULES = 300
# The findings must not depend on these.
ORDERS = [{"CPU_DEVICE_ORDER": order, "CPU_DEVICE_THREADS": workers}
          for order in ("forward", "reverse", "shuffle") for workers in ("1", "2", "4")]
USUAL = {"CPU_DEVICE_THREADS": "2"}  # on machines with more cores, too


class Problem(Exception):
    """A program that could not be compared; the text says why."""


def expected_findings(source):
    """What the comments of a file promise: a Counter of (kind, lines)."""
    lines_of = collections.defaultdict(set)
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for kind, group in re.findall(r"// finds ([a-z-]+)(#\d+)?", line):
            if kind not in KINDS:
                raise Problem(f"line {number}: there is no kind {kind}")
            lines_of[kind, group].add(number)
    if not lines_of and not expected_warnings(source):
        raise Problem("no line says what it finds")
    return collections.Counter((kind, frozenset(lines))
                               for (kind, _), lines in lines_of.items())


@functools.lru_cache(maxsize=None)
def compiler_version():
    """The first number of g++'s version."""
    return int(subprocess.run(["g++", "-dumpversion"], check=True, stdout=subprocess.PIPE).stdout.split(b".")[0])


def expected_warnings(source):
    """The lines that this compiler warns of."""
    return {number for number, line in enumerate(source.read_text().splitlines(), 1)
            for _, limit, version in re.findall(r"// warns(: (to|from) g\+\+ (\d+))?", line)
            if not limit or (compiler_version() >= int(version) if limit == "from" else
                             compiler_version() <= int(version))}


def place(location, source):
    """A location of a report: the line in `source`, or FILE:LINE elsewhere."""
    physical = location["physicalLocation"]
    file = pathlib.PurePosixPath(urllib.parse.unquote(physical["artifactLocation"]["uri"])).name
    line = physical["region"]["startLine"]
    return line if file == source.name else f"{file}:{line}"


def reported_findings(report, source):
    """What a SARIF file says, notes left out: a Counter of (kind, lines)."""
    try:
        results = json.loads(report.read_text())["runs"][0]["results"]
        findings = collections.Counter()
        for result in results:
            if result.get("level", "warning") == "note":
                continue
            locations = result["locations"][:1] + [
                related for related in result.get("relatedLocations", [])
                if related.get("properties", {}).get("role") == "access"]
            lines = frozenset(place(location, source) for location in locations)
            findings[result["ruleId"], lines] += 1
        return findings
    except FileNotFoundError:
        raise Problem("it wrote no report") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Problem(f"its report is not as expected: {error!r}") from None


def is_race(kind):
    return kind.startswith("race-") or kind in ("warp-sync", "lost-update")


def check_stories(report, findings):
    """Each race has a story, with its lines and what each order yields."""
    told = ["\n".join(tell(*race)) for race in races(report)]
    if len(told) < sum(count for (kind, _), count in findings.items() if is_race(kind)):
        raise Problem(f"{len(told)} races have a story")
    for story in told:
        if not re.search(r"^1\. .*^2\. .* line \d+.*^(In this order|Interleaved)", story, re.M | re.S):
            raise Problem(f"its story is incomplete:\n{story}")
    for _, steps, text in races(report):  # on a watch page: the same steps, and two orders
        told = parts(text)
        if not {step.line for step in steps} <= {part["line"] for part in told} or sum(part["line"] == 0 for part in told) < 2:
            raise Problem(f"the parts of its story are incomplete: {told}")


def file_and_line(location):
    physical = location["physicalLocation"]
    return urllib.parse.unquote(physical["artifactLocation"]["uri"]), physical["region"]["startLine"]


def source_text(file, line, folder):
    """A line of a file, as messages quote it."""
    try:
        return (folder / file).read_text(errors="replace").split("\n")[line - 1].lstrip(" \t")[:120].rstrip(" \t\r")
    except (OSError, LookupError):
        return ""


def lines_in_words(one, other):
    return f"line {one}" if one == other else f"lines {min(one, other)} and {max(one, other)}"


def expected_print(result, folder):
    """What the program prints of a finding of its report, as a pattern; its groups are other lines of the same mistake. And those."""
    text, _, hint = result["message"]["text"].partition("\nhint: ")
    own, joined = [], []  # joined: its place, and the first other one
    for related in result.get("relatedLocations", []):
        line = file_and_line(related)[1]
        if related["message"]["text"] == "the same array":
            joined.append([line])
        elif not joined:
            own.append(line)
        elif len(joined[-1]) == 1:
            joined[-1].append(line)
    wanted = [lines_in_words(pair[0], pair[-1]) for pair in joined]
    file, line = file_and_line(result["locations"][0]) if result["locations"] else ("", 0)
    source = source_text(file, line, folder) if line else ""
    text = f"{file}:{line}: " * (line > 0) + "CPU device: " + "note: " * (result["level"] == "note") + text
    same = "other races" if result["ruleId"].startswith("race-") else "the same error"
    pattern = re.escape(text) + rf"(?:\n    {same} on this array: ([^\n:]+))?((?:\n    race on [^\n]+)*)"
    if result["occurrenceCount"] > 1:  # what is found again after it was printed is in the report
        pattern += r"(?:\n    \d+ times in all)?"
    pattern += "\n"
    if source and not own:
        pattern += re.escape(f"  {line:5} | {source}\n")
    if hint:
        pattern += re.escape(f"  hint: {hint}\n")
    return rf"(?<![^\n]){pattern}(?!  hint|    )", wanted


def expected_summary(results):
    """What the last line says of findings."""
    counts = collections.Counter(NAMES[result["ruleId"]] for result in results if result["level"] != "note")
    all_of_them = sum(counts.values())
    if all_of_them == 0:
        return "no findings: "
    return f"{all_of_them} finding{'s' * (all_of_them > 1)}: " + ", ".join(f"{n} {name[n > 1]}" for name, n in sorted(counts.items())) + "; "


def check_print(report, output, code, folder):
    """What a program prints agrees with its report."""
    results = json.loads(report.read_text())["runs"][0]["results"]
    at = 0
    for result in results:
        pattern, wanted = expected_print(result, folder)
        found = re.compile(pattern).search(output, at)
        if not found:
            raise Problem(f"it does not print, as its report has it:\n{pattern}\nbut:\n{output}")
        at = found.end()
        told = re.findall(r"lines? \d+(?: and \d+)?", (found[1] or "") + found[2])
        if sorted(told) != sorted(wanted):
            raise Problem(f"of {result['message']['text']}\nit joins {told}, its report {wanted}")
    summary = re.findall(r"^CPU device: checked run: (.*?)\d+ launch(?:es)?, [\d.]+ (?:thousand |million )?access(?:es)? checked$", output, re.M)
    if summary != [expected_summary(results)]:
        raise Problem(f"it sums up {summary}, its report {expected_summary(results)}")
    if any(result["level"] != "note" for result in results) and code != 1 and code >= 0:
        raise Problem(f"it has findings, but ends with {code}")


def words_of(report):
    """The messages of a SARIF file, and what was printed beside them, a line each, in the order of the alphabet: addresses and folders left out."""
    results = json.loads(report.read_text())["runs"][0]["results"]
    texts = [f"{result['ruleId']}: {result['message']['text']}" for result in results]
    texts = [re.sub(r"0x[0-9a-f]{6,}|(?<![\w.])/[\w./-]*/", "#", text) for text in texts]
    # Which threads still wait, and in which schedule, depends on the time.
    texts = [text.partition(":")[0] + ":" if text.startswith("no-progress:") else text for text in texts]
    # Other lines of the same mistake, which are printed only.
    texts += re.findall(r"^    ((?:other races|the same error) on this array: .*|race on .*)$", report.with_suffix(".txt").read_text(), re.M)
    return sorted(re.sub(r"\n *", " | ", text) for text in texts)


def known_words():
    """{name: lines} of words.txt."""
    parts = re.split(r"^## (\w+)\n", WORDS.read_text(), flags=re.M)[1:] if WORDS.exists() else []
    return {name: text.splitlines() for name, text in zip(parts[::2], parts[1::2])}


def mask(runs):
    """The lines of the first run, with a § for each number that another run has differently."""
    lines = list(runs[0])
    for other in runs[1:]:
        if [re.sub(r"\d+", "0", line) for line in other] != [re.sub(r"\d+", "0", line) for line in runs[0]]:
            return ["§"]
        for i, line in enumerate(other):
            theirs = iter(re.findall(r"\d+", line))
            known = iter(re.findall(r"\d+|§", lines[i]))
            lines[i] = re.sub(r"\d+", lambda number: number[0] if next(known) == next(theirs) == number[0] else "§", runs[0][i])
    return lines


def other_words(source, program, options):
    """What differs from words.txt in each of three runs: which of two threads comes first may depend on the time."""
    report = options.folder / f"{source.stem}.wrong.sarif"
    for _ in range(2):
        if not compare_words(source, report, options.words):
            return []
        findings_of_program(source, "wrong", program, USUAL, options)
    return compare_words(source, report, options.words)


def compare_words(source, report, known):
    came, wanted = words_of(report), known.get(source.stem, ["§"])
    if wanted == ["§"]:
        return []
    if len(came) != len(wanted):
        return [f"{source.stem}: {len(came)} texts; words.txt has {len(wanted)}. --update adds them"]
    return [f"{source.stem}: other words than in words.txt:\n  - {b}\n  + {a}" for a, b in zip(came, wanted)
            if not re.fullmatch(re.escape(b).replace("§", r"\d+"), a)]


def in_words(findings):
    if not findings:
        return "nothing"
    return "; ".join(sorted(f"{kind} {', '.join(sorted(map(str, lines)))}"
                            for kind, lines in findings.elements()))


def run(command, seconds, **options):
    """Exit code and output; the code is None if it took too long."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, errors="replace",
                              **options)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no output"


def compile_program(source, way, program, options):
    """One of the two programs of a pair."""
    define = ["-DRIGHT"] if way == "right" else []
    code, output = run([options.nvcc, "--check", *define, str(source), "-o", str(program)], 300)
    if code != 0:
        raise Problem(f"does not compile: {last_line(output)}")
    expected = set() if way == "right" else expected_warnings(source)
    came = {int(line) for line in re.findall(rf"{re.escape(source.name)}:(\d+):\d+: warning: '[^']+' "
                                             "is read before it is set", output)}
    if came != expected:
        raise Problem(f"expected warnings in lines {sorted(expected)}; came {sorted(came)}")


def findings_of_program(source, way, program, settings, options):
    """Runs it."""
    report = options.folder / f"{source.stem}.{way}.sarif"
    report.unlink(missing_ok=True)
    environment = dict(os.environ, CPU_DEVICE_REPORT=str(report))
    environment.update(re.findall(r"^// environment: (\w+)=(\S*)", source.read_text(), re.M))
    environment.update(settings)
    environment.update(options.environment)
    seconds = SECONDS
    if options.schedules:
        environment["CPU_DEVICE_SCHEDULE"] = options.schedules
        seconds = SECONDS_OF_SCHEDULES
    code, output = run([str(program)], seconds, env=environment, cwd=options.folder)
    if code is None:
        raise Problem(f"still ran after {seconds} s")
    findings = reported_findings(report, source)
    report.with_suffix(".txt").write_text(output)
    check_print(report, output, code, options.folder)
    if way == "right" and not findings and code != 0:
        raise Problem(f"reports nothing, but ends with {code}: {last_line(output)}")
    return findings


def differences(source, options):
    """One line for each of the two programs that is not as the comments say."""
    found = []
    for way in ("right",) if options.schedules else ("wrong",) if options.update else ("wrong", "right"):
        program = options.folder / f"{source.stem}.{way}"
        try:
            expected = expected_findings(source) if way == "wrong" else collections.Counter()
            compile_program(source, way, program, options)
            for settings in ORDERS if options.orders else [USUAL]:
                came = findings_of_program(source, way, program, settings, options)
                if way == "wrong" and came == expected:
                    check_stories(options.folder / f"{source.stem}.wrong.sarif", came)
                if came != expected:
                    where = " ".join(f"{key}={value}" for key, value in settings.items())
                    raise Problem(f"expected {in_words(expected)}; came {in_words(came)} {where}")
            if way == "wrong" and not options.orders and not options.environment:
                found += note_words(source, program, options) if options.update else \
                    other_words(source, program, options)
                if not options.update:
                    check_schedules(source, program, options)
        except Problem as problem:
            found.append(f"{source.stem} ({way}): {problem}")
        finally:
            program.unlink(missing_ok=True)  # All of them are 2.5 GB.
    return found


def note_words(source, program, options):
    """For --update: keeps what three runs say."""
    report, runs = options.folder / f"{source.stem}.wrong.sarif", []
    for _ in range(3):
        findings_of_program(source, "wrong", program, USUAL, options)
        runs.append(words_of(report))
    options.words[source.stem] = mask(runs)
    return []


def check_schedules(source, program, options):
    """A finding of a schedule is made under it without the others, too, and not under those that came before: from 3 on, then 1 and 2."""
    report = options.folder / f"{source.stem}.wrong.sarif"
    if any("§" in line for line in options.words.get(source.stem, ["§"])):
        return  # some of it depends on the time

    def under_schedules():
        """(number, text) of the findings that name a schedule."""
        found = re.compile(r"found under schedule (\d+) \(CPU_DEVICE_SCHEDULE=\1 repeats it\)")
        return {(int(match[1]), text) for text in words_of(report) if (match := found.search(text))}

    def run_under(value):
        findings_of_program(source, "wrong", program, {**USUAL, "CPU_DEVICE_SCHEDULE": value}, options)
        return under_schedules()

    expected = under_schedules()
    numbers = {number for number, _ in expected}
    for number in sorted(numbers):
        its = {one for one in expected if one[0] == number}
        came = run_under(f"{number - 1}-{number}" if number > 3 else str(number))
        if not its <= came:
            raise Problem(f"CPU_DEVICE_SCHEDULE={number} does not repeat {its}, but gives {came}")
        before = f"3-{number - 1}" if number > 3 else str(1 if number == 2 else 0)
        came = run_under(before)
        if {n for n, _ in came} - numbers or number in {n for n, _ in came}:  # others may be of another launch
            raise Problem(f"CPU_DEVICE_SCHEDULE={before} gives {came}")


def includes(source):
    return re.findall(r"^ *# *include.*", source.read_text(), re.M)


def setting(text):
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"NAME=VALUE is wanted, not {text}")
    return name, value


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("nvcc", metavar="NVCC", help="the CPU device's nvcc")
    parser.add_argument("folder", metavar="BUILD_FOLDER", type=pathlib.Path,
                        help="for programs and reports; made if it is not there")
    parser.add_argument("names", metavar="NAME", nargs="*", help="pairs; default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="pairs at a time; default: the cores")
    parser.add_argument("--orders", action="store_true",
                        help="run each in three orders with 1, 2 and 4 workers")
    parser.add_argument("--schedules", metavar="FIRST-LAST",
                        help="run only the right programs, those with atomics, under each of these schedules")
    parser.add_argument("--environment", type=setting, nargs="+", action="extend", default=[],
                        metavar="K=V", help="settings that the programs run with")
    parser.add_argument("--update", action="store_true", help="write the words of the findings anew")
    options = parser.parse_intermixed_args()
    options.words = known_words()
    if options.jobs < 1:
        parser.error("--jobs: at least 1")
    sources = {source.stem: source for source in sorted(SOURCES.glob("*.cu"))}
    unknown = [name for name in options.names if name not in sources]
    if unknown:
        parser.error(f"there is no {SOURCES / unknown[0]}.cu")
    # Those with the same headers one after the other: nvcc compiles them ahead.
    options.sources = sorted((sources[name] for name in options.names or sources), key=includes)
    if options.schedules:
        options.sources = [source for source in options.sources if "atomic" in source.read_text()]
    options.folder = options.folder.resolve()
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"cannot make {options.folder}: {error.strerror}")
    nvcc = shutil.which(options.nvcc)
    if not nvcc:
        parser.error(f"there is no program {options.nvcc}")
    options.nvcc = os.path.abspath(nvcc)
    return options


def main():
    options = parse_options()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for lines in pool.map(lambda source: differences(source, options), options.sources):
            failed += bool(lines)
            if lines:
                print("\n".join(lines), flush=True)
    if options.update:
        WORDS.write_text("".join(f"## {name}\n" + "".join(f"{line}\n" for line in options.words[name]) for name in sorted(options.words)))
    print(f"{len(options.sources) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
