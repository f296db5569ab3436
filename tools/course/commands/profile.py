"""Counts what each line asks of the memory: tools/profile.py."""

import shlex

from .. import ROOT, TOOLS
from ..building import build_folder
from ..devices import choose_device
from ..messages import Problem
from ..own_files import OwnFile, find
from ..packages import has, has_mpi, install_command, set_up
from ..processes import become_python
from ..programs import options_here

USAGE = "profile [--json] [--page] [--gpu] NAME|FILE [ARGS...]"
ABOUT = """Counts how each line uses the memory: sectors, bank conflicts, contention, divergence. For each line
it prints the count now, the count that is possible, and what to change. It counts on the CPU
device. With --gpu it compares with the counters of ncu on a GPU.

FILE: your own .cu file in any folder, or a program compiled with nvcc --branches."""
PASSES_ON = True


def options(parser):
    parser.add_argument("--json", action="store_true", help="print all counts as JSON")
    parser.add_argument("--page", action="store_true",
                        help="write build/profile/NAME.html: the source, with the counts below its lines")


def run(options, words):
    if not words:
        raise Problem("profile needs a program or the path of a .cu file; ./course list shows the programs")
    program = find(words[0])
    tool = [TOOLS / "profile.py", *(["--json"] if options.json else [])]
    if isinstance(program, OwnFile):
        prepare_own(program)
    else:
        prepare(program)
    build_folder()
    if options.page:
        name = program.key if isinstance(program, OwnFile) else program.name
        tool += ["--page", ROOT / f"build/profile/{name}.html"]
    if options.device == "gpu":
        tool += ["--gpu", choose_device("gpu").nvcc]
    if not isinstance(program, OwnFile):
        become_python(*tool, "--with", options_here(program), ROOT / program.source, *words[1:])
    become_python(*tool, "--with", shlex.join(program.include_folders()), "--in",
                  ROOT / "build/own" / program.key / "profile", program.path, *words[1:])


def prepare(program):
    """Installs what a program of the course needs, which is compiled without CMake."""
    if "mpi" in program.words and not has_mpi():
        raise Problem(f"{program.name} needs MPI, which is not here: {install_command('libopenmpi-dev')}")
    if not has("g++") or program.link_options():
        set_up("tools")


def prepare_own(program):
    if program.is_source and not has("g++"):
        set_up("tools")
