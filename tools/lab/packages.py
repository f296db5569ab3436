"""What learning platforms need to grade one lab: a folder with files in their formats, and the part of the course that
grades, which does not contain the answer. LABS.md says where each file goes."""

import json
import os
import shutil
import tarfile
import uuid
from xml.etree import ElementTree

from autograder import course_files
from formats import FOR_ONE, FORMATS, only, printable
from grade import TITLES
from handout import hand_out
from labs import ROOT, LabError

BUILT = "labs_first_answer.cu"  # graded once where packages are installed, which builds what all gradings need


def course(lab, folder):
    """The part of the course that grades this lab, in folder/course."""
    home = folder / "course"
    for path in course_files(lab):
        to = home / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    starter = lab.starter()
    (home / BUILT).write_text(starter)
    (home / (lab.folder / "solution.cu").relative_to(ROOT)).write_text(starter)
    return home


def write(path, text, lab, executable=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    for mark, value in (("@LAB@", lab.name), ("@FILE@", lab.file), ("@TITLE@", lab.title),
                        ("@POINTS@", str(sum(lab.points.values())))):
        text = text.replace(mark, value)
    path.write_text(text)
    if executable:
        path.chmod(0o755)


# ---- Classroom 50: CLASSROOM/autograders/ASSIGNMENT/ ----

CLASSROOM50 = '''"""Classroom 50 runs this in the student's checkout. It writes result.json."""
import datetime
import json
import os
import pathlib

from graded import answers, grade

tests = [{"test-name": f"one @FILE@ is handed in, not {len(answers())}", "passed": False, "score": 0, "max-score": @POINTS@}]
graded = grade("classroom50") or {"score": 0, "max-score": @POINTS@, "tests": tests}
now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
env = os.environ
pathlib.Path("result.json").write_text(json.dumps({
    "schema": "classroom50/result/v1", "classroom": env["CLASSROOM"], "assignment": env["ASSIGNMENT"],
    "assignment_type": env.get("ASSIGNMENT_TYPE") or "individual", "owner": env.get("OWNER") or env["USERNAME"],
    "submission": env["SUBMISSION_TAG"], "commit": env["COMMIT_URL"], "release": env["RELEASE_URL"],
    "review": env.get("REVIEW_URL") or env["COMMIT_URL"], "datetime": now,
    **{key: graded[key] for key in ("score", "max-score", "tests")}}, indent=2))
'''
GRADED50 = '''"""Grades the one @FILE@ of a student's checkout."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def answers():
    return [path for path in pathlib.Path(".").rglob("@FILE@") if ".git" not in path.parts]


def grade(form):
    """The result in that format; None: there is not one answer."""
    if len(answers()) != 1:
        return None
    done = subprocess.run([sys.executable, HERE / "course/tools/lab", "grade", "@LAB@", answers()[0],
                           "--format", form, "--unsafe"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
'''
LINE50 = '''"""line.py NAME: whether the answer has all points of this line. tests.json runs it once for each line. The first grades."""
import json
import sys

from graded import HERE, grade

kept = HERE / "graded.json"
if not kept.exists():
    kept.write_text(json.dumps(grade("json")))
graded = json.loads(kept.read_text())
if graded is None:
    sys.exit("hand in one @FILE@")
(line,) = (one for one in graded["results"][0]["lines"] if one["name"] == sys.argv[1])
print(f"{line['score']} of {line['max_score']} points\\n{line['text']}")
sys.exit(not line["passed"])
'''


def classroom50(lab, folder):
    """A classroom with one assignment. Its name may have no underscore."""
    assignment = lab.name.replace("_", "-")
    home = folder / "autograders" / assignment
    course(lab, home)
    for name, text in (("autograder.py", CLASSROOM50), ("graded.py", GRADED50), ("line.py", LINE50)):
        write(home / name, text, lab)
    runtime = {"runs-on": "ubuntu-latest", "apt": ["g++", "bubblewrap"]}
    data = {"runtime.json": runtime,
            "classroom.json": {"schema": "classroom50/classroom/v1", "name": "CUDA labs", "short_name": "cuda-labs", "term": "",
                               "org": "YOUR-ORGANIZATION"},
            "assignments.json": {"schema": "classroom50/assignments/v1", "assignments": [
                {"slug": assignment, "name": lab.title, "mode": "individual", "autograder": "default", "runtime": runtime}]},
            # Whole lines only: there, a test has all of its points or none.
            "tests.json": [{"name": TITLES[name], "type": "run", "timeout": 600, "points": points,
                            "run": f'python3 "$CLASSROOM50_BUNDLE_DIR/line.py" {name}'} for name, points in lab.points.items()]}
    for name, value in data.items():
        write(folder / name, json.dumps(value, indent=2) + "\n", lab)


# ---- PrairieLearn: a course with one question, questions/LAB/ ----

PRAIRIELEARN = '''#!/bin/bash
# PrairieLearn runs this in a container made from the Containerfile. It writes results.json, whatever happens.
mkdir -p /grade/results
python3 /grade/tests/course/tools/lab grade @LAB@ /grade/student/@FILE@ --format prairielearn --unsafe \\
  --out /grade/results/results.json ||
  echo '{"gradable": false, "format_errors": "The grading itself failed. Please tell your teacher."}' \\
    >/grade/results/results.json
'''
QUESTION = """<pl-question-panel>
  <markdown>
@TASK@
  </markdown>
  <pl-file-editor file-name="@FILE@" ace-mode="ace/mode/c_cpp" source-file-name="@FILE@"></pl-file-editor>
</pl-question-panel>
<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""


def prairielearn(lab, folder):
    home = folder / "questions" / lab.name
    course(lab, home / "tests")
    write(home / "tests/run.sh", PRAIRIELEARN, lab, executable=True)
    write(home / "question.html", QUESTION.replace("@TASK@", lab.task.rstrip()), lab)
    write(home / lab.file, lab.starter(), lab)
    write_json(home / "info.json", lab, title=lab.title, topic=lab.chapter, tags=["cuda"], type="v3", gradingMethod="External",
               externalGradingOptions={"image": "REGISTRY/cuda-labs", "entrypoint": "/grade/tests/run.sh", "timeout": 300})
    write_json(folder / "infoCourse.json", lab, name="CUDA", title="CUDA labs", topics=[{"name": lab.chapter, "color": "green1"}],
               tags=[{"name": "cuda", "color": "gray1"}])
    term = folder / "courseInstances/Labs"
    write_json(term / "infoCourseInstance.json", lab, longName="CUDA labs")
    write_json(term / "assessments/labs/infoAssessment.json", lab, type="Homework", title="Labs", set="Homework", number="1",
               zones=[{"questions": [{"id": lab.name, "autoPoints": sum(lab.points.values())}]}])


def write_json(path, lab, **data):
    """An information file, with an identifier that is the same each time and differs from file to file."""
    of = lab.name if path.name == "info.json" else f"{lab.name} {path.name}"
    identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, "course lab " + of))
    write(path, json.dumps({"uuid": identifier, **data}, indent=2) + "\n", lab)


# ---- Autolab: an assessment, as a folder and as a tar file to import ----

AUTOLAB = """all:
\ttar xf autograde.tar
\tpython3 course/tools/lab grade @LAB@ @FILE@ --format autolab --unsafe
"""
AUTOLAB_MODULE = """require "AssessmentBase.rb"

module @MODULE@
  include AssessmentBase

  def assessmentInitialize(course)
    super("@NAME@", course)
    @problems = []
  end
end
"""
AUTOLAB_YAML = """---
general:
  name: @NAME@
  display_name: @DISPLAY@
  description: ''
  category_name: CUDA
  handin_filename: @FILE@
  handin_directory: handin
  handout: @NAME@-handout.tar
  max_grace_days: 0
  max_submissions: -1
  max_size: 2
  disable_handins: false
problems:
@PROBLEMS@
autograder:
  autograde_timeout: 300
  autograde_image: cuda-labs
  release_score: true
"""


def autolab(lab, folder):
    name = lab.name.replace("_", "")  # there, names are letters and digits
    home = folder / name
    write(home / "autograde-Makefile", AUTOLAB, lab)
    write(home / f"{name}.rb", AUTOLAB_MODULE.replace("@NAME@", name).replace("@MODULE@", name.capitalize()), lab)
    problems = "\n".join(f"- name: {line}\n  description: ''\n  max_score: {points}.0\n  optional: false"
                         for line, points in lab.points.items())
    write(home / f"{name}.yml", AUTOLAB_YAML.replace("@NAME@", name).replace("@PROBLEMS@", problems).replace(
        "@DISPLAY@", json.dumps(f"{lab.name}: {lab.title}")), lab)
    for made, archive, inside in ((course(lab, home), "autograde.tar", "course"),
                                  (hand_out(lab, home), f"{name}-handout.tar", lab.name)):
        with tarfile.open(home / archive, "w") as packed:
            packed.add(made, inside)
        shutil.rmtree(made)
    with tarfile.open(folder / f"{name}.tar", "w") as packed:
        packed.add(home, name)


# ---- CodeRunner: the template of a question ----

CODERUNNER = '''"""Template of a CodeRunner question: "Is combinator" and the grader "Template grader" are on, the language is python3,
and the course lies in /opt/course of the Jobe server."""
import json
import pathlib
import subprocess
import sys

answer = pathlib.Path("@FILE@")
answer.write_text("""{{ STUDENT_ANSWER | e('py') }}""")
done = subprocess.run([sys.executable, "/opt/course/tools/lab", "grade", "@LAB@", str(answer), "--format", "coderunner", "--unsafe"],
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    print(json.dumps(json.loads(done.stdout)))
except ValueError:
    print(json.dumps({"fraction": 0, "prologuehtml": "<p>The grading itself failed. Please tell your teacher.</p>"}))
'''


def coderunner(lab, folder):
    write(folder / "template.py", CODERUNNER, lab)
    question = ElementTree.Element("question", type="coderunner")

    def add(path, text=""):
        """An element in the question, with those around it."""
        at = question
        for name in path.split("/"):
            found = at.find(name)
            at = ElementTree.SubElement(at, name) if found is None else found
        at.text = text

    add("name/text", f"{lab.name}: {lab.title}")
    add("questiontext/text", lab.task)
    question.find("questiontext").set("format", "markdown")
    for name, value in (("defaultgrade", 100), ("penalty", 0), ("coderunnertype", "python3"), ("prototypetype", 0),
                        ("allornothing", 0), ("penaltyregime", 0), ("answerboxlines", 40), ("answerpreload", lab.starter()),
                        ("template", CODERUNNER.replace("@LAB@", lab.name).replace("@FILE@", lab.file)),
                        ("iscombinatortemplate", 1), ("validateonsave", 0), ("language", "python3"), ("acelang", "c_cpp"),
                        ("grader", "TemplateGrader"), ("cputimelimitsecs", 300), ("memlimitmb", 0),
                        # Jobe's usual limits are 20 processes and files of 10 MB: too little for a compiler and the grader.
                        ("sandboxparams", '{"numprocs": 200, "disklimit": 200}')):
        add(name, str(value))
    for name in ("testcode", "stdin", "expected", "extra", "display"):
        add(f"testcases/testcase/{name}/text", "SHOW" if name == "display" else "")
    question.find("testcases/testcase").attrib.update(testtype="0", useasexample="0", hiderestiffail="0", mark="1.0000000")
    quiz = ElementTree.Element("quiz")
    category = ElementTree.SubElement(ElementTree.SubElement(quiz, "question", type="category"), "category")
    ElementTree.SubElement(category, "text").text = "$course$/CUDA labs"
    quiz.append(question)
    ElementTree.indent(quiz)
    (folder / "question.xml").write_bytes(ElementTree.tostring(quiz, "utf-8", xml_declaration=True) + b"\n")
    course(lab, folder)


# ---- Submitty: the configuration of a gradeable ----

SUBMITTY = '''#!/usr/bin/env python3
"""Submitty runs this as a custom validator, in a folder with the submission. It writes validation_results.json."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
answers = sorted(pathlib.Path(".").rglob("@FILE@"))
result = {"status": "success", "data": {"score": 0, "message": f"one @FILE@ is handed in, not {len(answers)}",
                                        "status": "failure"}}
if len(answers) == 1:
    done = subprocess.run([sys.executable, HERE / "course/tools/lab", "grade", "@LAB@", answers[0],
                           "--format", "submitty", "--unsafe"], stdout=subprocess.PIPE, text=True)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        result = {"status": "fail", "message": "The grading itself failed."}
pathlib.Path("validation_results.json").write_text(json.dumps(result, indent=2))
'''


def submitty(lab, folder):
    course(lab, folder / "custom_validation_code")
    write(folder / "custom_validation_code/grader.py", SUBMITTY, lab, executable=True)
    # A custom validator gets the limits that stand in its own object, not those of the assignment. A checked run reserves
    # much more memory than it uses, and RLIMIT_DATA counts that.
    limits = {"RLIMIT_CPU": 600, "RLIMIT_FSIZE": 200_000_000, "RLIMIT_DATA": "RLIM_INFINITY", "RLIMIT_RSS": 2_000_000_000,
              "RLIMIT_STACK": 8_000_000, "RLIMIT_NPROC": 1000, "RLIMIT_NOFILE": 1000, "RLIMIT_SIGPENDING": 1000}
    write(folder / "config.json", json.dumps({
        "autograding": {"submission_to_validation": ["**/*.cu"]},
        "testcases": [{"title": lab.title, "points": sum(lab.points.values()), "command": "echo graded", "validation": [
            {"method": "custom_validator", "command": "python3 grader.py", "actual_file": lab.file, "resource_limits": limits,
             "description": lab.name, "show_actual": "never"}]}]}, indent=2) + "\n", lab)


# ---- nbgrader: source/LAB/LAB.ipynb ----

GRADE_CELL = '''import os, subprocess, sys
course = os.environ.get("COURSE", "")  # the folder that comes with this notebook, for the teacher alone
if not course: sys.exit("COURSE is not set: your teacher grades this")
done = subprocess.run([sys.executable, course + "/tools/lab", "grade", "@LAB@", "@FILE@", "--format", "nbgrader", "--unsafe"],
                      stdout=subprocess.PIPE, text=True)
*words, points = done.stdout.splitlines()
print("\\n".join(words))
float(points)  # of @POINTS@: nbgrader takes the value of the last line'''


NBGRADER = """c = get_config()
c.CourseDirectory.course_id = "cuda-labs"
c.ExecutePreprocessor.timeout = 600  # the first grading builds the CPU device
"""


def nbgrader(lab, folder):
    home = folder / "source" / lab.name
    home.mkdir(parents=True)

    def cell(kind, name, text, **more):
        data = {"cell_type": kind, "id": name, "metadata": {"nbgrader": {
            "schema_version": 3, "grade_id": name, "grade": False, "solution": False, "locked": False, "task": False,
            **more}}, "source": text.splitlines(keepends=True)}
        return data if kind == "markdown" else {**data, "execution_count": None, "outputs": []}

    grading = GRADE_CELL.replace("@LAB@", lab.name).replace("@FILE@", lab.file).replace(
        "@POINTS@", str(sum(lab.points.values())))
    cells = [cell("markdown", "task", lab.task, locked=True),
             cell("code", "answer", f"%%writefile {lab.file}\n{lab.starter()}", solution=True),
             cell("code", "grading", grading, grade=True, locked=True, points=sum(lab.points.values()))]
    (home / f"{lab.name}.ipynb").write_text(json.dumps({
        "cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n")
    course(lab, folder)  # not in source/, which nbgrader gives to students
    write(folder / "nbgrader_config.py", NBGRADER, lab)


PACKAGES = {"autolab": autolab, "classroom50": classroom50, "coderunner": coderunner, "nbgrader": nbgrader,
            "prairielearn": prairielearn, "submitty": submitty}


def package(lab, platform, to):
    """Writes to/LAB-PLATFORM; the folder."""
    folder = to / f"{lab.name}-{platform}"
    if folder.exists():
        raise LabError(f"there is a {folder} already; remove it, or choose another place with --to")
    try:
        folder.mkdir(parents=True)
        PACKAGES[platform](lab, folder)
    except OSError as error:
        raise LabError(f"cannot write {error.filename}: {os.strerror(error.errno)}") from error
    return folder


# ---- what the platforms read of a result ----

def as_prairielearn(one):
    return json.dumps({
        "gradable": True, "score": one["score"] / one["max_score"], "message": f"{one['lab']}, seed {one['seed']}",
        "tests": [{"name": line["title"], "points": line["score"], "max_points": line["max_score"],
                   "message": printable(line["text"])} for line in one["lines"]]}, indent=2) + "\n"


def as_autolab(one):
    """Anything, and a last line with the points of each problem: the problems have the names of our lines."""
    rows = [f"{line['title']}: {line['score']} of {line['max_score']}\n{printable(line['text'])}" for line in one["lines"]]
    scores = {line["name"]: line["score"] for line in one["lines"]}
    return "\n".join(rows) + "\n" + json.dumps({"scores": scores, "scoreboard": [one["score"]]}) + "\n"


def as_coderunner(one):
    table = [["iscorrect", "What", "Points", "Of", "Why"]]
    table += [[int(line["passed"]), line["title"], line["score"], line["max_score"],
               "" if line["passed"] else printable(line["text"])] for line in one["lines"]]
    return json.dumps({"fraction": one["score"] / one["max_score"], "testresults": table,
                       "epiloguehtml": f"<p>Seed {one['seed']}</p>"}) + "\n"


def as_submitty(one):
    text = "\n".join(f"{line['title']}: {line['score']} of {line['max_score']}"
                     + ("" if line["passed"] else "\n" + printable(line["text"])) for line in one["lines"])
    status = "success" if one["score"] == one["max_score"] else "failure"
    return json.dumps({"status": "success", "data": {"score": one["score"] / one["max_score"], "message": text,
                                                     "status": status}}, indent=2) + "\n"


def as_nbgrader(one):
    """Words, and in the last line the points."""
    rows = [f"{line['title']}: {line['score']} of {line['max_score']}"
            + ("" if line["passed"] else "\n" + printable(line["text"])) for line in one["lines"]]
    return "\n".join(rows) + f"\n{one['score']}\n"


PLATFORMS = {"prairielearn": as_prairielearn, "autolab": as_autolab, "coderunner": as_coderunner,
             "submitty": as_submitty, "nbgrader": as_nbgrader}
for platform_name, of_one in PLATFORMS.items():
    FORMATS[platform_name] = lambda grades, of_one=of_one, name=platform_name: of_one(only(grades, name))
    FOR_ONE.append(platform_name)
