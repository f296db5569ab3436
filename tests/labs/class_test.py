#!/usr/bin/env python3
"""Whole classes through ./course lab grade: a roster, attempts, late days, an earlier table, kept results, an interruption.

    tests/labs/class_test.py [SEEDS]

A seed makes a class and what was handed in. The grading itself is replaced by one that gives each submission its own points. The
table, the feedback and the lines about changes are read back and compared with what a teacher would write down by hand.
"""

import contextlib
import csv
import io
import os
import pathlib
import random
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
import classroom  # noqa: E402
import formats  # noqa: E402
from counting import check, finish  # noqa: E402

DAY = 86400
NOON = 1764590400  # 2025-12-01 12:00 UTC
POINTS = {"compiles": 10, "given": 60, "checked": 30}


class Handed:
    """What somebody handed in: its file, its time, its points."""

    def __init__(self, path, owner, time, score):
        self.path, self.owner, self.time, self.score = path, owner, time, score


def lines_of(score):
    """The score on the lines, from the first on."""
    rows = []
    for name, most in POINTS.items():
        own = min(most, score)
        score -= own
        rows.append({"name": name, "title": name, "score": own, "max_score": most, "passed": own == most,
                     "text": "" if own == most else f"{name} is wrong"})
    return rows


class Class:
    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.students = [{"id": number, "name": name, "due": due} for number, name, due in rng.sample(
            [("1001", "Ada", ""), ("100", "Bob, B.", "2025-12-03 12:00"), ("x_7", "", ""), ("10011", 'Eve "E"', "2025-11-30"),
             ("carl", "Carl", "")], 4)]
        self.handed = []
        for student in [*self.students, {"id": rng.choice(["guest", "10019", "carla", "x_71"])}]:
            for number in range(rng.choice([0, 1, 1, 2, 3])):
                time = NOON + rng.choice([-DAY, -1, 0, 1, DAY - 1, DAY, DAY + 1, 2 * DAY, 2 * DAY + 1]) + 3 * len(self.handed)
                path = folder / f"{rng.choice('abcdefgh')}{len(self.handed)}-{student['id']}" / "dot.cu"
                path.parent.mkdir()
                # Some are the same to the last letter.
                own = number if rng.random() < 0.5 else path.parent.name.replace("-", "_")
                path.write_text(f"int a{own};\n" + long_text(number % 2))
                os.utime(path, (time, time))
                self.handed.append(Handed(path, student["id"] if student in self.students else None, time, 0))
        # What is the same gets the same points.
        points = {one.path.read_text(): rng.choice([0, 10, 70, 99, 100]) for one in self.handed}
        for one in self.handed:
            one.score = points[one.path.read_text()]
        self.roster = folder / "roster.csv"
        with open(self.roster, "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, ["id", "name", "due"])
            table.writeheader()
            table.writerows(self.students)


def long_text(which):
    """Long enough to be compared with others; two kinds."""
    first, second = ("*", "-") if which == 0 else ("+", "/")
    return "".join(f"float f{which}_{i}(float x) {{ return x {first} {i * (which + 1)} {second} {i}; }}\n" for i in range(30))


class Lab:
    name, file, points, folder = "ch05_dot", "dot.cu", POINTS, ROOT / "ch05_threads/labs/dot"

    def starter(self):
        return "void f() {}\n"


class Kit:
    """Takes the place of what compiles."""

    made = []

    def __init__(self, lab, seed, many=False, board=False):
        self.lab, self.seed = lab, seed
        Kit.made.append((many, board))

    def close(self):
        pass


def grading(pupils, ends_after):
    """In the place of grade_all(): gives each its points, in any order; Ctrl-C after so many."""
    of = {one.path: one for one in pupils.handed}

    def grade_all(kit, paths, _jobs, results, _isolation, _progress=None):
        pupils.graded = list(paths)
        for count, i in enumerate(pupils.rng.sample(range(len(paths)), len(paths))):
            if count == ends_after:
                raise KeyboardInterrupt
            score = of[paths[i]].score if paths[i] in of else 0
            results[i] = {"lab": "ch05_dot", "student": paths[i].parent.name, "file": str(paths[i]), "score": score,
                          "max_score": 100, "seed": kit.seed, "lines": lines_of(score), "look_at": [], "hints": None, "board": None}
    return grade_all


def run(pupils, files, *, ends_after=None, **more):
    """(grades, whether it was interrupted, stderr)"""
    options = types.SimpleNamespace(**{
        "roster": None, "due": None, "against": None, "resume": None, "seed": 7, "jobs": 2, "command": "grade", "attempts": "best",
        "unsafe": False, "feedback": None, "format": "csv", "out": None, **more})
    classroom.grade_all, said = grading(pupils, ends_after), io.StringIO()
    pupils.graded, Kit.made = [], []
    with contextlib.redirect_stderr(said):
        grades, interrupted = classroom.grade_class(Lab(), files, options)
    return grades, interrupted, said.getvalue(), options


def days(time, due):
    count = 0
    while due is not None and time > due + count * DAY:
        count += 1
    return count if due is not None else None


def due_of(student, general):
    return {"": general, "2025-12-03 12:00": NOON + 2 * DAY, "2025-11-30": NOON - DAY // 2}[student["due"]]


def expected_rows(pupils, attempts, due):
    """By hand: (id, name, score, attempts, days late, file) of each row."""
    rows = []
    for student in pupils.students:
        own = sorted((one for one in pupils.handed if one.owner == student["id"]), key=lambda one: one.time)
        if not own:
            rows.append((student["id"], student["name"], 0, 0, None, ""))
            continue
        counts = own[-1] if attempts == "last" else next(one for one in own if one.score == max(other.score for other in own))
        late = days(counts.time, due_of(student, due))
        rows.append((student["id"], student["name"], counts.score, len(own), late, str(counts.path)))
    return rows + [("", "", one.score, 1, None, str(one.path)) for one in pupils.handed if one.owner is None]


def with_roster(pupils, about):
    for attempts in ("best", "last"):
        for due in (None, NOON):
            grades, _, _, _ = run(pupils, [one.path for one in pupils.handed], roster=pupils.roster, due=due, attempts=attempts)
            columns = ("id", "name", "score", "attempts", "late_days", "file")
            rows = [tuple(row.get(column) for column in columns) for row in grades["results"]]
            wanted = expected_rows(pupils, attempts, due)
            check(f"{about}: rows with {attempts} attempts, due {due}", rows == wanted, f"{rows}\n{wanted}")
            table = list(csv.DictReader(io.StringIO(formats.as_csv(grades))))
            texts = [tuple(row.get(column, "") for column in columns) for row in table]
            wanted = [tuple("" if cell is None else str(cell) for cell in row) for row in wanted]
            check(f"{about}: the table", texts == wanted, texts)
            for row, one in zip(table, grades["results"]):
                lines = lines_of(one["score"])
                points = [str(line["score"]) for line in lines]
                check(f"{about}: points of the lines", [row[name] for name in POINTS] == points, row)
                why = next((line["text"] for line in lines if line["text"]), "")
                check(f"{about}: why", row["why"] == (why if one["file"] else "nothing was handed in"), row)
                check(f"{about}: who is not in the roster", row["look_at"] == ("" if one["id"] else "not in the roster"), row)
            check_groups(about, pupils, grades)


def without_roster(pupils, about):
    """Days late for everybody alike; and from 17 submissions on it pays to compile headers ahead."""
    grades, _, _, _ = run(pupils, [one.path for one in pupils.handed], due=NOON)
    wanted = [days(one.time, NOON) for one in pupils.handed]
    check(f"{about}: late days", [row["late_days"] for row in grades["results"]] == wanted, grades)
    for count in (1, 16, 17):
        path = pupils.folder / f"{count}"
        path.mkdir()
        files = [path / f"{i}.cu" for i in range(count)]
        for number, file in enumerate(files):
            file.write_text(f"int a{number};\n")
        run(pupils, files, command="board" if count == 17 else "grade")
        check(f"{about}: {count} submissions", Kit.made == [(count > 16, count == 17)], Kit.made)


def check_groups(about, pupils, grades):
    """Those that are nearly the same share a number, and are named with each other."""
    texts = {str(one.path): one.path.read_text() for one in pupils.handed}
    kinds = {}
    for row in grades["results"]:
        if row["file"]:
            kinds.setdefault("f0_" in texts[row["file"]], []).append(row)
    groups = [rows for rows in kinds.values() if len(rows) > 1]
    for rows in groups:
        check(f"{about}: one group", len({row.get("group") for row in rows}) == 1 and rows[0].get("group"), rows)
        line = next((line for line in grades["alike"] if all(row["student"] in line for row in rows)), None)
        check(f"{about}: its line", line and " are nearly the same, " in line, grades["alike"])
    check(f"{about}: no other group", len(grades["alike"]) == len(groups) and
          sorted({row["group"] for row in grades["results"] if "group" in row}) == list(range(1, len(groups) + 1)), grades["alike"])


def with_resume(pupils, about):
    """Half of it, the rest, and all again; what is kept is not graded again, and every row names its own file."""
    kept = pupils.folder / "kept.jsonl"
    files = [one.path for one in pupils.handed]
    half = files[:len(files) // 2]
    # What is the same to the last letter is known as soon as one of them is.
    rest = [path for path in files if path.read_text() not in {other.read_text() for other in half}]
    for step, (some, graded) in enumerate(((half, half), (files, rest), (files, []), (files[::-1], []))):
        if not some:
            continue
        grades, interrupted, said, _ = run(pupils, some, resume=kept, seed=None)
        check(f"{about}: step {step}: what is graded", sorted(pupils.graded) == sorted(graded) and not interrupted, pupils.graded)
        check(f"{about}: step {step}: how many are known", (f"{len(some) - len(graded)} of {len(some)} have results" in said) ==
              (len(graded) < len(some)), said)
        rows = [(row["student"], row["file"], row["score"]) for row in grades["results"]]
        of = {one.path: one.score for one in pupils.handed}
        check(f"{about}: step {step}: rows", rows == [(path.parent.name, str(path), of[path]) for path in some], rows)
        seeds = {grades["seed"], *(row["seed"] for row in grades["results"])}
        check(f"{about}: step {step}: one seed", len(seeds) == 1, seeds)
    kept.unlink(missing_ok=True)


def interrupted_runs(pupils, about):
    files = [one.path for one in pupils.handed]
    for ends_after in range(1, len(files)):
        grades, interrupted, said, _ = run(pupils, files, ends_after=ends_after)
        check(f"{about}: interrupted after {ends_after}", interrupted and len(grades["results"]) == ends_after and
              f"interrupted: {ends_after} of {len(files)} were graded" in said, said)
        of = {str(one.path): one.score for one in pupils.handed}
        check(f"{about}: whose results", all(row["score"] == of[row["file"]] for row in grades["results"]), grades)


def without_comparison(pupils, about):
    """If answers cannot be compared with each other, every result is in the table all the same."""
    files, compare = [one.path for one in pupils.handed], classroom.groups

    def fails(_answers, _starter):
        raise RecursionError("too deep")

    classroom.groups = fails
    try:
        grades, _, said, _ = run(pupils, files)
    finally:
        classroom.groups = compare
    check(f"{about}: results without groups", [row["score"] for row in grades["results"]] == [one.score for one in pupils.handed]
          and grades["alike"] == [] and "nearly the same is not known: RecursionError('too deep')\n" in said, said)


def with_earlier_table(pupils, about):
    """An earlier table by id, by name of the student, and without some; each change is told once."""
    files, of = [one.path for one in pupils.handed], {one.path: one.score for one in pupils.handed}
    if not files:
        return
    before = {path: pupils.rng.choice([None, of[path], 0, 50, 100]) for path in files}
    old, new, feedback = pupils.folder / "old.csv", pupils.folder / "new.csv", pupils.folder / "feedback"
    with open(old, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["student", "score"])
        table.writerows([path.parent.name, score] for path, score in before.items() if score is not None)
    grades, _, _, options = run(pupils, files, against=old, out=new, feedback=feedback)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        classroom.report(grades, options, lambda text, out: out.write_text(text))
    lines = [line for line in said.getvalue().splitlines() if " points" in line and "nobody" not in line]
    wanted = []
    for path in files:
        name, now, then = path.parent.name, of[path], before[path]
        if then is None:
            wanted.append(f"course lab: {name}: {now} points, not in the earlier table")
        elif now != then:
            wanted.append(f"course lab: {name}: {then} -> {now} points ({'+' if now > then else '-'}{abs(now - then)})")
    check(f"{about}: who gains and loses", lines == wanted, f"{lines}\n{wanted}")
    check(f"{about}: nobody does", ("nobody gains or loses points" in said.getvalue()) == (not wanted), said.getvalue())
    rows = list(csv.DictReader(new.read_text().splitlines()))
    column = ["" if before[path] is None else str(before[path]) for path in files]
    check(f"{about}: the column", [row["before"] for row in rows] == column, rows)
    count = len(list(feedback.iterdir()))
    check(f"{about}: feedback", count == 2 * len(files) and f"{count} files in {feedback}\n" in said.getvalue(), said.getvalue())
    for path in files:
        text = (feedback / f"{path.parent.name}.md").read_text()
        told = before[path] is not None and before[path] != of[path]
        check(f"{about}: points before", (f"Before: {before[path]} points." in text) == told, text)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    os.environ["TZ"] = "UTC"
    classroom.isolation = lambda: ("in a test", "in a test")
    classroom.build_kit = types.SimpleNamespace(Kit=Kit, HERE=ROOT / "tools/lab", DEVICE=ROOT / "tools/lab")
    with tempfile.TemporaryDirectory() as name:
        for seed in range(seeds):
            folder = pathlib.Path(name) / f"class{seed}"
            folder.mkdir()
            pupils = Class(random.Random(seed), folder)
            for part in (with_roster, without_roster, with_resume, interrupted_runs, without_comparison, with_earlier_table):
                part(pupils, f"class {seed}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
