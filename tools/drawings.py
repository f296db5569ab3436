#!/usr/bin/env python3
"""Draws the READMEs' drawings of chapters 3 to 7: chNN_*/images/*.svg.

    tools/drawings.py           writes all of them
    tools/drawings.py --check   says which differ from what is there, and exits with 1 if one does

Each stands on a panel of its own, so that it can be read on a dark page, a light one and on paper.
"""

import html
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

INK, SOFT, LINE = "#1f2328", "#57606a", "#8c959f"
BLUE, ORANGE, GREEN, RED, GRAY = "#cfe3ff", "#ffe0bd", "#cdeed3", "#ffd3d0", "#eceff2"
DARK = {BLUE: "#0b57d0", ORANGE: "#b45309", GREEN: "#15803d", RED: "#c62828", GRAY: LINE}


class Drawing:
    """An SVG file of width x height, described for who cannot see it by `words`."""

    def __init__(self, name, width, height, words):
        self.name = name
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="Helvetica, Arial, DejaVu Sans, sans-serif" '
            'font-size="14">',
            f"<title>{html.escape(words)}</title>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker></defs>',
            f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" fill="#ffffff" '
            f'stroke="{LINE}"/>',
        ]

    def box(self, x, y, width, height, text="", fill=BLUE, size=14, radius=3, dashed=False,
            color=INK):
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                          f'rx="{radius}" fill="{fill}" stroke="{DARK.get(fill, LINE)}"{dash}/>')
        if text != "":
            self.text(x + width / 2, y + height / 2 + size * 0.36, text, size=size, color=color)

    def text(self, x, y, text, size=14, anchor="middle", color=INK, bold=False, mono=False):
        more = ' font-weight="bold"' if bold else ""
        if mono:
            more += ' font-family="DejaVu Sans Mono, Consolas, monospace"'
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
                          f'fill="{color}"{more}>{html.escape(str(text))}</text>')

    def arrow(self, x1, y1, x2, y2, color=SOFT, width=1.5, dashed=False, tip=True):
        more = ' stroke-dasharray="4 3"' if dashed else ""
        more += ' marker-end="url(#tip)"' if tip else ""
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                          f'stroke="{color}" stroke-width="{width}"{more}/>')

    def line(self, x1, y1, x2, y2, color=LINE, width=1.5, dashed=False):
        self.arrow(x1, y1, x2, y2, color, width, dashed, tip=False)

    def svg(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def host_and_device():
    d = Drawing("ch03_intro/images/host_and_device.svg", 720, 250,
                "The host with its memory, the device with its own, and what goes between them")
    for left, title, runs, fill in ((20, "host: the CPU", "main() runs here", BLUE),
                                    (460, "device: the GPU", "add() runs here", GREEN)):
        d.box(left, 20, 240, 210, fill="#fafbfc", radius=8)
        d.text(left + 120, 44, title, bold=True)
        d.box(left + 25, 62, 190, 40, runs, fill)
        d.box(left + 25, 150, 190, 60, fill=GRAY)
    d.text(25 + 20, 144, "its memory", 12, anchor="start", color=SOFT)
    d.text(675, 144, "its memory", 12, anchor="end", color=SOFT)
    d.box(135, 163, 80, 34, "c = 9", ORANGE)
    d.box(505, 163, 100, 34, "*dev_c = 9", ORANGE)
    d.arrow(235, 82, 483, 82)
    d.text(360, 73, "add<<<1, 1>>>(2, 7, dev_c)", 12, mono=True)
    d.arrow(555, 102, 555, 161)
    d.text(562, 124, "writes", 12, anchor="start", color=SOFT)
    d.arrow(503, 180, 218, 180)
    d.text(360, 171, "cudaMemcpy()", 12, mono=True)
    d.text(360, 198, "the only way back", 12, color=SOFT)
    return d


def launch_returns_at_once():
    d = Drawing("ch03_intro/images/launch_returns_at_once.svg", 720, 190,
                "Time runs to the right: the host goes on while the kernel runs, until it waits")
    d.text(20, 62, "host", anchor="start", bold=True)
    d.text(20, 132, "device", anchor="start", bold=True)
    d.box(100, 42, 90, 30, "launch", BLUE, 13)
    d.box(190, 42, 170, 30, "goes on: printf(...)", BLUE, 13)
    d.box(360, 42, 210, 30, "cudaDeviceSynchronize()", GRAY, 13)
    d.box(570, 42, 110, 30, "goes on", BLUE, 13)
    d.box(240, 112, 330, 30, "the kernel runs", GREEN, 13)
    d.arrow(188, 74, 238, 112)
    d.arrow(570, 112, 570, 75)
    d.text(465, 34, "waits", 12, color=SOFT)
    d.arrow(100, 165, 690, 165)
    d.text(395, 181, "time", 12, color=SOFT)
    return d


def one_block_per_element():
    d = Drawing("ch04_parallel/images/one_block_per_element.svg", 720, 220,
                "A grid of four blocks: block i adds element i of a and b")
    d.text(20, 30, "add<<<4, 1>>>", 14, anchor="start", bold=True, mono=True)
    d.text(160, 30, "a grid of 4 blocks, 1 thread each", 13, anchor="start", color=SOFT)
    for i, (a, b) in enumerate(((0, 0), (-1, 1), (-2, 4), (-3, 9))):
        x = 80 + 160 * i
        d.box(x, 45, 130, 40, f"blockIdx.x = {i}", BLUE, 13)
        for row, (name, value) in enumerate((("a", a), ("b", b), ("c", a + b))):
            d.box(x + 30, 108 + 34 * row, 70, 28, value, GREEN if name == "c" else ORANGE, 13)
            if i == 0:
                d.text(60, 127 + 34 * row, name, bold=True, mono=True)
        d.arrow(x + 20, 85, x + 20, 190, tip=False)
        d.arrow(x + 20, 190, x + 29, 190)
    return d


def grid_of_tiles():
    d = Drawing("ch04_parallel/images/grid_of_tiles.svg", 720, 330,
                "A picture of 40 x 40 pixels under a grid of 3 x 3 blocks of 16 x 16 threads")
    cell, left, top = 6, 30, 24
    d.box(left, top, 48 * cell, 48 * cell, fill=RED, radius=0)
    d.box(left, top, 40 * cell, 40 * cell, fill=BLUE, radius=0)
    for k in range(4):
        at = 16 * cell * k
        d.line(left + at, top, left + at, top + 48 * cell, INK, 1.5)
        d.line(left, top + at, left + 48 * cell, top + at, INK, 1.5)
    for by in range(3):
        for bx in range(3):
            d.text(left + (16 * bx + 8) * cell, top + (16 * by + 4) * cell, f"block ({bx},{by})", 11)
    x, y = 16 + 5, 16 + 8
    d.box(left + x * cell, top + y * cell, cell, cell, fill="#1f2328", radius=0)
    d.arrow(345, 140, left + (x + 1.5) * cell, top + (y + 0.6) * cell)
    d.text(350, 60, "40 pixels per side, 16 x 16 threads per block:", 13, anchor="start")
    d.text(350, 80, "(40 + 15) / 16 = 3 blocks per side", 13, anchor="start", mono=True)
    d.text(350, 134, "block (1,1), thread (5,8):", 13, anchor="start")
    d.text(350, 156, "x = threadIdx.x + blockIdx.x * blockDim.x", 12, anchor="start", mono=True)
    d.text(364, 174, "= 5 + 1 * 16 = 21", 12, anchor="start", mono=True)
    d.text(350, 192, "y = 8 + 1 * 16 = 24", 12, anchor="start", mono=True)
    d.box(350, 222, 16, 16, fill=BLUE)
    d.text(374, 235, "threads with a pixel", 13, anchor="start")
    d.box(350, 248, 16, 16, fill=RED)
    d.text(374, 261, "threads beyond the edge: they must do nothing", 13, anchor="start")
    d.text(374, 281, "if (x < size && y < size) ...", 12, anchor="start", mono=True)
    return d


def index_and_rest():
    d = Drawing("ch05_threads/images/index_and_rest.svg", 720, 230,
                "Ten elements, three blocks of four threads: the last two threads have no element")
    d.text(20, 30, "add<<<(10 + 3) / 4, 4>>>", 14, anchor="start", bold=True, mono=True)
    d.text(250, 30, "3 blocks of 4 threads for 10 elements", 13, anchor="start", color=SOFT)
    step, left = 50, 96
    d.text(20, 89, "threadIdx.x", 12, anchor="start", color=SOFT)
    d.text(20, 125, "i", 12, anchor="start", color=SOFT)
    d.text(20, 169, "c[i]", 12, anchor="start", color=SOFT)
    for block in range(3):
        x = left + block * (4 * step + 4)
        d.box(x, 45, 4 * step - 4, 92, fill="#fafbfc", radius=6)
        d.text(x + 2 * step, 63, f"blockIdx.x = {block}", 12, bold=True)
        for thread in range(4):
            i = 4 * block + thread
            there = i < 10
            tx = x + thread * step
            d.box(tx + 4, 72, step - 12, 26, thread, BLUE if there else RED, 13)
            d.text(tx + step / 2 - 2, 125, i, 13)
            if there:
                d.box(tx + 4, 152, step - 12, 26, i, GREEN, 13)
                d.arrow(tx + step / 2 - 2, 131, tx + step / 2 - 2, 150)
            else:
                d.text(tx + step / 2 - 2, 170, "-", 14, color=DARK[RED])
    d.text(360, 212, "i = threadIdx.x + blockIdx.x * blockDim.x;   if (i < 10) c[i] = ...", 13,
           mono=True)
    return d


def grid_stride():
    d = Drawing("ch05_threads/images/grid_stride.svg", 720, 170,
                "Eight threads for twenty elements: thread 2 takes elements 2, 10 and 18")
    left, step = 40, 32
    d.text(20, 30, "8 threads, 20 elements: thread 2 takes 2, 10 and 18", anchor="start")
    for i in range(20):
        d.box(left + i * step, 60, step - 3, 28, i, ORANGE if i % 8 == 2 else GRAY, 13)
        d.text(left + i * step + step / 2 - 2, 105, f"t{i % 8}", 11, color=SOFT)
    for k in (0, 1):
        x = left + (2 + 8 * k) * step + step / 2
        d.line(x, 58, x, 46)
        d.line(x, 46, x + 8 * step, 46)
        d.arrow(x + 8 * step, 46, x + 8 * step, 59)
    d.text(360, 142, "for (i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)",
           12, mono=True)
    return d


def reduction_tree():
    d = Drawing("ch05_threads/images/reduction_tree.svg", 720, 320,
                "Eight sums become one in three steps, with a barrier after each")
    values = [3, 1, 7, 0, 4, 1, 6, 3]
    left, step = 150, 68
    rows = [44, 128, 212, 276]
    half = 4
    d.text(20, rows[0] + 20, "cache[0..7]", 13, anchor="start", mono=True)
    for row, y in enumerate(rows[:3]):
        if row > 0:
            for k in range(half):
                d.arrow(left + k * step + 24, rows[row - 1] + 30, left + k * step + 24, y - 2)
                d.arrow(left + (k + half) * step + 24, rows[row - 1] + 30,
                        left + k * step + 32, y - 2)
            values = [values[k] + values[k + half] if k < half else values[k] for k in range(8)]
            d.line(130, rows[row - 1] + 42, 700, rows[row - 1] + 42, DARK[RED], 1.5, dashed=True)
            d.text(20, y + 12, f"half = {half}", 13, anchor="start", mono=True)
            d.text(20, y + 28, f"threads 0 to {half - 1} add", 11, anchor="start", color=SOFT)
            half //= 2
        for k in range(8):
            live = row == 0 or k < 2 * half
            d.box(left + k * step, y, 48, 28, values[k], BLUE if live else GRAY, 13,
                  color=INK if live else LINE)
    y = rows[3]
    d.line(130, rows[2] + 38, 700, rows[2] + 38, DARK[RED], 1.5, dashed=True)
    d.arrow(left + 24, rows[2] + 30, left + 24, y - 2)
    d.arrow(left + step + 24, rows[2] + 30, left + 34, y - 2)
    d.box(left, y, 48, 28, values[0] + values[1], GREEN, 13)
    d.text(20, y + 12, "half = 1", 13, anchor="start", mono=True)
    d.text(20, y + 28, "thread 0 adds", 11, anchor="start", color=SOFT)
    d.text(600, rows[0] + 56, "__syncthreads()", 12, color=DARK[RED], mono=True)
    d.text(left + 70, y + 19, "the block's sum, to partial[blockIdx.x]", 13, anchor="start")
    d.text(20, 26, "a thread per number (here 8, in the program 256)", 12, anchor="start",
           color=SOFT)
    return d


def banks():
    d = Drawing("ch05_threads/images/banks.svg", 720, 330,
                "Shared memory has 32 banks; how a warp's accesses spread over them")
    d.text(20, 28, "shared[16][16], one warp = two rows of a block of 16 x 16; a square is a float, a "
           "column is a bank", 13, anchor="start")

    def panel(left, row, title, color, address):
        cell = 9
        d.text(left, 58, title, 12, anchor="start", mono=True)
        counts = [0] * 32
        for lane in range(32):
            counts[address(lane % 16, lane // 16) % 32] += 1
        rows = (16 * row + 31) // 32
        used = {address(lane % 16, lane // 16) for lane in range(32)}
        for at in range(16 * row):
            d.box(left + at % 32 * cell, 70 + at // 32 * cell, cell, cell,
                  fill=color if at in used else GRAY, radius=0)
        y = 70 + rows * cell + 26
        d.text(left, y, f"32 floats from {sum(c > 0 for c in counts)} banks, {max(counts)} from the busiest",
               13, anchor="start")
        d.text(left, y + 20, f"{max(counts)} accesses, one after the other" if max(counts) > 1 else
               "one access for the whole warp", 13, anchor="start", color=DARK[color], bold=True)

    panel(30, 16, "shared[threadIdx.x][threadIdx.y]", RED, lambda x, y: 16 * x + y)
    panel(380, 16, "shared[threadIdx.y][threadIdx.x]", GREEN, lambda x, y: 16 * y + x)
    d.text(20, 226, "With rows of 17 floats (shared[16][17]) the first one spreads, too:", 13,
           anchor="start")
    cell = 9
    used = {17 * (lane % 16) + lane // 16 for lane in range(32)}
    counts = [0] * 32
    for at in used:
        counts[at % 32] += 1
    for at in range(16 * 17):
        d.box(30 + at % 32 * cell, 238 + at // 32 * cell, cell, cell,
              fill=ORANGE if at in used else GRAY, radius=0)
    d.text(380, 262, "shared[threadIdx.x][threadIdx.y]", 12, anchor="start", mono=True)
    d.text(380, 284, f"32 floats from {sum(c > 0 for c in counts)} banks, {max(counts)} from the busiest", 13,
           anchor="start")
    d.text(380, 304, f"{max(counts)} accesses", 13, anchor="start", color=DARK[ORANGE], bold=True)
    return d


def broadcast():
    d = Drawing("ch06_constant/images/broadcast.svg", 720, 250,
                "A warp that reads one constant needs one access; different ones need one each")

    def panel(left, title, targets, verdict, color):
        d.text(left, 34, title, 14, anchor="start", bold=True)
        for lane in range(8):
            d.box(left + lane * 38, 55, 34, 26, "..." if lane == 6 else 31 if lane == 7 else lane,
                  BLUE, 12)
        d.text(left, 50, "lanes of a warp", 11, anchor="start", color=SOFT)
        for k in range(8):
            d.box(left + k * 38, 150, 34, 26, f"s[{k}]" if k < 6 else "...", ORANGE if k in
                  targets.values() else GRAY, 11)
        for lane, target in targets.items():
            d.arrow(left + lane * 38 + 17, 82, left + target * 38 + 17, 148)
        d.text(left, 193, "constant memory", 11, anchor="start", color=SOFT)
        d.text(left, 224, verdict, 13, anchor="start", color=DARK[color], bold=True)

    lanes = (0, 1, 2, 3, 4, 5, 7)
    panel(30, "all ask for spheres[2]", {lane: 2 for lane in lanes}, "1 access: a broadcast", GREEN)
    panel(385, "each asks for another", {0: 3, 1: 0, 2: 5, 3: 1, 4: 2, 5: 4, 7: 6},
          "as many accesses as different addresses", RED)
    return d


def events():
    d = Drawing("ch06_constant/images/events.svg", 720, 230,
                "Two events in the device's queue, and the host that must wait for the second")
    d.text(20, 62, "host", anchor="start", bold=True)
    d.text(20, 142, "device", anchor="start", bold=True)
    x = 90
    for text, width, fill in (("record start", 100, BLUE), ("launch", 70, BLUE), ("record stop", 100, BLUE)):
        d.box(x, 42, width, 30, text, fill, 12)
        x += width
    d.box(x, 42, 250, 30, "cudaEventSynchronize(stop): waits", GRAY, 12)
    d.box(x + 250, 42, 80, 30, "elapsed", GREEN, 12)
    d.box(160, 122, 16, 30, "", ORANGE)
    d.box(176, 122, 418, 30, "kernel", GREEN, 13)
    d.box(594, 122, 16, 30, "", ORANGE)
    d.arrow(110, 73, 166, 120)
    d.arrow(602, 121, 612, 75)
    d.text(168, 170, "start", 12, color=DARK[ORANGE])
    d.text(602, 170, "stop", 12, color=DARK[ORANGE])
    d.line(168, 186, 602, 186)
    d.line(168, 180, 168, 192)
    d.line(602, 180, 602, 192)
    d.text(385, 182, "cudaEventElapsedTime()", 12, mono=True)
    d.text(360, 30, "asked here, the time does not exist yet", 12, color=DARK[RED])
    d.arrow(362, 33, 361, 41)
    d.arrow(90, 212, 700, 212)
    d.text(395, 206, "time", 11, color=SOFT)
    return d


def stencil():
    d = Drawing("ch07_texture/images/stencil.svg", 720, 270,
                "A cell's new temperature comes from five old ones; two buffers change places")
    cell = 34

    def plate(left, top, title, marks):
        d.text(left + 2.5 * cell, top - 10, title, 13, bold=True)
        for y in range(5):
            for x in range(5):
                text, fill = marks.get((x, y), ("", GRAY))
                d.box(left + x * cell, top + y * cell, cell, cell, text, fill, 12, radius=0)

    plate(40, 50, "in: read only", {(2, 2): ("c", ORANGE), (2, 1): ("t", BLUE), (1, 2): ("l", BLUE),
                                    (3, 2): ("r", BLUE), (2, 3): ("b", BLUE)})
    plate(500, 50, "out: written only", {(2, 2): ("new", GREEN)})
    d.arrow(216, 135, 496, 135)
    d.text(355, 118, "new = c + k (t + b + l + r - 4 c)", 12, mono=True)
    d.text(355, 158, "one thread per cell", 12, color=SOFT)
    d.text(360, 250, "then in and out change places: what was written is what the next step reads", 13)
    return d


def halo():
    d = Drawing("ch07_texture/images/halo.svg", 720, 290,
                "A tile of 4 x 4 cells needs the cells around it, its halo")
    cell, left, top = 30, 40, 50
    d.text(left, 32, "one step: a halo of 1 cell", 13, anchor="start", bold=True)
    for y in range(6):
        for x in range(6):
            inside = 1 <= x <= 4 and 1 <= y <= 4
            corner = x in (0, 5) and y in (0, 5)
            d.box(left + x * cell, top + y * cell, cell, cell,
                  fill=GREEN if inside else GRAY if corner else ORANGE, radius=0)
    d.box(40, 250, 14, 14, fill=GREEN)
    d.text(60, 262, "the tile: computed here", 12, anchor="start")
    d.box(220, 250, 14, 14, fill=ORANGE)
    d.text(240, 262, "its halo: read, and computed by neighbors", 12, anchor="start")
    left = 300
    d.text(left, 32, "several steps without looking outside: each step eats one ring", 13,
           anchor="start", bold=True)
    for k, (size, words) in enumerate(((8, "loaded"), (6, "after 1 step"), (4, "after 2 steps"))):
        at = left + (0, 170, 310)[k]
        cell = 18
        off = (8 - size) / 2 * cell
        for y in range(size):
            for x in range(size):
                ring = min(x, y, size - 1 - x, size - 1 - y)
                good = ring >= 2 - k
                d.box(at + x * cell, top + 20 + off + y * cell, cell, cell,
                      fill=GREEN if good else ORANGE, radius=0)
        d.text(at + size * cell / 2, 232, words, 12, color=SOFT)
    return d


def texture_addressing():
    d = Drawing("ch07_texture/images/texture_addressing.svg", 720, 330,
                "A row of four texels, where their centers are, and what lies beyond the edge")
    values = [10, 20, 40, 30]
    cell, left = 64, 232
    d.text(20, 36, "a texture of width 4", 13, anchor="start", bold=True)
    for k, value in enumerate(values):
        d.box(left + k * cell, 48, cell, 34, value, BLUE, 14, radius=0)
        d.line(left + (k + 0.5) * cell, 82, left + (k + 0.5) * cell, 90, DARK[BLUE])
        d.text(left + (k + 0.5) * cell, 104, f"{k}.5", 12, color=DARK[BLUE])
    for k in range(5):
        d.text(left + k * cell, 44, k, 11, color=SOFT)
    d.text(20, 104, "centers of the texels", 12, anchor="start", color=SOFT)
    rows = [("Clamp", [10, 10], [30, 30], "the edge's texel"), ("Border", [0, 0], [0, 0], "nothing: 0"),
            ("Wrap", [40, 30], [10, 20], "starts anew"), ("Mirror", [20, 10], [30, 40], "turned around")]
    for row, (name, before, after, words) in enumerate(rows):
        y = 124 + 40 * row
        d.text(20, y + 20, name, 13, anchor="start", bold=True)
        for k, value in enumerate(before + values + after):
            inside = 2 <= k < 6
            d.box(left + (k - 2) * cell, y, cell, 30, value, GRAY if inside else ORANGE, 13, radius=0)
        d.text(left + 6 * cell + 10, y + 19, words, 12, anchor="start", color=SOFT)
    d.text(360, 304, "tex2D(in, x - 0.5f, y + 0.5f) is the left neighbor of cell x: at x = 0 it asks at "
           "-0.5, beyond the edge", 12)
    return d


DRAWINGS = (host_and_device, launch_returns_at_once, one_block_per_element, grid_of_tiles,
            index_and_rest, grid_stride, reduction_tree, banks, broadcast, events, stencil, halo,
            texture_addressing)


def main(drawings):
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    different = 0
    for function in drawings:
        drawing = function()
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
    sys.exit(main(DRAWINGS))
