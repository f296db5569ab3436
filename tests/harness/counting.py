"""What tests in Python share: they count what they check, and print only what failed."""

import difflib
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


def check_table(table, now, context=2):
    """Compares these lines with those of a file, which --update writes anew; `context`: lines printed around each difference."""
    if "--update" in sys.argv:
        table.write_text("\n".join(now) + "\n", encoding="utf-8")
        return
    before = table.read_text(encoding="utf-8").splitlines()
    differences = list(difflib.unified_diff(before, "\n".join(now).splitlines(), table.name, "now", lineterm="", n=context))
    print(*differences[:60], sep="\n")
    check(f"each line is as in {table.name}", not differences, f"{len(differences)} lines; --update writes the table anew")


def nvcc_and_folder(usage):
    """The two arguments that most of them have: a compiler, and a folder for programs, which is made. Exit code 2 without them."""
    if len(sys.argv) != 3:
        print(usage, file=sys.stderr)
        sys.exit(2)
    folder = pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return str(pathlib.Path(sys.argv[1]).absolute()), folder
