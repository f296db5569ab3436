"""The drawings of ch05_threads/README.md and MATMUL.md."""

import math

from drawing import BLUE, DARK, GRAY, GREEN, INK, LINE, ORANGE, RED, SOFT, Drawing, measured


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


def roofline():
    d = Drawing("ch05_threads/images/roofline.svg", 720, 470,
                "Operations per second over operations per byte that the blocks request, of each step of the matrix "
                "product on an H200: tiles move the steps to the right, where memory is no limit")
    left, right, top, bottom = 76, 696, 56, 392

    def at(intensity, operations):
        return (left + (math.log10(intensity) + 1) / 4 * (right - left),
                bottom - (math.log10(operations) - 2.3) / 3.9 * (bottom - top))

    d.text(20, 28, "Matrix product, 8192 x 8192, one H200: GFLOP/s", 14, anchor="start", bold=True)
    for operations in (1000, 10000, 100000, 1000000):
        y = at(1, operations)[1]
        d.line(left, y, right, y, "#e3e6ea", 1)
        d.text(left - 8, y + 4, f"{operations:,}", 12, anchor="end", color=SOFT)
    for intensity in (0.1, 1, 10, 100, 1000):
        x = at(intensity, 1000)[0]
        d.line(x, top, x, bottom, "#e3e6ea", 1)
        d.text(x, bottom + 18, f"{intensity:g}", 12, color=SOFT)
    d.text((left + right) / 2, bottom + 38, "operations per byte that threads request from global memory", 14, color=SOFT)
    # The references: reading memory, and multiply-adds alone. A multiply-add is two operations.
    peak, bandwidth = measured("bench.nbody.reference", 1000), measured("bench.dot.reference")
    d.line(*at(0.1, 0.1 * bandwidth), *at(42, 42 * bandwidth), DARK[BLUE], 2.5)
    d.text(at(1.1, 2700)[0], at(1.1, 2700)[1], f"memory: {bandwidth:,.0f} GB/s", 15, anchor="start", color=DARK[BLUE])
    x, y = at(peak / bandwidth, peak)
    d.line(x, y, right, y, DARK[RED], 2)
    d.text(right, y - 7, f"{peak:,.0f}: multiply-adds, float", 14, anchor="end", color=DARK[RED])
    # The block of c that a block computes, and the bytes of a number: each number of a or b that the block loads serves
    # a whole row or column of it. matmul_naive loads two numbers for each multiply-add.
    def intensity(rows, columns, number_bytes=4):
        return 2 * rows * columns / (number_bytes * (rows + columns))

    naive, tiled, registers = 2 / (2 * 4), intensity(32, 32), intensity(128, 128)
    wide, half = intensity(128, 256), intensity(128, 256, 2)
    for words, key, factor, per_byte, fill, dx, dy in (
            ("exchanged", "h100.bench.matmul.1", 1000, naive, GREEN, 11, 5),
            ("naive", "h100.bench.matmul.2", 1000, naive, GREEN, 11, 5),
            ("tiled", "h100.bench.matmul.3", 1000, tiled, GREEN, 11, 5),
            ("registers", "h100.bench.matmul.4", 1000, registers, GREEN, 11, 11),
            ("fast", "matmul_fast.8192", 1, wide, GREEN, 11, 8),
            ("tensor, tf32", "matmul_tensor.tf32", 1, wide, ORANGE, 11, 0),
            ("tensor, tf32 in PTX", "matmul_tensor.tf32_ptx", 1, wide, ORANGE, 11, 5),
            ("tiles, tf32", "matmul_tiles.tf32", 1, wide, ORANGE, -11, 5),
            ("tensor, half", "matmul_tensor.half", 1, half, ORANGE, 11, 6),
            ("tiles, half", "matmul_tiles.half", 1, half, ORANGE, 11, 3)):
        operations = measured(key, factor)
        x, y = at(per_byte, operations)
        d.box(x - 5, y - 5, 10, 10, fill=fill, radius=5)
        d.text(x + dx, y + dy, f"{words} {operations:,.0f}" + "*" * key.startswith("h100."), 15,
               anchor="start" if dx > 0 else "end")
    d.text(right, bottom + 63, "* an H100", 13, anchor="end", color=SOFT)
    d.box(20, bottom + 53, 10, 10, fill=GREEN, radius=5)
    d.text(36, bottom + 63, "float", 13, anchor="start", color=SOFT)
    d.box(84, bottom + 53, 10, 10, fill=ORANGE, radius=5)
    d.text(100, bottom + 63, "tensor cores. Above the blue line, caches serve most requests.", 13, anchor="start", color=SOFT)
    return d


DRAWINGS = (index_and_rest, grid_stride, reduction_tree, banks, roofline)
