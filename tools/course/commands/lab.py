"""Labs for a class: tools/lab, which has options of its own."""

from .. import TOOLS
from ..messages import Problem
from ..packages import has, install_command
from ..processes import become_python

USAGE = "lab COMMAND ..."
ABOUT = "Labs for a class: list, hand-out, grade, solution, autograder."


def run_raw(words):
    if not has("g++"):
        raise Problem(f"lab needs g++: {install_command('g++')}")
    become_python(TOOLS / "lab", *words)
