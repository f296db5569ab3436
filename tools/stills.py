#!/usr/bin/env python3
"""Makes the stills of watch pages on the chapters' pages, images/watch_NAME.webp, with the commands that the pages name.

    tools/stills.py [NAME...]     without a name: all of them
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
import browser  # noqa: E402

# The moment of each, as the page's address has it.
MOMENTS = {"vector_add_blocks": "step=20", "dot": "step=38", "ray_constant": "block=0,step=60", "lost_update": "step=5"}


def arguments():
    """{program: the arguments that make it small enough to watch}"""
    rows = (ROOT / "tools/watched_programs.txt").read_text().splitlines()
    return {row.split()[0]: row.split()[1:] for row in rows if row and not row.startswith("#")}


def main():
    names = sys.argv[1:] or list(MOMENTS)
    if browser.find() is None:
        print("there is no browser: apt-get install chromium", file=sys.stderr)
        return 77
    unknown = [name for name in names if name not in MOMENTS]
    if unknown:
        print(f"there is no still of {unknown[0]}, but of {' '.join(MOMENTS)}", file=sys.stderr)
        return 2
    with browser.Browser(1200, 680) as chrome:
        for name in names:
            subprocess.run([ROOT / "course", "watch", name, *arguments()[name]], cwd=ROOT, check=False,
                           stdout=subprocess.DEVNULL)  # wrong programs end with 1
            chrome.open(f"{(ROOT / 'build/watch' / name).as_uri()}.html#{MOMENTS[name]}")
            chrome.run("new Promise(done => setTimeout(done, 300))")
            chapter = next(ROOT.glob(f"*/{name}.cu")).parent
            chrome.picture(chapter / f"images/watch_{name}.webp")
            print(chapter.name, name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
