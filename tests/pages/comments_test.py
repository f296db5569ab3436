#!/usr/bin/env python3
"""Comments in the course's programs, headers, scripts and tools have none of the phrases in idioms.txt (STYLE.md). Tests
and the programs that they run are left out.

    tests/pages/comments_test.py [FILE...]      default: all of the course's
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/pages"))
import page_rules  # noqa: E402

CPP = (".cpp", ".h", ".inc", ".cu", ".cuh")
SCRIPTS = (".py", ".sh", ".cmake", ".txt")
WITHOUT_ENDING = ("course", "common/cpu_device/nvcc")
LEFT_OUT = ("build", "tests")


def comment_of(line, cpp):
    """(whether code is before it, text) of the comment in a line, None if there is none. A // or # in quotes may count as
    one: it takes a phrase of the list to matter."""
    mark = re.search(r"(?:^|[\s;{})])//(?!/)(.*)" if cpp else r"(?:^|\s)#(?![!{])(.*)", line)
    return mark and (line[:mark.start()].strip() != "", mark[1].strip())


def comments(text, cpp):
    """(line number, text) of each comment; the lines of one that takes several are joined."""
    begin, joined = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = comment_of(line, cpp)
        if joined and (not found or found[0]):
            yield begin, joined
            joined = ""
        if found:
            begin = begin if joined else number
            joined += " " + found[1]
            if found[0]:
                yield begin, joined
                joined = ""


def problems(name, text, idioms):
    for number, comment in comments(text, not name.endswith(SCRIPTS) and name not in WITHOUT_ENDING):
        for pattern, remedy in idioms:
            for phrase in pattern.finditer(comment):
                yield f"{name}:{number}: \"{phrase[0].strip()}\": {remedy}"


def sources():
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        first = name.split("/")[0]
        if first in LEFT_OUT or first.startswith(".") or not path.is_file() or path.is_symlink():
            continue
        if path.suffix in CPP + SCRIPTS or name in WITHOUT_ENDING:
            yield path


def check_itself(idioms):
    """The test sees what it must see."""
    wrong = {"a.cpp": "int a;  // nobody wrote it\n", "b.h": "// It is not needed any\n// more.\nint b;\n",
             "c.py": "# set anew\n", "course": "x=1 # in front of it\n"}
    right = {"a.cpp": "int a;  // nobody\nint b;  // wrote it\n", "b.h": "f(\"https://anew\");\n", "c.py": "anew = 1\n"}
    for name, text in wrong.items():
        assert len(list(problems(name, text, idioms))) == 1, name
    for name, text in right.items():
        assert not list(problems(name, text, idioms)), name


def main():
    idioms = [(re.compile(pattern, re.I), remedy) for pattern, remedy in page_rules.idioms()]
    check_itself(idioms)
    paths = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or list(sources())
    found = []
    for path in paths:
        found += problems(path.relative_to(ROOT).as_posix(), path.read_text(errors="replace"), idioms)
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{len(paths)} files: {len(found) or 'no'} phrase{'' if len(found) == 1 else 's'} of idioms.txt in comments")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
