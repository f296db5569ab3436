"""Debugs a program: common/cpu_device/bin/cuda-debug, which knows kernels, blocks and threads."""

import os
import shlex

from .. import ROOT
from ..messages import Problem
from ..own_files import OwnFile, find
from ..processes import become

USAGE = "debug [--check] [--workers N] NAME|PATH.cu|PROGRAM [ARGS...]\n       ./course debug --vscode [FOLDER]"
ABOUT = """Debugs a program on the CPU device, with gdb and the commands of cuda-gdb: break in a kernel, step
one thread, look at any thread, block or warp. With --check it also stops at races, wrong indices
and divergent barriers. --vscode writes .vscode/, so that F5 in Visual Studio Code debugs the .cu
file that is open. The page DEBUGGING.md solves three cases with it."""
PASSES_ON = True
CHOOSES_DEVICE = False
WITH_VALUE = ("--workers",)
CUDA_DEBUG = ROOT / "common/cpu_device/bin/cuda-debug"


def options(parser):
    parser.add_argument("--check", action="store_true", help="stop at findings of a checked run")
    parser.add_argument("--vscode", action="store_true", help="write .vscode/ for Visual Studio Code")
    parser.add_argument("--workers", metavar="N", help="run N blocks at the same time")


def run(options, words):
    if options.vscode:
        become(CUDA_DEBUG, "--vscode", *(words or ["."]))
    if not words:
        raise Problem("debug needs a program of the course, or the path of a .cu file: ./course debug dot")
    chosen = ["--check"] if options.check else []
    if options.workers is not None:
        chosen += ["--workers", options.workers]
    # The runtime that run and check use is built already.
    os.environ.setdefault("CPU_DEVICE_CACHE", str(ROOT / f"build/{'cpu-check' if options.check else 'cpu'}/cpu_device"))
    become(CUDA_DEBUG, *chosen, *program(words[0]), *words[1:])


def program(word):
    """What cuda-debug is given for a program: a path, and how it is compiled if it is the course's."""
    found = find(word)
    if isinstance(found, OwnFile):
        options = shlex.join([*found.language(), *found.include_folders()]) if found.is_source else ""
        return [*(["--flags", options] if options else []), found.path]
    options = [f"-std={found.standard()}", found.compile_options(), shlex.join(found.options_of_machine())]
    return ["--flags", " ".join(filter(None, options)), ROOT / found.source]
