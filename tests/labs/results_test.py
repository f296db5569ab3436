#!/usr/bin/env python3
"""Results of labs, made up from a seed, through everything that shows them: what is read back must be what was put in.

    tests/labs/results_test.py [SEEDS]

Names, titles and texts have quotes, tags, formulas, control characters and capitals that differ only in their case. Points,
counts and times lie next to each limit.
"""

import csv
import html.parser
import io
import json
import os
import pathlib
import platform
import random
import re
import string
import struct
import subprocess
import sys
import tempfile
import types
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
import board
import feedback
import formats
import kept_results
import processors
import roster
import vetting
import walls
from counting import check, finish

STRANGE = ['<b>"Ada" & \'Bob\'</b>', "=1+1", "+cmd", "-2", "@SUM(A1)", "a,b;c", "]]>", "--|>", "Grade :=>> 100", "# head", "ä ß 漢", "a\\b",
           "100 % of | it", "plain"]
CONTROL = ["\x1b[2Jgone", "bell\x07", "zero\x00", "\x9bx", "😀"]  # in texts, as the compiler quotes them
DAY = 86400


def text_of(rng):
    return "\n".join(rng.choice(STRANGE + CONTROL) for _ in range(rng.randint(1, 3)))


def shown(text):
    """As everything but JSON and feedback has it: without what terminals and XML 1.0 cannot take."""
    return "".join(c if c == "\n" or c.isprintable() and c <= "\uffff" else "?" for c in text)


def result(rng, student):
    lines = []
    for name, most in (("given", 30), ("hidden", 30), ("fresh", 40)):
        score = rng.choice([0, 1, most - 1, most])
        lines.append({"name": name, "title": f"{name}: {rng.choice(STRANGE)}", "score": score, "max_score": most, "passed": score == most,
                      "text": "" if score == most else text_of(rng)})
    return {"student": student, "lab": "ch05_dot", "file": f"{student}/dot.cu", "seed": 7, "lines": lines, "look_at": [],
            "score": sum(line["score"] for line in lines), "max_score": 100,
            "board": rng.choice([None, *({name: rng.choice([0, 1, 10, 1000]) for name, _ in board.COLUMNS} for _ in range(4))])}


def grades_of(rng):
    students = rng.sample(STRANGE + ["Ada", "ada", "ADA", "a b", "a_b", "A/B", "..", ".", "con"], 8)
    return {"lab": "ch05_dot", "seed": 7, "sandbox": "in a test", "alike": [], "results": [result(rng, one) for one in students]}


# ---- formats ----

def as_csv(grades):
    rows = list(csv.reader(io.StringIO(formats.as_csv(grades))))
    head, rows = rows[0], rows[1:]
    check("csv: a row for each, as wide as the first", len(rows) == len(grades["results"]) and {len(r) for r in rows} == {len(head)})
    for row, one in zip(rows, grades["results"]):
        cells = dict(zip(head, row))
        check("csv: points", [cells[k] for k in ("score", "max_score", "given", "hidden", "fresh")] ==
              [str(n) for n in (one["score"], 100, *(line["score"] for line in one["lines"]))], row)
        check("csv: no cell is a formula", not any(cell[:1] in set("=+-@\t\r") for cell in row), row)
        check("csv: the student", cells["student"].removeprefix("'") == one["student"].removeprefix("'"), row)


def first_characters():
    """Whatever a cell begins with."""
    for c in string.punctuation + string.ascii_letters + string.digits + " \t\r\n\x00\x1b":
        cell = formats.cell_of(c + "rest")
        check(f"a cell that begins with {c!r}", cell[:1] not in set("=+-@\t\r\n\x00\x1b"), repr(cell))
        check(f"a cell that begins with {c!r} stays", cell.endswith("rest") and len(cell) <= 2 + len("rest") + 2, repr(cell))
    for length in (0, 1, 499, 500, 501, 1000):
        cell = formats.cell_of("x" * length)
        check(f"a cell of {length} characters", cell.count("x") == min(length, 500) and cell.endswith("[...]") == (length > 500))


def as_junit(grades):
    suites = xml.etree.ElementTree.fromstring(formats.as_junit(grades))
    check("junit: a suite for each", len(suites) == len(grades["results"]))
    for suite, one in zip(suites, grades["results"]):
        cases = suite.findall("testcase")
        check("junit: names", suite.get("name") == one["student"] and [c.get("name") for c in cases] == [l["title"] for l in one["lines"]])
        wrong = [line for line in one["lines"] if not line["passed"]]
        check("junit: counts", (suite.get("tests"), suite.get("failures")) == ("3", str(len(wrong))), suite.attrib)
        failures = [case.find("failure") for case in cases if case.find("failure") is not None]
        check("junit: texts", [f.text for f in failures] == [shown(line["text"]) for line in wrong])
        check("junit: messages", [f.get("message") for f in failures] == [shown(line["text"]).splitlines()[0] for line in wrong])


def of_one(one, grades):
    alone = {**grades, "results": [one]}
    scope = json.loads(formats.as_gradescope(alone))
    check("gradescope", scope["score"] == one["score"] and [(t["name"], t["score"], t["max_score"], t["status"], t["output"])
          for t in scope["tests"]] == [(l["title"], l["score"], l["max_score"], "passed" if l["passed"] else "failed",
                                        shown(l["text"])) for l in one["lines"]])
    room = json.loads(formats.as_classroom50(alone))
    check("classroom50", (room["score"], room["max-score"]) == (one["score"], 100) and
          [(t["test-name"], t["passed"], t["score"], t["max-score"]) for t in room["tests"]] ==
          [(l["title"], l["passed"], l["score"], l["max_score"]) for l in one["lines"]])
    vpl = formats.as_vpl(alone).splitlines()
    check("vpl: one grade, which is the score", [line for line in vpl if line.startswith("Grade")] == [f"Grade :=>> {one['score']}"], vpl)
    check("vpl: one block", vpl.count("<|--") == vpl.count("--|>") == 1 and
          all(line[:1] in "->" for line in vpl[1:vpl.index("--|>")]), vpl)


def as_text(grades):
    """One part for each student: points, marks, and the texts of what is wrong, line by line."""
    text = formats.as_text({**grades, "alike": ["A and B are nearly the same"]})
    parts = text.split("\n\n")
    check("text: a part for each, and one for all", len(parts) == len(grades["results"]) + 1 and
          parts[-1] == "seed 7; in a test\nA and B are nearly the same\n", parts[-1])
    for part, one in zip(parts, grades["results"]):
        wanted = [f"{shown(one['student'])}: {one['score']} of 100 points"]
        for line in one["lines"]:
            points = f"{line['score']}".rjust(3) + " of " + f"{line['max_score']}".rjust(3)
            wanted.append(f"  {'ok' if line['passed'] else '--'} {points}  {line['title']}")
            wanted += [] if line["passed"] else [" " * 19 + row for row in shown(line["text"]).splitlines()]
        check("text: its lines", part.splitlines() == wanted, f"{part}\n{wanted}")


# ---- board ----

def on_board(grades):
    results = grades["results"]
    rows = board.ranked(results)
    names = [name for name, _ in board.COLUMNS]
    check("board: all that are counted", sorted(one["student"] for _, one in rows) == sorted(r["student"] for r in results if r["board"]))
    for place, one in rows:
        better = sum([r["board"][name] for name in names] < [one["board"][name] for name in names] for r in results if r["board"])
        check("board: a place is one more than those that are better", place == better + 1, rows)
    other = list(results)
    random.Random(1).shuffle(other)
    check("board: in any order", board.ranked(other) == rows)
    lab = types.SimpleNamespace(name="<lab>", title="A & B")
    page = Text(board.page(lab, results))
    check("board: the page's rows", page.rows == [[str(place), one["student"], *(f"{one['board'][name]:,}" for name in names)]
                                                  for place, one in rows], page.rows)
    check("board: no tags of students", not page.tags & {"b"}, page.tags)
    check("board: how many are left out", f"{sum(not r['board'] for r in results)} of {len(results)} answers" in page.text)
    check("board: as JSON", [(one["place"], one["student"]) for one in json.loads(board.as_json(results))] ==
          [(place, one["student"]) for place, one in rows])


class Text(html.parser.HTMLParser):
    """The text of a page, its tags, and the cells of each row that has any."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags, self.rows, self.cell = "", set(), [], False
        self.feed(page)
        self.rows = [row for row in self.rows if row]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        self.cell = tag == "td"

    def handle_endtag(self, tag):
        self.cell = False

    def handle_data(self, data):
        self.text += data
        if self.cell:
            self.rows[-1][-1] += data


# ---- feedback ----

def as_feedback(grades, folder):
    count = feedback.write_feedback(folder, grades)
    files = list(folder.iterdir())
    small = {file.name.lower() for file in files}  # as Windows and macOS tell files apart
    check("feedback: two files for each", count == len(files) == len(small) == 2 * len(grades["results"]), sorted(map(str, files)))
    pages = [Text(file.read_text(encoding="utf-8")) for file in files if file.suffix == ".html"]
    notes = [file.read_text(encoding="utf-8").split("\n") for file in files if file.suffix == ".md"]
    for one in grades["results"]:
        rows = [[line["title"], str(line["score"]), str(line["max_score"])] for line in one["lines"]]
        own = [page for page in pages if page.rows == rows and one["student"] in page.text]
        check("feedback: a page with a student's lines", own, one)
        check("feedback: the score and the texts", any(f"{one['score']} of 100 points" in page.text and
              all(line["text"] in page.text for line in one["lines"]) for page in own), one)
        rows = [f"| {line['title']} | {line['score']} | {line['max_score']} |" for line in one["lines"]]
        texts = [row for line in one["lines"] if not line["passed"] for row in
                 ["", f"## {line['title']}", "", *("    " + text for text in line["text"].splitlines())]]
        name = re.sub(r"([!-/:-@\[-`{-~])", lambda sign: "\\" * (sign[0] in "\\`*_{}[]<>()#+!|~&-") + sign[0], one["student"])
        wanted = [f"# ch05_dot: {one['score']} of 100 points", "", name, "", "| | points | of |", "| --- | ---: | ---: |", *rows,
                  *texts, "", "Seed 7.", ""]
        check("feedback: as Markdown", wanted in notes, f"{wanted}\n{notes}")
        check("feedback: no tags of students", not any(page.tags & {"b"} for page in own))
    for file in files:
        file.unlink()


# ---- roster ----

def late_days(folder):
    """A day begins with its first second, and a second before is in time."""
    file, due = folder / "answer.cu", 1_700_000_000
    file.write_text("")
    for late in (-DAY, -1, 0, 1, 60, DAY - 1, DAY, DAY + 1, 2 * DAY, 2 * DAY + 1, 10 * DAY):
        os.utime(file, (due + late, due + late))
        days = 0
        while days * DAY < late:
            days += 1
        check(f"late by {late} s", roster.days_late(file, due) == days, roster.days_late(file, due))
    check("nobody has said when it is due", roster.days_late(file, None) is None)
    check("the file is gone", roster.days_late(folder / "none.cu", due) is None)


def attempts(rng, folder):
    """The best attempt counts, of equal ones the first; or the last."""
    students = [roster.Student(number, name, 1_700_000_000) for number, name in (("1001", "Ada"), ("10", "Bob"), ("ada_b", "C"))]
    results = []
    for number in range(rng.randint(0, 6)):
        file = folder / f"{rng.choice(students).id}_{number}.cu"
        file.write_text("")
        os.utime(file, (1_700_000_000 + 100 * number, 1_700_000_000 + 100 * number))
        results.append((file, {**result(rng, file.name), "score": rng.choice([0, 50, 100])}))
    for rule in ("best", "last"):
        rows = roster.by_student(rng.sample(results, len(results)), students, rule)
        check("a row for each student", [row["id"] for row in rows] == [one.id for one in students], rows)
        for row in rows:
            own = [one for file, one in results if file.name.startswith(row["id"] + "_")]
            best = max((one["score"] for one in own), default=None)
            wanted = [one for one in own if rule == "last" or one["score"] == best]
            wanted = (wanted[-1] if rule == "last" else wanted[0]) if wanted else {}
            check(f"the {rule} attempt", row["attempts"] == len(own) and row.get("student") == wanted.get("student"), row)


# ---- results that are kept ----

def kept(folder):
    """What was kept is known again with the same lab, grader and seed, and with no other."""
    answers = [folder / "one.cu", folder / "two.cu"]
    for number, answer in enumerate(answers):
        answer.write_text(f"// {number}\n")
    lab = types.SimpleNamespace(name="ch05_dot")
    for seed, version, known in ((None, "v", True), (5, "v", True), (6, "v", False), (0, "v", False), (None, "w", False), (5, "w", False)):
        path = folder / "kept.jsonl"
        path.unlink(missing_ok=True)
        first = kept_results.Kept(path, lab, "v", 5)
        first.add(answers[0], {"score": 1})
        first.close()
        again = kept_results.Kept(path, lab, version, seed)
        check(f"seed {seed}, {version}: known", (again.find(answers[0]) == {"score": 1}) == known)
        check(f"seed {seed}, {version}: the other is not", again.find(answers[1]) is None)
        check(f"seed {seed}, {version}: the seed", again.seed == (5 if known else seed) or seed is None, again.seed)
        again.add(answers[1], {"score": 2})
        again.close()
        last = kept_results.Kept(path, lab, version, None)
        check(f"seed {seed}, {version}: both, later", (last.find(answers[0]), last.find(answers[1])) ==
              ({"score": 1} if known else None, {"score": 2}))
        check(f"seed {seed}, {version}: the seed stays", last.seed == again.seed)
        last.close()


def quotas(folder):
    """A grader in a container counts what it may use: so many submissions are compiled at a time, and compilers that wait
    for each other are stopped."""
    all_of_them, none = len(os.sched_getaffinity(0)), folder / "none"
    v1, v2, period = folder / "quota", folder / "cpu.max", folder / "period"
    period.write_text("100000\n")
    for text, limit in (("max 100000\n", all_of_them), ("50000 100000\n", 1), ("100000 100000\n", 1), ("150000 100000\n", 2),
                        ("9900000 100000\n", 99), ("", all_of_them), ("0 0\n", all_of_them)):
        v2.write_text(text)
        found = processors.processors(v2, none, none)
        check(f"processors with {text!r}", found == min(limit, all_of_them), str(found))
        v1.write_text(text.split(" ")[0].replace("max", "-1"))
        found = processors.processors(none, v1, period)
        check(f"processors of the older kind with {text!r}", found == min(limit, all_of_them), str(found))


FILTERED = """\
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/audit.h>
#include <linux/sched.h>
"""


def system_calls(folder):
    """The filter's numbers of system calls are those of the C library's headers, as far as these know the name."""
    named = {**walls.DENIED, **walls.FOR_ITSELF, **walls.OF_THE_OWNER, "clone": walls.CLONE, "clone3": walls.CLONE3}
    (folder / "calls.c").write_text(FILTERED + "".join(f"#ifdef SYS_{name}\ncall {name} SYS_{name}\n#endif\n" for name in named) +
                                    "machine x86_64 AUDIT_ARCH_X86_64\n")
    found = subprocess.run(["gcc", "-E", "-P", folder / "calls.c"], stdout=subprocess.PIPE, text=True, check=True).stdout
    numbers = {name: int(number) for name, number in re.findall(r"^call (\w+) (\d+)$", found, re.M)}
    column = walls.MACHINES.get(platform.machine(), (None,))[0]
    if column is None:
        return
    check("the headers know system calls", len(numbers) > 40, found)
    for name, both in named.items():
        if name in numbers:
            check(f"system call {name}", both[column] == numbers[name], f"{both}, {numbers[name]}")


def filtered(call, argument, compiles, machine):
    """What the filter's program answers, by an interpreter of our own."""
    code, at, value = walls.filter_code(compiles), 0, 0
    memory = {0: call, 4: machine, 16: argument}
    while True:
        kind, yes, no, number = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        if kind == 0x20:
            value = memory[number]
        elif kind == 0x06:
            return number
        else:
            at += yes if {0x15: value == number, 0x35: value >= number, 0x45: value & number != 0}[kind] else no


def filter_of_calls():
    """Which calls pass, for answers and for compilers, by the tables above it."""
    if platform.machine() not in walls.MACHINES:
        return
    column, machine = walls.MACHINES[platform.machine()]
    allow, kill, refuse, unknown = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS
    check("another machine's calls", filtered(0, 0, False, machine ^ 1) == kill)
    if column == 0:
        check("calls of x32", filtered(0x40000000, 0, False, machine) == kill and
              filtered(0x3FFFFFFF, 0, False, machine) == allow)
    groups = (walls.DENIED, walls.FOR_ITSELF, walls.OF_THE_OWNER)
    kinds = {both[column]: name for group in groups for name, both in group.items()}
    for compiles in (False, True):
        for call in range(600):
            name = kinds.get(call, "")
            for argument in (0, 1, 0x11, 0x20000, 0x02000000, 0x10000000, 0x40000000, 0x80000000):
                answer = filtered(call, argument, compiles, machine)
                if name in walls.DENIED or (name in walls.OF_THE_OWNER and not compiles):
                    wanted = refuse
                elif name in walls.FOR_ITSELF:
                    wanted = refuse if argument else allow
                elif call == walls.CLONE3[column]:
                    wanted = unknown
                elif call == walls.CLONE[column]:  # no namespaces: of mounts, control groups, names, users, networks ...
                    wanted = refuse if argument & (0x20000 | 0x7E000000) else allow
                else:
                    wanted = allow
                what = f"call {call} {name} with {argument:#x}, compiler {compiles}"
                check(what, answer == wanted, f"{answer:#x}, {wanted:#x}")


def newer_names():
    """From its version 2.38 on, the C library gives functions that read numbers a second name."""
    for name in "strtol strtoll strtoul strtoull wcstol wcstoll wcstoul wcstoull sscanf fscanf".split():
        check(f"{name}() of a newer C library", name in vetting.LIBRARY and f"__isoc23_{name}" in vetting.LIBRARY)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    first_characters()
    newer_names()
    filter_of_calls()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kept").mkdir()
        (folder / "late").mkdir()
        kept(folder / "kept")
        late_days(folder / "late")
        quotas(folder)
        system_calls(folder)
        for seed in range(seeds):
            rng = random.Random(seed)
            grades = grades_of(rng)
            as_csv(grades)
            as_text(grades)
            as_junit(grades)
            on_board(grades)
            as_feedback(grades, folder / "feedback")
            for one in grades["results"]:
                of_one(one, grades)
            (folder / str(seed)).mkdir()
            attempts(rng, folder / str(seed))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
