"""Packs what Gradescope needs for one lab: setup.sh, run_autograder, and the part of the course
that grades it."""

import pathlib
import zipfile

import build_kit
from labs import ROOT, LabError

SETUP = """#!/usr/bin/env bash
# Run once by Gradescope, as root, when the autograder's image is made.
set -e
apt-get update
apt-get install -y --no-install-recommends g++ python3 bubblewrap
cd "${AUTOGRADER:-/autograder}/source"
chmod -R go= . # submissions run as another user, who must not read the judge
python3 tools/lab grade @LAB@ labs_first_answer.cu --unsafe --out /dev/null # builds what all gradings need
"""

RUN = """#!/usr/bin/env bash
# Run by Gradescope for each submission, in a container of its own: writes results.json, whatever happens.
# --unsafe: there is nothing else in that container, and what isolation it offers is used all the same.
home=${AUTOGRADER:-/autograder}
results=$home/results/results.json
mkdir -p "$home/results"
mapfile -t answers < <(find "$home/submission" -maxdepth 2 -name '*.cu')
if [[ ${#answers[@]} == 1 ]]; then
  python3 "$home/source/tools/lab" grade @LAB@ "${answers[0]}" --format gradescope --unsafe \\
    --out "$results" 2>"$home/results/messages.txt" && exit
  why='The grading itself failed; please tell your teacher.'
else
  why="Please hand in one .cu file; there are ${#answers[@]}."
fi
printf '{"score": 0, "output": "%s", "tests": []}\\n' "$why" >"$results"
"""


def course_files(lab):
    """What of the course grades this lab, without the answer."""
    yield ROOT / "CMakeLists.txt"  # it names the chapters
    for name in build_kit.HEADERS:
        yield ROOT / "common" / name
    for path in [*sorted(build_kit.DEVICE.rglob("*")), *sorted(build_kit.HERE.glob("*"))]:
        if path.is_file() and not {*build_kit.BUILT, "__pycache__"} & set(path.relative_to(ROOT).parts):
            yield path
    yield from (lab.folder / name for name in ("task.md", "harness.cu", "judge.cpp", "cases"))


def autograder(lab, to):
    try:
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in course_files(lab):
                archive.write(path, path.relative_to(ROOT))
            starter = lab.starter()
            archive.writestr("labs_first_answer.cu", starter)
            # In the place of the solution: the labs are found by it.
            archive.writestr(str((lab.folder / "solution.cu").relative_to(ROOT)), starter)
            for name, text in (("setup.sh", SETUP), ("run_autograder", RUN)):
                about = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                about.external_attr = 0o100755 << 16
                archive.writestr(about, text.replace("@LAB@", lab.name))
    except OSError as error:
        raise LabError(f"cannot write {to}: {error.strerror}") from error
