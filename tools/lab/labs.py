"""The labs as they lie in the chapters: chNN_x/labs/NAME/

    task.md       what to do; its first table says goal, minutes, difficulty ...
    solution.cu   the whole answer, with marks; the starter is made from it
    harness.cu    calls the answer's function, in the answer's process
    judge.cpp     inputs and reference, in a process of its own
    cases         a table: points, and the cases by what they are for
    wrong/*.cu    typical mistakes: other text for the marked regions, and the verdict they must get

Marks of solution.cu:

    // SOLUTION BEGIN: a hint             or: // SOLUTION BEGIN, unmarked: a hint
    //? a further hint
    the answer's lines
    //| lines that stand there for the student
    // SOLUTION END

An unmarked region leaves no TODO in the starter: the student has to find the place. "SOLUTION BEGIN, unmarked,
met 2: hint" says when the student meets the mistake, if that is not the order in the file.
"""

import difflib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
POINTS = {"compiles": 10, "given": 30, "hidden": 30, "fresh": 10, "checked": 20}
ABOUT = ("goal", "you will learn", "do first", "minutes", "difficulty")


class LabError(Exception):
    """Something to be said in one line."""


class Region:
    """met: the place of its hints among those of the others; None: as in the file."""

    def __init__(self, indent, hints, marked, met=None):
        self.indent, self.hints, self.marked, self.met = indent, hints, marked, met
        self.answer, self.starter = [], []


class Case:
    """kind: given, hidden or fresh (a new seed each time); counts: given, too, and what the CPU device
    counts has limits; mistakes: how many of several the checked run no longer finds. parameters as the judge
    takes them."""

    def __init__(self, kind, parameters):
        self.kind, self.parameters = kind, parameters

    def __str__(self):
        return " ".join(word for word in self.parameters
                        if not word.startswith(("checked=", "most_", "least_", "stages=")))

    def value(self, key):
        for word in self.parameters:
            if word.startswith(key + "="):
                return word[len(key) + 1:]
        return None


class Lab:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.chapter = self.folder.parent.parent.name
        self.name = self.chapter.split("_")[0] + "_" + self.folder.name
        self.file = self.folder.name + ".cu"  # what the student writes
        self.pieces = read_marks(self.folder / "solution.cu")
        self.regions = [piece for piece in self.pieces if isinstance(piece, Region)]
        self.points, self.cases = read_cases(self.folder / "cases")
        self.task = (self.folder / "task.md").read_text()
        self.title = self.task.splitlines()[0].lstrip("# ")
        self.about = dict(re.findall(r"^\| ([^|]*?) \| (.*?) \|$", self.task, re.M))

    def solution(self):
        """The whole answer without the marks."""
        return self.assemble(lambda number, region: region.answer)

    def starter(self):
        return self.assemble(starter_lines)

    def needs_kernels(self):
        """Whether an answer without a kernel is none."""
        return "__global__" in self.solution()

    def wrong(self):
        """(name, whole text, lines that must fail, words that must stand there) of each."""
        for path in sorted((self.folder / "wrong").glob("*.cu")):
            failing, words, regions = read_wrong(path, len(self.regions), self.points)
            yield path.stem, self.assemble(
                lambda number, region: regions.get(number, region.answer)), failing, words

    def assemble(self, choose):
        lines, number = [], 0
        for piece in self.pieces:
            if isinstance(piece, Region):
                number += 1
                lines += choose(number, piece)
            else:
                lines.append(piece)
        return "\n".join(lines) + "\n"

    def hints(self):
        """(TODO's number, hint) in the order in which a student meets the mistakes."""
        numbered = sorted(enumerate(self.regions, 1), key=lambda one: one[1].met or one[0])
        return [(number, hint) for number, region in numbered for hint in region.hints]


def starter_lines(number, region):
    if not region.marked:
        return region.starter
    return ([f"{region.indent}// TODO {number}: see task.md; ./lab hint"] + region.starter +
            [f"{region.indent}// END OF TODO {number}"])


def read_marks(path):
    """The lines of a solution, with a Region for each marked part."""
    pieces, region = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark = line.strip()
        if mark.startswith("// SOLUTION BEGIN"):
            found = re.fullmatch(r"// SOLUTION BEGIN(, unmarked)?(?:, met (\d+))?: (.+)", mark)
            if region or not found:
                raise LabError(f"{path}:{number}: not '// SOLUTION BEGIN: hint', or within another")
            indent = line[:len(line) - len(line.lstrip())]
            region = Region(indent, [found[3]], found[1] is None, int(found[2]) if found[2] else None)
        elif mark == "// SOLUTION END":
            if region is None:
                raise LabError(f"{path}:{number}: SOLUTION END without its BEGIN")
            pieces.append(region)
            region = None
        elif region and mark.startswith("//? "):
            region.hints.append(mark[4:])
        elif region and mark.startswith("//|"):
            text = mark[3:].removeprefix(" ")
            region.starter.append(region.indent + text if text else "")
        elif region:
            region.answer.append(line)
        else:
            pieces.append(line)
    if region:
        raise LabError(f"{path}: a SOLUTION BEGIN without its END")
    return pieces


def read_cases(path):
    """({line of the grade: points}, [Case])"""
    points, cases = dict(POINTS), []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        kind, *words = line.split("#")[0].split() or [""]
        if not kind:
            continue
        if not all(re.fullmatch(r"\w+=[-\w.]+", word) for word in words):
            raise LabError(f"{path}:{number}: not key=value after '{kind}'")
        if kind == "points":
            points.update((key, int(value)) for key, value in (w.split("=") for w in words))
        elif kind in ("given", "hidden", "fresh", "counts", "mistakes"):
            cases.append(Case(kind, words))
        else:
            raise LabError(
                f"{path}:{number}: '{kind}' is neither points, given, hidden, fresh, counts nor mistakes")
    for kind in ("counts", "mistakes"):
        if any(case.kind == kind for case in cases) != (kind in points):
            raise LabError(f"{path}: a case of {kind} needs points for it, and points need a case")
    if sum(points.values()) != 100:
        raise LabError(f"{path}: the points are {sum(points.values())}, not 100")
    return points, cases


def read_wrong(path, count, points):
    """(lines of the grade that fail, words in one of them, {region: lines}) of a wrong/*.cu:

        // Verdict: given hidden: words      or: // Verdict: everything: words
        // REGION 1
        lines in the place of the solution's first marked region
    """
    first, *lines = path.read_text().splitlines()
    verdict = re.fullmatch(r"// Verdict: ([\w ]+): (.+)", first)
    if not verdict or not set(verdict[1].split()) <= {*points, "everything"}:
        raise LabError(f"{path}:1: not '// Verdict: LINES OF THE GRADE: WORDS'")
    failing = list(points) if verdict[1] == "everything" else verdict[1].split()
    regions, current = {}, None
    for line in lines:
        mark = re.fullmatch(r"// REGION (\d+)", line)
        if mark:
            current = regions.setdefault(int(mark[1]), [])
        elif current is not None:
            current.append(line)
    if not regions or not set(regions) <= set(range(1, count + 1)):
        raise LabError(f"{path}: needs '// REGION n' lines, n from 1 to {count}")
    return failing, verdict[2], regions


def all_labs():
    """Every lab, in the book's order."""
    order = re.search(r"set\(COURSE_CHAPTERS ([^)]*)\)", (ROOT / "CMakeLists.txt").read_text())
    return [Lab(path.parent) for chapter in order[1].split()
            for path in sorted((ROOT / chapter / "labs").glob("*/solution.cu"))]


def find_lab(name):
    labs = {lab.name: lab for lab in all_labs()}
    if name in labs:
        return labs[name]
    near = [*difflib.get_close_matches(name, labs, 3, 0.5),
            *(one for one in labs if one.partition("_")[2] == name)]
    also = f"; did you mean {', '.join(dict.fromkeys(near))}?" if near else ""
    raise LabError(f"there is no lab '{name}'{also} (./course lab list shows all)")
