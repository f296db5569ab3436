"""A page that replays the threads of a program: tools/watch.py."""

from .. import ROOT, TOOLS
from ..messages import Problem
from ..own_files import OwnFile, find
from ..packages import set_up
from ..processes import become_python
from .check import checked_program

USAGE = "watch [--blocks A-B] NAME|FILE [ARGS...]"
ABOUT = """Writes build/watch/NAME.html, a page that replays the threads of a launch, step by step. It suits small
launches, or a few blocks of large ones. FILE: your own .cu file in any folder, or a program compiled with
nvcc --check."""
PASSES_ON = True
WITH_VALUE = ("--blocks",)
CHOOSES_DEVICE = False


def options(parser):
    parser.add_argument("--blocks", metavar="A-B", type=blocks, default=[],
                        help="watch these blocks of each launch: 5, or 0-3")


def blocks(text):
    first, dash, last = text.partition("-")
    last = last if dash else first
    if not (first.isascii() and first.isdigit() and last.isascii() and last.isdigit() and int(first) <= int(last) < 1 << 62):
        raise Problem(f"--blocks {text}: give a number, such as 5, or a range, such as 0-3")
    return ["--blocks", f"{int(first)}-{int(last)}"]


def run(chosen, words):
    if not words:
        raise Problem("watch needs a program or the path of a .cu file; ./course list shows the programs")
    program = find(words[0])
    set_up("tools")
    path = checked_program(program)
    name, called = program.name, []
    if isinstance(program, OwnFile):
        name, called = program.key, ["--called", words[0]]
    page = ROOT / f"build/watch/{name}.html"
    become_python(TOOLS / "watch.py", *chosen.blocks, *called, path, page, *words[1:])
