#!/usr/bin/env python3
"""The figures on the pages are those in measured/, and a wrong one is noticed.

Each time or rate on a page has its key, or is in figures_without_key.txt with the reason. So a figure that somebody types
in, or leaves behind when the measurement is repeated, is noticed.

    figures_test.py [--list]    the figures without a key, for that file
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import measure  # noqa: E402

import readme_check  # noqa: E402

PAGE = ROOT / "page.md"
WITHOUT_KEY = ROOT / "tests/pages/figures_without_key.txt"
NOT_FOR_LEARNERS = ("CONTRIBUTING.md", "STYLE.md", "SNIPPETS.md")
UNIT = r"(?:ms|us|µs|ns|[KMGT]B/s|[GTP]FLOP/s|[GM] \w+/s|frames/s|billion)"
MEASURED = re.compile(rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(<!--.*?-->)? *((?:(?:and|to|/|or) )?){UNIT}(?![\w/])")
FIGURES = {"a.ms": {"value": 0.2388}, "b.rate": {"value": 4432.1}, "c.many": {"value": 60990.0}}


def wrong(text):
    return list(measure.problems(PAGE, text, FIGURES))


def check(condition, what):
    if not condition:
        sys.exit(f"figures_test: {what}")


def check_marks():
    for right in ("0.239<!-- a.ms --> ms", "0.2388<!-- a.ms -->", "239<!-- a.ms * 1000 --> us", "4432<!-- b.rate -->",
                  "4430<!-- b.rate -->", "4.43<!-- b.rate / 1000 --> TB/s", "61,000<!-- c.many -->", "419<!-- 100 / a.ms -->",
                  "418.8<!-- 100 / a.ms -->", "text"):
        check(not wrong(right), f"{right}: {wrong(right)}")
    for damaged in ("0.238<!-- a.ms -->", "0.2389<!-- a.ms -->", "4433<!-- b.rate -->", "4440<!-- b.rate -->",
                    "238<!-- a.ms * 1000 -->", "4.44<!-- b.rate / 1000 -->", "60,000<!-- c.many -->",
                    "1<!-- no.such_key -->", "418<!-- 100 / a.ms -->", "1<!-- 100 / no.such_key -->", "x<!-- 100 / a.ms -->", "fast<!-- a.ms -->"):
        check(wrong(damaged), f"{damaged} is not noticed")
    for number, text in enumerate(("1<!-- a.ms -->", "\n1<!-- a.ms -->\n", "1\n\n0.239<!-- a.ms --> 1<!-- no.such_key -->"), 1):
        check([problem.split(" ")[0] for problem in wrong(text)] == [f"page.md:{number}:"], f"{text!r}: {wrong(text)}, not in line {number}")
    check(measure.update("was 0.2<!-- a.ms --> and 7,000<!-- b.rate --> and 61.5<!-- c.many / 1000 -->", FIGURES) ==
          "was 0.2<!-- a.ms --> and 4,430<!-- b.rate --> and 61.0<!-- c.many / 1000 -->", "update() writes other numbers")
    table = "x\n<!-- bench dot -->\nold\n<!-- end -->\ny"
    check(measure.update_tables(table, {"dot": "new\n"}) == "x\n<!-- bench dot -->\nnew\n<!-- end -->\ny",
          "update_tables() writes another table")


def without_key(text):
    """The times and rates in a line of prose that have no key, each with its unit."""
    text = re.sub(r"`[^`]*`", "", text)
    return [match[0] for match in MEASURED.finditer(text) if not match[2]]


def pages_without_key():
    """{(page, figure)} of all pages, apart from the tables that tools/measure.py writes."""
    found = set()
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("*/*.md")]):
        page = readme_check.Page(path)
        if path.name in NOT_FOR_LEARNERS or path.parent.name in ("tests", "tools", "build"):
            continue
        text = path.read_text(encoding="utf-8")
        tables = [(text.count("\n", 0, match.start()), text.count("\n", 0, match.end())) for match in measure.TABLE.finditer(text)]
        for number, line in page.prose:
            if not any(begin < number <= end for begin, end in tables):
                found.update((page.name(), figure) for figure in without_key(line))
    return found


def check_without_key():
    for text, expected in (("It takes 0.2 ms.", ["0.2 ms"]), ("0.2<!-- a.ms --> ms", []), ("`9 ms`, 4,000 GB/s", ["4,000 GB/s"]),
                           ("4432<!-- b.rate --> or 5 GB/s", ["5 GB/s"]), ("3 / 4 GB/s", ["4 GB/s"]), ("12 messages, 3 msec", []),
                           ("24 billion keys, 36<!-- b.rate --> billion", ["24 billion"])):
        check(without_key(text) == expected, f"{text}: {without_key(text)}")
    listed = set()
    for line in WITHOUT_KEY.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            page, figure, reason = line.split("\t")
            check(reason, f"{WITHOUT_KEY.name}: no reason for {figure}")
            listed.add((page, figure))
    found = pages_without_key()
    check(not found - listed, f"figures without a key: {sorted(found - listed)}")
    check(not listed - found, f"{WITHOUT_KEY.name} has what is on no page: {sorted(listed - found)}")
    print(f"{len(found)} figures have no key, each with its reason in {WITHOUT_KEY.name}")


def check_commands():
    """Each key has its command, and no two commands the same key."""
    keys = [key for patterns in measure.COMMANDS.values() for key in patterns]
    check(len(keys) == len(set(keys)), "a key stands twice in tools/measure.py")
    known = measure.load()["figures"]
    for name, figure in known.items():
        key = re.sub("^(h100|h200x2)[.]", "", name)
        check({"value", "unit", "command", "runs", "date"} <= figure.keys(), f"{key} lacks a field")
        check(key.startswith("bench.") or key in keys, f"tools/measure.py does not measure {key}")
    for command, patterns in measure.COMMANDS.items():
        for pattern, _ in patterns.values():
            check(re.compile(pattern, re.M).groups == 1, f"{command}: {pattern} has not one group")


def near(text, value):
    """Whether a number of a table is this value, rounded as it is written."""
    digits = len(text.partition(".")[2])
    return abs(float(text.replace(",", "")) - value) <= 0.502 * 10 ** -digits + 0.002 * abs(value)


def check_tables():
    """Each row of a table agrees with itself: its time and rate are those of its keys, and the share of the reference and the
    ratio to the best library are those of its rate."""
    data = measure.load()
    for topic, table in data["tables"].items():
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| ")][1:]
        rows = [row for row in rows if not set(row[0]) <= set("-")]
        keys = {name: data["figures"].get(f"bench.{topic}.{name}", {}).get("value") for name in
                [f"{i}{what}" for i in range(1, len(rows) + 1) for what in ("", ".ms", ".library")] + ["reference"]}
        reference = re.search(r"^The reference: .*?, ([\d.,]+) [^\d,]+[.]$", table, re.M)[1]
        check(near(reference, keys["reference"]), f"{topic}: the reference is {keys['reference']}, not {reference}")
        rates = [keys[str(i)] for i, row in enumerate(rows, 1) if row[1] == "library"]
        for i, (version, change, time, rate, share, ratio) in enumerate(rows, 1):
            about = f"{topic}, row {i} ({version}, {change})"
            value = keys[str(i)]
            milliseconds = float(time.split()[0]) * {"ms": 1, "us": 0.001, "s": 1000}[time.split()[1]]
            check(abs(milliseconds / keys[f"{i}.ms"] - 1) < 0.006, f"{about}: {time} is not {keys[f'{i}.ms']} ms")
            check(abs(float(rate.replace(",", "")) / value - 1) < 0.006, f"{about}: {rate} is not {value}")
            check(near(share.rstrip(" %"), 100 * value / keys["reference"]), f"{about}: {share} of the reference, {100 * value / keys['reference']}")
            if ratio != "-":
                check(near(ratio, value / max(rates)), f"{about}: {ratio} times the library, {value / max(rates)}")
                check(near(ratio, keys[f"{i}.library"]), f"{about}: {ratio} times the library, {keys[f'{i}.library']}")


if sys.argv[1:] == ["--list"]:
    print("\n".join(f"{page}\t{figure}\t" for page, figure in sorted(pages_without_key())))
    sys.exit(0)
check_marks()
check_without_key()
check_commands()
check_tables()
sys.exit(measure.check_pages(False))
