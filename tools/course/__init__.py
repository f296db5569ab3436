"""./course: one module per command in commands/, and here what several of them use."""

import os
import pathlib

# As `course` is called: tools/ may be a link to another copy's.
ROOT = pathlib.Path(os.path.abspath(__file__)).parents[2]
TOOLS = ROOT / "tools"
HERE = ROOT / "tools/course"
