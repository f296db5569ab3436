"""Completion of ./course's words in a shell."""

import contextlib
import importlib
import io
import re
import subprocess

from .. import ROOT
from ..command_line import commands, parser_of
from ..messages import Problem
from ..programs import CHAPTERS, all_programs

USAGE = "completion bash"
ABOUT = """Prints a script that makes bash complete ./course's commands, programs and options. To use it in
this shell:

    source <(./course completion bash)

To use it in every new shell, append that line to ~/.bashrc, with the course's path. In zsh, run
`autoload -U bashcompinit; bashcompinit` first."""
PASSES_ON = True
CHOOSES_DEVICE = False

SCRIPT = """\
_course() {
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" completion words "$COMP_CWORD" "${COMP_WORDS[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _course course
"""
PROGRAM_FIRST = ("run", "check", "profile", "watch", "debug", "export")  # a program is their first word
SEVERAL = ("tour", "test", "list")                                       # take programs and chapters
LAB = ("list", "hand-out", "grade", "board", "solution", "autograder", "package")


def run(_, words):
    if words == ["bash"]:
        print(SCRIPT, end="")
        return 0
    if len(words) >= 2 and words[0] == "words" and words[1].isdigit():
        number, typed = int(words[1]), words[2:]
        begin = typed[number - 1] if number <= len(typed) else ""
        for word in sorted(set(candidates(typed[:number - 1]))):
            if word.startswith(begin):
                print(word)
        return 0
    raise Problem("completion is for bash: ./course completion bash")


def candidates(before):
    """What may stand behind these words."""
    words = [word for word in before if not word.startswith("-")]
    if not words:
        return [*commands(), "--help", "--cpu", "--gpu"]
    command, *others = words
    if command not in commands():
        return []
    programs = [program.name for program in all_programs()]
    if command == "lab":
        return LAB if not others else [path.parents[2].name.partition('_')[0] + '_' + path.parent.name
                                       for path in ROOT.glob("*/labs/*/task.md")]
    if command == "bench":
        return [*topics(), *options_of(command)]
    if command == "snippet":
        return [path.stem for path in ROOT.glob("*/snippets/*.cu")]
    if command == "completion":
        return ["bash"]
    if command in SEVERAL:
        return [*programs, *CHAPTERS, *options_of(command)]
    if command in PROGRAM_FIRST and not others:
        return [*programs, *options_of(command)]
    if command in PROGRAM_FIRST and command != "export":
        return options_of_program(others[0])
    return options_of(command)


def options_of(command):
    module = importlib.import_module(f"course.commands.{command}")
    with contextlib.redirect_stdout(io.StringIO()) as text:
        parser_of(command, module).print_help()
    return re.findall(r"^ +(?:-\w, )?(--[\w-]+)", text.getvalue(), re.M)


def topics():
    text = (ROOT / "tools/bench.py").read_text(encoding="utf-8")
    return re.findall(r'^    "(\w+)": Topic\(', text, re.M)


def built(name):
    """Where a program of the course is built: several paths, or none."""
    return [path for program in all_programs() if program.name == name
            for path in sorted(ROOT.glob(f"build/*/{program.chapter}/{name}"))]


def options_of_program(name):
    """Of a program of the course, if it is built."""
    for path in built(name):
        try:
            done = subprocess.run([path, "--help"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, timeout=5, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        return re.findall(r"^\s+(--[\w-]+)", done.stdout, re.M)
    return []
