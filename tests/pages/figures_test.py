#!/usr/bin/env python3
"""The figures on the pages are those in measured/, and a wrong one is noticed."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import measure  # noqa: E402

PAGE = ROOT / "page.md"
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
    check(measure.update("was 0.2<!-- a.ms --> and 7,000<!-- b.rate --> and 61.5<!-- c.many / 1000 -->", FIGURES) ==
          "was 0.2<!-- a.ms --> and 4,430<!-- b.rate --> and 61.0<!-- c.many / 1000 -->", "update() writes other numbers")
    table = "x\n<!-- bench dot -->\nold\n<!-- end -->\ny"
    check(measure.update_tables(table, {"dot": "new\n"}) == "x\n<!-- bench dot -->\nnew\n<!-- end -->\ny",
          "update_tables() writes another table")


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


check_marks()
check_commands()
sys.exit(measure.check_pages(False))
