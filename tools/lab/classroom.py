"""Grades the submissions of a class: keeps results, knows who is who, compares with an earlier table."""

import contextlib
import csv
import glob
import os
import pathlib
import sys

import build_kit
from feedback import write_feedback
from formats import FORMATS
from grade import TITLES, Lines, Refused, bar, grade_all, read_answer, student
from kept_results import Kept, of_lab
from labs import LabError
from roster import by_student, days_late, names_of, read_roster
from sandbox import isolation
from similarity import alike, groups
from untrusted import shown_name


def unsafe(reasons, allowed):
    """What to say where nothing keeps submissions in; refuses, if it is not allowed."""
    risk = "submissions could read this machine's files, delete those of its user, use the network and end the grader"
    if not allowed:
        raise LabError(f"not graded, because {risk}: {reasons}. Install bubblewrap, or grade in a container or a virtual "
                       "machine (LABS.md). If this machine holds nothing of value, use --unsafe")
    return f"without isolation (--unsafe): {risk}"


def expanded(files):
    """The files, with those that a pattern names in its place: no shell has done that if the command is a container's."""
    for file in files:
        named = () if os.path.lexists(file) else sorted(glob.glob(str(file)))
        yield from map(pathlib.Path, named or [file])


def grade_class(lab, files, options):
    """The grades, and whether Ctrl-C has ended the grading; options: of the command line."""
    kind, sandbox = isolation()
    if kind is None:
        sandbox = unsafe(sandbox, options.unsafe)
        print(f"course lab: {sandbox}", file=sys.stderr)
    students = read_roster(options.roster, options.due) if options.roster else None
    before = read_scores(options.against) if options.against else None
    files = list(dict.fromkeys(files))
    version = of_lab(lab, [build_kit.HERE, build_kit.DEVICE]) + options.command if options.resume else ""
    kept = Kept(options.resume, lab, version, options.seed)
    with contextlib.closing(kept):
        results, interrupted = grade_files(lab, files, kept, kind, options.jobs, options.command == "board")
    names = dict(zip(files, names_of(files, lambda path: student(path, lab))))
    # What was kept of an answer may also have been handed in by another student.
    graded = [(path, {**one, "student": names[path], "file": shown_name(path)}) for path, one in zip(files, results)
              if one is not None]
    if interrupted:
        print(f"\ncourse lab: interrupted: {len(graded)} of {len(results)} were graded", file=sys.stderr)
        if not graded:
            raise KeyboardInterrupt
    rows = [one for _, one in graded]
    if students is not None:
        rows = [row if "lines" in row else {**nothing(lab, kept.seed), **row}
                for row in by_student(graded, students, options.attempts)]
    elif options.due is not None:
        rows = [{**one, "late_days": days_late(path, options.due)} for path, one in graded]
    if before is not None:
        for row in rows:
            row["before"] = before.get(row.get("id"), before.get(row["student"]))
    counted = {row["student"] for row in rows}
    similar = similar_answers(lab, [(path, one) for path, one in graded if one["student"] in counted])
    for number, (members, _) in enumerate(similar, 1):
        for row in rows:
            if row["student"] in members:
                row["group"] = number
    return {"lab": lab.name, "seed": kept.seed, "sandbox": sandbox, "results": rows, "alike": alike(similar)}, interrupted


def grade_files(lab, files, kept, kind, jobs, board):
    """([result of each, or None], whether Ctrl-C came)"""
    results = [kept.find(path) for path in files]
    waiting = [i for i, one in enumerate(results) if one is None]
    if len(waiting) < len(files):
        print(f"course lab: {len(files) - len(waiting)} of {len(files)} have results in {kept.path}", file=sys.stderr)
    if not waiting:
        return results, False
    progress = None if len(files) == 1 else bar if sys.stderr.isatty() else Lines()
    found = Found(results, waiting, files, kept)
    umask = os.umask(0o022)  # a submission runs as another user, who must read what it needs
    try:
        with contextlib.closing(build_kit.Kit(lab, kept.seed, many=len(waiting) > 16, board=board)) as kit:
            grade_all(kit, [files[i] for i in waiting], min(jobs, len(waiting)), found, kind, progress)
    except KeyboardInterrupt:
        return results, True
    finally:
        os.umask(umask)
    return results, False


class Found:
    """Takes results of those that were waiting to their places, and keeps them."""

    def __init__(self, results, waiting, files, kept):
        self.results, self.waiting, self.files, self.kept = results, waiting, files, kept

    def __setitem__(self, number, result):
        place = self.waiting[number]
        self.results[place] = result
        self.kept.add(self.files[place], result)


def nothing(lab, seed):
    """The result of a student of whom there is no submission."""
    lines = [{"name": name, "title": TITLES[name], "score": 0, "max_score": most, "passed": False,
              "text": "nothing was handed in" if name == "compiles" else ""} for name, most in lab.points.items()]
    return {"lab": lab.name, "student": "", "file": "", "score": 0, "max_score": sum(lab.points.values()), "seed": seed,
            "lines": lines, "look_at": []}


def answers(graded):
    """(student, text) of those that could be read; graded: [(path, result)]."""
    for path, one in graded:
        try:
            yield one["student"], read_answer(path)
        except Refused:
            pass


def similar_answers(lab, graded):
    """The groups of answers that are nearly the same. Whatever is in them, nobody loses a result here."""
    try:
        return groups(answers(graded), lab.starter())
    except Exception as error:  # pylint: disable=broad-exception-caught
        print(f"course lab: which submissions are nearly the same is not known: {error!r}", file=sys.stderr)
        return []


def read_scores(path):
    """{id, or name of the student: score} of an earlier table."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
        return {key: int(row["score"]) for row in rows for key in (row["student"].removeprefix("'"), row.get("id")) if key}
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, ValueError) as error:
        raise LabError(f"{path} is not a table from --format csv: it needs the columns student and score") from error


def changes(grades):
    """Lines that say who gains and who loses, against an earlier table."""
    for one in grades["results"]:
        name = one.get("name") or one["student"]
        if one.get("before") is None:
            if "before" in one:
                yield f"{name}: {one['score']} points, not in the earlier table"
        elif one["score"] != one["before"]:
            yield f"{name}: {one['before']} -> {one['score']} points ({one['score'] - one['before']:+d})"


def report(grades, options, write):
    """Writes what was asked for."""
    if options.feedback:
        print(f"course lab: {write_feedback(options.feedback, grades)} files in {options.feedback}", file=sys.stderr)
    if options.against:
        for line in list(changes(grades)) or ["nobody gains or loses points"]:
            print(f"course lab: {line}", file=sys.stderr)
    write(FORMATS[options.format](grades), options.out)
