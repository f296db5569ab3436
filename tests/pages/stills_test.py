#!/usr/bin/env python3
"""Each still of a watch page stands next to the command that made it: tools/stills.py, tools/watched_programs.txt and the page
agree. And each picture of the course is on a page."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import stills  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

STILL = re.compile(r"[(/]images/watch_(\w+)\.webp")


def files(*patterns):
    return [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.relative_to(ROOT).parts[0] != "build"]


def main():
    pages = {path: path.read_text(encoding="utf-8") for path in files("*.md", "*/*.md", "*/*/*.md")}
    arguments, on_pages = stills.arguments(), set()
    for path, text in pages.items():
        lines = text.splitlines()
        for k, line in enumerate(lines):
            for name in STILL.findall(line):
                on_pages.add(name)
                command = " ".join(["./course watch", name, *arguments.get(name, ["(not in watched_programs.txt)"])])
                before = "\n".join(lines[max(k - 8, 0):k])
                check(f"{path.relative_to(ROOT)}: the still of {name} has its command",
                      re.search(rf"{re.escape(command)}[`\n]", before) is not None, f"none of the eight lines before it ends with {command}")
    pictures = files("*/images/*", "common/*/images/*")
    check("tools/stills.py makes the stills on the pages", set(stills.MOMENTS) == on_pages, f"{sorted(stills.MOMENTS)} {sorted(on_pages)}")
    there = {name for path in pictures for name in STILL.findall(path.as_posix())}
    check("each still is on a page", there == on_pages, f"{sorted(there)} {sorted(on_pages)}")
    words = "\n".join(pages.values()) + (ROOT / "tools/course/site/cover.py").read_text(encoding="utf-8")
    for path in pictures:
        check(f"{path.relative_to(ROOT)} is on a page", path.name.replace("_narrow.svg", ".svg") in words)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
