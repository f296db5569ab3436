"""Finds the command that the words name, reads its options and starts it.

A command is a module in commands/ with

    USAGE     what follows `./course`, for its --help
    ABOUT     a paragraph, for its --help
    options(parser)      adds its own options; may be absent
    run(options, words)  returns the exit code

and where they are needed

    PASSES_ON = True     options end at the first other word: what follows is for a program
    WITH_VALUE           its options that take a value
    MOST_WORDS           how many words it takes
    run_raw(words)       instead of run(): for a command with options of its own
"""

import argparse
import importlib
import os
import signal
import sys

from . import HERE
from .messages import Problem, say

# Those of all commands: where kernels run, and what changes nothing for most of them.
COMMON = ("--cpu", "--gpu", "--again")
ELSEWHERE = {"--thorough": "test", "--all": "test", "--json": "profile", "--page": "profile"}  # of one command


def commands():
    """The names of all commands."""
    return sorted(path.stem for path in (HERE / "commands").glob("[a-z]*.py"))


def usage():
    return (HERE / "usage.txt").read_text(encoding="utf-8")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem(f"{message}; try {self.prog} --help")


def parser_of(name, module):
    parser = Parser(prog=f"./course {name}", usage=f"./course {module.USAGE}", description=module.ABOUT,
                    formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    help_for = ("run kernels on the CPU device", "run kernels on the GPU") \
        if getattr(module, "CHOOSES_DEVICE", True) else (argparse.SUPPRESS, argparse.SUPPRESS)
    parser.add_argument("--cpu", dest="device", action="store_const", const="cpu", default="",
                        help=help_for[0])
    parser.add_argument("--gpu", dest="device", action="store_const", const="gpu", help=help_for[1])
    if hasattr(module, "options"):
        module.options(parser)
    if name != "test":
        parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    return parser


def split(words, passes_on, with_value):
    """The options among the words, and the others. `with_value`: options that the next word belongs to."""
    options, others = [], []
    left = list(words)
    while left:
        word = left.pop(0)
        if word.startswith("-") and word != "-":
            options.append(word)
            if word in with_value and left:
                options.append(left.pop(0))
            continue
        others.append(word)
        if passes_on:
            return options, others + left
    return options, others


def parse(name, module, before, words):
    """The options and other words of a command. `before`: options that stood before its name."""
    parser = parser_of(name, module)
    options, others = split([*before, *words], getattr(module, "PASSES_ON", False),
                            getattr(module, "WITH_VALUE", ()))
    found, unknown = parser.parse_known_args(options)
    for word in unknown:
        option = word.partition("=")[0]
        if option in ELSEWHERE:
            raise Problem(f"{option} is for ./course {ELSEWHERE[option]}; try ./course --help")
        raise Problem(f"there is no option '{word}'; try ./course --help")
    most = getattr(module, "MOST_WORDS", None)
    if most is not None and len(others) > most:
        raise Problem(f"{name} takes no '{others[most]}'; try ./course --help")
    return found, others


def start(words):
    before, left = [], list(words)
    while left and left[0].startswith("-"):
        word = left.pop(0)
        if word in ("-h", "--help"):
            print(usage(), end="")
            return 0
        if word not in COMMON and word not in ELSEWHERE:
            raise Problem(f"there is no option '{word}'; try ./course --help")
        before.append(word)
    if not left:
        print(usage(), end="", file=sys.stderr)
        return 2
    name = left.pop(0)
    if name not in commands():
        raise Problem(f"there is no command '{name}'; try ./course --help")
    module = importlib.import_module(f"course.commands.{name}")
    if hasattr(module, "run_raw"):  # has options of its own
        return module.run_raw(left)
    options, others = parse(name, module, before, left)
    return module.run(options, others)


def main(words):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")
    try:
        code = start(words)
        sys.stdout.flush()
        return code
    except Problem as problem:
        sys.stdout.flush()
        say(problem)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:  # the reader, such as `head`, has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
