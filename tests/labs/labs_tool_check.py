#!/usr/bin/env python3
"""Tests of ./course lab beyond the labs themselves.

    tests/labs/labs_tool_check.py quick      formats, bad input, the hand-out, an autograder, a few hostile answers
    tests/labs/labs_tool_check.py hostile    every answer of hostile/, with bubblewrap and without
    tests/labs/labs_tool_check.py bubblewrap|landlock [NAME...]
                                             the same with one wall alone, one submission after the other: also as an
                                             ordinary user, whose processes must be limited (prlimit --nproc=600)
    tests/labs/labs_tool_check.py class N    N submissions in one command: right, wrong and hostile ones
"""

import contextlib
import csv
import io
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import xml.etree.ElementTree
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests/labs/hostile"
LAB = "ch04_vector_add"
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
from counting import check, finish
from similarity import alike, groups
from grade import said_once, student
from roster import names_of
from labs import all_labs, find_lab
from vetting import Forbidden, vet_text


# The tool with parts of its defense turned off, so that the rest is tested alone.
WITHOUT = """import runpy, sys
tool, *off = sys.argv[1].split(",")
sys.path.insert(0, tool)
import grade, sandbox, walls
if "vetting" in off: grade.VETTING = False
if "landlock" in off: walls.landlock_version = lambda: 0
if "bubblewrap" in off: sandbox.shutil = type("", (), {"which": lambda name: None if name == "bwrap" else __import__("shutil").which(name)})
sys.argv[:2] = [tool]
runpy.run_path(tool, run_name="__main__")
"""


def lab(*arguments, environment=None, off=()):
    """./course lab, as a person calls it; off: what of its defense is turned off."""
    tool = ROOT / "tools/lab"
    command = [sys.executable, "-B", *(["-c", WITHOUT, ",".join([str(tool), *off])] if off else [tool]), *arguments]
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=False,
                          env={**os.environ, **(environment or {})})


def grade(paths, *arguments, environment=None, off=()):
    """{student: result}, and all that was said."""
    done = lab("grade", LAB, *paths, "--format", "json", *arguments, environment=environment, off=off)
    check("grading ends well", done.returncode == 0, done.stderr)
    grades = json.loads(done.stdout)
    return {one["student"]: one for one in grades["results"]}, grades


def text_of(result):
    return "\n".join(line["text"] for line in result["lines"])


def vetting_sees_what_compiles(folder):
    """Where a comment, a string or a line ends, vetting and the compiler agree."""
    code = 'void f() { asm("nop # COMPILED"); }'
    hiding = {"a splice with a blank": f"/* *\\ \n/ {code} /* */\n", "a splice with a tab": f"/* *\\\t\n/ {code} /* */\n",
              "a word in two lines": code.replace("asm", "as\\ \nm") + "\n", "a carriage return": f"// x\r{code}\n",
              "a raw string": f'auto s = R"x( )\\\nx" R"y( )x"; {code} /* )y" */\n',
              "its beginning in two lines": f'auto s = R\\\n"x( )\\\nx" R"y( )x"; {code} /* )y" */\n'}
    harmless = {"lines of Windows": "int x;  // x\r\n#define ONE \\\r\n  1\r\n", "a raw string": 'auto s = R"(asm)";\n',
                "a comment": f"/* {code} */ // {code}\n"}
    for name, text in {**hiding, **{name + " alone": text for name, text in harmless.items()}}.items():
        (folder / "answer.cpp").write_bytes(text.encode())
        done = subprocess.run(["g++", "-std=c++17", "-w", "-S", folder / "answer.cpp", "-o", "-"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        try:
            vet_text(text)
            said = "passes"
        except Forbidden as error:
            said = str(error)
        check(f"{name}: it compiles", done.returncode == 0 and ("COMPILED" in done.stdout) == (name in hiding), done.stdout)
        check(f"{name}: vetting", (said != "passes") == (name in hiding), said)


# ---------------------------------------------------------------------------------- bad input

def bad_input(folder):
    """What is no answer gets one clear line, and the others are graded."""
    files = {"empty.cu": b"", "blank.cu": b" \n\n", "zeros.cu": b"int x;\0",
             "picture.cu": b"\x89PNG\r\n\x1a\n\0\0"}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "prose.cu").write_text("Dear teacher,\nI have no time.\n")
    (folder / "huge.cu").touch()
    os.truncate(folder / "huge.cu", 100 << 20)
    (folder / "folder.cu").mkdir()
    (folder / "link.cu").symlink_to("/etc/hostname")
    (folder / "good.cu").write_text(find_lab(LAB).solution())
    (folder / "latin.cu").write_bytes(find_lab(LAB).solution().encode() + b"// Andr\xe9\n")
    expected = {"empty": "it is empty", "blank": "it is empty",
                "zeros": "zero bytes", "picture": "zero bytes", "prose": "prose does not",
                "huge": "105 MB", "folder": "is a folder", "link": "is a link", "absent": "No such file"}
    expected["prose"] = "does not compile"
    results, _ = grade([folder / f"{name}.cu" for name in [*expected, "good", "latin"]])
    for name, words in expected.items():
        first = results[name]["lines"][0]["text"]
        check(f"{name}.cu gets no points", results[name]["score"] == 0)
        check(f"{name}.cu: '{words}'", words in first, first)
    check("a comment in Latin-1 does not matter", results["latin"]["score"] == 100, text_of(results["latin"]))
    check("the good one among them gets all", results["good"]["score"] == 100, text_of(results["good"]))
    strange_names(folder / "names")
    for words, arguments in (("there is no lab 'nothing'", ("grade", "nothing", folder / "good.cu")),
                             ("invalid choice", ("grade", LAB, folder / "good.cu", "--format", "x")),
                             ("is for one submission", ("grade", LAB, "a", "b", "--format", "vpl")),
                             ("cannot write", ("grade", LAB, folder / "empty.cu", "--out", folder)),
                             ("invalid choice", ("frobnicate",)), ("at least 1", ("grade", LAB, "a", "--jobs", "0"))):
        done = lab(*arguments)
        lines = [line for line in done.stderr.splitlines() if "bubblewrap" not in line]
        check(f"one line: {words}", done.returncode == 2 and len(lines) == 1 and words in lines[0],
              f"{done.returncode}: {done.stderr}")
    # Before anything is graded, which without a compiler would end otherwise.
    done = lab("grade", LAB, folder / "good.cu", "--out", folder / "no/grades.csv",
               environment={"PATH": "/nowhere"})
    check("--out that cannot be written is refused at once",
          done.returncode == 2 and "cannot write" in done.stderr, done.stderr)


def strange_names(folder):
    """Names that would forge a line, or are not UTF-8; the untouched starter; a comment without end."""
    folder.mkdir()
    starter = find_lab(LAB).starter()
    (folder / "starter.cu").write_text("// Mine!\n" + starter.replace("\n", "\n\n"))
    line = folder / "eve\nada: 100 of 100 points\x1b[2K.cu"
    line.write_text("int x = \"a\";")
    latin = os.fsencode(folder) + b"/andr\xe9.cu"
    pathlib.Path(os.fsdecode(latin)).write_text("/*x" * 40000)
    done = lab("grade", LAB, folder / "starter.cu", line, os.fsdecode(latin))
    check("strange names are graded", done.returncode == 0, done.stderr)
    check("and forge no line", "\nada: 100" not in done.stdout and "\x1b" not in done.stdout, done.stdout)
    check("a name that is not UTF-8 is shown", "andr\\xe9" in done.stdout, done.stdout)
    check("the starter as it is gets nothing", "it is the starter" in done.stdout
          and re.search(r"^starter: 0 of 100", done.stdout, re.M), done.stdout)
    # Quadratic once: minutes for each of these.
    groups([("a", "/*x" * 400000), ("b", '"\\"' * 400000)], starter)


def of_the_grader(folder):
    """A submission runs as another user, who can read what it needs, whatever its grader's files are. And what is built
    before it is built with the compiler that it sees, not with one that only the grader has."""
    fake = folder / "bin/g++"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'error: only the grader has this compiler' >&2\nexit 1\n")
    fake.chmod(0o755)
    umask = os.umask(0o077)
    try:
        (folder / "good.cu").write_text(find_lab(LAB).solution())
        results, _ = grade([folder / "good.cu"],
                           environment={"PATH": f"{fake.parent}:{os.environ['PATH']}", "NVCC_CCBIN": str(fake)})
    finally:
        os.umask(umask)
    check("a grader whose files nobody else may read, with a compiler that nobody else has", results["good"]["score"] == 100,
          text_of(results["good"]))


def headers_ahead(folder):
    """For many submissions headers are compiled ahead, and then objects refer to more functions."""
    paths = [folder / f"good{i}.cu" for i in range(17)]
    for path in paths:
        path.write_text(find_lab(LAB).solution())
    results, _ = grade(paths)
    check("with headers compiled ahead", [one["score"] for one in results.values()] == [100] * 17,
          text_of(next(iter(results.values()))))


# ------------------------------------------------------------------------------------ formats

def formats(folder):
    """Each format of one good and one bad answer, read back by a parser. Each answer is graded once."""
    good, bad, kept = folder / "ada.cu", folder / "=bob.cu", folder / "kept.jsonl"
    good.write_text(find_lab(LAB).solution())
    bad.write_text("int x = \"<&>]]> --|> \\x01\";\n")

    def said(name, *paths):
        done = lab("grade", LAB, *paths, "--format", name, "--seed", "7", "--resume", kept)
        check(f"--format {name} works", done.returncode == 0, done.stderr)
        return done.stdout

    one = json.loads(said("gradescope", bad))
    check("gradescope: types", isinstance(one["score"], (int, float)) and isinstance(one["output"], str)
          and one["visibility"] == "visible" and len(one["tests"]) == 5)
    for test in one["tests"]:
        check("gradescope: a test's fields", set(test) == {"name", "score", "max_score", "status", "output",
              "output_format", "visibility"} and test["status"] in ("passed", "failed"), str(test))
    check("gradescope: the sum", sum(test["score"] for test in one["tests"]) == one["score"] == 0)

    one = json.loads(said("classroom50", good))
    check("classroom50: head", one["schema"] == "classroom50/result/v1" and one["score"] == 100
          and one["max-score"] == 100)
    for test in one["tests"]:
        check("classroom50: a test's fields", set(test) == {"test-name", "passed", "score", "max-score"}
              and type(test["score"]) is int and type(test["max-score"]) is int
              and type(test["passed"]) is bool, str(test))

    text = said("vpl", bad)
    grades = re.findall(r"^Grade :=>> (\d+(?:\.\d+)?)$", text, re.M)
    block = re.search(r"^<\|--\n(.*?)^--\|>$", text, re.M | re.S)
    check("vpl: one grade", grades == ["0"], text)
    check("vpl: a block of titles and quoted lines",
          block and all(line[:1] in "->" for line in block[1].splitlines()), text)
    check("vpl: one comment", len(re.findall(r"^Comment :=>> ", text, re.M)) == 1)

    suites = xml.etree.ElementTree.fromstring(said("junit", good, bad))
    check("junit: two suites", [suite.get("name") for suite in suites] == ["ada", "=bob"])
    for suite in suites:
        check("junit: counts", int(suite.get("tests")) == len(suite.findall("testcase"))
              and int(suite.get("failures")) == len(suite.findall("testcase/failure")))

    rows = list(csv.DictReader(io.StringIO(said("csv", good, bad))))
    check("csv: a row for each", [row["score"] for row in rows] == ["100", "0"], str(rows))
    check("csv: no formulas", rows[1]["student"] == "'=bob" and "does not compile" in rows[1]["why"])

    text = said("text", good)
    check("text: the seed, to repeat it", "seed 7" in text and "100 of 100" in text, text)
    out = folder / "grades.csv"
    done = lab("grade", LAB, good, "--format", "csv", "--out", out, "--seed", "7", "--resume", kept)
    check("--out", done.returncode == 0 and not done.stdout and "ada,100,100" in out.read_text())


def near_identical():
    starter = find_lab(LAB).starter()
    long = "".join(f"float helper_{i}(float x) {{ return x * {i} + {i * i}; }}\n" for i in range(20))
    other = "".join(f"int other_{i}(int y, int z) {{ return y - z / {i + 1}; }}\n" for i in range(20))
    found = groups([("a", starter + long), ("b", starter + long.replace("\n", "  // copied\n")),
                    ("c", starter + other), ("d", starter), ("e", starter), ("f", starter + long + "int f;")], starter)
    check("the copies are one group", [sorted(names) for names, _ in found] == [["a", "b", "f"]], str(found))
    check("as a hint", "are nearly the same" in alike(found)[0] and "only a hint" in alike(found)[0], str(alike(found)))


def whose():
    """Whose submission it is: files that all have one name are told apart by their folders."""
    one = find_lab(LAB)
    for path, who in (("ada/vector_add.cu", "ada"), (f"ada/{LAB}_submission.cu", "ada"), ("x/bob.cu", "bob")):
        check(f"{path} is {who}'s", student(path, one) == who, student(path, one))


def hints_in_order():
    """The first hint is about the first mistake that a student meets."""
    hints = [hint for _, hint in find_lab("ch04_crash").hints()]
    check("ch04_crash begins with what fails first", "cudaMalloc" in hints[0] and "launch" in hints[1], str(hints))


def told_apart():
    """Two folders of one name get the folder above it, too."""
    names = names_of([pathlib.Path("x/ada/dot.cu"), pathlib.Path("y/ada/dot.cu"), pathlib.Path("bob/dot.cu")],
                     lambda path: path.parent.name)
    check("no two names are the same", names == ["x/ada/dot.cu", "y/ada/dot.cu", "bob"], str(names))


def class_work(folder):
    """A roster, attempts, late days, feedback; a grading that goes on where it was, and against an earlier one."""
    one = find_lab(LAB)
    files = {"ada_1001/vector_add.cu": one.solution() + "/* Checked with ./lab:\nhints used: 2 of 4\n*/\n",
             "bob_1002/first/vector_add.cu": "int x = ;", "bob_1002/second/vector_add.cu": one.solution() + "// B.\n",
             "eve_2000/vector_add.cu": "int y[ ;"}
    paths = []
    for name, text in files.items():
        paths.append(folder / name)
        paths[-1].parent.mkdir(parents=True)
        paths[-1].write_text(text)
    noon = 1764590400  # 2025-12-01 12:00 UTC
    os.utime(paths[2], (noon + 86400 + 60, noon + 86400 + 60))
    os.utime(paths[0], (noon - 60, noon - 60))
    (folder / "roster.csv").write_text('id,name,due\n1001,Ada Lovelace,\n1002,"Bob, B.",\n1003,Carl,\n')
    kept, table, feedback = folder / "kept.jsonl", folder / "grades.csv", folder / "feedback"
    more = ["--format", "csv", "--resume", kept, "--roster", folder / "roster.csv", "--due", "2025-12-01 12:00",
            "--feedback", feedback]
    utc = {"TZ": "UTC"}
    done = lab("grade", LAB, *paths[:2], *more, "--out", table, environment=utc)
    check("half a class", done.returncode == 0, done.stderr)
    half = kept.read_text()
    done = lab("grade", LAB, *paths, *more, "--out", folder / "all.csv", "--against", table, environment=utc)
    check("the rest of it", done.returncode == 0 and "2 of 4 have results" in done.stderr, done.stderr)
    check("what was kept stays", kept.read_text().startswith(half) and kept.read_text().count("\n") == 5)
    check("who gains", "Bob, B.: 0 -> 100 points (+100)" in done.stderr and "Ada" not in done.stderr, done.stderr)
    rows = {row["id"] or row["student"]: row for row in csv.DictReader((folder / "all.csv").open())}
    check("the roster's order, and who is not in it", list(rows) == ["1001", "1002", "1003", "eve_2000"], str(rows))
    check("the best attempt counts", rows["1002"]["score"] == "100" and rows["1002"]["attempts"] == "2", str(rows))
    check("late days", [rows[key]["late_days"] for key in ("1001", "1002", "1003")] == ["0", "2", ""], str(rows))
    check("hints, by the student's own word", rows["1001"]["hints"] == "2", str(rows))
    check("nothing handed in", rows["1003"]["score"] == "0" and "nothing was handed in" in rows["1003"]["why"], str(rows))
    check("the compiler's first error", re.match(r"it does not compile: vector_add.cu:1:\d+: error", rows["eve_2000"]["why"]),
          rows["eve_2000"]["why"])
    check("feedback", {path.name for path in feedback.iterdir()} == {
        f"{who}.{kind}" for who in ("1001", "1002", "1003", "eve_2000") for kind in ("md", "html")},
          str(list(feedback.iterdir())))
    check("its words", "Handed in 2 days late." in (feedback / "1002.md").read_text()
          and "100 of 100 points" in (feedback / "1001.html").read_text(), (feedback / "1002.md").read_text())
    again = lab("grade", LAB, *paths, *more, "--out", folder / "again.csv", environment=utc)
    check("the same table again, without grading", "4 of 4 have results" in again.stderr
          and [{**row, "before": None} for row in csv.DictReader((folder / "again.csv").open())]
          == [{**row, "before": None} for row in rows.values()], again.stderr)
    done = lab("grade", "ch05_dot", paths[0], "--resume", kept)
    check("another lab's results are not taken", done.returncode == 2 and "is of the lab" in done.stderr, done.stderr)


def said_once_only():
    lines = list(said_once([("n=1", "c[0] is 2, expected 3"), ("n=2", "no result"), ("n=3", "c[4] is -5.5, expected 6")]))
    check("what differs in numbers only is said once", lines == ["n=1: c[0] is 2, expected 3 (and so with n=3)",
          "n=2: no result"], str(lines))


def teachers_page():
    """LABS.md says of each lab what its task says."""
    page = (ROOT / "LABS.md").read_text()
    for one in all_labs():
        about = one.about
        row = (f"| [{one.name}]({one.chapter}/labs/{one.folder.name}/task.md) | {about['goal']} | "
               f"{about['do first']} | {about['minutes'].split()[0]} | {about['difficulty'][0]} | "
               f"{sum(one.points.values())} |")
        check(f"LABS.md has the row of {one.name}", row in page, row)


# ----------------------------------------------------------------------------------- hand-out

def hand_out(folder):
    """The folder works alone, fails with the starter, passes with the solution, and keeps the secret."""
    done = lab("hand-out", LAB, "--to", folder)
    check("hand-out", done.returncode == 0, done.stderr)
    home = folder / LAB
    again = lab("hand-out", LAB, "--to", folder)
    check("not over another one", again.returncode == 2 and "there is a" in again.stderr, again.stderr)
    solution = find_lab(LAB).solution()
    secrets = [line.strip() for line in solution.splitlines() if "(n + kThreads - 1)" in line]
    everything = "".join(path.read_text(errors="replace") for path in home.rglob("*")
                         if path.is_file() and "cpu_device" not in path.parts)
    check("no solution in it", secrets and not any(line in everything for line in secrets))
    check("no hidden case in it", "n=65535" not in everything and "hidden n" not in everything)

    def call(*words, typed="", **more):
        return subprocess.run(["./lab", *words], cwd=home, stdout=subprocess.PIPE, text=True, check=False,
                              stderr=subprocess.STDOUT, input=typed,
                              env={**os.environ, "SEED": "5", **more})

    check("a page, and settings of editors", "lab check" in (home / "README.md").read_text()
          and "-Imachinery/common" in (home / ".clangd").read_text()
          and json.loads((home / ".vscode/tasks.json").read_text())["tasks"][0]["command"] == "./lab check")
    check("hints come one by one", "Hint 1 of" in call("hint").stdout
          and "Hint 2 of" in call("hint").stdout)
    done = call("frob")
    check("an unknown command", done.returncode == 2 and len(done.stdout.splitlines()) == 1, done.stdout)
    done = call("check")
    check("the starter fails", done.returncode == 1 and "ok  compiles" in done.stdout, done.stdout)
    (home / "vector_add.cu").write_text(solution.replace("c[i] = ", 'printf("mine %d\\n", i), c[i] = 1 + ') + "// \xe9\n", "latin-1")
    done = call("check")
    check("a wrong answer in Latin-1 is tried", "c[0] is" in done.stdout, done.stdout)
    check("what failing cases printed is kept", "== n=256: c[0] is" in (home / "last_failures.txt").read_text()
          and "mine 255" in (home / "last_failures.txt").read_text())
    for text, words in ((solution + "\0", "zero bytes"),
                        ('#include <stdlib.h>\n#pragma GCC optimize("O3")\n' + solution + '__attribute__((used)) int f = system("x");\n',
                         'will not accept: system used #pragma GCC optimize() (')):
        (home / "vector_add.cu").write_text(text)
        done = call("check")
        check(f"as the grader says: {words}", done.returncode != 0 and words in done.stdout, done.stdout)
    (home / "vector_add.cu").write_text(solution.replace("i < n", "i < n - 1"))
    done = call("check")
    check("findings do not point into the machinery", "machinery" not in done.stdout, done.stdout)
    if shutil.which("gdb"):
        done = call("debug", typed="break add if threadIdx.x == 3\nrun\nprint 100 + threadIdx.x\n")
        check("the debugger starts with the case that failed, and takes commands", "lab: case 1, n=256" in done.stdout
              and "thread (3,0,0)" in done.stdout and "= 103" in done.stdout, done.stdout)
    (home / "vector_add.cu").write_text(solution)
    done = call("submit")
    check("the solution passes", "all right" in done.stdout, done.stdout)
    handed_in = home / f"{LAB}_submission.cu"
    check("what is handed in", "Checked with ./lab" in handed_in.read_text()
          and "hints used: 2 of " in handed_in.read_text(), handed_in.read_text()[-300:])
    (home / "vector_add.cu").write_text("void f( {\n")
    done = call("check")
    check("a line for what does not compile", done.returncode == 1 and "vector_add.cu:1" in done.stdout,
          done.stdout)
    return handed_in


def autograder(folder):
    """Gradescope's zip, unpacked and run as Gradescope does."""
    archive = folder / "autograder.zip"
    done = lab("autograder", LAB, "--to", archive)
    check("autograder", done.returncode == 0, done.stderr)
    home = folder / "autograder"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home / "source")
        modes = {one.filename: one.external_attr >> 16 for one in packed.infolist()}
    check("its scripts can be run", all(modes[name] & 0o111 for name in ("setup.sh", "run_autograder")))
    secret = "if (i < n) c[i]"
    told = [path for path in (home / "source").rglob("*") if path.is_file()
            and "cpu_device" not in path.parts and secret in path.read_text(errors="replace")]
    check("no solution in it", not told, str(told))
    (home / "submission").mkdir()
    environment = {**os.environ, "AUTOGRADER": str(home)}

    def results():
        subprocess.run(["bash", home / "source/run_autograder"], env=environment, check=False)
        return json.loads((home / "results/results.json").read_text())

    check("nothing handed in", results()["score"] == 0)
    (home / "submission/any_name.cu").write_text(find_lab(LAB).solution())
    check("a right answer", results()["score"] == 100)


# ------------------------------------------------------------------------------------ platforms

def platforms(folder):
    """The formats of other platforms, and what they run: tried here as their pages describe it."""
    one = find_lab(LAB)
    answer = folder / one.file
    answer.write_text(one.solution().replace("i < n", "i <= n"))
    said = {}
    for name in ("prairielearn", "autolab", "coderunner", "submitty", "nbgrader"):
        kept = folder / "kept.jsonl"
        done = lab("grade", LAB, answer, "--format", name, "--resume", kept, "--seed", "3")
        check(f"--format {name} works", done.returncode == 0, done.stderr)
        said[name] = done.stdout
    data = json.loads(said["prairielearn"])
    points = sum(test["points"] for test in data["tests"])
    check("prairielearn: a score from 0 to 1, and its tests", data["gradable"] is True and 0 <= data["score"] < 1
          and points == round(100 * data["score"]) and {test["max_points"] for test in data["tests"]} == {10, 20, 30}, str(data))
    last = json.loads(said["autolab"].splitlines()[-1])
    check("autolab: the last line has scores", sum(last["scores"].values()) == points and last["scoreboard"] == [points])
    data = json.loads(said["coderunner"])
    check("coderunner: a fraction and a table", data["fraction"] == points / 100 and data["testresults"][0][0] == "iscorrect"
          and all(len(row) == 5 for row in data["testresults"]), str(data))
    data = json.loads(said["submitty"])
    check("submitty: a score from 0 to 1", data["status"] == "success" and data["data"]["score"] == points / 100
          and data["data"]["status"] == "failure", str(data))
    check("nbgrader: the points in the last line", float(said["nbgrader"].splitlines()[-1]) == points, said["nbgrader"])

    made = {}
    for name in ("autolab", "classroom50", "coderunner", "nbgrader", "prairielearn", "submitty"):
        done = lab("package", LAB, name, "--to", folder)
        check(f"package {name}", done.returncode == 0, done.stderr)
        made[name] = folder / f"{LAB}-{name}"
        told = [where for where, text in texts_in(made[name]) if "blocks = (n + kThreads - 1)" in text]
        check(f"no solution in the package for {name}", not told, str(told))
    answer.write_text(one.solution())
    cache = {"CPU_DEVICE_CACHE": str(ROOT / "common/cpu_device/.cache"), **os.environ}  # no other one is built if there is one

    def run(*command, where, before=None, **more):
        done = subprocess.run([str(word) for word in command], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, check=False, env={**cache, **more}, preexec_fn=before)
        check(f"{command[0]} in {where.name} ends well", done.returncode == 0, done.stdout[-500:])
        return done.stdout

    home = folder / "autolab"  # the instance: the two files and the submission
    shutil.copytree(autolab_assessment(made["autolab"], one), home)
    (home / "autograde-Makefile").rename(home / "Makefile")
    shutil.copy(answer, home)
    check("autolab: make", json.loads(run("make", where=home).splitlines()[-1])["scoreboard"] == [100])

    classroom(made["classroom50"], one, answer, folder / "checkout", run)

    submitty_validates(folder / "validation", made["submitty"], answer, run)

    prairielearn_course(made["prairielearn"], one)
    notebook(made["nbgrader"] / f"source/{LAB}/{LAB}.ipynb", one, run)
    template = (made["coderunner"] / "template.py").read_text()
    check("coderunner: the template is Python", compile(template, "template.py", "exec") is not None
          and "{{ STUDENT_ANSWER | e('py') }}" in template)
    category, question = xml.etree.ElementTree.parse(made["coderunner"] / "question.xml").getroot().findall("question")
    check("coderunner: a category of its own, which comes first", category.get("type") == "category"
          and category.findtext("category/text").startswith("$course$/"))
    check("coderunner: question.xml has the template and the starter", question.get("type") == "coderunner"
          and question.findtext("template") == template and question.findtext("answerpreload") == one.starter()
          and question.findtext("name/text").startswith(LAB) and question.find("testcases/testcase/testcode/text") is not None)
    check("coderunner: what its import asks for without looking", question.find("testcases/testcase").get("useasexample") == "0"
          and {"stdin", "expected", "extra", "testcode"} <= {part.tag for part in question.find("testcases/testcase")})
    limits = json.loads(question.findtext("sandboxparams"))
    check("coderunner: room for a compiler in Jobe's sandbox", limits["numprocs"] >= 100 and limits["disklimit"] >= 100)


def texts_in(folder):
    """(name, text) of each file, also of those in tar files; without the CPU device's."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".tar" and "cpu_device" not in path.parts:
            yield str(path), path.read_text(errors="replace")
        elif path.suffix == ".tar":
            with tarfile.open(path) as archive:
                for one in archive:
                    if one.isfile() and "cpu_device" not in one.name and not one.name.endswith(".tar"):
                        yield f"{path}: {one.name}", archive.extractfile(one).read().decode(errors="replace")


# Of an assignment's entry, its runtime block and its tests, in Classroom 50's schemas.
SHORT_NAME = r"[a-z0-9][a-z0-9-]{1,38}"
TEST50 = {"name", "type", "run", "timeout", "points"}


def classroom(package, one, answer, home, run):
    """Classroom 50: what its schemas say of the files, autograder.py as its runner starts it, and tests.json in its place."""
    data = json.loads((package / "assignments.json").read_text())
    (entry,) = data["assignments"]
    name = entry["slug"]
    bundle = package / "autograders" / name
    check("classroom50: assignments.json", set(data) == {"schema", "assignments"} and re.fullmatch(SHORT_NAME, name)
          and set(entry) == {"slug", "name", "mode", "autograder", "runtime"} and entry["mode"] == "individual"
          and re.fullmatch(SHORT_NAME, entry["autograder"]) and bundle.is_dir(), str(data))
    runtime = json.loads((package / "runtime.json").read_text())
    check("classroom50: runtime", entry["runtime"] == runtime and set(runtime) == {"runs-on", "apt"}
          and all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]{0,63}", word) for word in runtime["apt"]), str(runtime))
    data = json.loads((package / "classroom.json").read_text())
    check("classroom50: classroom.json", set(data) == {"schema", "name", "short_name", "term", "org"}
          and re.fullmatch(SHORT_NAME, data["short_name"]) and data["schema"] == "classroom50/classroom/v1", str(data))
    with tarfile.open(home.with_suffix(".tgz"), "w:gz") as archive:
        archive.add(bundle, name)
    check("classroom50: its runner takes bundles of 10 MB", home.with_suffix(".tgz").stat().st_size < 10 << 20)

    home.mkdir()
    shutil.copy(answer, home)
    runner = {"CLASSROOM": "c", "ASSIGNMENT": name, "ASSIGNMENT_TYPE": "individual", "USERNAME": "ada", "OWNER": "ada",
              "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://example.org/c", "RELEASE_URL": "https://example.org/r",
              "CLASSROOM50_BUNDLE_DIR": str(bundle)}
    run(sys.executable, bundle / "autograder.py", where=home, **runner)
    data = json.loads((home / "result.json").read_text())
    check("classroom50: result.json", data["score"] == data["max-score"] == 100 and data["submission"] == "submit/1"
          and data["review"] == data["commit"] and re.fullmatch(r"[\d-]{10}T[\d:]{8}Z", data["datetime"])
          and data.get("owner") == "ada" and data.get("assignment_type") == "individual" and set(data) == {
              "schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review",
              "datetime", "score", "max-score", "tests"}, str(data))

    tests = json.loads((package / "tests.json").read_text())
    check("classroom50: tests.json", all(set(test) == TEST50 and test["type"] == "run" and 0 < test["timeout"] <= 600
          and len(test["name"].encode()) <= 100 for test in tests) and len({test["name"] for test in tests}) == len(tests)
          and [test["points"] for test in tests] == list(one.points.values()), str(tests))
    lines = [{"name": line, "score": points * (line != "hidden"), "max_score": points, "passed": line != "hidden",
              "text": f"about {line}"} for line, points in one.points.items()]
    for graded, codes in (({"results": [{"lines": lines}]}, [int(line == "hidden") for line in one.points]),
                          (None, [1] * len(one.points))):
        (bundle / "graded.json").unlink(missing_ok=True)
        if graded:
            (bundle / "graded.json").write_text(json.dumps(graded))
        else:
            (home / one.file).unlink()
        done = [subprocess.run(["sh", "-c", test["run"]], cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               check=False, env={**os.environ, **runner}) for test in tests]
        words = [f"about {line}" if graded else f"hand in one {one.file}" for line in one.points]
        check("classroom50: a line passes with all of its points", [one_run.returncode for one_run in done] == codes
              and all(text in one_run.stdout for text, one_run in zip(words, done)), str([one_run.stdout for one_run in done]))


def prairielearn_course(package, one):
    """Each file has an identifier of its own, and what it names is there."""
    files = {path.name: json.loads(path.read_text()) for path in package.rglob("info*.json") if "course" not in path.parts}
    check("prairielearn: the files of a course", set(files) == {"infoCourse.json", "infoCourseInstance.json", "infoAssessment.json",
                                                                "info.json"}, str(list(files)))
    info, whole = files["info.json"], files["infoCourse.json"]
    check("prairielearn: info.json", info["gradingMethod"] == "External" and info["type"] == "v3"
          and info["externalGradingOptions"]["entrypoint"] == "/grade/tests/run.sh")
    check("prairielearn: identifiers", len({data["uuid"] for data in files.values()}) == 4 and all(
        re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", data["uuid"]) for data in files.values()))
    check("prairielearn: topics and tags", info["topic"] in [topic["name"] for topic in whole["topics"]]
          and info["tags"] == [tag["name"] for tag in whole["tags"]])
    ((question,),) = (zone["questions"] for zone in files["infoAssessment.json"]["zones"])
    check("prairielearn: the assessment's question", (package / "questions" / question["id"] / "info.json").exists()
          and question["autoPoints"] == sum(one.points.values()), str(question))


def autolab_assessment(package, one):
    """The folder of the assessment; the tar file has the same, and the settings fit the lab."""
    name = one.name.replace("_", "")
    home = package / name
    with tarfile.open(package / f"{name}.tar") as archive:
        packed = {member.name for member in archive.getmembers()}
    check("autolab: the file to import", packed == {name, *(f"{name}/{path.name}" for path in home.iterdir())}, str(packed))
    settings = (home / f"{name}.yml").read_text()
    said = {key: re.search(rf"^  {key}: (.*)$", settings, re.M)[1] for key in ("name", "handin_filename", "handout")}
    check("autolab: settings", name.isalnum() and said["name"] == name and said["handin_filename"] == one.file
          and (home / said["handout"]).exists(), settings)
    problems = re.findall(r"^- name: (\w+)\n.*\n  max_score: (\d+)\.0$", settings, re.M)
    check("autolab: its problems are the lines of the result", problems == [(line, str(most)) for line, most in one.points.items()],
          str(problems))
    check("autolab: its module has its name", f"\nmodule {name.capitalize()}\n" in (home / f"{name}.rb").read_text())
    return home


# Of a test case in Submitty's config.json, and of its custom validator.
SUBMITTY_CASE = {"title", "points", "command", "validation"}
SUBMITTY_VALIDATOR = {"method", "command", "actual_file", "description", "show_actual", "resource_limits"}
SUBMITTY_MOST = {"RLIMIT_CPU": 600, "RLIMIT_FSIZE": 200_000_000, "RLIMIT_NPROC": 10000}  # its system's own limits
SUBMITTY_DEFAULT = {"RLIMIT_STACK": 500_000_000, "RLIMIT_CORE": 0, "RLIMIT_MEMLOCK": 500_000_000}


def submitty_validates(home, package, answer, run):
    """The validator, as Submitty runs it: its files and the submission are in one folder, and only the limits count that
    stand in the validator's own object."""
    config = json.loads((package / "config.json").read_text())
    (case,) = config["testcases"]
    (validator,) = case["validation"]
    limits = validator.get("resource_limits", {})
    check("submitty: known fields", set(config) <= {"autograding", "testcases"} and set(case) <= SUBMITTY_CASE
          and set(validator) <= SUBMITTY_VALIDATOR, str(config))
    check("submitty: a command that its list of allowed ones has", case["command"].split()[0] in ("echo", "ls", "cat", "python3"))
    check("submitty: limits fit into an int, and into the system's", limits and all(
        value == "RLIM_INFINITY" and name not in SUBMITTY_MOST or 0 < value < 2**31 and value <= SUBMITTY_MOST.get(name, value)
        for name, value in limits.items()), str(limits))
    shutil.copytree(package / "custom_validation_code", home)
    pattern = config["autograding"]["submission_to_validation"][0].removeprefix("**/")
    if answer.match(pattern):
        shutil.copy(answer, home)
    (home / "custom_validator_input.json").write_text(json.dumps({**validator, "testcase_prefix": "test01"}))

    def limited():
        for name, value in {**SUBMITTY_DEFAULT, **limits}.items():
            limit = getattr(resource, name)
            wanted, most = (resource.RLIM_INFINITY if value == "RLIM_INFINITY" else value), resource.getrlimit(limit)[1]
            if wanted != resource.RLIM_INFINITY and (most == resource.RLIM_INFINITY or wanted < most):
                resource.setrlimit(limit, (wanted, wanted))

    assert validator["command"].startswith("python3 ")
    run(sys.executable, *validator["command"].split()[1:], where=home, before=limited)
    said = (home / "validation_results.json").read_text()
    check("submitty: validation_results.json", json.loads(said).get("data", {}).get("score") == 1, said)


def notebook(path, one, run):
    """The cells run as Python would run them, and nbgrader, where it is installed, accepts the notebook."""
    cells = json.loads(path.read_text())["cells"]
    check("nbgrader: metadata", [cell["metadata"]["nbgrader"]["grade"] for cell in cells] == [False, False, True]
          and cells[2]["metadata"]["nbgrader"]["points"] == 100 and cells[2]["metadata"]["nbgrader"]["locked"])
    check("nbgrader: the answer's cell writes the starter",
          "".join(cells[1]["source"]) == f"%%writefile {one.file}\n{one.starter()}")
    (path.parent / one.file).write_text(one.solution())
    grading = "".join(cells[2]["source"]).replace("float(points)", "print('value', float(points))")
    check("nbgrader: the grading cell's value", "value 100.0" in run(
        sys.executable, "-c", grading, where=path.parent, COURSE=path.parents[2] / "course"))
    check("nbgrader: students do not get the judge", not list(path.parent.rglob("judge.cpp")))
    (path.parent / one.file).unlink()
    nbgrader_grades(path.parents[2], one)


def nbgrader_grades(home, one):
    """Where nbgrader is installed, also in an environment of its own ($NBGRADER: its python): it loads the course, makes the
    students' version, and grades the solution and the starter."""
    python = os.environ.get("NBGRADER", sys.executable)
    if subprocess.run([python, "-c", "import nbgrader"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return
    tool = [python, "-m", "nbgrader"]
    environment = {**os.environ, "COURSE": str(home / "course"), "PATH": f"{pathlib.Path(python).parent}:{os.environ['PATH']}"}

    def call(*words):
        done = subprocess.run([*tool, *words], cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env=environment)
        check(f"nbgrader {words[0]}", done.returncode == 0, done.stdout[-1500:])

    call("generate_assignment", one.name)
    released = home / f"release/{one.name}/{one.name}.ipynb"
    book = json.loads(released.read_text())
    for who, text in (("ada", one.solution()), ("bob", one.starter())):
        for cell in book["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("solution"):
                cell["source"] = f"%%writefile {one.file}\n{text}"
        to = home / f"submitted/{who}/{one.name}"
        to.mkdir(parents=True)
        (to / released.name).write_text(json.dumps(book))
    call("autograde", one.name)
    call("export")
    rows = {row["student_id"]: row for row in csv.DictReader((home / "grades.csv").open())}
    check("nbgrader: its gradebook", {who: float(row["score"]) for who, row in rows.items()} == {"ada": 100, "bob": 0}
          and {float(row["max_score"]) for row in rows.values()} == {100}, str(rows))


def leaderboard(folder):
    """Right answers by counts; wrong ones are not on the board."""
    one = find_lab("ch05_transpose")
    texts = {"tile": one.solution(), "conflicts": one.solution().replace("[kSide + 1]", "[kSide]"), "starter": one.starter()}
    texts.update((name, text) for name, text, *_ in one.wrong() if name in ("no_tile", "no_barrier"))
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.cu")
        paths[-1].write_text(text)
    kept = folder / "kept.jsonl"
    done = lab("board", "ch05_transpose", *paths, "--format", "json", "--resume", kept)
    check("a board", done.returncode == 0, done.stderr)
    rows = json.loads(done.stdout)
    check("the board's order, without what is wrong", [row["student"] for row in rows] == ["tile", "conflicts", "no_tile"], str(rows))
    check("by sectors, then by conflicts", rows[0]["sectors"] == rows[1]["sectors"] < rows[2]["sectors"]
          and rows[0]["conflicts"] < rows[1]["conflicts"], str(rows))
    done = lab("board", "ch05_transpose", *paths, "--resume", kept)
    check("as a page", re.search("<tr><td>1<td>tile<td>[0-9,]+", done.stdout) and "2 of 5 answers are not" in done.stdout,
          done.stdout + done.stderr)


# ------------------------------------------------------------------------------------ hostile

@contextlib.contextmanager
def listener():
    """(port, list that fills with who calls)"""
    calls = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        ended = threading.Event()

        def listen():
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    calls.append(server.accept())

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield server.getsockname()[1], calls
        finally:
            ended.set()
            thread.join()


def left_behind():
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if b"98765" in words:
                found.append(path.parent.name)
    return found


def hostile(folder, names, off=(), sandbox="in bubblewrap", arguments=()):
    """No points, a clear line, and nothing has changed: neither files nor the results of those around them."""
    canary = folder / "canary"
    canary.write_text("canary\n")
    os.chmod(canary, 0o600)
    before = canary.stat()
    temporary = folder / "temporary"
    temporary.mkdir()
    with listener() as (port, calls):
        solution = find_lab(LAB).solution()
        good = [folder / "first.cu", folder / "last.cu"]
        for number, path in enumerate(good):
            path.write_text(f"{solution}// {number}\n")
        paths, verdicts = [], {}
        for name in names:
            text = (HOSTILE / f"{name}.cu").read_text()
            words = dict(re.findall(r"^// (Verdict|Vetted): ?(.*)$", text, re.M))
            verdicts[name] = words["Verdict"] if "vetting" in off else words.get("Vetted", words["Verdict"])
            for mark, value in (("CANARY", canary), ("PORT", port), ("ROOT", ROOT),
                                ("TMP", temporary)):
                text = text.replace(f"@{mark}@", str(value))
            paths.append(folder / f"{name}.cu")
            paths[-1].write_text(text)
        results, grades = grade([good[0], *paths, good[1]], *arguments, environment={"TMPDIR": str(temporary)}, off=off)
        check("says how they are kept in", sandbox in grades["sandbox"], grades["sandbox"])
        check("nobody called home", not calls, str(calls))
    for name, words in verdicts.items():
        text = text_of(results[name])
        if name == "forged_report" and "vetting" in off:
            checked = next(one for one in results[name]["lines"] if one["name"] == "checked")
            check(f"{name}: no points for the checked run", checked["score"] == 0, text)
        else:
            check(f"{name}: no points", results[name]["score"] == 0, text)
        check(f"{name}: '{words}'", words in text, text)
        check(f"{name}: nothing of the canary", "CANARY" not in text and "canary" not in text.replace(
            str(canary), ""), text)
        check(f"{name}: it could not read it", "is 5," not in text, text)
    for path in good:
        check(f"the good one: {path.stem}", results[path.stem]["score"] == 100, text_of(results[path.stem]))
    after = canary.stat()
    check("the canary lives", canary.read_text() == "canary\n")
    check("its mode, time and attributes are what they were", (after.st_mode, after.st_mtime_ns, os.listxattr(canary)) ==
          (before.st_mode, before.st_mtime_ns, []), f"{after} {os.listxattr(canary)}")
    check("no process is left", not left_behind(), str(left_behind()))
    check("no folder is left", not list(temporary.iterdir()), str(list(temporary.iterdir())))


FILTERED = """
import os, resource, sys
sys.path.insert(0, sys.argv[1])
import walls
file, process = sys.argv[2], int(sys.argv[3])
walls.LIBC.prctl(38, 1, 0, 0, 0)  # no new privileges
walls.filter_calls(compiles=sys.argv[4] == "compiles")
for name, call in (("prlimit", lambda: resource.prlimit(process, resource.RLIMIT_NOFILE, (100, 100))),
                   ("setpriority", lambda: os.setpriority(os.PRIO_PROCESS, process, 19)),
                   ("affinity", lambda: os.sched_setaffinity(process, os.sched_getaffinity(0))),
                   ("own prlimit", lambda: resource.prlimit(0, resource.RLIMIT_NOFILE, (100, 100))),
                   ("own affinity", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))),
                   ("chmod", lambda: os.chmod(file, 0o600)), ("utime", lambda: os.utime(file, (1, 1))),
                   ("setxattr", lambda: os.setxattr(file, "user.x", b"x"))):
    try:
        call()
        print(name, "works")
    except OSError as error:
        print(name, "refused" if error.errno == 1 else "works")  # on some file systems nothing has attributes
"""


def filtered(folder):
    """The filter alone keeps an answer from other processes of its user, and from what owners may do to files."""
    file = folder / "file"
    file.write_text("")
    with subprocess.Popen(["sleep", "60"]) as other:
        for kind, refused in (("runs", {"prlimit", "setpriority", "affinity", "chmod", "utime", "setxattr"}),
                              ("compiles", {"prlimit", "setpriority", "affinity"})):
            done = subprocess.run([sys.executable, "-B", "-c", FILTERED, ROOT / "tools/lab", file, str(other.pid), kind],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            found = dict(re.findall(r"^(.+) (works|refused)$", done.stdout, re.M))
            check(f"the filter of what {kind}", len(found) == 8 and {name for name in found if found[name] == "refused"} == refused,
                  done.stdout)
        other.kill()


def needs_isolation(folder):
    """Without isolation nothing is graded, unless --unsafe is given, which says so."""
    off = ["bubblewrap", "landlock"]
    answer = folder / "good.cu"
    answer.write_text(find_lab(LAB).solution())
    done = lab("grade", LAB, answer, off=off)
    check("refused without isolation", done.returncode == 2 and "not graded, because" in done.stderr
          and "--unsafe" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    done = lab("grade", LAB, answer, "--unsafe", off=off)
    check("graded with --unsafe", "100 of 100" in done.stdout and "without isolation" in done.stderr, done.stderr)
    if os.geteuid() == 0:  # another user still keeps files and processes apart
        hostile(folder, ["deletes_files", "ends_the_grader", "closed_folders", "exits_early"], off=off + ["vetting"],
                sandbox="without isolation", arguments=["--unsafe"])


def class_of(folder, count):
    """Solutions, wrong ones and hostile ones, no two alike, in one command with its progress on a terminal.
    How long it took is printed, and no test."""
    one = find_lab(LAB)
    kinds = [("solution", one.solution(), 100), ("starter", one.starter(), 0)]
    for name, text, failing, _ in one.wrong():
        kinds.append((name, text, 0 if set(failing) == set(one.points) else range(1, 100)))
    for path in sorted(HOSTILE.glob("*.cu")):
        kinds.append((path.stem, path.read_text(), 0))
    paths, wanted = [], {}
    for i in range(count):
        name, text, score = kinds[i % len(kinds)]
        paths.append(folder / f"student{i:03}_{name}.cu")
        paths[-1].write_text(f"{text}// Student {i}.\n")
        wanted[paths[-1].stem] = score
    began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with terminal() as (end, shown):
        with open(folder / "grades.json", "w") as out:
            done = subprocess.run([sys.executable, "-B", ROOT / "tools/lab", "grade", LAB, *paths, "--format", "json"],
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=end, check=False)
    seconds, now = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    check("grading ends well", done.returncode == 0)
    check("progress", f"] {count} of {count}" in "".join(shown), "".join(shown)[-200:])
    results = json.loads((folder / "grades.json").read_text())["results"]
    check("all are graded, in their order", [one["student"] for one in results] == [path.stem for path in paths])
    for result in results:
        score = wanted[result["student"]]
        check(f"{result['student']}: {score} points", result["score"] in (score if isinstance(score, range) else [score]),
              f"{result['score']}: {text_of(result)}")
    check("no process is left", not left_behind(), str(left_behind()))
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    print(f"{count} submissions in {seconds:.0f} s, {cpu:.0f} s of processor time")


def interrupted(folder, count):
    """A class that is interrupted and resumed has the table of one that is not."""
    one = find_lab(LAB)
    texts = [one.solution(), *(text for _, text, *_ in one.wrong()), (HOSTILE / "forged_with_write.cu").read_text()]
    paths = [folder / f"student{i:03}.cu" for i in range(count)]
    for i, path in enumerate(paths):
        path.write_text(f"{texts[i % len(texts)]}// Student {i}.\n")
    kept = folder / "kept.jsonl"
    words = [sys.executable, "-B", ROOT / "tools/lab", "grade", LAB, *paths, "--format", "csv", "--seed", "5"]
    with open(folder / "half.csv", "w") as out:
        running = subprocess.Popen([*words, "--resume", kept], stdout=out, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 600
        while time.monotonic() < until and (not kept.exists() or kept.read_text().count("\n") < 1 + count // 3):
            time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        check("Ctrl-C ends it", running.wait() == 130, str(running.returncode))
    half = (folder / "half.csv").read_text().count("\n") - 1
    check("what was graded is written", count // 3 <= half <= count, str(half))
    resumed = subprocess.run([*words, "--resume", kept], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("the rest is graded", f"of {count} have results" in resumed.stderr, resumed.stderr)
    whole = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("the same table", resumed.stdout == whole.stdout and whole.stdout.count("\n") == count + 1,
          resumed.stdout + whole.stdout)


@contextlib.contextmanager
def terminal():
    """(its end for a program, list that fills with what the program shows)"""
    ours, end = pty.openpty()
    shown = []

    def listen():
        with contextlib.suppress(OSError):  # the other end is closed
            while text := os.read(ours, 4096):
                shown.append(text.decode(errors="replace"))

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield end, shown
    finally:
        os.close(end)
        thread.join()
        os.close(ours)


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in ("quick", "hostile", "bubblewrap", "landlock", "class"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)  # as the grader's own folders, for users who may do less
        folder = pathlib.Path(name)

        def room(part):
            (folder / part).mkdir()
            return folder / part

        if what == "class":
            class_of(folder, int(sys.argv[2]))
            (folder / "interrupted").mkdir()
            interrupted(folder / "interrupted", int(sys.argv[2]) // 10)
        elif what in ("bubblewrap", "landlock"):
            off = ["vetting", "bubblewrap" if what == "landlock" else "landlock"]
            hostile(folder, sys.argv[2:] or sorted(path.stem for path in HOSTILE.glob("*.cu")), off=off,
                    sandbox=f"in {what.replace('landlock', 'Landlock')}", arguments=["--jobs", "1"])
        elif what == "hostile":
            names = sorted(path.stem for path in HOSTILE.glob("*.cu"))
            hostile(room("all_walls"), names)
            hostile(room("bubblewrap"), names, off=["vetting"])
            hostile(room("landlock"), names, off=["vetting", "bubblewrap"], sandbox="in Landlock")
            needs_isolation(room("unsafe"))
        else:
            filtered(room("filtered"))
            near_identical()
            whose()
            told_apart()
            hints_in_order()
            class_work(room("class"))
            said_once_only()
            teachers_page()
            vetting_sees_what_compiles(room("vetting"))
            bad_input(room("bad_input"))
            of_the_grader(room("of_the_grader"))
            headers_ahead(room("headers_ahead"))
            formats(room("formats"))
            handed_in = hand_out(room("hand_out"))
            results, _ = grade([handed_in])
            check("what ./lab submit writes can be graded",
                  [one["score"] for one in results.values()] == [100])
            autograder(room("autograder"))
            platforms(room("platforms"))
            leaderboard(room("board"))
            hostile(room("hostile"), ["exits_early", "prints_passed", "includes_passwd", "own_main", "forged_with_write",
                                      "forged_by_assembler", "host_loop"])
            hostile(room("unvetted"), ["forged_with_write", "writes_to_a_stream", "memory_as_files"], off=["vetting"])
            needs_isolation(room("unsafe"))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
