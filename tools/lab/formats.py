"""Results in the formats of those who ask for them. Each takes what grade.py gives: JSON is the
source of them all."""

import csv
import io
import json
from xml.sax.saxutils import escape, quoteattr


def printable(text):
    """Without what XML and terminals cannot take; the compiler quotes whatever stands in a file."""
    return "".join(c if c in "\n\t" or (c.isprintable() and ord(c) < 0x10000) else "?" for c in text)


def as_text(grades):
    parts = []
    for one in grades["results"]:
        rows = [f"{printable(one.get('name') or one['student'])}: {one['score']} of {one['max_score']} points"]
        for line in one["lines"]:
            mark = "ok" if line["passed"] else "--"
            rows.append(f"  {mark} {line['score']:3d} of {line['max_score']:3d}  {line['title']}")
            rows += ["                   " + text for text in printable(line["text"]).splitlines()
                     if not line["passed"]]
        if one["look_at"]:
            rows.append("  a person should look at " + printable("; ".join(one["look_at"])))
        parts.append("\n".join(rows))
    notes = [f"seed {grades['seed']}; {grades['sandbox']}"]
    return "\n\n".join(parts + ["\n".join(notes + grades["alike"])]) + "\n"


def as_json(grades):
    return json.dumps(grades, indent=2) + "\n"


LONGEST_CELL = 500  # characters


def cell_of(value):
    """What a table takes: short, without control characters, and no formula."""
    if not isinstance(value, str):
        return "" if value is None else value
    text = printable(value.replace("\n", " | "))
    text = text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + " [...]"
    # A spreadsheet would take a cell that begins like this for a formula.
    return "'" + text if text[:1] in tuple("=+-@\t\r") else text


def as_csv(grades):
    """One row for each student; a column for each line of the result."""
    names = [line["name"] for line in grades["results"][0]["lines"]]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    more = [key for key in ("id", "name", "attempts", "late_days", "before") if any(key in one for one in grades["results"])]
    table.writerow(["student", *[key for key in more if key in ("id", "name")], "score", "max_score", *names, "seed", "why",
                    "look_at", "group", "hints", *[key for key in more if key not in ("id", "name")], "file"])
    for one in grades["results"]:
        points = {line["name"]: line["score"] for line in one["lines"]}
        why = next((line["text"].splitlines()[0] for line in one["lines"]
                    if not line["passed"] and line["text"]), "")
        cells = [one["student"], *(one.get(key) for key in more if key in ("id", "name")), one["score"], one["max_score"],
                 *(points.get(name) for name in names), one["seed"], why, "; ".join(one["look_at"]), one.get("group"),
                 one.get("hints"), *(one.get(key) for key in more if key not in ("id", "name")), one["file"]]
        table.writerow([cell_of(cell) for cell in cells])
    return out.getvalue()


def as_gradescope(grades):
    one = only(grades, "gradescope")
    return json.dumps({
        "score": one["score"],
        "output": f"{one['lab']}, seed {one['seed']}; {grades['sandbox']}",
        "visibility": "visible",
        "tests": [{"name": line["title"], "score": line["score"], "max_score": line["max_score"],
                   "status": "passed" if line["passed"] else "failed",
                   "output": printable(line["text"]), "output_format": "text",
                   "visibility": "visible"} for line in one["lines"]]}, indent=2) + "\n"


def as_classroom50(grades):
    one = only(grades, "classroom50")
    return json.dumps({
        "schema": "classroom50/result/v1", "score": one["score"], "max-score": one["max_score"],
        "tests": [{"test-name": line["title"], "passed": line["passed"], "score": line["score"],
                   "max-score": line["max_score"]} for line in one["lines"]]}, indent=2) + "\n"


def as_vpl(grades):
    """What Moodle's VPL reads from the standard output of an evaluation."""
    one = only(grades, "vpl")
    rows = ["<|--"]
    for line in one["lines"]:
        rows.append(f"-{line['title']} ({line['score']} of {line['max_score']})")
        # In a block, '-' begins a title and '>' quotes a line.
        rows += [">" + text for text in printable(line["text"]).splitlines()]
    rows += ["--|>", "",
             f"Comment :=>> {one['lab']}, seed {one['seed']}",
             f"Grade :=>> {one['score']}"]
    return "\n".join(rows) + "\n"


def as_junit(grades):
    suites = []
    for one in grades["results"]:
        failed = sum(not line["passed"] for line in one["lines"])
        cases = []
        for line in one["lines"]:
            head = (f"    <testcase classname={quoteattr(printable(one['student']))} "
                    f"name={quoteattr(line['title'])}")
            if line["passed"]:
                cases.append(head + "/>")
                continue
            text = printable(line["text"])
            first = (text.splitlines() or ["failed"])[0]
            cases.append(f"{head}>\n      <failure message={quoteattr(first)}>{escape(text)}"
                         "</failure>\n    </testcase>")
        suites.append(f"  <testsuite name={quoteattr(printable(one['student']))} "
                      f'tests="{len(one["lines"])}" failures="{failed}" errors="0">\n'
                      + "\n".join(cases) + "\n  </testsuite>")
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name='
            f"{quoteattr(grades['lab'])}>\n" + "\n".join(suites) + "\n</testsuites>\n")


def only(grades, name):
    if len(grades["results"]) != 1:
        raise ValueError(f"the format {name} is for one submission, and there are "
                         f"{len(grades['results'])}")
    return grades["results"][0]


FORMATS = {"text": as_text, "json": as_json, "csv": as_csv, "gradescope": as_gradescope,
           "classroom50": as_classroom50, "vpl": as_vpl, "junit": as_junit}
FOR_ONE = ["gradescope", "classroom50", "vpl"]
