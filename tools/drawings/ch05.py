"""The drawings of ch05_threads/README.md and MATMUL.md."""

import math

from drawing import BLUE, DARK, GRAY, GREEN, INK, LINE, ORANGE, RED, SOFT, Drawing, measured


def index_and_rest(narrow):
    d = Drawing(narrow, "ch05_threads/images/index_and_rest.svg", (230, 266),
                "Ten elements, three blocks of four threads: the last two threads have no element")
    d.text(*d.pick((20, 30), (12, 28)), "add<<<(10 + 3) / 4, 4>>>", 14, anchor="start", bold=True, mono=True)
    d.text(*d.pick((250, 30), (12, 48)), "3 blocks of 4 threads for 10 elements", 13, anchor="start", color=SOFT)
    step, left, width = d.pick((50, 96, 38), (22, 82, 19))
    d.origin = (0, d.pick(0, 16))
    for y, words in ((89, "threadIdx.x"), (125, "i"), (169, "element")):
        d.text(d.pick(20, 12), y, words, 12, anchor="start", color=SOFT)
    for block in range(3):
        x = left + block * (4 * step + 4)
        d.box(x, 45, 4 * step - d.pick(4, 0), 92, fill="#fafbfc", radius=6)
        d.text(x + 2 * step, 63, d.pick(f"blockIdx.x = {block}", f"block {block}"), 12, bold=True)
        for thread in range(4):
            i = 4 * block + thread
            there = i < 10
            tx = x + thread * step + d.pick(4, 1.5)
            d.box(tx, 72, width, 26, thread, BLUE if there else RED, 13)
            middle = tx + d.pick(19, 9.5)
            d.text(middle, 125, i, 13)
            if there:
                d.box(tx, 152, width, 26, i, GREEN, 13)
                d.arrow(middle, 131, middle, 150)
            else:
                d.text(middle, 170, "-", 14, color=DARK[RED])
    words = "i = blockIdx.x * blockDim.x + threadIdx.x;", "if (i < 10) c[i] = a[i] + b[i];"
    if narrow:
        d.lines(20, 212, 20, words, 13, anchor="start", mono=True)
    else:
        d.text(360, 212, "   ".join(words), 13, mono=True)
    return d


def grid_stride(narrow):
    d = Drawing(narrow, "ch05_threads/images/grid_stride.svg", (170, 304),
                "Eight threads for twenty elements: thread 2 takes elements 2, 10 and 18")
    words = "for (i = blockIdx.x * blockDim.x + threadIdx.x;", "i < n;", "i += gridDim.x * blockDim.x)"
    d.text(*d.pick((20, 30), (12, 28)), "8 threads, 20 elements: thread 2 takes 2, 10 and 18", d.pick(14, 12), anchor="start")
    if narrow:  # a row for each step of the loop
        for i in range(20):
            x, y = 20 + 41 * (i % 8), 44 + 60 * (i // 8)
            d.box(x, y, 36, 28, i, ORANGE if i % 8 == 2 else GRAY, 13)
            d.text(x + 18, y + 43, f"t{i % 8}", 12, color=SOFT)
            if i in (2, 10):
                d.arrow(x + 30, y + 29, x + 30, y + 59)
        for k, line in enumerate(words):
            d.text(d.pick(0, (12, 44, 44)[k]), 248 + 18 * k, line, 12, anchor="start", mono=True)
        return d
    left, step = 40, 32
    for i in range(20):
        d.box(left + i * step, 60, step - 3, 28, i, ORANGE if i % 8 == 2 else GRAY, 13)
        d.text(left + i * step + step / 2 - 2, 105, f"t{i % 8}", 11, color=SOFT)
    for k in (0, 1):
        x = left + (2 + 8 * k) * step + step / 2
        d.line(x, 58, x, 46)
        d.line(x, 46, x + 8 * step, 46)
        d.arrow(x + 8 * step, 46, x + 8 * step, 59)
    d.text(360, 142, " ".join(words), 12, mono=True)
    return d


def reduction_tree(narrow):
    d = Drawing(narrow, "ch05_threads/images/reduction_tree.svg", (320, 414),
                "Eight sums become one in three steps, with a barrier after each")
    values = [3, 1, 7, 0, 4, 1, 6, 3]
    left, step, width = d.pick((150, 68, 48), (16, 42, 34))
    middle = width / 2
    rows = d.pick([44, 128, 212, 276], [84, 186, 288, 372])
    half = 4

    def barrier(y):
        d.line(d.pick(130, 14), y, d.pick(700, 346), y, DARK[RED], 1.5, dashed=True)

    def label(y, half, words):
        if narrow:
            d.text(346, y - 24, f"half = {half}", 12, anchor="end", mono=True)
            d.text(346, y - 8, words, 12, anchor="end", color=SOFT)
        else:
            d.text(20, y + 12, f"half = {half}", 13, anchor="start", mono=True)
            d.text(20, y + 28, words, 11, anchor="start", color=SOFT)

    d.text(*d.pick((20, rows[0] + 20), (16, rows[0] - 8)), "cache[0..7]", 13, anchor="start", mono=True)
    for row, y in enumerate(rows[:3]):
        if row > 0:
            for k in range(half):
                d.arrow(left + k * step + middle, rows[row - 1] + 30, left + k * step + middle, y - 2)
                d.arrow(left + (k + half) * step + middle, rows[row - 1] + 30,
                        left + k * step + middle + 8, y - 2)
            values = [values[k] + values[k + half] if k < half else values[k] for k in range(8)]
            barrier(rows[row - 1] + d.pick(42, 40))
            label(y, half, f"threads 0 {'to' if half > 2 else 'and'} {half - 1} add")
            half //= 2
        for k in range(8):
            live = row == 0 or k < 2 * half
            d.box(left + k * step, y, width, 28, values[k], BLUE if live else GRAY, 13,
                  color=INK if live else LINE)
    y = rows[3]
    barrier(rows[2] + d.pick(38, 40))
    d.arrow(left + middle, rows[2] + 30, left + middle, y - 2)
    d.arrow(left + step + middle, rows[2] + 30, left + middle + 10, y - 2)
    d.box(left, y, width, 28, values[0] + values[1], GREEN, 13)
    label(y, 1, "thread 0 adds")
    d.text(*d.pick((600, rows[0] + 56), (290, 52)), "__syncthreads()", 12, color=DARK[RED], mono=True)
    d.text(left + d.pick(70, 44), y + 19, "the block's sum: goes to partial[blockIdx.x]", 13, anchor="start")
    words = "a thread per number", "(here 8, in the program 256)"
    if narrow:
        d.lines(16, 26, 18, words, 12, anchor="start", color=SOFT)
    else:
        d.text(20, 26, " ".join(words), 12, anchor="start", color=SOFT)
    return d


def banks(narrow):
    d = Drawing(narrow, "ch05_threads/images/banks.svg", (330, 672),
                "Shared memory has 32 banks; how a warp's accesses spread over them")
    words = "shared[16][16], one warp = two rows of a block of 16 x 16;", "a square is a float, a column is a bank"
    if narrow:
        d.lines(20, 28, 18, ("shared[16][16], one warp =", "two rows of a block of 16 x 16;", words[1]), 13, anchor="start")
    else:
        d.text(20, 28, " ".join(words), 13, anchor="start")
    cell = 9

    def squares(left, top, count, color, used):
        for at in range(count):
            d.box(left + at % 32 * cell, top + at // 32 * cell, cell, cell, fill=color if at in used else GRAY, radius=0)

    def busiest(used):
        """(banks that serve the warp, accesses to the busiest)"""
        counts = [sum(at % 32 == bank for at in used) for bank in range(32)]
        return sum(count > 0 for count in counts), max(counts)

    def panel(left, title, color, address):
        used = {address(lane % 16, lane // 16) for lane in range(32)}
        d.text(left, 58, title, 12, anchor="start", mono=True)
        squares(left, 70, 16 * 16, color, used)
        y = 70 + 8 * cell + 26
        banks, most = busiest(used)
        d.text(left, y, f"32 floats from {banks} banks, {most} from the busiest", 13, anchor="start")
        d.text(left, y + 20, f"{most} accesses, one after the other" if most > 1 else "one access for the whole warp", 13,
               anchor="start", color=DARK[color], bold=True)

    d.origin = d.pick((0, 0), (0, 38))
    panel(30, "shared[threadIdx.x][threadIdx.y]", RED, lambda x, y: 16 * x + y)
    d.origin = d.pick((0, 0), (-350, 198))
    panel(380, "shared[threadIdx.y][threadIdx.x]", GREEN, lambda x, y: 16 * y + x)
    d.origin = (0, d.pick(0, 230))
    used = {17 * (lane % 16) + lane // 16 for lane in range(32)}
    words = "With rows of 17 floats (shared[16][17]),", "column accesses also spread over the banks:"
    if narrow:
        d.lines(20, 206, 18, words, 13, anchor="start")
    else:
        d.text(20, 226, " ".join(words), 13, anchor="start")
    squares(30, 238, 16 * 17, ORANGE, used)
    d.origin = d.pick((0, 0), (-350, 326))
    banks, most = busiest(used)
    d.text(380, 262, "shared[threadIdx.x][threadIdx.y]", 12, anchor="start", mono=True)
    d.text(380, 284, f"32 floats from {banks} banks, {most} from the busiest", 13, anchor="start")
    d.text(380, 304, f"{most} accesses", 13, anchor="start", color=DARK[ORANGE], bold=True)
    return d


def roofline(narrow):
    d = Drawing(narrow, "ch05_threads/images/roofline.svg", (470, 552),
                "Operations per second over operations per byte that the blocks request, of each step of the matrix "
                "product on an H200: tiles move the steps to the right, where memory is no limit")
    left, right, top, bottom = d.pick((76, 696, 56, 392), (76, 338, 56, 440))
    most = d.pick(1000, 100)  # operations per byte

    def at(intensity, operations):
        return (left + (math.log10(intensity) + 1) / (math.log10(most) + 1) * (right - left),
                bottom - (math.log10(operations) - 2.3) / 3.9 * (bottom - top))

    d.text(d.pick(20, 14), 28, f"Matrix product, 8192 x 8192: GFLOP/s of an H200", d.pick(14, 12), anchor="start", bold=True)
    for operations in (1000, 10000, 100000, 1000000):
        y = at(1, operations)[1]
        d.line(left, y, right, y, "#e3e6ea", 1)
        d.text(left - 8, y + 4, f"{operations:,}", 12, anchor="end", color=SOFT)
    for intensity in (0.1, 1, 10, 100, 1000)[:d.pick(5, 4)]:
        x = at(intensity, 1000)[0]
        d.line(x, top, x, bottom, "#e3e6ea", 1)
        d.text(x, bottom + 18, f"{intensity:g}", 12, color=SOFT)
    words = "operations per byte", "that threads request from global memory"
    if narrow:
        d.lines((left + right) / 2, bottom + 38, 18, words, 13, color=SOFT)
    else:
        d.text((left + right) / 2, bottom + 38, " ".join(words), 14, color=SOFT)
    # The references: reading memory, and multiply-adds alone. A multiply-add is two operations.
    peak, bandwidth = measured("bench.nbody.reference", 1000), measured("bench.dot.reference")
    d.line(*at(0.1, 0.1 * bandwidth), *at(42, 42 * bandwidth), DARK[BLUE], 2.5)
    d.text(at(1.1, 2700)[0], at(1.1, 2700)[1], f"memory: {bandwidth:,.0f} GB/s", d.pick(15, 13), anchor="start", color=DARK[BLUE])
    x, y = at(peak / bandwidth, peak)
    d.line(x, y, right, y, DARK[RED], 2)
    d.text(*d.pick((right, y - 7), (x - 6, y - 4)), f"{peak:,.0f}: multiply-adds{', float' * (not narrow)}", d.pick(14, 12),
           anchor="end", color=DARK[RED])
    # The block of c that a block computes, and the bytes of a number: each number of a or b that the block loads serves
    # a whole row or column of it. matmul_naive loads two numbers for each multiply-add.
    def intensity(rows, columns, number_bytes=4):
        return 2 * rows * columns / (number_bytes * (rows + columns))

    naive, tiled, registers = 2 / (2 * 4), intensity(32, 32), intensity(128, 128)
    wide, half = intensity(128, 256), intensity(128, 256, 2)
    # Where a word stands, from its point: to the right, or to the left where the narrow form has more space.
    for words, key, factor, per_byte, fill, place, narrow_place in (
            ("exchanged", "h100.bench.matmul.1", 1000, naive, GREEN, (11, 5), (11, 5)),
            ("naive", "h100.bench.matmul.2", 1000, naive, GREEN, (6, -8), (2, -14)),
            ("tiled", "h100.bench.matmul.3", 1000, tiled, GREEN, (11, 5), (11, 5)),
            ("registers", "h100.bench.matmul.4", 1000, registers, GREEN, (11, 11), (-11, 16)),
            ("fast", "matmul_fast.8192", 1, wide, GREEN, (11, 8), (-11, 8)),
            ("tensor, tf32", "matmul_tensor.tf32", 1, wide, ORANGE, (11, 0), (-11, 2)),
            ("tensor, tf32 in PTX", "matmul_tensor.tf32_ptx", 1, wide, ORANGE, (11, 5), (-11, 12)),
            ("tiles, tf32", "matmul_tiles.tf32", 1, wide, ORANGE, (-11, 5), (-11, 4)),
            ("tensor, half", "matmul_tensor.half", 1, half, ORANGE, (11, 6), (-11, -6)),
            ("tiles, half", "matmul_tiles.half", 1, half, ORANGE, (11, 3), (-11, -3))):
        operations = measured(key, factor)
        x, y = at(per_byte, operations)
        d.box(x - 5, y - 5, 10, 10, fill=fill, radius=5)
        dx, dy = d.pick(place, narrow_place)
        d.text(x + dx, y + dy, f"{words} {operations:,.0f}" + "*" * key.startswith("h100."), d.pick(15, 12),
               anchor="start" if dx > 0 else "end")
    d.origin = (0, d.pick(0, 22))
    d.text(right, bottom + 63, d.pick("* measured on an H100", "* an H100"), 13, anchor="end", color=SOFT)
    d.box(20, bottom + 53, 10, 10, fill=GREEN, radius=5)
    d.text(36, bottom + 63, "float", 13, anchor="start", color=SOFT)
    d.box(84, bottom + 53, 10, 10, fill=ORANGE, radius=5)
    words = "tensor cores.", "Above the blue line, caches serve most requests."
    if narrow:
        d.text(100, bottom + 63, words[0], 13, anchor="start", color=SOFT)
        d.text(20, bottom + 81, words[1], 13, anchor="start", color=SOFT)
    else:
        d.text(100, bottom + 63, " ".join(words), 13, anchor="start", color=SOFT)
    return d


DRAWINGS = (index_and_rest, grid_stride, reduction_tree, banks, roofline)
