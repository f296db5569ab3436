#!/usr/bin/env python3
"""Proves of each lab: the starter is the solution without what is between the marks, compiles and
gets no points; the solution gets all of them, and compiles with the Toolkit's nvcc where there is one, and so do
the answers in right/, which were written from the task alone; each wrong solution gets the verdict that it names;
points never fall when one more region is right; a new seed gives new data to the cases that have no seed that the student knows.

    tests/labs/labs_check.py [LAB...|CHAPTER...]     without a name: all of them
    tests/labs/labs_check.py --one [LAB...|CHAPTER...]  no starter, and one wrong solution of each: a third of the time
    tests/labs/labs_check.py --gpu [LAB...]          only whether the solutions, compiled by the Toolkit's
                                                nvcc, give right results on this machine's GPU
    tests/labs/labs_check.py --gpu-answers FOLDER [RUNS]  the same of the answers FOLDER/LAB/NAME.cu, each tried so
                                                often (default: 3): a line for each
"""

import concurrent.futures
import copy
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = ROOT / "tests/labs/right"
sys.path.insert(0, str(ROOT / "tools/lab"))
# pylint: disable=wrong-import-position
from grade import grade_all
from build_kit import HERE, Kit
from labs import ABOUT, Case, Region, all_labs, find_lab, starter_lines
from sandbox import isolation

SEED = 1  # of the fresh cases, so that each run does the same


def failed_lines(result):
    return {line["name"] for line in result["lines"] if not line["passed"]}


def texts(result):
    return "\n".join(line["text"] for line in result["lines"] if not line["passed"])


def marks_are_right(lab):
    """What is wrong with starter and task, if anything."""
    missing = [word for word in ABOUT if word not in lab.about]
    if missing:
        yield f"task.md does not say: {', '.join(missing)}"
    common = [piece for piece in lab.pieces if not isinstance(piece, Region)]
    starter, solution = lab.starter().splitlines(), lab.solution().splitlines()
    for name, lines in (("starter", starter), ("solution", solution)):
        rest = iter(lines)
        if not all(line in rest for line in common):
            yield f"the {name} lacks lines outside of the marks"
    own = {line.strip() for region in lab.regions for line in region.answer if len(line.strip()) > 12}
    own -= {line.strip() for region in lab.regions for line in region.starter}
    own -= {line.strip() for line in common}
    told = [line for line in starter if line.strip() in own]
    if told:
        yield f"the starter tells the answer: {told[0].strip()}"
    if "SOLUTION" in "\n".join(starter + solution):
        yield "a mark is left in the starter or the solution"


def toolkit():
    for place in (shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if place and pathlib.Path(place).exists() and "cpu_device" not in place:
            return place
    return None


def compiles_for_gpu(lab, text, folder, nvcc, harness=()):
    """What is wrong with this answer, if anything. folder/program is an object, or with the harness a program."""
    answer = folder / lab.file
    answer.write_text(text)
    fast = ["-O0", "-Xcicc", "-O0", "-Xptxas", "-O0", "-c"]  # to see whether it compiles
    done = subprocess.run([nvcc, "-std=c++17", *(["-O3", "-arch=native"] if harness else fast), "-I", ROOT / "common",
                           "-I", HERE, answer, *harness, "-o", folder / "program"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        yield f"does not compile with {nvcc}: {done.stdout.strip().splitlines()[0]}"


def is_right_on_gpu(lab, text, kit, folder, nvcc):
    """What is wrong with this answer's results on a GPU, if anything: the first such case."""
    problems = list(compiles_for_gpu(lab, text, folder, nvcc, [lab.folder / "harness.cu"]))
    if problems:
        return problems
    return first_wrong_case(lab, kit, folder)


def first_wrong_case(lab, kit, folder):
    """What is wrong with the results of folder/program, if anything."""
    for case in lab.cases:
        if case.kind not in ("given", "hidden", "fresh"):
            continue
        with open(kit.input(case), "rb") as given:  # results go to descriptor 3: see harness.h
            try:
                done = subprocess.run(["bash", "-c", 'exec "$0" 3>"$1"', folder / "program", folder / "results"],
                                      stdin=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, errors="replace", timeout=20, check=False)
            except subprocess.TimeoutExpired:
                return [f"{case} on the GPU: it did not end within 20 seconds"]
        right, words = kit.verify(case, folder / "results")
        if done.returncode != 0 or not right:
            return [f"{case} on the GPU: exit code {done.returncode}, {words}: {done.stdout.strip()[-300:]}"]
    return []


def solution_is_right_on_gpu(lab, folder, nvcc):
    kit = Kit(lab, SEED)
    try:
        return is_right_on_gpu(lab, lab.solution(), kit, folder, nvcc)
    finally:
        kit.close()


def answers_on_gpu(folder, runs, nvcc):
    """Prints for each answer folder/LAB/NAME.cu in how many runs its results were wrong on this machine's GPU. A
    right result there proves nothing: what races often comes out right."""
    def of_lab(lab):
        kit = Kit(lab, SEED)
        try:
            for path in sorted((folder / lab.name).glob("*.cu")):
                with tempfile.TemporaryDirectory() as scratch:
                    scratch = pathlib.Path(scratch)
                    problems = is_right_on_gpu(lab, path.read_text(), kit, scratch, nvcc)
                    more = [first_wrong_case(lab, kit, scratch) for _ in range(runs - 1)
                            if (scratch / "program").exists()]
                found = [one[0] for one in [problems, *more] if one]
                print(f"{lab.name}/{path.stem}: wrong in {len(found)} of {1 + len(more)} runs"
                      + (": " + found[0].replace("\n", " | ") if found else ""), flush=True)  # at once: a lease may end
        finally:
            kit.close()

    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        list(pool.map(of_lab, [lab for lab in all_labs() if (folder / lab.name).is_dir()]))


def partly_right(lab):
    """{name: text}: of every set of regions, but none and all, the solution's, and the others as in the starter."""
    count = len(lab.regions)
    return {f"regions_{chosen:0{count}b}": lab.assemble(
        lambda number, region, chosen=chosen: region.answer if chosen >> (number - 1) & 1
        else starter_lines(number, region)) for chosen in range(1, (1 << count) - 1)}


def falls(lab, scores):
    """Where points fall although one more region is right."""
    count = len(lab.regions)
    of = {int(name.split("_")[1], 2): score for name, score in scores.items() if name.startswith("regions_")}
    if not of:
        return
    of[0], of[(1 << count) - 1] = scores["starter"], scores["solution"]
    for chosen, score in of.items():
        for region in range(count):
            more = of.get(chosen | 1 << region, score)
            if more < score:
                yield f"points fall from {score} to {more} with region {region + 1} right, and before {chosen:0{count}b}"


def seeds_are_right(kit):
    """A new seed gives new input for fresh cases, and none for those that the student knows."""
    def input_of(case, seed):
        other = copy.copy(kit)
        other.seed = seed
        return subprocess.run(other.judge("input", case), stdout=subprocess.PIPE, check=True).stdout

    for case in kit.lab.cases:
        first, other, again = (input_of(case, seed) for seed in (5, 6, 5))
        if first != again:
            yield f"{case.kind} {case}: the same seed gives another input"
        if case.kind == "given" and first != other:
            yield f"{case.kind} {case}: another seed gives another input"
        elif case.kind == "fresh" and len(first) > 64 and first == other:  # a handful of bytes may be nothing but sizes
            yield f"{case.kind} {case}: another seed gives the same input"


class TightLimits:
    """Looks on while a solution is graded: with half of what it may ask for at most, and with four times of what it must at
    least, it would be beyond its limits. (Twice would be too much where one load may bring two values.)"""

    def __init__(self, kit, solution):
        self.kit, self.solution, self.asked, self.loose = kit, solution, kit.verdict_of_counts, []
        self.seen = set()
        kit.verdict_of_counts = self

    def __call__(self, case, counts, text):
        if text == self.solution:
            for word in case.parameters:
                key, _, value = word.partition("=")
                if not key.startswith(("most_", "least_")):
                    continue
                self.seen.add(key)
                changed = f"{key}={int(value) * 4 if key.startswith('least_') else int(value) / 2}"
                others = [one for one in case.parameters if not one.startswith(("most_", "least_"))]
                if int(value) > 0 and self.asked(Case(case.kind, [*others, changed]), counts, text) == "right":
                    self.loose.append(f"the limit {word} is too loose: the solution keeps {changed}, too")
        return self.asked(case, counts, text)


def verdicts_are_right(lab, folder, most):
    """Grades starter, solution and wrong ones; with `most` no starter, and so many wrong ones."""
    answers = {"solution": lab.solution()}
    right = {} if most else {path.stem: path.read_text() for path in sorted((RIGHT / lab.name).glob("*.cu"))}
    answers.update(right)
    if most is None:
        answers["starter"] = lab.starter() + "\nstruct Changed {};\n"  # as it is, it is not even compiled
        answers.update(partly_right(lab))
    wrong = list(lab.wrong())
    if len(wrong) < 3:
        yield f"there are only {len(wrong)} wrong solutions"
    expected = {}
    for name, text, failing, words in wrong[:most]:
        answers[name] = text
        expected[name] = (set(failing), words)
    paths = []
    for name, text in answers.items():
        (folder / name).mkdir()
        paths.append(folder / name / lab.file)
        paths[-1].write_text(text)
    kit = Kit(lab, SEED)
    try:
        limits = TightLimits(kit, lab.solution())
        results = [None] * len(paths)
        grade_all(kit, paths, 2, results, isolation()[0])
        yield from seeds_are_right(kit)
        yield from limits.loose
        if limits.seen != {word.partition("=")[0] for case in lab.cases for word in case.parameters
                           if word.startswith(("most_", "least_"))}:
            yield f"of the limits, only these were looked at: {' '.join(sorted(limits.seen))}"
    finally:
        kit.close()
    graded = {result["student"]: result for result in results}
    for name in ("solution", *right):
        if graded[name]["score"] != graded[name]["max_score"]:
            yield f"{name} does not get all points: {texts(graded[name])}"
    if most is None and (not failed_lines(graded["starter"]) or "does not compile" in texts(graded["starter"])):
        yield f"the starter must compile and fail: {texts(graded['starter'])}"
    if most is None and graded["starter"]["score"] != 0:
        yield f"the starter gets {graded['starter']['score']} points: {texts(graded['starter'])}"
    yield from falls(lab, {name: result["score"] for name, result in graded.items()})
    for name, (failing, words) in expected.items():
        got = failed_lines(graded[name])
        if got != failing:
            yield (f"wrong/{name}: fails {' '.join(sorted(got)) or 'nowhere'}, not "
                   f"{' '.join(sorted(failing))}: {texts(graded[name])}")
        elif words not in texts(graded[name]):
            yield f"wrong/{name}: no word of '{words}': {texts(graded[name])}"


def main():
    option = sys.argv[1] if sys.argv[1:2] in (["--gpu"], ["--one"], ["--gpu-answers"]) else ""
    on_gpu = option == "--gpu"
    names = sys.argv[2 if option else 1:]
    chapters = [lab for lab in all_labs() if lab.chapter in names]
    labs = [] if option == "--gpu-answers" else chapters or [find_lab(name) for name in names] or all_labs()
    nvcc = toolkit()
    if option.startswith("--gpu") and not nvcc:
        sys.exit(f"labs_check.py {option}: there is no nvcc of the CUDA Toolkit here")
    if option == "--gpu-answers":
        return answers_on_gpu(pathlib.Path(names[0]), int(names[1]) if len(names) > 1 else 3, nvcc)
    failures = 0
    for lab in labs:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            if on_gpu:
                problems = solution_is_right_on_gpu(lab, folder, nvcc)
            else:
                problems = [*marks_are_right(lab), *verdicts_are_right(lab, folder, 1 if option == "--one" else None)]
                if nvcc:
                    problems += compiles_for_gpu(lab, lab.solution(), folder, nvcc)
        for problem in problems:
            print(f"FAILED {lab.name}: {problem}")
        if not problems:
            print(f"ok {lab.name}")
        failures += bool(problems)
        sys.stdout.flush()
    if not nvcc:
        print("no nvcc of the CUDA Toolkit here: the solutions were not compiled with it")
    print(f"{len(labs) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
