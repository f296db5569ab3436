"""Checked runs: of one program with its arguments, or of all of them at sizes that suit."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from .. import ROOT, TOOLS
from ..building import build, build_program, configure
from ..devices import Device, choose_device
from ..fixes import ENCODING, Repair, add_to_report, patch, run_program, sarif_fix
from ..messages import Problem, say
from ..own_files import OwnFile, find
from ..packages import set_up
from ..processes import become, become_python
from ..programs import all_programs
from ..story import races, tell

USAGE = "check [--gpu] [--story N] [--fix PATCH] [NAME|FILE [ARGS...]]"
ABOUT = """Does a checked run of a program of the course, or of your own .cu file in any folder. It reports
races, out-of-bounds accesses, uninitialized reads and more, and how to fix them. Without NAME it
runs all programs. With --gpu it uses compute-sanitizer.

FILE may also be a program compiled with nvcc --check. --fix tries repairs, such as a missing
__syncthreads(). The file PATCH gets only those after which a checked run has no finding."""
PASSES_ON = True
WITH_VALUE = ("--fix", "--story")


def options(parser):
    parser.add_argument("--story", metavar="N", help="tell the N-th race step by step, after the run")
    parser.add_argument("--fix", metavar="PATCH", help="write a patch that repairs the findings; the program stays as it is")


def run(options, words):
    if options.device == "gpu" and not words:
        raise Problem("check --gpu needs the name of a program; ./course list shows them")
    program = find(words[0]) if words else None
    set_up("tools")
    for name in ("story", "fix"):
        if getattr(options, name) is not None and (program is None or options.device == "gpu"):
            raise Problem(f"check --{name} needs the name of a program, and the CPU device")
    if options.story is not None and not re.fullmatch("[1-9][0-9]{0,5}", options.story):
        raise Problem(f"check --story needs the number of a race, 1 or more, not '{options.story}'")
    if options.fix is not None:
        return write_fixes(program, words[1:], pathlib.Path(options.fix))
    if program is None:
        return check_all()
    if options.device == "gpu":
        path = build_for(choose_device("gpu"), program)
        become_python(TOOLS / "check.py", "gpu", path, *words[1:])
    path = checked_program(program)
    if options.story is not None:
        return tell_story(path, words[1:], int(options.story))
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


def tell_story(path, arguments, number):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.sarif"
        code = subprocess.run([path, *arguments], env=dict(os.environ, CPU_DEVICE_REPORT=str(report)), check=False).returncode
        found = races(report) if report.is_file() else []
    if number > len(found):
        races_found = "no race" if not found else f"{len(found)} race{'s' * (len(found) > 1)}"
        raise Problem(f"there is no race number {number}; this run found {races_found}")
    print("\n" + "\n".join(tell(*found[number - 1])))
    return code if code >= 0 else 128 - code  # a signal, as in a shell


def write_fixes(program, arguments, to):
    """Tries repairs of a program in a folder of their own."""
    source = program.path if isinstance(program, OwnFile) else ROOT / program.chapter / f"{program.name}.cu"
    if source.suffix != ".cu":
        raise Problem("check --fix needs a .cu file")
    if to.is_dir() or not os.access(to if to.exists() else to.parent, os.W_OK):
        raise Problem(f"cannot write the patch to {to}")
    file = OwnFile(source)
    environment = dict(os.environ)
    environment.setdefault("CPU_DEVICE_CACHE", str(ROOT / "build/cpu-check/cpu_device"))
    compiler = [ROOT / "common/cpu_device/nvcc", "--check", *file.language(), f"-I{source.parent}", f"-I{ROOT / 'common'}"]

    def check(path, report, seconds):
        target = path.with_suffix("")
        done = subprocess.run([*compiler, path, "-o", target], stderr=subprocess.DEVNULL, env=environment, check=False)
        return run_program(target, arguments, report, environment, seconds) if done.returncode == 0 else None

    say(f"looking for repairs of {source.name}; each is compiled and run")
    repair = Repair(source, check)
    before, after, left = repair.repaired()
    if after is None:
        say("no findings" if not left else f"no certain repair found; tried {repair.tried}")
        return 1 if left else 0
    try:
        to.write_text(patch(source.name, before, after), **ENCODING)
    except OSError as error:
        raise Problem(f"cannot write the patch to {to}: {error.strerror}") from None
    report = os.environ.get("CPU_DEVICE_REPORT")
    if report and pathlib.Path(report).is_file():
        add_to_report(pathlib.Path(report), sarif_fix(source, before, after))
    say(f"wrote {to}; after it, " + ("a checked run has no finding" if not left else "1 finding is left" if len(left) == 1 else f"{len(left)} findings are left"))
    return 0 if not left else 1


def check_all():
    device = Device("cpu-check")
    configure(device)
    say("building every program for a checked run (this takes minutes the first time)")
    if not build(device, ["programs"], keep_going=True):
        raise Problem("not everything could be built")
    lines = "".join(f"{program.chapter}\t{program.name}\n" for program in all_programs())
    return subprocess.run([sys.executable, TOOLS / "check.py", "all", device.build], input=lines, text=True,
                          check=False).returncode
