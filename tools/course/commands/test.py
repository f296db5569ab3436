"""Builds programs and their tests, and runs the tests with ctest."""

import os
import re
import subprocess

from .. import ROOT
from ..building import build, configure, read, say_if_space_is_short
from ..devices import choose_device, cores
from ..messages import Problem, say
from ..packages import set_up
from ..programs import choose, no_such_program

USAGE = "test [--cpu|--gpu] [--again] [--thorough|--all] [WHAT...]"
ABOUT = """Builds the programs and runs their tests. A test that passed is repeated only if something that it
depends on has changed, or with --again.

WHAT: programs, chapters and names of other tests, such as dot, ch05, page_rules."""


SPACE, SPACE_OF_ALL = 2 << 30, 5 << 30  # bytes, rounded up: all that is built takes 1.9 GB, and 4.0 GB when the thorough tests have run


def options(parser):
    parser.add_argument("--again", action="store_true", help="repeat tests that passed before")
    parser.add_argument("--thorough", action="store_true",
                        help="also what CI runs: the CPU device's own tests, threads in other orders, checked "
                             "runs, pages in a browser, longer proofs")
    parser.add_argument("--all", action="store_true", help="also the tests that take an hour")


def any_test(*patterns):
    return any(next((ROOT / "tests").glob(pattern), None) for pattern in patterns)


def is_registered(name):
    """Whether CMake knows a test of this name, or several that it begins: foreign, foreign.cublas_products."""
    registered = re.findall(r"course_add_test\(([\w.${}]+)", read(ROOT / "tests/CMakeLists.txt"))
    patterns = (re.sub(r"\\\$\\\{\w+\\\}", r"[\\w.]+", re.escape(one)) for one in registered if not one.startswith("$"))
    return any(re.fullmatch(pattern, name) or pattern.startswith(name + r"\.") for pattern in patterns)


def chosen_tests(words):
    """What must be built for the tests that the words name, and the options of ctest that choose them."""
    targets, names = [], []
    for word in words:
        what = word.rpartition("/")[2].partition("_test.")[0]
        try:
            programs = choose([what])
        except KeyError:
            programs = []
        for program in programs:
            names.append(program.name)
            targets += [program.name, "command_line_check"]
            if any_test(f"*/*/{program.name}_test.cu"):
                targets.append(f"{program.name}_test")
        if programs:
            continue
        names.append(what)
        if any_test(f"*/{what}_test.c*", f"*/*/{what}_test.c*") and not what.endswith("_window"):
            targets.append(f"{what}_test")
        elif any_test(f"*/{what}_test.*", f"*/*/{what}_test.*") or is_registered(what):
            targets.append("all")  # these may run any program
        else:
            raise no_such_program(what)
    return list(dict.fromkeys(targets)), ["-R", rf"^({'|'.join(names)})(\.[a-z0-9A-Z_]+)?$"]


def run(options, words):
    targets, which = ["programs", "course_tests"], ["-LE", "heavy|thorough|cpu_device"]
    if options.all:
        targets, which = ["all"], []
    elif options.thorough:
        targets, which = ["all"], ["-LE", "heavy|sample"]
    if words:
        targets, which = chosen_tests(words)
    set_up("tests")
    device = choose_device(options.device)
    say(f"testing on {device.words()}")
    configure(device)
    if not words:
        say_if_space_is_short(SPACE_OF_ALL if options.all or options.thorough else SPACE)
        say("building (this takes minutes the first time)")
    if not build(device, targets):
        raise Problem("the build failed; see above")
    # A test that passed is not repeated as long as nothing it depends on has changed; but settings of
    # the CPU device change what is tested.
    again = options.again or any(name.startswith("CPU_DEVICE_") for name in os.environ)
    status = subprocess.run(["ctest", "--test-dir", device.build, "--output-on-failure", "--no-tests=error",
                             "-j", str(cores()), *which], cwd=ROOT, stdin=subprocess.DEVNULL, check=False,
                            env={**os.environ, "COURSE_REMEMBER": "0" if again else "1"}).returncode
    log = read(device.build / "Testing/Temporary/LastTest.log")
    remembered = len(re.findall("^passed before, and nothing has changed since$", log, re.M))
    if remembered:
        say(f"{remembered} of these passed before and were not repeated, because no file that they use has changed; "
            "./course test --again repeats them")
    return status
