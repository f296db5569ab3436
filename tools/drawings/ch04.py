"""The drawings of ch04_parallel/README.md."""

from drawing import BLUE, GREEN, INK, ORANGE, RED, SOFT, Drawing


def one_block_per_element(narrow):
    d = Drawing(narrow, "ch04_parallel/images/one_block_per_element.svg", (220, 246),
                "A grid of four blocks: block i adds element i of a and b")
    d.text(20, 30, "add<<<4, 1>>>", 14, anchor="start", bold=True, mono=True)
    d.text(*d.pick((160, 30), (20, 50)), "a grid of 4 blocks, 1 thread each", 13, anchor="start", color=SOFT)
    top, width = d.pick((45, 130), (64, 72))
    for i, (a, b) in enumerate(((0, 0), (-1, 1), (-2, 4), (-3, 9))):
        x = d.pick(80 + 160 * i, 36 + 79 * i)
        if narrow:
            d.box(x, top, width, 40, fill=BLUE)
            d.lines(x + width / 2, top + 17, 16, ("blockIdx.x", f"= {i}"), 12)
        else:
            d.box(x, top, width, 40, f"blockIdx.x = {i}", BLUE, 13)
        for row, (name, value) in enumerate((("a", a), ("b", b), ("c", a + b))):
            y = top + 63 + 34 * row
            d.box(x + 30, y, d.pick(70, 42), 28, value, GREEN if name == "c" else ORANGE, 13)
            if i == 0:
                d.text(d.pick(60, 22), y + 19, name, bold=True, mono=True)
        line = x + d.pick(20, 12)
        d.arrow(line, top + 40, line, top + 145, tip=False)
        d.arrow(line, top + 145, x + 29, top + 145)
    return d


def grid_of_tiles(narrow):
    d = Drawing(narrow, "ch04_parallel/images/grid_of_tiles.svg", (330, 576),
                "A picture of 40 x 40 pixels under a grid of 3 x 3 blocks of 16 x 16 threads")
    cell, left, top = 6, d.pick(30, 36), 24
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
    if narrow:
        d.line(18, 410, 10, 410)
        d.line(10, 410, 10, top + (y + 0.5) * cell)
        d.arrow(10, top + (y + 0.5) * cell, left + x * cell - 1, top + (y + 0.5) * cell)
    else:
        d.arrow(345, 174, left + (x + 1.5) * cell, top + (y + 0.6) * cell)
    d.origin = d.pick((0, 0), (-330, 280))
    d.text(350, 60, "40 pixels per side, 16 x 16 threads per block:", 13, anchor="start")
    d.text(350, 80, "(40 + 15) / 16 = 3 blocks per side", 13, anchor="start", mono=True)
    d.text(350, 134, "block (1,1), thread (5,8):", 13, anchor="start")
    d.text(350, 156, "x = blockIdx.x * blockDim.x + threadIdx.x", 12, anchor="start", mono=True)
    d.text(364, 174, "= 1 * 16 + 5 = 21", 12, anchor="start", mono=True)
    d.text(350, 192, "y = 1 * 16 + 8 = 24", 12, anchor="start", mono=True)
    d.box(350, 222, 16, 16, fill=BLUE)
    d.text(374, 235, "threads with a pixel", 13, anchor="start")
    d.box(350, 248, 16, 16, fill=RED)
    d.text(374, 261, "threads beyond the edge: they must do nothing", d.pick(13, 12), anchor="start")
    d.text(374, 281, "if (x >= size || y >= size) return;", 12, anchor="start", mono=True)
    return d


DRAWINGS = (one_block_per_element, grid_of_tiles)
