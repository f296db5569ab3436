"""The programs of the course, as the chapters' CMakeLists.txt name them."""

import os
import re
import subprocess

from . import ROOT
from .messages import Problem
from .toolkit import cccl_folder

CHAPTERS = ("ch03_intro", "ch04_parallel", "ch05_threads", "ch06_constant", "ch07_texture", "ch08_interop",
            "ch09_atomics", "ch10_streams", "ch11_multigpu", "appA_hashtable", "nbody")
MPI_LINK = "$(filter -I% -L% -l%,$(shell mpicxx --showme:compile) $(shell mpicxx --showme:link))"
LINK = {"glut": "-lglut -lGL", "glew": "-lGLEW -lGL", "png": "-lpng", "webp": "-lwebpmux -lwebp", "mpi": MPI_LINK}


class Program:
    """A line course_program(NAME WORDS...) of a chapter."""

    def __init__(self, chapter, name, words):
        self.chapter, self.name, self.words = chapter, name, words

    @property
    def broken(self):
        """Whether it is wrong on purpose."""
        return "BROKEN_ON_PURPOSE" in self.words

    @property
    def source(self):
        """Its file, seen from the course's root."""
        return f"{self.chapter}/{self.name}.cu"

    def link_options(self):
        """What it is linked with, as words for a Makefile."""
        return " ".join(LINK[word] for word in dict.fromkeys(self.words) if word in LINK)

    def standard(self):
        """The C++ that it is written in."""
        return "c++20" if "TILES" in self.words else "c++17"

    def compile_options(self):
        """What it is compiled with besides."""
        options = chapter_options(self.chapter)
        if "OPENMP" in self.words:  # for all cores, with products that are rounded as elsewhere
            options = [*options, "-Xcompiler -fopenmp,-march=native,-ffp-contract=off"]
        if "TILES" in self.words:
            options = [*options, "--enable-tile"]
        return " ".join(options)

    def options_of_machine(self):
        """What it is compiled with on this machine in addition: where CCCL is."""
        return [f"-I{cccl_folder()}"] if "CCCL" in self.words and cccl_folder() else []


def options_here(program):
    """What a program is compiled and linked with, as words for a compiler here and now."""
    link = program.link_options()
    if MPI_LINK in link:
        answer = ""
        for question in ("--showme", "-show"):
            done = subprocess.run(["mpicxx", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, check=False)
            if done.returncode == 0:
                answer = done.stdout
                break
        words = [word for word in answer.split() if word.startswith(("-I", "-L", "-l"))]
        link = link.replace(MPI_LINK, " ".join(words))
    tiles = ["--enable-tile", f"-std={program.standard()}"] if "TILES" in program.words else []
    return " ".join([*chapter_options(program.chapter), *tiles, *program.options_of_machine(), link])


def cmake_lists(chapter):
    """The text of a chapter's CMakeLists.txt, '' if there is none."""
    try:
        return (ROOT / chapter / "CMakeLists.txt").read_text(encoding="utf-8")
    except OSError:
        return ""


def chapter_options(chapter):
    """What all programs of a chapter are compiled with besides."""
    return re.findall(r"^add_compile_options\(.*COMPILE_LANGUAGE:CUDA>:(.*)>", cmake_lists(chapter), re.M)


def all_programs():
    """Every program, in the book's order."""
    found = []
    for chapter in CHAPTERS:
        text = re.sub(r"#.*", "", cmake_lists(chapter))
        for line in re.findall(r"course_program\(([^)]*)\)", text):
            name, *words = line.split()
            found.append(Program(chapter, name, words))
    return found


def plain_name(word):
    """The name of a program or chapter that a word means: of a path, the last part."""
    return word.removesuffix("/").rpartition("/")[2]


def choose(words):
    """Those programs that the words name, programs or chapters, in the book's order; without words all.
    Raises KeyError with the first word that names nothing."""
    programs = all_programs()
    if not words:
        return programs
    chosen = set()
    for word in words:
        what = plain_name(word)
        name = what.removesuffix(".cu")
        found = {p for p in programs if name in (p.name, p.chapter) or p.chapter.startswith(name + "_")}
        if not found:
            raise KeyError(what)
        chosen |= found
    return [p for p in programs if p in chosen]


def choose_or_stop(words):
    try:
        return choose(words)
    except KeyError as unknown:
        raise no_such_program(unknown.args[0]) from None


def no_such_program(name):
    near = nearest(name)
    proposal = f"; did you mean {', '.join(near)}?" if near else ""
    return Problem(f"there is no program '{name}'{proposal} (./course list shows all)")


def edit_distance(a, b):
    """How many letters must be changed, added or left out to make b of a."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return row[-1]


def nearest(wanted, names=None):
    """Up to three names that look like this one, of programs or of those given."""
    wanted = wanted.lower()
    near = []
    for name in names or [program.name for program in all_programs()]:
        far = edit_distance(wanted, name)
        if len(wanted) > 2 and (wanted in name or name in wanted):
            far = 1
        if far <= 2 + len(wanted) / 3:
            near.append((far, name))
    return [name for _, name in sorted(near, key=lambda pair: pair[0])[:3]]


def purpose(path):
    """The first sentence of the comment that a file begins with, '' if it begins with something else."""
    text = ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in comment_lines(file):
                if not line and text:
                    break
                text += (" " if text and line else "") + line
    except OSError:
        return ""
    sentence = re.match(r".*?[.!?](?= |$)", text)
    return sentence[0] if sentence else text


def comment_lines(file):
    """The lines of the comment that a file begins with, without what marks them as one."""
    block = False
    for number, line in enumerate(file):
        line = line.rstrip("\n")
        if number == 0 and not line.startswith(("//", "/*")):
            return
        block = block or line.startswith("/*")
        if not block and not line.startswith("//"):
            return
        last = block and "*/" in line
        line = re.sub(r"^(//+|/\*+|[ \t]*\*+/?)[ \t]*", "", line)
        yield re.sub(r"[ \t]*\*/.*$", "", line).rstrip()
        if last:
            return


def chapter_title(chapter):
    """What a chapter is called: the first heading of its README."""
    try:
        with open(ROOT / chapter / "README.md", encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    return re.sub(r"^# *", "", line).rstrip("\n")
    except OSError:
        pass
    return chapter


def needed_files(source):
    """A file and all that it includes with quotation marks, directly or not, as paths from the root."""
    left, known = [source], []
    while left:
        file = left.pop(0)
        if file in known or not (ROOT / file).is_file():
            continue
        known.append(file)
        text = (ROOT / file).read_text(encoding="utf-8", errors="replace")
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]*)"', text, re.M):
            left.append(os.path.normpath(os.path.join(os.path.dirname(file), name)))
    return known
