#!/usr/bin/env python3
"""Writes SNIPPETS.md, the page with all snippets by topic.

    tools/snippets.py            writes it
    tools/snippets.py --check    exit code 1, with a line, if it is not what would be written
"""

import sys

from course.snippets import PAGE, page


def main():
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            print("SNIPPETS.md is not up to date: run tools/snippets.py, and commit it", file=sys.stderr)
            return 1
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
