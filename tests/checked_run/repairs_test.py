#!/usr/bin/env python3
"""The candidates of ./course check --fix are those that fixes_check.py --all has proven.

    tests/checked_run/repairs_test.py                   compares: repairs.txt has a digest of the candidates of each finding
    tests/checked_run/repairs_test.py --update NVCC     after `fixes_check.py --all` has passed: runs the wrong programs anew

Each race of tests/mistakes has a line for each of its findings: the program, the kind, the lines, how many candidates there are, a
digest of them in their order, and the message where it decides. So no compiler is needed, and no candidate gets lost or changes
without notice.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools"), str(HERE.parent / "harness")]
import fixes_check  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position
from course.fixes import ENCODING, candidates, findings_of, run_program  # noqa: E402  pylint: disable=wrong-import-position

TABLE = HERE / "repairs.txt"


def wrong_program(name):
    return fixes_check.one_of_pair((fixes_check.SOURCES / f"{name}.cu").read_text(), False)


def digest(kind, places, text, lines):
    """How many candidates, and a digest of the changed programs in their order."""
    found = candidates({"ruleId": kind, "message": {"text": text}}, places, lines)
    return f"{len(found)} {hashlib.sha256(''.join(''.join(one.applied(lines)) for one in found).encode()).hexdigest()[:16]}"


def deciding(text):
    """The part of a message that the candidates depend on."""
    order = re.search(r"queued in line \d+ and in line \d+, in no defined order", text)
    return order[0] if order else "between blocks" if "between blocks" in text else ""


def findings(name, nvcc):
    """The lines of the table for one program."""
    source = fixes_check.SOURCES / f"{name}.cu"
    environment = dict(os.environ, **dict(re.findall(r"^// environment: (\w+)=(\S*)", source.read_text(), re.M)))
    with tempfile.TemporaryDirectory() as folder:
        file, report = pathlib.Path(folder) / source.name, pathlib.Path(folder) / "report.sarif"
        file.write_text(wrong_program(name), **ENCODING)
        if not fixes_check.compiled(type("Options", (), {"nvcc": nvcc}), file, file.with_suffix("")):
            return []
        run_program(file.with_suffix(""), [], report, environment)
        rows, lines = [], file.read_text(**ENCODING).splitlines(keepends=True)
        for result, places in findings_of(report, source.name):
            kind, text = result["ruleId"], deciding(result["message"]["text"])
            assert digest(kind, places, text, lines) == digest(kind, places, result["message"]["text"], lines), f"{name}: the message decides more"
            rows.append("\t".join((name, kind, " ".join(map(str, places)), digest(kind, places, text, lines), text)))
        return rows


def update(nvcc):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        rows = [row for rows in pool.map(lambda name: findings(name, nvcc), fixes_check.names_of_races()) for row in rows]
    TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main():
    if sys.argv[1:2] == ["--update"]:
        update(sys.argv[2])
        return 0
    rows = [row.split("\t") for row in TABLE.read_text(encoding="utf-8").splitlines()]
    missing = set(fixes_check.in_list()) - {row[0] for row in rows}
    check("each program that is repaired has a finding in the table", not missing, sorted(missing))
    for name, kind, places, wanted, text in rows:
        lines = wrong_program(name).splitlines(keepends=True)
        came = digest(kind, [int(n) for n in places.split()], text, lines)
        check(f"{name}: the candidates for {kind} in lines {places}", came == wanted, f"{came}, not {wanted}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
