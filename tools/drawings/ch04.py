"""The drawings of ch04_parallel/README.md."""

from drawing import BLUE, GREEN, INK, ORANGE, RED, SOFT, Drawing


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


DRAWINGS = (one_block_per_element, grid_of_tiles)
