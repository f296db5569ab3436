"""The drawings of nbody/README.md."""

import math

from drawing import BLUE, DARK, GRAY, GREEN, GRID, INK, ORANGE, RED, SOFT, Drawing, measured


def ring_scaling(narrow):
    d = Drawing(narrow, "nbody/images/ring_scaling.svg", (420, 462),
                "Predicted time of a step on 1 to 10,000 H200s, for four numbers of bodies")
    # nbody/ring_model.h, with what was measured on one H200 (a part of any size, and interactions
    # for each ms), and a network of 20 us and 50 GB/s for each GPU.
    part_ms, interactions_per_ms, latency_ms, bytes_per_ms = 0.017, 1.915e9, 0.02, 50e6

    def step_ms(n, gpus):
        part = part_ms + (n / gpus) ** 2 / interactions_per_ms
        message = latency_ms + 16 * n / gpus / bytes_per_ms
        return part + (gpus - 1) * max(part, message)

    left, top, width, height, decades = d.pick((84, 56, 590, 300, 8), (70, 50, 266, 316, 8))
    def at(gpus, ms):
        return (left + width * math.log10(gpus) / 4,
                top + height * (1 - (math.log10(ms) + 1) / decades))

    d.text(20, 28, "predicted time of a step on many H200s", anchor="start", bold=True)
    for k in range(5):
        x, _ = at(10 ** k, 1)
        d.line(x, top, x, top + height, GRAY)
        d.text(x, top + height + 20, f"{10 ** k:,}", 12)
    d.text(left + width / 2, top + height + 42, "GPUs", 13)
    for k, words in enumerate(("0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "1,000 s",
                               "10,000 s")):
        _, y = at(1, 10 ** (k - 1))
        d.line(left, y, left + width, y, GRAY)
        d.text(left - 8, y + 4, words, 12, anchor="end")
    counts = [10 ** (k / 40) for k in range(161)]
    for n, words, color in ((2 ** 16, "65,536 bodies", DARK[RED]), (2 ** 18, "262,144 bodies", DARK[ORANGE]),
                            (2 ** 22, "4.2 million bodies", DARK[GREEN]), (2 ** 26, "67 million bodies", DARK[BLUE])):
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
        d.text(x + 8, y - 8, words.split()[0] if narrow and n == 2 ** 16 else words, 12, anchor="start", color=color)
    words = "dashed: P GPUs, P times as fast;", "dot: fastest, more GPUs are slower"
    if narrow:
        d.lines(20, 430, 18, words, 12, anchor="start", color=SOFT)
    else:
        d.text(left + width - 8, top + 18, " ".join(words), 12, anchor="end", color=SOFT)
    return d


def tiles(narrow):
    d = Drawing(narrow, "nbody/images/tiles.svg", (360, 668),
                "All pairs of 16 bodies: a block of 4 threads processes its rows, tile by tile")
    cell, left, top = 17, d.pick(84, 74), 60
    d.text(left + 8 * cell, 26, "each column: a body j that pulls", 13, bold=True)
    d.text(left + 8 * cell, 350, "each row: a body i that is pulled", 13, bold=True)
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
    x, d.origin = 384, d.pick((0, 0), (-368, 326))
    d.text(x, 60, "block 1: 4 threads, one for each row", 13, anchor="start", bold=True)
    for k, (fill, words) in enumerate(((GREEN, "tile 0 is done"),
                                       (ORANGE, "tile 1 is in shared memory now"),
                                       (BLUE, "tiles 2 and 3 are still to come"))):
        d.box(x, 76 + 26 * k, 16, 16, fill=fill)
        d.text(x + 24, 89 + 26 * k, words, 13, anchor="start")
    for k, (words, color) in enumerate((("each thread loads one body", INK),
                                        ("__syncthreads(): the tile is full", DARK[RED]),
                                        ("each thread adds the 4 interactions of its row", INK),
                                        ("__syncthreads(): the tile has been read", DARK[RED]))):
        d.text(x, 184 + 24 * k, f"{k + 1}. {words}", 13, anchor="start", color=color)
    d.text(x, 290, "bodies read from global memory:", 13, anchor="start")
    d.text(x, 310, "without tiles 16 x 16 = 256", 12, anchor="start", mono=True)
    d.text(x, 328, "with tiles    16 x 4  =  64", 12, anchor="start", mono=True)
    return d


def roofline(narrow):
    d = Drawing(narrow, "nbody/images/roofline.svg", (420, 488),
                "Operations per second over operations per requested byte, of each version with 65536 "
                "bodies on an H200: memory could limit only the versions without tiles, and caches "
                "lift them above that limit")
    left, right, top, bottom = d.pick((70, 690, 60, 350), (72, 336, 68, 380))

    def at(intensity, operations):
        return (left + (math.log10(intensity) + 0.3) / 5.5 * (right - left),
                bottom - (math.log10(operations) - 3) / 2 * (bottom - top))

    words = "65536 bodies, one H200: GFLOP/s,", "and operations per byte that threads request"
    if narrow:
        d.lines(14, 28, 18, words, 13, anchor="start", bold=True)
    else:
        d.text(20, 28, " ".join(words), 13, anchor="start", bold=True)
    for operations in (1000, 2000, 5000, 10000, 20000, 50000, 100000):
        y = at(1, operations)[1]
        d.line(left, y, right, y, GRID, 1)
        d.text(left - 8, y + 4, f"{operations:,}", 11, anchor="end", color=SOFT)
    for intensity in (1, 10, 100, 1000, 10000, 100000):
        x = at(intensity, 1000)[0]
        d.line(x, top, x, bottom, GRID, 1)
        d.text(x, bottom + 18, f"{intensity:,}", 11, color=SOFT)
    d.text((left + right) / 2, bottom + 36, f"operations per byte requested from {d.pick('global ', '')}memory", 12, color=SOFT)
    # The roofs: the bandwidth of the memory, and what the units can do. A multiply-add is two operations.
    peak, bandwidth = measured("bench.nbody.reference", 1000), measured("bench.dot.reference")
    counted = round(peak / 2 * 20 / 13, -2)
    d.line(*at(0.5, 0.5 * bandwidth), *at(peak / bandwidth, peak), DARK[BLUE], 2.5)
    d.text(at(1.5, 4000)[0] + d.pick(0, 8), at(1.5, 4000)[1], f"the memory's bandwidth: {bandwidth:,.0f} GB/s", 12,
           anchor="start", color=DARK[BLUE])
    for value, words in ((peak, f"{peak:,.0f}: multiply-adds alone"),
                         (counted, f"{counted:,.0f}{d.pick(': 13 instructions per interaction', ' *')}")):
        x, y = at(peak / bandwidth if value == peak else value / bandwidth, value)
        d.line(x, y, right, y, DARK[RED], 2, dashed=value != peak)
        d.text(right, y - 6 if value == peak else y + 15, words, 11, anchor="end", color=DARK[RED])
    for name, intensity, place, narrow_place in (
            ("float3", 1.25, (-12, 20, "middle"), (9, 12, "start")), ("float4", 1.25, (0, -11, "middle"), (9, -3, "start")),
            ("shared", 320, (-10, 4, "end"), (6, 32, "end")), ("registers", 1280, (0, 22, "middle"), (6, 20, "middle")),
            ("pairs", 1520, (0, -10, "middle"), (-9, 13, "end")), ("constant", 81920, (10, 20, "end"), (8, 34, "end"))):
        dx, dy, anchor = d.pick(place, narrow_place)
        operations = measured(f"nbody.{name}.65536")
        x, y = at(intensity, operations)
        d.box(x - 5, y - 5, 10, 10, fill=GREEN, radius=5)
        d.text(x + dx, y + dy, f"{name} {operations:,.0f}", 12, anchor=anchor)
    words = "float3 and float4 pass the blue roof, because caches", "serve them. Memory does not limit the others."
    if narrow:
        d.lines(14, 438, 18, (*words, "* 13 instructions per interaction"), 12, anchor="start", color=SOFT)
    else:
        d.text(20, 408, " ".join(words), 12, anchor="start", color=SOFT)
    return d


def speed_over_size(narrow):
    d = Drawing(narrow, "nbody/images/speed_over_size.svg", (380, 380),
                "GFLOP/s of each version for 1024 to 262144 bodies: small numbers of bodies leave most of the GPU idle, "
                "unless the work is divided further, as registers and pairs do")
    left, right, top, bottom, most = *d.pick((80, 600), (58, 286)), 56, 320, 70000
    sizes = (1024, 4096, 16384, 65536, 262144)

    def at(size, value):
        return (left + math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0]) * (right - left),
                bottom - value / most * (bottom - top))

    d.text(d.pick(20, 12), 28, "one H200: GFLOP/s over the number of bodies", d.pick(13, 12), anchor="start", bold=True)
    for value in range(0, most + 1, 10000):
        y = at(sizes[0], value)[1]
        d.line(left, y, right, y, GRID, 1)
        d.text(left - 8, y + 4, f"{value:,}", 11, anchor="end", color=SOFT)
    for size in sizes:
        d.text(at(size, 0)[0], bottom + 20, f"{size:,}", 12)
    d.text((left + right) / 2, bottom + 42, "bodies", 12, color=SOFT)
    for name, color, dy in (("pairs", DARK[RED], 0), ("registers", DARK[GREEN], -3), ("shared", DARK[BLUE], 9),
                            ("constant", DARK[ORANGE], -2), ("float4", INK, 6), ("float3", SOFT, 6)):
        points = [at(size, measured(f"nbody.{name}.{size}")) for size in sizes]
        d.parts.append('<polyline points="' + " ".join("%.1f,%.1f" % point for point in points)
                       + f'" fill="none" stroke="{color}" stroke-width="2"/>')
        for x, y in points:
            d.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>')
        d.text(right + 10, points[-1][1] + 4 + dy, name, 12, anchor="start", color=color)
    return d


def block_sizes(narrow):
    d = Drawing(narrow, "nbody/images/block_sizes.svg", (260, 304),
                "TFLOP/s of nbody_shared with blocks of 32 to 1024 threads: it rises to 512, and falls by "
                "almost half at 1024")
    figures = [(threads, measured(f"nbody_shared.threads.{threads}", 1e-3)) for threads in (32, 64, 128, 256, 512, 1024)]
    left, bottom, scale, step, width = d.pick((90, 190, 3.6, 98, 64), (64, 212, 3.6, 49, 40))
    words = "nbody_shared, 65536 bodies, one H200:", "TFLOP/s for each block size"
    if narrow:
        d.lines(14, 28, 18, words, 13, anchor="start", bold=True)
    else:
        d.text(20, 28, " ".join(words), 13, anchor="start", bold=True)
    for k, (threads, value) in enumerate(figures):
        x = left + step * k
        d.box(x, bottom - value * scale, width, value * scale,
              fill=RED if threads == 1024 else GREEN if threads == 512 else BLUE)
        d.text(x + width / 2, bottom - value * scale - 7, f"{value:.1f}", 13)
        d.text(x + width / 2, bottom + 18, threads, 13)
        d.text(x + width / 2, bottom + 36, f"{65536 // threads}{d.pick(' blocks', '')}", 11, color=SOFT)
    d.text(left - d.pick(14, 8), bottom + 18, "threads", 12, anchor="end", color=SOFT)
    words = "132 multiprocessors: 64 blocks leave", "more than half of them without work"
    if narrow:
        d.text(left - 8, bottom + 36, "blocks", 12, anchor="end", color=SOFT)
        d.lines(14, 272, 18, words, 12, anchor="start", color=SOFT)
    else:
        d.text(20, 248, " ".join(words), 12, anchor="start", color=SOFT)
    return d


DRAWINGS = (ring_scaling, tiles, roofline, block_sizes, speed_over_size)
