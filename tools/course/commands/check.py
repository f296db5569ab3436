"""Checked runs: of one program with its arguments, or of all of them at sizes that suit."""

import os
import subprocess
import sys

from .. import TOOLS
from ..building import build, build_program, configure
from ..devices import Device, choose_device
from ..messages import Problem, say
from ..own_files import OwnFile, find
from ..packages import set_up
from ..processes import become, become_python
from ..programs import all_programs

USAGE = "check [--gpu] [NAME|FILE [ARGS...]]"
ABOUT = """A checked run of a program of the course, or of your own .cu file in any folder. It reports races,
out-of-bounds accesses, uninitialized reads and more, and how to fix them. Without NAME it runs all programs. With
--gpu it uses compute-sanitizer. FILE may also be a program compiled with nvcc --check."""
PASSES_ON = True


def run(options, words):
    if options.device == "gpu" and not words:
        raise Problem("check --gpu needs the name of a program; ./course list shows them")
    program = find(words[0]) if words else None
    set_up("tools")
    if program is None:
        return check_all()
    if options.device == "gpu":
        path = build_for(choose_device("gpu"), program)
        become_python(TOOLS / "check.py", "gpu", path, *words[1:])
    path = checked_program(program)
    become(path, *words[1:])


def build_for(device, program):
    if isinstance(program, OwnFile):
        return program.built(device)
    configure(device)
    build_program(device, program.name)
    return device.build / program.chapter / program.name


def checked_program(program):
    """The path of the program, built for checked runs."""
    device = Device("cpu-check")
    if isinstance(program, OwnFile):
        return program.built(device)
    configure(device)
    path = device.build / program.chapter / program.name
    if not os.access(path, os.X_OK):
        say(f"building {program.name} for a checked run")
    build_program(device, program.name)
    return path


def check_all():
    device = Device("cpu-check")
    configure(device)
    say("building every program for a checked run (this takes minutes the first time)")
    if not build(device, ["programs"], keep_going=True):
        raise Problem("not everything could be built")
    lines = "".join(f"{program.chapter}\t{program.name}\n" for program in all_programs())
    return subprocess.run([sys.executable, TOOLS / "check.py", "all", device.build], input=lines, text=True,
                          check=False).returncode
