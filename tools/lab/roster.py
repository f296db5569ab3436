"""Who takes the course: a CSV table with the columns id and name, and, for those who have more time, due. A submission
is a student's whose id stands in its path as a word, as learning platforms name folders."""

import csv
import datetime
import os
import pathlib
import re

from labs import LabError
from untrusted import shown_name

TIMES = ("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d")


def moment(text):
    """Seconds since 1970, of a local time such as "2026-12-01 23:59"; a date alone means its end."""
    for form in TIMES:
        try:
            time = datetime.datetime.strptime(text.strip(), form)
        except ValueError:
            continue
        return (time + datetime.timedelta(days=form == TIMES[2])).timestamp()
    raise LabError(f"'{text}' is not a time; write it as '2026-12-01 23:59'")


class Student:
    def __init__(self, number, name, due):
        self.id, self.name, self.due = number, name, due


def read_roster(path, due):
    """[Student]; due: for those of whom the table says nothing."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LabError(f"{path} is not in UTF-8; save it as CSV in UTF-8") from error
    students = []
    for number, row in enumerate(rows, 2):
        if not (row.get("id") or "").strip():
            raise LabError(f"{path}, line {number}: no id; the first line must name the columns: id,name")
        own = (row.get("due") or "").strip()
        students.append(Student(row["id"].strip(), (row.get("name") or "").strip(), moment(own) if own else due))
    if not students:
        raise LabError(f"{path} is empty; its first line must be: id,name")
    if len({one.id for one in students}) < len(students):
        raise LabError(f"{path} contains an id twice")
    return students


def student_of(path, students):
    """Whose submission it is, or None. The longest id wins: 1234 is not in 12345, but ada is in ada_b."""
    words = os.fsencode(os.path.abspath(path)).decode(errors="replace")
    found = [one for one in students if re.search(rf"(?<![^\W_]){re.escape(one.id)}(?![^\W_])", words)]
    return max(found, key=lambda one: len(one.id), default=None)


def names_of(paths, plain):
    """A name for each submission, no two the same: plain(path), and in front of it as many folders as it takes."""
    names = [plain(path) for path in paths]
    for depth in range(1, 8):
        again = {name for name in names if names.count(name) > 1}
        if not again:
            break
        for i, path in enumerate(paths):
            if names[i] in again:
                folders = pathlib.Path(os.path.abspath(path)).parent.parts[-depth - 1:]
                names[i] = shown_name("/".join(folders + (pathlib.Path(path).name,)))
    return names


def days_late(path, due):
    """Days that have begun since; 0: in time; None: nobody has said when it is due, or the file is gone."""
    try:
        late = os.lstat(path).st_mtime - due if due is not None else None
    except OSError:
        return None
    return None if late is None else max(0, int(-(-late // 86400)))


def by_student(results, students, rule):
    """[result] with one for each of the roster, then those who are not in it. results: [(path, result)]. rule: of
    several attempts the "best" one counts, or the "last". Sets id, name, attempts and late_days."""
    of, others = {one.id: [] for one in students}, []
    for path, result in results:
        owner = student_of(path, students)
        if owner is None:
            others.append({**result, "id": "", "name": "", "attempts": 1,
                           "look_at": [*result["look_at"], "not in the roster"]})
        else:
            of[owner.id].append((os.lstat(path).st_mtime if os.path.lexists(path) else 0, path, result))
    rows = []
    for one in students:
        attempts = sorted(of[one.id], key=lambda attempt: attempt[0])
        if not attempts:
            rows.append({"id": one.id, "name": one.name, "attempts": 0})
            continue
        _, path, result = (attempts[-1] if rule == "last"
                           else max(attempts, key=lambda attempt: (attempt[2]["score"], -attempt[0])))
        rows.append({**result, "id": one.id, "name": one.name, "attempts": len(attempts),
                     "late_days": days_late(path, one.due)})
    return rows + others
