#!/usr/bin/env python3
"""Draws the READMEs' drawings of chapters 8 to 11, appendix A and N-body: */images/*.svg.

    tools/drawings_late.py           writes all of them
    tools/drawings_late.py --check   says which differ from what is there, and exits with 1 if one does
"""

import math
import sys

from drawings import BLUE, DARK, GRAY, GREEN, INK, LINE, ORANGE, RED, SOFT, Drawing, main

PANEL = "#fafbfc"


def shared_buffer():
    d = Drawing("ch08_interop/images/shared_buffer.svg", 720, 338,
                "Through the host a picture is copied twice; shared, OpenGL draws from where the kernel wrote")
    d.text(20, 30, "until now: through the host", anchor="start", bold=True)
    for x, text, fill in ((20, "kernel", GREEN), (160, "CUDA's memory", BLUE),
                          (340, "host memory", GRAY), (510, "OpenGL's buffer", ORANGE)):
        d.box(x, 48, 90 if x == 20 else 120, 40, text, fill, 13)
    d.arrow(110, 68, 158, 68)
    d.arrow(280, 68, 338, 68, DARK[RED], 2.5)
    d.arrow(460, 68, 508, 68, DARK[RED], 2.5)
    d.arrow(630, 68, 660, 68)
    d.text(686, 73, "screen", 12)
    d.text(309, 106, "copy over the bus", 12, color=DARK[RED])
    d.text(484, 106, "and back again", 12, color=DARK[RED])

    d.text(20, 146, "shared: one buffer, two names", anchor="start", bold=True)
    d.box(20, 190, 90, 40, "kernel", GREEN, 13)
    d.box(200, 164, 310, 92, fill=ORANGE, radius=8)
    d.text(355, 186, "the buffer, in the GPU's memory", 13, bold=True)
    d.text(214, 212, "OpenGL's name:  GLuint buffer", 12, anchor="start", mono=True)
    d.text(214, 234, "CUDA's name:    cudaGraphicsResource*", 12, anchor="start", mono=True)
    d.arrow(110, 210, 198, 210)
    d.text(154, 202, "uchar4*", 12, mono=True)
    d.arrow(510, 210, 602, 210)
    d.text(556, 202, "glDrawPixels", 12, mono=True)
    d.text(630, 215, "screen", 12)

    x = 20
    for text, width, fill in (("map", 80, BLUE), ("get the pointer", 130, BLUE), ("kernel", 110, GREEN),
                              ("unmap", 80, BLUE), ("draw", 110, ORANGE)):
        d.box(x, 276, width, 28, text, fill, 12)
        x += width
    d.text(x + 10, 295, "every frame, in this order", 12, anchor="start", color=SOFT)
    d.text(20, 322, "until the unmap the buffer is CUDA's, from then on OpenGL's", 12, anchor="start",
           color=SOFT)
    return d


def two_level_histogram():
    d = Drawing("ch09_atomics/images/two_level_histogram.svg", 720, 340,
                "Each block counts into a histogram in its shared memory; these are added up at the end")
    letters = "badacabd", "aabcaada"
    for block, data in enumerate(letters):
        left = 40 + 350 * block
        d.box(left - 15, 40, 320, 172, fill=PANEL, radius=8)
        d.text(left, 60, f"block {block}", 13, anchor="start", bold=True)
        d.text(left + 295, 60, "atomicAdd, shared: one for each byte", 12, anchor="end", color=DARK[ORANGE])
        for k, letter in enumerate(data):
            d.box(left + k * 36, 70, 32, 26, letter, BLUE, 13)
            target = left + 30 + "abcd".index(letter) * 70 + 22
            d.arrow(left + k * 36 + 16, 97, target, 150, SOFT, 1)
        for k, letter in enumerate("abcd"):
            d.box(left + 30 + k * 70, 152, 46, 28, data.count(letter), ORANGE, 14)
            d.text(left + 53 + k * 70, 198, letter, 12, color=SOFT)
            d.arrow(left + 53 + k * 70, 204, 214 + k * 100, 274, DARK[GREEN], 1.3)
    d.text(40, 30, "the data, a piece for each block (here bins for four letters, in the program 256)", 12,
           anchor="start", color=SOFT)
    d.text(20, 250, "atomicAdd, global:", 12, anchor="start", color=DARK[GREEN])
    d.text(20, 266, "one for each bin and block", 12, anchor="start", color=DARK[GREEN])
    for k, letter in enumerate("abcd"):
        d.box(190 + k * 100, 276, 50, 30, sum(data.count(letter) for data in letters), GREEN, 15)
        d.text(215 + k * 100, 324, letter, 12, color=SOFT)
    d.text(600, 296, "the result,", 12, anchor="start", color=SOFT)
    d.text(600, 312, "global memory", 12, anchor="start", color=SOFT)
    return d


def stream_queues():
    d = Drawing("ch10_streams/images/stream_queues.svg", 720, 400,
                "Two chunks in two streams: one queue for all copies, in two orders; and the engines of today")
    unit, left = 62, 130
    d.text(20, 26, "a, b: copies to the device; K: kernel; c: copy to the host; of chunk", 12, anchor="start",
           color=SOFT)
    d.box(406, 13, 26, 18, "0", BLUE, 11)
    d.box(466, 13, 26, 18, "1", ORANGE, 11)
    d.text(449, 26, "and", 12, color=SOFT)
    d.text(500, 26, "each in a stream of its own", 12, anchor="start", color=SOFT)

    def panel(y, title, rows):
        d.text(20, y, title, 13, anchor="start", bold=True)
        for k, (name, works) in enumerate(rows):
            top = y + 10 + 30 * k
            d.text(20, top + 18, name, 12, anchor="start", color=SOFT)
            d.line(left, top + 26, 700, top + 26, LINE, 0.6)
            for work, start, length in works:
                d.box(left + start * unit, top, length * unit - 2, 24, work,
                      BLUE if work.endswith("0") else ORANGE, 12)

    panel(58, "the book's GPU, depth-first: a0 b0 K0 c0, then a1 b1 K1 c1",
          (("copies", (("a0", 0, 1), ("b0", 1, 1), ("c0", 3.5, 1), ("a1", 4.5, 1),
                       ("b1", 5.5, 1), ("c1", 8, 1))),
           ("kernels", (("K0", 2, 1.5), ("K1", 6.5, 1.5)))))
    d.text(left + 2.75 * unit, 85, "c0 waits for K0,", 11, color=DARK[RED])
    d.text(left + 4.2 * unit, 115, "and a1 stands behind c0", 11, anchor="start", color=DARK[RED])
    panel(162, "the same GPU, breadth-first: a0 a1 b0 b1 K0 K1 c0 c1",
          (("copies", (("a0", 0, 1), ("a1", 1, 1), ("b0", 2, 1), ("b1", 3, 1), ("c0", 4.5, 1), ("c1", 6, 1))),
           ("kernels", (("K0", 3, 1.5), ("K1", 4.5, 1.5)))))
    panel(266, "today, either order: a queue for each stream, an engine for each direction",
          (("to the device", (("a0", 0, 1), ("b0", 1, 1), ("a1", 2, 1), ("b1", 3, 1))),
           ("kernels", (("K0", 2, 1.5), ("K1", 4, 1.5))),
           ("to the host", (("c0", 3.5, 1), ("c1", 5.5, 1)))))
    d.arrow(left, 382, 700, 382)
    d.text(left - 8, 386, "time", 11, anchor="end", color=SOFT)
    return d


def three_ways():
    d = Drawing("ch11_multigpu/images/three_ways.svg", 720, 330,
                "Pageable memory is copied twice, pinned memory once, mapped memory is read where it is")
    d.box(14, 12, 420, 300, fill=PANEL, radius=8)
    d.text(224, 32, "host", 13, bold=True)
    d.box(500, 12, 206, 300, fill=PANEL, radius=8)
    d.text(603, 32, "device", 13, bold=True)
    d.text(467, 32, "bus", 12, color=SOFT)
    d.line(467, 40, 467, 308, LINE, 5)

    def row(y, title, words):
        d.text(26, y, title, 13, anchor="start", bold=True, mono=True)
        d.text(150, y, words, 12, anchor="start", color=SOFT)
        d.box(640, y + 10, 56, 40, "kernel", GREEN, 12)

    row(62, "dot_pageable", "the driver copies, then the device fetches")
    d.box(30, 72, 130, 40, "a, from malloc", BLUE, 12)
    d.box(290, 72, 130, 40, "driver's pinned", GRAY, 12)
    d.arrow(160, 92, 288, 92, DARK[RED], 2)
    d.text(224, 86, "by the CPU", 11, color=DARK[RED])
    d.arrow(420, 92, 508, 92, INK, 2)
    d.box(510, 72, 96, 40, "dev_a", ORANGE, 12)
    d.arrow(606, 92, 638, 92)

    row(158, "dot_pinned", "the device fetches by itself")
    d.box(290, 168, 130, 40, "a, pinned", BLUE, 12)
    d.arrow(420, 188, 508, 188, INK, 2)
    d.box(510, 168, 96, 40, "dev_a", ORANGE, 12)
    d.arrow(606, 188, 638, 188)

    row(254, "dot_zero_copy", "the kernel reads it where it is, at each access")
    d.box(290, 264, 130, 40, "a, mapped", BLUE, 12)
    d.arrow(420, 284, 638, 284, INK, 2)
    d.text(560, 276, "a[i]", 12, mono=True)
    return d


def bucket_lists():
    d = Drawing("appA_hashtable/images/bucket_lists.svg", 720, 380,
                "A table of buckets, each the head of a list of entries; and how an insertion gets lost")
    d.text(20, 28, "four buckets, bucket = key % 4; a list for each", anchor="start", bold=True)
    chains = {0: (8, 20), 1: (5,), 2: (), 3: (7, 3, 11)}
    for bucket in range(4):
        y = 44 + 38 * bucket
        d.text(20, y + 19, f"entries[{bucket}]", 12, anchor="start", mono=True)
        d.box(100, y, 30, 28, "", BLUE)
        x = 120
        for key in chains[bucket]:
            d.arrow(x, y + 14, x + 44, y + 14)
            d.box(x + 46, y, 46, 28, key, ORANGE, 13)
            d.box(x + 92, y, 24, 28, "", PANEL)
            x += 106
        d.arrow(x, y + 14, x + 26, y + 14)
        d.text(x + 44, y + 18, "null", 12, color=SOFT)
    d.text(505, 62, "a new entry goes to the front:", 12, anchor="start")
    d.text(505, 82, "entry->next = *head;", 12, anchor="start", mono=True)
    d.text(505, 100, "*head = entry;", 12, anchor="start", mono=True)
    d.text(505, 126, "an entry is a piece of the pool,", 12, anchor="start", color=SOFT)
    d.text(505, 142, "one for each key: no allocation", 12, anchor="start", color=SOFT)
    d.line(20, 206, 700, 206)
    d.text(20, 230, "two threads at once, no lock: an entry is lost", anchor="start", bold=True)
    steps = ("both read: the list is empty", "both hang \"nothing\" behind theirs",
             "both become the head: the last wins")
    for k, words in enumerate(steps):
        left = 20 + 232 * k
        d.box(left, 244, 216, 122, fill=PANEL, radius=8)
        d.text(left + 108, 262, words, 12)
        d.box(left + 14, 288, 30, 28, "", BLUE)
        d.text(left + 29, 332, "head", 11, color=SOFT)
        for row, word in enumerate(("avocado", "aardvark")):
            y = 272 + 46 * row
            lost = k == 2 and row == 0
            d.box(left + 88, y, 78, 30, word, RED if lost else ORANGE, 12)
            if k > 0:
                d.arrow(left + 166, y + 15, left + 184, y + 15)
                d.text(left + 198, y + 19, "null", 11, color=SOFT)
        if k == 0:
            d.arrow(left + 44, 302, left + 62, 302)
            d.text(left + 74, 320, "null", 11, color=SOFT)
        if k == 1:
            d.arrow(left + 44, 302, left + 60, 302)
            d.text(left + 72, 308, "null", 11, color=SOFT)
        if k == 2:
            d.arrow(left + 44, 304, left + 86, 330)
            d.text(left + 127, 314, "in no list", 11, color=DARK[RED])
    return d


def ring_scaling():
    d = Drawing("nbody/images/ring_scaling.svg", 720, 420,
                "Predicted time of a step on 1 to 10,000 H200s, for four numbers of bodies")
    # nbody/ring_model.h, with what was measured on one H200 (a part of any size, and interactions
    # for each ms), and a network of 20 us and 50 GB/s for each GPU.
    part_ms, interactions_per_ms, latency_ms, bytes_per_ms = 0.017, 1.915e9, 0.02, 50e6

    def step_ms(n, gpus):
        part = part_ms + (n / gpus) ** 2 / interactions_per_ms
        message = latency_ms + 16 * n / gpus / bytes_per_ms
        return part + (gpus - 1) * max(part, message)

    left, top, width, height, decades = 84, 56, 590, 300, 8
    def at(gpus, ms):
        return (left + width * math.log10(gpus) / 4,
                top + height * (1 - (math.log10(ms) + 1) / decades))

    d.text(20, 28, "a step on many H200s, predicted", anchor="start", bold=True)
    for k in range(5):
        x, _ = at(10 ** k, 1)
        d.line(x, top, x, top + height, GRAY)
        d.text(x, top + height + 20, f"{10 ** k:,}", 12)
    d.text(left + width / 2, top + height + 42, "GPUs", 13)
    for k, words in enumerate(("0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "17 min",
                               "3 h")):
        _, y = at(1, 10 ** (k - 1))
        d.line(left, y, left + width, y, GRAY)
        d.text(left - 8, y + 4, words, 12, anchor="end")
    counts = [10 ** (k / 40) for k in range(161)]
    for n, words, color in ((2 ** 16, "65,536 bodies", DARK[RED]), (2 ** 18, "262,144", DARK[ORANGE]),
                            (2 ** 22, "4.2 million", DARK[GREEN]), (2 ** 26, "67 million", DARK[BLUE])):
        one = step_ms(n, 1)
        stop = min(1e4, one / 0.1)
        d.line(*at(1, one), *at(stop, one / stop), color, 1, dashed=True)
        points = " ".join("%.1f,%.1f" % at(gpus, step_ms(n, gpus)) for gpus in counts)
        d.parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        best = min(counts, key=lambda gpus: step_ms(n, gpus))
        x, y = at(best, step_ms(n, best))
        if best < 1e4:
            d.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>')
        x, y = at(1, one)
        d.text(x + 8, y - 8, words, 12, anchor="start", color=color)
    d.text(left + width - 8, top + 18, "dashed: n GPUs n times as fast; dots: more GPUs are slower", 12,
           anchor="end", color=SOFT)
    return d


def tiles():
    d = Drawing("nbody/images/tiles.svg", 720, 360,
                "All pairs of 16 bodies: a block of 4 threads walks along its rows, tile by tile")
    cell, left, top = 17, 84, 60
    d.text(left + 8 * cell, 26, "a column for each body that pulls, j", 13, bold=True)
    d.text(left + 8 * cell, 350, "a row for each body pulled, i", 13, bold=True)
    for i in range(16):
        for j in range(16):
            fill = GRAY
            if 4 <= i < 8:
                fill = GREEN if j < 4 else ORANGE if j < 8 else BLUE
            d.box(left + j * cell, top + i * cell, cell, cell, fill=fill, radius=0)
    for k in range(5):
        at = 4 * cell * k
        d.line(left + at, top, left + at, top + 16 * cell, INK, 1.6)
        d.line(left, top + at, left + 16 * cell, top + at, INK, 1.6)
    for k in range(4):
        d.text(left - 8, top + (4 * k + 2.3) * cell, f"block {k}", 12, anchor="end")
        d.text(left + (4 * k + 2) * cell, top - 8, f"tile {k}", 12, color=SOFT)
    x = 384
    d.text(x, 60, "block 1: 4 threads, one for each row", 13, anchor="start", bold=True)
    for k, (fill, words) in enumerate(((GREEN, "tile 0 is done"),
                                       (ORANGE, "tile 1 is in shared memory now"),
                                       (BLUE, "tiles 2 and 3 are still to come"))):
        d.box(x, 76 + 26 * k, 16, 16, fill=fill)
        d.text(x + 24, 89 + 26 * k, words, 13, anchor="start")
    for k, (words, color) in enumerate((("each thread loads one body", INK),
                                        ("__syncthreads(): the tile is full", DARK[RED]),
                                        ("each thread: its row, 4 interactions", INK),
                                        ("__syncthreads(): nobody needs it any more", DARK[RED]))):
        d.text(x, 184 + 24 * k, f"{k + 1}. {words}", 13, anchor="start", color=color)
    d.text(x, 290, "reads from global memory, of bodies:", 13, anchor="start")
    d.text(x, 310, "without tiles 16 x 16 = 256", 12, anchor="start", mono=True)
    d.text(x, 328, "with tiles    16 x 4  =  64", 12, anchor="start", mono=True)
    return d


def roofline():
    d = Drawing("nbody/images/roofline.svg", 720, 420,
                "Operations per second over operations per byte asked for, of each version with 65536 "
                "bodies on an H200: only the versions without tiles stand where memory could be the limit, "
                "and caches carry them over it")
    left, right, top, bottom = 70, 690, 60, 350

    def at(intensity, operations):
        return (left + (math.log10(intensity) + 0.3) / 5.5 * (right - left),
                bottom - (math.log10(operations) - 3) / 2 * (bottom - top))

    d.text(20, 28, "65536 bodies, one H200: GFLOP/s, and operations per byte that threads ask for", 13,
           anchor="start", bold=True)
    for operations in (1000, 2000, 5000, 10000, 20000, 50000, 100000):
        y = at(1, operations)[1]
        d.line(left, y, right, y, "#e3e6ea", 1)
        d.text(left - 8, y + 4, f"{operations:,}", 11, anchor="end", color=SOFT)
    for intensity in (1, 10, 100, 1000, 10000, 100000):
        x = at(intensity, 1000)[0]
        d.line(x, top, x, bottom, "#e3e6ea", 1)
        d.text(x, bottom + 18, f"{intensity:,}", 11, color=SOFT)
    d.text((left + right) / 2, bottom + 36, "operations per byte asked of global memory", 12, color=SOFT)
    # The roofs: what the memory can bring, and what the units can do.
    peak, bandwidth = 62200, 4520
    d.line(*at(0.5, 0.5 * bandwidth), *at(peak / bandwidth, peak), DARK[BLUE], 2.5)
    d.text(at(1.5, 4000)[0], at(1.5, 4000)[1], "what the memory brings: 4,520 GB/s", 12, anchor="start",
           color=DARK[BLUE])
    for value, words in ((peak, "62,200: multiply-adds alone"), (47900, "47,900: 13 instructions for each")):
        x, y = at(peak / bandwidth if value == peak else value / bandwidth, value)
        d.line(x, y, right, y, DARK[RED], 2, dashed=value != peak)
        d.text(right, y - 6 if value == peak else y + 15, words, 11, anchor="end", color=DARK[RED])
    for name, intensity, operations, dx, dy, anchor in (
            ("float3", 1.25, 15700, -12, 20, "middle"), ("float4", 1.25, 17200, 0, -11, "middle"),
            ("shared", 320, 34800, -10, 4, "end"), ("registers", 1280, 38000, 0, 22, "middle"),
            ("pairs", 1520, 61000, 0, -10, "middle"),
            ("constant", 81920, 32600, 10, 20, "end")):
        x, y = at(intensity, operations)
        d.box(x - 5, y - 5, 10, 10, fill=GREEN, radius=5)
        d.text(x + dx, y + dy, f"{name} {operations:,}", 12, anchor=anchor)
    d.text(20, 408, "float3 and float4 pass the blue roof: caches answer. The memory could not stop the others.",
           12, anchor="start", color=SOFT)
    return d


def block_sizes():
    d = Drawing("nbody/images/block_sizes.svg", 720, 260,
                "TFLOP/s of nbody_shared with blocks of 32 to 1024 threads: it rises to 512, and falls by "
                "almost half at 1024")
    figures = ((32, 31.0), (64, 32.3), (128, 33.2), (256, 34.8), (512, 36.1), (1024, 19.8))
    left, bottom, scale = 90, 190, 3.6
    d.text(20, 28, "nbody_shared, 65536 bodies, one H200: TFLOP/s for each size of the blocks", 13,
           anchor="start", bold=True)
    for k, (threads, value) in enumerate(figures):
        x = left + 98 * k
        d.box(x, bottom - value * scale, 64, value * scale,
              fill=RED if threads == 1024 else GREEN if threads == 512 else BLUE)
        d.text(x + 32, bottom - value * scale - 7, f"{value:.1f}", 13)
        d.text(x + 32, bottom + 18, threads, 13)
        d.text(x + 32, bottom + 36, f"{65536 // threads} blocks", 11, color=SOFT)
    d.text(left - 14, bottom + 18, "threads", 12, anchor="end", color=SOFT)
    d.text(20, 248, "132 multiprocessors: 64 blocks leave more than half of them without work", 12,
           anchor="start", color=SOFT)
    return d


DRAWINGS = (shared_buffer, two_level_histogram, stream_queues, three_ways, bucket_lists, ring_scaling,
            tiles, roofline, block_sizes)

if __name__ == "__main__":
    sys.exit(main(DRAWINGS))
