"""The folders of the CPU device's runtime and their arrows, for common/cpu_device/INSIDE.md: from
common/cpu_device/runtime/folders.txt, which tests/cpu_device/folders_test.py compares with the includes."""

import pathlib

from drawing import BLUE, GRAY, GREEN, ORANGE, SOFT, Drawing

LIST = pathlib.Path(__file__).resolve().parents[2] / "common/cpu_device/runtime/folders.txt"


def read_arrows(path=LIST):
    """({folder: set of folders that it may include}, {open header: what for})"""
    arrows, opened = {}, {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, rest = line.partition(":")
        if name == "open":
            header, _, purpose = rest.strip().partition(" ")
            opened[header] = purpose.strip()
        else:
            arrows[name] = set(rest.split())
    return arrows, opened


COLUMN, GAP, HEIGHT, STEP, TOP = 123, 17, 52, 86, 22


def column(first, last=None):
    """(left, width) of the columns from first to last"""
    last = first if last is None else last
    return 20 + first * (COLUMN + GAP), (last - first + 1) * (COLUMN + GAP) - GAP


# Where each folder stands: row, columns; what it does; color.
PLACES = {
    "profile": (0, column(0), "memory requests", GREEN),
    "watch": (0, column(1), "for watch pages", GREEN),
    "observe": (1, column(0), "what threads do", GREEN),
    "check": (1, column(1), "finds mistakes", GREEN),
    "textures": (1, column(2), "and surfaces", ORANGE),
    "driver": (1, column(3), "cuInit() ...", ORANGE),
    "faults": (1, column(4), "explains crashes", GRAY),
    "graphics": (2, column(0), "OpenGL", ORANGE),
    "execution": (2, column(1, 3), "runs kernels: workers, threads, barriers, atomics", BLUE),
    "libraries": (2, column(4), "cuBLAS ...", ORANGE),
    "memory": (3, column(0, 4), "allocations, copies, device variables, arrays", BLUE),
    "order": (4, column(0, 4), "what runs when: streams, events, graphs", BLUE),
    "device": (5, column(0, 4), "devices, limits, settings", BLUE),
}


def needed(arrows):
    """The arrows that no longer path implies."""
    kept = {name: set(others) for name, others in arrows.items()}

    def reaches(start, goal):
        seen, todo = set(), [start]
        while todo:
            for other in kept[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return goal in seen

    for name, others in arrows.items():
        for other in sorted(others):
            kept[name].remove(other)
            if not reaches(name, other):
                kept[name].add(other)
    return [(name, other) for name in arrows for other in sorted(kept[name])]


def folders(narrow):
    arrows, opened = read_arrows()
    if arrows.keys() != PLACES.keys():
        raise SystemExit("tools/drawings/folders.py: PLACES and runtime/folders.txt differ: "
                         f"{sorted(arrows.keys() ^ PLACES.keys())}")
    bottom, names = TOP + 5 * STEP + HEIGHT, sorted(opened)
    d = Drawing(narrow, "common/cpu_device/images/folders.svg",
                (bottom + 168, bottom + 182 + 18 * (len(PLACES) + len(names))),
                "The folders of the runtime from profile and watch at the top to device at the bottom; arrows show which "
                "includes which")

    def across(x):
        """Of a place in the wide form: that in this one."""
        return d.pick(x, x / 2)

    for name, (row, (left, width), what, fill) in PLACES.items():
        y = TOP + row * STEP
        d.box(across(left), y, across(width), HEIGHT, fill=fill)
        d.text(across(left + width / 2), y + d.pick(22, 31), name, d.pick(16, 12), bold=True)
        if not narrow:
            d.text(left + width / 2, y + 41, what, 12, color=SOFT)
    for one, other in needed(arrows):
        (row, (left, width), _, _), (to_row, (to_left, to_width), _, _) = PLACES[one], PLACES[other]
        x = left + width / 2
        if row == to_row:  # one of a pair, which has both arrows
            y = TOP + row * STEP + HEIGHT / 2
            x, to_x, y = (left + width, to_left - 1, y - 8) if left < to_left else (left, to_left + to_width + 1, y + 8)
            d.arrow(across(x), y, across(to_x), y)
            continue
        to_x = min(max(x, to_left + 14), to_left + to_width - 14)
        d.arrow(across(x), TOP + row * STEP + HEIGHT, across(to_x), TOP + to_row * STEP - 1)
    if narrow:
        for k, (name, (_, _, what, _)) in enumerate(PLACES.items()):
            d.text(12, bottom + 28 + 18 * k, name, 12, anchor="start", bold=True)
            d.text(86, bottom + 28 + 18 * k, what.replace("workers, ", ""), 12, anchor="start", color=SOFT)
        d.origin = (-8, 18 * len(PLACES) + 24)
    words = "A folder may include headers of those", "that its arrows lead to, directly or not."
    if narrow:
        d.lines(20, bottom + 12, 18, words, 12, anchor="start")
    else:
        d.text(20, bottom + 26, " ".join(words), 13, anchor="start")
    x, y = 20, bottom + d.pick(38, 46)
    for fill, words, width in ((BLUE, "the core", 80), (ORANGE, "CUDA's interfaces", 136), (GREEN, "with --check", 0)):
        d.box(x, y, 12, 12, fill=fill)
        d.text(x + 18, y + 10, words, 12, anchor="start")
        x += d.pick(width + 20, width)
    d.origin = (d.origin[0], d.origin[1] + d.pick(26, 28))
    words = "Headers that every folder may include,", "to report to a folder above it:"
    if narrow:
        d.lines(20, bottom + 50, 16, words, 12, anchor="start")
        d.origin = (d.origin[0], d.origin[1] + 14)
    else:
        d.text(20, bottom + 50, " ".join(words), 13, anchor="start")
    columns = d.pick(3, 1)
    for k in range(0, len(names), columns):
        d.text(20, bottom + 71 + 18 * (k // columns), "  ".join(names[k:k + columns]), 12, anchor="start", mono=True)
    return d


DRAWINGS = (folders,)
