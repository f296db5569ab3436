"""A page on which one watches the threads of a program work: tools/watch.py."""

from .. import ROOT, TOOLS
from ..messages import Problem
from ..packages import set_up
from ..processes import become_python
from ..programs import find
from .check import checked_program

USAGE = "watch NAME [ARGS...]"
ABOUT = """Writes build/watch/NAME.html, a page on which one watches the threads work, step by step; for small
launches."""
PASSES_ON = True
CHOOSES_DEVICE = False


def run(_, words):
    if not words:
        raise Problem("watch needs the name of a program; ./course list shows them")
    program = find(words[0])
    set_up("tools")
    path = checked_program(program)
    page = ROOT / f"build/watch/{program.name}.html"
    become_python(TOOLS / "watch.py", path, page, *words[1:])
