#!/usr/bin/env python3
"""Whole gradings of made-up answers, against a second grader that is written from the table in LABS.md.

    tests/labs/grading_test.py [SEEDS]

A seed makes a lab (cases of each kind, points) and an answer: how each of its runs ends, what the checked run finds, what is
counted. The sandbox is replaced by one that plays this answer. Compared are the points of each line, what the lines say, the
leaderboard's counts, and how each run was asked for: its input, order of threads, devices, schedule and limits.
"""

import contextlib
import json
import pathlib
import random
import re
import shutil
import sys
import tempfile
import types
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
import grade  # noqa: E402
from counting import check, finish  # noqa: E402
from labs import Case  # noqa: E402
from sandbox import CHECKED, COMPILE, RUN  # noqa: E402

KINDS = ("given", "hidden", "fresh")
FATAL = ("out-of-bounds", "wrong-side", "misaligned", "use-after-free")
OTHERS = ("race-block", "barrier", "uninitialized", "leak")
STOPPED = ("time", "memory", "tasks", "text", "data")
STARTER = "__global__ void k() {}\nvoid f() { /* TODO */ }\n"
SEED = 4711


class Behavior:
    """Of an answer in one case. ends: how the ordinary run ends; right: whether its result is; findings: (rule, words, line,
    level) of the checked run; checked_ends, checked_right, of_kernel, launched: of that run, too; counted: of a run that counts."""

    def __init__(self, rng, good):
        bad = 0.0 if good else 0.25
        self.ends = rng.choice([*STOPPED, "signal", "exit 3"]) if rng.random() < bad / 3 else "exit 0"
        self.right = rng.random() >= bad
        self.findings = []
        if rng.random() < bad:
            for _ in range(rng.choice([1, 1, 2, 4])):
                rule = rng.choice(FATAL + OTHERS)
                self.findings.append((rule, f"{rule} of array {rng.randint(1, 2)}", rng.randint(1, 9), "error"))
        if rng.random() < 0.1:
            self.findings.append(("unread-result", "nothing reads it", 3, "note"))
        self.checked_ends = rng.choice(["time", "signal", "exit 5"]) if rng.random() < bad / 6 else "exit 0"
        self.checked_right = rng.random() >= bad / 3
        self.of_kernel = rng.random() >= bad / 12
        self.launched = rng.random() >= bad / 12
        self.counted = rng.choice(["right", "right", "too many sectors: 5, but this lab allows 4 at most"])
        self.counted_right = rng.random() >= bad / 3

    def errors(self):
        return [one for one in self.findings if one[3] == "error"]


class Lab:
    def __init__(self, rng):
        self.name, self.file = "ch05_dot", "dot.cu"
        self.points = {"compiles": 10, "given": rng.randint(10, 30), "hidden": 0, "fresh": rng.randint(5, 12), "checked": 20}
        self.cases = []
        for kind in KINDS:
            for number in range(rng.randint(1, 4)):
                more = rng.choice([[], [], ["checked=no"], ["devices=3"]])
                self.cases.append(Case(kind, [f"n={len(self.cases) + 10 * number}", *more]))
        if rng.random() < 0.4:
            self.points["counts"] = 9
            self.cases.append(Case("counts", ["n=99", "most_sectors_per_request=4"]))
        if rng.random() < 0.3:
            self.points["mistakes"] = rng.choice([7, 10])
            self.cases.append(Case("mistakes", ["n=98", "stages=" + ".".join(rng.sample(FATAL + OTHERS, rng.randint(1, 4)))]))
        self.points["hidden"] = 100 - sum(self.points.values())
        self.with_kernels = rng.random() < 0.9

    def starter(self):
        return STARTER

    def needs_kernels(self):
        return self.with_kernels

    def of(self, kind):
        return [case for case in self.cases if case.kind == kind]


class Kit:
    """What grade.py needs of a lab's kit."""

    def __init__(self, lab, folder, board):
        self.lab, self.seed, self.board, self.private, self.folder = lab, SEED, board, folder, folder
        self.pasting_macros, self.box = {}, None

    def nvcc(self):
        return ["nvcc"]

    def harness(self, checked):
        return "harness-checked.o" if checked else "harness.o"

    def checked_option(self):
        return ["--check"]

    def input(self, case):
        return case

    def words(self, case):
        return f"drawn {case}"

    def verify(self, case, _results):
        behavior = self.box.of[case]
        good, kernel = {"ordinary": (behavior.right, True), "checked": (behavior.checked_right, behavior.of_kernel),
                        "counted": (behavior.counted_right, True)}[self.box.last]
        if not kernel:
            return False, "c[0] is right, but no kernel wrote it: the work belongs in the kernel"
        return (True, "right") if good else (False, f"c[{case.value('n')}] is 1, expected 2")

    def verdict_of_counts(self, case, _counts, _text):
        return self.box.of[case].counted

    def of_starter(self, _grade):
        return self.box.starter


class PlayingBox:
    """Plays an answer, and notes how it was asked."""

    def __init__(self, folder, of):
        self.folder, self.of, self.starter = folder, of, None
        self.asked, self.last, self.compiled, self.number = [], "", [], 0
        self.included, self.compiler, self.fails_at = "", None, 0

    def scratch(self):
        self.number += 1
        place = self.folder / f"scratch{self.number}"
        place.mkdir()
        return place

    def run(self, command, folder, limits, given=None, results=None, environment=None):
        if command[0] == "nvcc":
            self.compiled.append([str(word) for word in command])
            (folder / "answer.d").write_text(
                f"answer.o: {folder}/dot.cu \\\n {self.folder}/kit.h /usr/include/stdio.h {self.included}\n")
            check("the compiler has its own limits", limits is COMPILE)
            return self.compiler if len(self.compiled) == self.fails_at else {"ended": "exit", "code": 0, "seconds": 1, "text": ""}
        behavior, environment = self.of[given], dict(environment)
        checked, counted = environment.pop("CPU_DEVICE_REPORT", None), environment.pop("CPU_DEVICE_PROFILE", None)
        self.last = "checked" if checked else "counted" if counted else "ordinary"
        self.asked.append((self.last, given, environment, limits))
        check("a run has its limits, and results of its own",
              limits is (RUN if self.last == "ordinary" else CHECKED) and results.parent != folder)
        check("the program belongs to the run", pathlib.Path(command[0]).parent == folder)
        if self.last == "checked":
            return self.checked_run(behavior, checked)
        if self.last == "counted":
            pathlib.Path(counted).write_text('{"kind": "global_load", "requests": 2, "sectors": %s}' % given.value("n"))
            return ended("exit 0", "")
        return ended(behavior.ends, "my secret input\n")

    def checked_run(self, behavior, path):
        errors = behavior.errors()
        results = [{"ruleId": rule, "level": level, "message": {"text": words}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "machinery/harness.cu"}, "region": {"startLine": 1}}},
            {"physicalLocation": {"artifactLocation": {"uri": "some%20where/dot.cu"}, "region": {"startLine": line}}}]}
            for rule, words, line, level in behavior.findings]
        pathlib.Path(path).write_text(json.dumps({"runs": [{"results": results}]}))
        count = f"{len(errors)} finding{'s' * (len(errors) != 1)}" if errors else "no findings"
        text = f"CPU device: checked run: {count}: {'1 launch' if behavior.launched else 'no kernel was launched'}\n"
        if behavior.checked_ends == "exit 0" and errors:
            return ended("exit 41", text)
        if behavior.checked_ends == "exit 5" and errors:
            return ended("exit 41", text)
        return ended(behavior.checked_ends, text)


def ended(how, text):
    kind, _, code = how.partition(" ")
    return {"ended": kind, "code": int(code or (11 if kind == "signal" else 0)), "seconds": 7, "text": text}


# ---- the second grader ----

def findings_of(behavior):
    """(whether it was stopped, rules of what one checked run finds, (rule, words) of each)"""
    if behavior.checked_ends in STOPPED:
        return True, [("ended", "the checked run: it did not end within 7 seconds and was stopped")]
    errors = [(rule, f"dot.cu:{line}: {words}") for rule, words, line, _ in behavior.errors()]
    if errors:
        return False, errors
    words = {"exit 5": "code 5", "signal": "signal 11"}.get(behavior.checked_ends)
    return False, [("ended", f"the checked run: it ended with {words}")] if words else []


def expected(lab, of, board):
    """({line: points}, what the checked run says, the board's case or None, ordinary runs, checked runs)"""
    points = {name: 0 for name in lab.points if name in ("compiles", "checked") or lab.of(name)}
    order = [case for kind in KINDS for case in lab.of(kind)]
    wrong, runs, checked = set(), [], []
    for number, case in enumerate(order):
        runs.append(case)
        if of[case].ends != "exit 0" or not of[case].right:
            wrong.add(case)
        if of[case].ends in STOPPED:
            wrong.update(order[number + 1:])
            break
    mistakes = lab.of("mistakes")
    said, launched, of_host = {}, not lab.with_kernels, False
    if set(lab.of("given")) - wrong:
        for case in order:
            if case.value("checked") == "no":
                continue
            checked.append(case)
            launched |= of[case].launched
            stopped, own = findings_of(of[case])
            if any(rule in FATAL for rule, _ in own):
                wrong.add(case)
            for rule, words in own:
                if rule != "ended" or not said:
                    said.setdefault((rule, words), words)
            if not own and not of[case].of_kernel:
                of_host = True
                break
            if not own and not of[case].checked_right and (case.kind != "given" or case not in wrong):
                said[case] = f"{name_of(lab, case)}: the checked run gives no right result"
            if stopped:
                break
        if not launched and not of_host:
            said["kernels"] = "no kernel was launched; the work belongs on the device"
        points["checked"] = 0 if said or of_host else lab.points["checked"]
    for kind in KINDS:
        if lab.of(kind):
            points[kind] = lab.points[kind] * len(set(lab.of(kind)) - wrong) // len(lab.of(kind))
    if of_host or not set(lab.of("given")) - wrong:
        points = dict.fromkeys(points, 0)
        if not of_host and not said:
            checked.append(lab.of("given")[0])
    else:
        points["compiles"] = lab.points["compiles"]
        for case in lab.of("counts"):
            if of[case].counted_right and of[case].counted == "right":
                points["counts"] = lab.points["counts"]
    for case in mistakes:
        stages = case.value("stages").split(".")
        stopped, own = findings_of(of[case])
        left = [stages.index(rule) if rule in stages else 0 for rule, _ in own]
        done = min(left) if left else len(stages) if of[case].checked_right and of[case].of_kernel else 0
        points["mistakes"] = lab.points["mistakes"] * done // len(stages)
        checked.append(case)
    on_board = None
    if board and all(score == lab.points[name] for name, score in points.items() if name != "counts"):
        case = (lab.of("counts") or lab.of("given"))[-1]
        on_board = case if of[case].counted_right else None
    return points, list(said.values())[:3], on_board, runs, checked


def name_of(lab, case):
    """As a student may know it."""
    return {"hidden": lambda: f"hidden case {lab.of('hidden').index(case) + 1}",
            "fresh": lambda: f"drawn {case} (to repeat it: SEED={SEED} ./lab check)"}.get(case.kind, lambda: str(case))()


def play(seed, folder):
    rng = random.Random(seed)
    lab = Lab(rng)
    good = rng.random() < 0.25
    of = {case: Behavior(rng, good or case.kind == "given" and rng.random() < 0.6) for case in lab.cases}
    for case in lab.of("mistakes"):  # the first of those that are left, and some after it
        stages = case.value("stages").split(".")
        left = stages[rng.randint(0, len(stages)):]
        of[case].findings = [(rule, f"{rule} is left", 5, "error") for rule in rng.sample(left, min(len(left), 1 + seed % 2))]
        if seed % 5 == 0 and left:
            of[case].findings.append(("another", "a kind that is not among those of the lab", 5, "error"))
        of[case].findings.sort(key=lambda one, left=left: one[0] != (left or [""])[0])
    board = rng.random() < 0.5
    kit, box = Kit(lab, folder, board), PlayingBox(folder, of)
    kit.box = box
    hints = rng.choice([None, 0, 3])
    text = STARTER + f"int mine{seed};\nvoid g() {{ k<<<1, 1>>>(); }}\n"
    if hints is not None:
        text += f"/* Checked with ./lab:\nhints used: {hints} of 5\n*/\n"
    path = folder / "dot.cu"
    path.write_text(text)
    points, said, on_board, runs, checked = expected(lab, of, board)
    one = grade.Grading(kit, box, path)
    result = one.run()
    about = f"seed {seed}"
    lines = {line["name"]: line for line in result["lines"]}
    came = {name: line["score"] for name, line in lines.items()}
    check(f"{about}: points", came == points, f"came {came}\nwanted {points}\n{json.dumps(result, indent=1)}")
    check(f"{about}: whole points", all(type(score) is int for score in came.values()), came)
    check(f"{about}: sums", result["score"] == sum(points.values()))
    check(f"{about}: the most", result["max_score"] == sum(lab.points[name] for name in points))
    check(f"{about}: most points and whether a line has them", all(
        (line["max_score"], line["passed"]) == (lab.points[name], points[name] == lab.points[name])
        for name, line in lines.items()), result)
    check(f"{about}: whose, seed and hints",
          (result["student"], result["seed"], result["hints"]) == (folder.name, SEED, hints), result)
    counts = on_board and {"sectors": int(on_board.value("n")), "conflicts": 0, "instructions": 2}
    check(f"{about}: on the board", result["board"] == counts, result)
    check_runs(about, lab, box, runs, checked, on_board is not None or board)
    check_texts(about, lab, of, lines)
    if points["compiles"]:
        text = re.sub(r": CPU device: checked run: .*", "", lines["checked"]["text"])
        check(f"{about}: what the checked run says", text == ("\n".join(said) or "no finding"), f"{text}\n{said}")
    compiled = [command for command in box.compiled if "-c" in command]
    ways = ["--check" in command for command in compiled]
    check(f"{about}: compiled once in each way that runs", ways == [False, True][:len(ways)], compiled)
    check(f"{about}: the harness that fits", all(("harness-checked.o" in command) == ("--check" in command)
                                                 for command in box.compiled if "-c" not in command), box.compiled)
    if seed % 4 == 0:
        as_the_starter(about, lab, kit, one, path, points)


def as_the_starter(about, lab, kit, one, path, points):
    """An answer that does what the starter does gets nothing, unless it is all right."""
    names, wrong, found = [(line.name, line.score) for line in one.lines.values()], set(one.wrong), set(one.found)
    kit.box.starter = names, wrong, found
    again = grade.Grading(kit, kit.box, path).run()
    wanted = sum(points.values()) if sum(points.values()) in (0, 100) else 0
    check(f"{about}: with the starter's results", again["score"] == wanted, again)
    for number in range(3):
        other = ([(name, score + (number == 0)) for name, score in names], wrong ^ {lab.cases[0]} if number == 1 else wrong,
                 found | {(lab.cases[0], "another rule")} if number == 2 else found)
        kit.box.starter = other
        again = grade.Grading(kit, kit.box, path).run()
        check(f"{about}: with other results than the starter's", again["score"] == sum(points.values()), again)


def check_runs(about, lab, box, runs, checked, board):
    """Which runs there were, in which order, and how each was asked for."""
    of_kind = {kind: [one for one in box.asked if one[0] == kind] for kind in ("ordinary", "checked", "counted")}
    check(f"{about}: ordinary runs", [case for _, case, *_ in of_kind["ordinary"]] == runs)
    check(f"{about}: checked runs", [case for _, case, *_ in of_kind["checked"]] == checked)
    check(f"{about}: runs that count", len(of_kind["counted"]) <= len(lab.of("counts")) + board)
    schedules = []
    for kind, case, environment, _ in box.asked:
        wanted = {"LAB_APART": "1", "CPU_DEVICE_COUNT": case.value("devices") or "1",
                  "CPU_DEVICE_ORDER": {"hidden": "reverse", "fresh": f"shuffle:{SEED}"}.get(case.kind, "forward")}
        if kind == "checked":
            wanted |= {"CPU_DEVICE_CHECK_EXIT": "41", "CPU_DEVICE_TIMEOUT": "10"}
            schedule = environment.pop("CPU_DEVICE_SCHEDULE", None)
            unknown = case.kind in ("hidden", "fresh")
            in_turn = case.kind == "hidden" and lab.cases.index(case) % 2 == 0
            check(f"{about}: a schedule that nobody knows, or that in which threads take turns", schedule == "1" if in_turn else
                  (schedule is not None) == unknown and int(schedule or 3) >= 3, schedule)
            schedules += [schedule] if schedule and not in_turn else []
        check(f"{about}: how a {kind} run of {case.kind} {case} was asked for", environment == wanted, f"{environment}; {wanted}")
    check(f"{about}: each case has its own schedule", len(set(schedules)) == len(schedules), schedules)


def check_texts(about, lab, of, lines):
    """What the lines say: nothing of a hidden case, each wrong case by its name, and how runs ended."""
    everything = "\n".join(line["text"] for line in lines.values())
    check(f"{about}: nothing that a hidden case printed or has", not any(f"n={case.value('n')} " in everything.replace("\n", " ")
                                                                       for case in lab.of("hidden")), everything)
    for kind in KINDS:
        if kind not in lines or not lines[kind]["text"]:
            continue
        text = lines[kind]["text"]
        cases = lab.of(kind)
        if lines[kind]["passed"]:
            check(f"{about}: all right", text == f"{len(cases)} of {len(cases)} cases right", text)
        for case in cases[:1]:
            name = f"{name_of(lab, case)}: "
            if of[case].ends != "exit 0" and not lines[kind]["passed"]:
                words = {"signal": "signal 11", "exit 3": "code 3", "time": "within 7 seconds"}.get(of[case].ends)
                said = next((line for line in text.splitlines() if line.startswith(name)), "")
                check(f"{about}: {name}how it ended", words is None or words in said or "not tried" in said, text)


# What a compiler prints, and what of it a student reads: lines about the answer, without folders.
PRINTED = [("dot.cu:3:5: error: no ';' here", True), ("/secret/kit/harness.cu:1:1: error: not yours", False),
           ("dot.cu:4: fatal error: x.h: none", True),
           ("dot.cu:5:1: warning: unused", False), ("In file included from dot.cu:7:", False), ("nvcc: 7 more lines", True),
           ("ld: /tmp/answer.o: multiple definition of 'main'", "ld: answer.o: multiple definition of 'main'"),
           ("dot.cu:(.text+0x5): undefined reference to 'g()'", True),
           ("other_dot.cu:3:5: error: not this file", False),
           ("dot.cu:9:1: error: " + "x" * 300, ("dot.cu:9:1: error: " + "x" * 300)[:200])]


def check_refusals(folder):
    """Answers that do not compile, and what they include."""
    shown = [line if kept is True else kept for line, kept in PRINTED if kept]
    text = "\n".join(line for line, _ in PRINTED)
    nothing = "the compiler does not say where; try ./lab check"
    for number, (kept, printed) in enumerate(((shown, text), ([nothing], "x.cu:1: error: y\n"), ([nothing], ""),
                                              ([shown[0]] * 8, (PRINTED[0][0] + "\n") * 9),
                                              ([shown[0]] * 7, (PRINTED[0][0] + "\n") * 7))):
        for fails_at in (1, 2, 3, 4):
            refused(folder / f"printed{number}{fails_at}", fails_at, {"ended": "exit", "code": 1, "seconds": 1, "text": printed},
                    "it does not compile: " + "\n".join(kept))
    refused(folder / "late", 1, {"ended": "time", "code": 0, "seconds": 60, "text": ""},
            "the compiler: it did not end within 60 seconds and was stopped")
    for number, (included, refusal) in enumerate((
            ("/etc/passwd", "/etc/passwd"), ("../other.h", None), ("../../other.h", "../../other.h"), ("/usr2/x", "/usr2/x"),
            ("/usr/../etc/x", "/usr/../etc/x"), ("mine.h /usr/include/a.h ./b.h", None), ("mine.h \\\n /opt/x.h", "/opt/x.h"))):
        words = refusal and f"it includes {refusal}, which is not part of the lab"
        refused(folder / f"included{number}", 0, None, words, included)


def refused(folder, fails_at, compiler, words, included=""):
    folder.mkdir()
    lab = Lab(random.Random(1))
    box = PlayingBox(folder, {case: Behavior(random.Random(1), True) for case in lab.cases})
    box.compiler, box.fails_at, box.included = compiler, fails_at, included
    kit = Kit(lab, folder, False)
    kit.box = box
    (folder / "dot.cu").write_text(STARTER + "int mine;\n")
    result = grade.Grading(kit, box, folder / "dot.cu").run()
    if words is None:
        check(f"{included} may be included", result["score"] > 0, result)
        return
    texts = [line["text"] for line in result["lines"]]
    check(f"refused, {words}", result["score"] == 0 and texts == [words] + [""] * (len(texts) - 1), result)


def check_same_answers(folder):
    """Answers that are the same to the last letter are graded once; each has its own student and file."""
    graded, rng = [], random.Random(7)

    class Graded:
        def __init__(self, kit, box, path):
            self.path = path

        def run(self):
            graded.append(self.path)
            return {"student": "of another", "file": "of another", "score": len(pathlib.Path(self.path).read_text())}

    lab = types.SimpleNamespace(file="dot.cu", name="ch05_dot")
    for round_ in range(20):
        paths, texts = [], []
        for i in range(rng.randint(1, 8)):
            path = folder / f"round{round_}" / f"student{i}" / "dot.cu"
            path.parent.mkdir(parents=True)
            texts.append("x" * rng.randint(1, 3))
            path.write_text(texts[-1])
            paths.append(str(path))
        graded.clear()
        results = [None] * len(paths)
        with mock.patch.object(grade, "Grading", Graded), mock.patch.object(grade, "Sandbox", lambda *_: contextlib.nullcontext()):
            grade.grade_all(types.SimpleNamespace(lab=lab, folder=folder), paths, 2, results, None)
        check(f"round {round_}: each different answer is graded once", len(graded) == len(set(texts)), graded)
        wanted = [(f"student{i}", path, len(text)) for i, (path, text) in enumerate(zip(paths, texts))]
        check(f"round {round_}: whose results", [(one["student"], one["file"], one["score"]) for one in results] == wanted, f"{results}\n{wanted}")


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    grade.VETTING, grade.remove_folder = False, shutil.rmtree
    with tempfile.TemporaryDirectory() as name:
        for seed in range(seeds):
            folder = pathlib.Path(name) / f"student{seed}"
            folder.mkdir()
            play(seed, folder)
        check_refusals(pathlib.Path(name))
        check_same_answers(pathlib.Path(name))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
