#!/usr/bin/env python3
"""Tests how ./course lab counts: which cases run, in which order of threads, with which seed, and for how many points.

    tests/labs/scoring_test.py

The sandbox is replaced by one that only notes what it should run. What each lab's judge makes of a seed: labs_check.py.
"""

import pathlib
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
from counting import check, finish
import grade
from labs import Case


class NotingBox:
    """Notes what runs; `ends` says how the runs end, one after the other."""

    def __init__(self, ends=()):
        self.ran, self.ends = [], list(ends)

    def run(self, command, folder, limits, given=None, results=None, environment=None):
        self.ran.append((given, environment))
        return {"ended": self.ends.pop(0) if self.ends else "exit", "code": 0, "seconds": 1, "text": "the answer printed this"}


def grading(cases, points, box, wrong=()):
    """A Grading of these cases, of which those in `wrong` have no right result."""
    one = grade.Grading.__new__(grade.Grading)
    one.lab = types.SimpleNamespace(cases=cases, points=points)
    one.kit = types.SimpleNamespace(seed=77, input=str, words=str,
                                    verify=lambda case, results: (case not in wrong, "right" if case not in wrong else "no"))
    one.box, one.wrong, one.results = box, {}, pathlib.Path("results")
    one.lines = {name: grade.Line(name, most) for name, most in points.items()}
    return one


def check_points():
    """Points are never rounded up: a wrong case always costs one, and only no right case gives none."""
    for most in (10, 25, 33, 100):
        for count in range(1, 9):
            cases = [Case("hidden", [f"n={i}"]) for i in range(count)]
            for right in range(count + 1):
                one = grading(cases, {"hidden": most}, NotingBox())
                one.wrong = {case: "wrong" for case in cases[right:]}
                one.score_cases()
                score = one.lines["hidden"].score
                check(f"{right} of {count} cases, {most} points", score * count <= most * right < (score + 1) * count, score)
                check("all or not all", (score == most) == (right == count), score)


def check_cases():
    """Each case runs once, with the order of threads that belongs to it."""
    cases = [Case(kind, [f"n={i}"]) for i, kind in enumerate(["given", "given", "hidden", "hidden", "hidden", "fresh", "fresh"])]
    points = {"given": 30, "hidden": 30, "fresh": 40}
    box = NotingBox()
    one = grading(cases, points, box)
    one.run_cases(pathlib.Path("program"))
    check("each case runs once", sorted(given for given, _ in box.ran) == sorted(map(str, cases)), box.ran)
    orders = {given: environment["CPU_DEVICE_ORDER"] for given, environment in box.ran}
    expected = {"given": "forward", "hidden": "reverse", "fresh": "shuffle:77"}
    check("the order of threads", all(orders[str(case)] == expected[case.kind] for case in cases), orders)
    check("all are right", not one.wrong)
    for case in cases:
        one = grading(cases, points, NotingBox(), wrong=[case])
        one.run_cases(pathlib.Path("program"))
        one.score_cases()
        check(f"a wrong case {case.kind} {case} is found", list(one.wrong) == [case], one.wrong)
        check("and costs points in its line alone",
              [name for name, line in one.lines.items() if line.score < line.max_score] == [case.kind])
    for stop in grade.ENDINGS:
        box = NotingBox(["exit", stop])
        one = grading(cases, points, box)
        one.run_cases(pathlib.Path("program"))
        check(f"after {stop}, no other case runs, and none is right", len(box.ran) == 2 and len(one.wrong) == len(cases) - 1)
    secret = grading([Case("hidden", ["n=5"])], {"hidden": 10}, NotingBox(["signal"]))
    secret.run_cases(pathlib.Path("program"))
    check("it failed", len(secret.wrong) == 1)
    check("what an answer prints of a hidden case is not shown", "the answer printed" not in str(secret.wrong), secret.wrong)


DRAWS = """\
#include "judge.h"
int main() {
  for (unsigned seed = 1; seed <= 400; seed++) {
    lab::Case one("input", seed, {{"a", "1..2"}, {"b", "7..7"}, {"c", "3..9"}, {"d", "0..1"}, {"e", "15..17"}, {"f", "4"}});
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) std::printf("%s %ld\\n", key, one.number(key));
    for (int n : one.ints(3, -2, 2)) std::printf("ints %d\\n", n);
  }
}
"""


def check_draws(folder):
    """Over many seeds, each number of a range is drawn, the first and the last one too, and no other."""
    (folder / "draws.cpp").write_text(DRAWS)
    subprocess.run(["g++", "-std=c++17", "-I", ROOT / "tools/lab", "-I", ROOT / "common", folder / "draws.cpp", "-o", folder / "draws"], check=True)
    drawn = {}
    for line in subprocess.run([folder / "draws"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        key, number = line.split()
        drawn.setdefault(key, set()).add(int(number))
    for key, low, high in (("a", 1, 2), ("b", 7, 7), ("c", 3, 9), ("d", 0, 1), ("e", 15, 17), ("f", 4, 4), ("ints", -2, 2)):
        check(f"numbers from {low} to {high}", drawn[key] == set(range(low, high + 1)), drawn[key])


COUNTS = """\
#include <cstring>
#include "counts.h"
int main(int words, char** word) {
  std::map<std::string, std::string> limits;
  for (int i = 1; i < words; i++) limits[std::string(word[i], std::strchr(word[i], '='))] = std::strchr(word[i], '=') + 1;
  std::puts(lab::counts_verdict(limits).c_str());
}
"""
# A limit: the kinds of access that it counts, what of them, and how it is told.
LIMITS = {"most_global_reads": (("global_load",), "lanes", "elements read from global memory"),
          "most_global_atomics": (("global_atomic", "global_reduction"), "lanes", "atomic operations on global memory"),
          "most_bank_conflicts": (("shared_load", "shared_store", "shared_atomic"), "bank_conflicts", "bank conflicts in shared memory"),
          "most_sectors_per_request": (("global_load", "global_store"), "sectors", "sectors of 32 bytes per request of a warp")}


def check_counts(folder):
    """What is allowed passes, one more does not, and the line that is named has the most: the first of several."""
    (folder / "counts.cpp").write_text(COUNTS)
    subprocess.run(["g++", "-std=c++17", "-I", ROOT / "tools/lab", folder / "counts.cpp", "-o", folder / "counts"], check=True)

    def verdict(rows, *limits):
        text = "".join("{" + ", ".join(f'"{key}": ' + (f'"{value}"' if isinstance(value, str) else str(value)) for key, value in row.items()) + "}\n"
                       for row in rows)
        return subprocess.run([folder / "counts", *limits], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    for limit, (kinds, key, words) in LIMITS.items():
        for amounts in ((5,), (2, 7), (7, 2), (2, 7, 4), (4, 4), (3, 0, 3), (1, 2, 3, 9, 5)):
            rows = [{"file": f"/a/b{i}.cu", "line": i + 3, "kind": kinds[i % len(kinds)], "requests": 2, key: amount} for i, amount in enumerate(amounts)]
            other = {"file": "/a/other.cu", "line": 1, "kind": "local_load", "requests": 9, "lanes": 99, "sectors": 99, "bank_conflicts": 99}
            total = sum(amounts) / (2 * len(amounts) if limit == "most_sectors_per_request" else 1)
            worst = amounts.index(max(amounts))
            for most, right in ((total, True), (total - 0.5, False)):
                wanted = "right" if right else (f"{words}: {total:.6g}, but this lab allows {most:.6g} at most. "
                                                f"Most of them are at b{worst}.cu:{worst + 3}")
                told = verdict([*rows, other], f"{limit}={most}")
                check(f"{limit}={most} of {amounts}: {wanted}", told == wanted, told)
    for count, least in ((3, 2), (3, 3), (3, 4)):
        for limit, row, words in (("least_constant_reads", {"kind": "constant_load", "lanes": count}, "reads of constant memory"),
                                  ("least_overlapping", {"kind": "global_load", "overlapping": count},
                                   "kernels and copies that may run while another stream is at work")):
            wanted = "right" if count >= least else f"{words}: {count}, but this lab needs at least {least}"
            check(f"{limit}={least} of {count}: {wanted}", verdict([row], f"{limit}={least}") == wanted)
        rows = [{"overlapping": 0, "device": i % count, "kernels": 1} for i in range(2 * count)] + [{"overlapping": 0, "device": 9, "kernels": 0}]
        wanted = "right" if count >= least else f"devices on which kernels ran: {count}, but this lab needs at least {least}"
        told = verdict([{"kind": "global_load"}, *rows], f"least_devices={least}")
        check(f"least_devices={least} of {count}: {wanted}", told == wanted, told)
        rows = [{"kind": "global_load", "lanes": 1}, {"kind": "host_waits", "calls": count}]
        wanted = "right" if count <= least else f"calls that make the host wait: {count} in the code, but this lab allows {least} at most"
        told = verdict(rows, f"most_host_waits={least}")
        check(f"most_host_waits={least} of {count}: {wanted}", told == wanted, told)


def main():
    check_points()
    check_cases()
    with tempfile.TemporaryDirectory() as folder:
        check_draws(pathlib.Path(folder))
        check_counts(pathlib.Path(folder))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
