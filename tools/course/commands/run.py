"""Builds a program and runs it."""

import os

from ..building import build_program, configure, is_configured, not_built
from ..devices import choose_device
from ..messages import Problem, say
from ..own_files import OwnFile, find
from ..packages import set_up
from ..processes import become

USAGE = "run [--cpu|--gpu] NAME|FILE [ARGS...]"
ABOUT = """Builds a program of the course, or your own .cu file in any folder, and runs it with ARGS.

./course run NAME --help shows the program's own options. FILE may also be a compiled program."""
PASSES_ON = True


def run(options, words):
    if not words:
        raise Problem("run needs a program or the path of a .cu file; ./course list shows the programs")
    program, wanted, arguments = find(words[0]), options.device, []
    for word in words[1:]:
        if word in ("--cpu", "--gpu"):  # no program has options of these names
            wanted = word.removeprefix("--")
        else:
            arguments.append(word)
    if isinstance(program, OwnFile) and not program.is_source:
        become(program.path, *arguments)
    set_up("tools")
    device = choose_device(wanted)
    if isinstance(program, OwnFile):
        become(program.built(device), *arguments)
    if not is_configured(device):
        configure(device)
    path = device.build / program.chapter / program.name
    if not os.access(path, os.X_OK) and not not_built(device, program.name):
        say(f"building {program.name} for {device.words()}")
    build_program(device, program.name)
    become(path, *arguments)
