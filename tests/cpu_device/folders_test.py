#!/usr/bin/env python3
"""The folders of the CPU device: includes follow the arrows of runtime/folders.txt, arrows point one way, no file
of runtime/ or rewriter/ has more than 700 lines, each folder has a README of at most 25.

    tests/cpu_device/folders_test.py [FOLDER]   FOLDER: common/cpu_device, or a copy of it
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/drawings"))
from folders import read_arrows  # noqa: E402

MOST_LINES, MOST_README_LINES = 700, 25
SOURCES = (".cpp", ".h", ".inc")


def includes(file):
    """(line, file as the #include line names it, from the folder of the file)"""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if found:
            yield number, (file.parent / found[1]).resolve()


def check_arrows(arrows, opened):
    for folder, others in arrows.items():
        for other in others - arrows.keys():
            yield f"runtime/folders.txt: {folder}: there is no folder {other}"
    reached = {}

    def visit(folder, path):
        if folder in path:
            circle = path[path.index(folder):] + [folder]
            yield f"runtime/folders.txt: arrows in a circle: {' -> '.join(circle)}"
            return
        if reached.get(folder):
            return
        for other in sorted(arrows.get(folder, ())):
            yield from visit(other, path + [folder])
        reached[folder] = True

    for folder in arrows:
        yield from visit(folder, [])


def check_includes(root, arrows, opened):
    runtime = root / "runtime"
    used = set()
    for file in sorted(runtime.glob("*/*")):
        if file.suffix not in SOURCES:
            continue
        name = f"{file.parent.name}/{file.name}"
        for number, target in includes(file):
            where = f"runtime/{name}:{number}"
            if not target.exists():
                yield f"{where}: includes {target.name}, which is not there"
                continue
            if runtime not in target.parents:
                if root / "include" not in target.parents:
                    yield f"{where}: includes {target}, which is neither in runtime/ nor in include/"
                continue
            header = f"{target.parent.name}/{target.name}"
            folder, other = file.parent.name, target.parent.name
            if name in opened:
                yield f"{where}: includes {header}, but open headers include no file of the runtime"
            elif folder != other and header not in opened:
                used.add((folder, other))
                if other not in arrows.get(folder, ()):
                    yield (f"{where}: {folder}/ may not include {header}: no arrow leads from {folder} to {other} in "
                           "runtime/folders.txt")
    for folder, others in arrows.items():
        for other in sorted(others):
            if (folder, other) not in used:
                yield f"runtime/folders.txt: {folder} includes no header of {other}: take the arrow away"
    for header in opened:
        if not (runtime / header).exists():
            yield f"runtime/folders.txt: there is no {header}"
    for file in sorted((root / "include").rglob("*")):
        if file.is_file():
            for number, target in includes(file):
                if root / "include" not in target.parents and (runtime in target.parents
                                                               or root / "rewriter" in target.parents):
                    yield f"include/{file.name}:{number}: a public header includes {target.name} of the runtime"
    for file in sorted((root / "rewriter").glob("*")):
        if file.suffix in SOURCES:
            for number, target in includes(file):
                if target.parent != root / "rewriter":
                    yield f"rewriter/{file.name}:{number}: includes {target}, which is not in rewriter/"


def check_files(root, arrows):
    folders = [path for path in sorted((root / "runtime").iterdir()) if path.is_dir()]
    for folder in folders:
        if folder.name not in arrows:
            yield f"runtime/folders.txt: the folder {folder.name} is missing"
    for folder in arrows.keys() - {path.name for path in folders}:
        yield f"runtime/folders.txt: there is no folder runtime/{folder}"
    for folder in folders + [root / "rewriter"]:
        at = folder.relative_to(root)
        readme = folder / "README.md"
        if not readme.exists():
            yield f"{at} has no README.md: what it does, its entry points, whom it may call"
        elif len(readme.read_text().splitlines()) > MOST_README_LINES:
            yield f"{at}/README.md has more than {MOST_README_LINES} lines"
        for file in sorted(folder.iterdir()):
            if file.suffix in SOURCES:
                count = len(file.read_text().splitlines())
                if count > MOST_LINES:
                    yield f"{at}/{file.name} has {count} lines, more than {MOST_LINES}: split it by purpose"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "common/cpu_device").resolve()
    arrows, opened = read_arrows(root / "runtime/folders.txt")
    problems = [*check_arrows(arrows, opened), *check_includes(root, arrows, opened), *check_files(root, arrows)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
