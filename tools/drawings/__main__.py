"""Draws the READMEs' drawings: */images/*.svg, one module here for each chapter. NAME_narrow.svg is the form for phones.

    python3 tools/drawings           writes all of them
    python3 tools/drawings --check   reports which differ from the files, and exits with 1 if one does
"""

import pathlib
import sys

import appA
import ch03
import ch04
import ch05
import ch06
import ch07
import ch08
import ch09
import ch10
import ch11
import folders
import nbody

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = (ch03, ch04, ch05, ch06, ch07, ch08, ch09, ch10, ch11, appA, nbody, folders)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    different = 0
    drawn = [draw(narrow) for chapter in CHAPTERS for draw in chapter.DRAWINGS for narrow in (False, True)]
    for drawing in drawn + ch10.TIMELINES:
        path = ROOT / drawing.name
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text() != drawing.svg():
                print(f"{drawing.name} is not what {sys.argv[0]} draws", file=sys.stderr)
                different += 1
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawing.svg())
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
