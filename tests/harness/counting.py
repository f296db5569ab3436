"""What tests in Python share: they count what they check, and print only what failed."""

import pathlib
import sys

passed = failed = 0


def check(what, good, more=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {what}\n  {more}", flush=True)


def finish():
    """Prints the counts. Returns the exit code."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def nvcc_and_folder(usage):
    """The two arguments that most of them have: a compiler, and a folder for programs, which is made. Exit code 2 without them."""
    if len(sys.argv) != 3:
        print(usage, file=sys.stderr)
        sys.exit(2)
    folder = pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return str(pathlib.Path(sys.argv[1]).absolute()), folder
