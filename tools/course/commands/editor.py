"""Makes editors with clangd understand the .cu files of a folder: common/cpu_device/editor/."""

from .. import ROOT
from ..processes import become_python

USAGE = "editor [DIR...]"
ABOUT = """Writes DIR/.clangd (without DIR: for the course), so that editors with clangd understand the .cu
files there: <<<>>>, threadIdx, textures and cooperative groups. Such editors are Visual Studio Code
with its clangd extension, vim, Emacs and Kate.

Needs clangd 14 or newer: sudo apt-get install clangd"""
CHOOSES_DEVICE = False


def command(words):
    """With the book's headers, which listings find in ../common, and the headers of labs."""
    return [ROOT / "common/cpu_device/editor/editor.py", "--absolute", f"-I{ROOT / 'common'}", f"-I{ROOT / 'tools/lab'}",
            *(words or [ROOT])]


def run(_, words):
    become_python(*command(words))
