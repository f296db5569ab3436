"""Every program, by chapter, with the first sentence of its comment."""

import shutil
import sys

from .. import ROOT
from ..packages import has_mpi
from ..programs import chapter_title, choose_or_stop, purpose

USAGE = "list [WHAT...]"
ABOUT = """Lists every program, by chapter, and what it shows.

WHAT: programs and chapters, such as dot, ch05."""
CHOOSES_DEVICE = False


def wrapped(begin, text, columns):
    """The words of the text behind `begin`, in lines that are indented as far."""
    lines = [begin]
    for number, word in enumerate(text.split()):
        if number > 0 and len(lines[-1]) + 1 + len(word) > columns:
            lines.append(" " * len(begin))
        lines[-1] += " " + word
    return lines


def run(_, words):
    chosen = choose_or_stop(words)
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000
    width = max((len(program.name) for program in chosen), default=0)
    mpi = has_mpi()
    chapter = None
    for program in chosen:
        if program.chapter != chapter:
            if chapter is not None:
                print()
            chapter = program.chapter
            print(f"{chapter}: {chapter_title(chapter)}")
        text = purpose(ROOT / program.source)
        print("\n".join(wrapped(f"  {program.name:{width}} ", text, columns)))
        if not mpi and "mpi" in program.words:
            print(f"{'':{width + 2}} not built here: it needs MPI (apt-get install libopenmpi-dev)")
    return 0
