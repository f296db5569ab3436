"""The drawings of ch09_atomics/README.md."""

from drawing import BLUE, DARK, GREEN, GRID, ORANGE, PANEL, RED, SOFT, Drawing, measured


def two_level_histogram(narrow):
    d = Drawing(narrow, "ch09_atomics/images/two_level_histogram.svg", (340, 426),
                "Each block counts into a histogram in its shared memory; these are added up at the end")
    letters = "badacabd", "aabcaada"
    # Letters and bins: the space for each, and the size of their boxes.
    step, width, bin_step, bin_width = d.pick((36, 32, 70, 46), (18.5, 17, 38, 30))
    top, bottom = d.pick((40, 212), (62, 238))
    for block, data in enumerate(letters):
        left = d.pick(40 + 350 * block, 20 + 169 * block)
        d.box(left - d.pick(15, 8), top, d.pick(320, 162), bottom - top, fill=PANEL, radius=8)
        d.text(left, top + 20, f"block {block}", 13, anchor="start", bold=True)
        words = "atomicAdd, shared:", "one for each byte"
        if narrow:
            d.lines(left, top + 38, 16, words, 12, anchor="start", color=DARK[ORANGE])
        else:
            d.text(left + 295, top + 20, " ".join(words), 12, anchor="end", color=DARK[ORANGE])
        y, bins, first = d.pick((70, 152, left + 30), (126, 178, left))
        for k, letter in enumerate(data):
            d.box(left + k * step, y, width, 26, letter, BLUE, 13)
            target = first + "abcd".index(letter) * bin_step + d.pick(22, 15)
            d.arrow(left + k * step + width / 2, y + 27, target, bins - 2, SOFT, 1)
        for k, letter in enumerate("abcd"):
            middle = first + bin_width / 2 + k * bin_step
            d.box(first + k * bin_step, bins, bin_width, 28, data.count(letter), ORANGE, 14)
            d.text(middle, bins + 46, letter, 12, color=SOFT)
            d.arrow(middle, bins + 52, d.pick(214 + k * 100, 60 + k * 80), d.pick(274, 318), DARK[GREEN], 1.3)
    words = "the bytes that each block counts", "(here 4 bins, in the program 256)"
    if narrow:
        d.lines(12, 28, 18, words, 12, anchor="start", color=SOFT)
    else:
        d.text(40, 30, " ".join(words), 12, anchor="start", color=SOFT)
    words = "atomicAdd, global:", "one for each bin and block"
    if narrow:
        d.text(12, 388, " ".join(words), 12, anchor="start", color=DARK[GREEN])
        d.text(12, 408, "the result, global memory", 12, anchor="start", color=SOFT)
    else:
        d.lines(20, 250, 16, words, 12, anchor="start", color=DARK[GREEN])
        d.lines(600, 296, 16, ("the result,", "global memory"), 12, anchor="start", color=SOFT)
    for k, letter in enumerate("abcd"):
        x, y = d.pick((190 + k * 100, 276), (35 + k * 80, 320))
        d.box(x, y, 50, 30, sum(data.count(letter) for data in letters), GREEN, 15)
        d.text(x + 25, y + 48, letter, 12, color=SOFT)
    return d


def data_kinds(narrow):
    d = Drawing(narrow, "ch09_atomics/images/data_kinds.svg", (300, 402),
                "GB/s of three histograms for random, skewed and constant data: the kind of data matters only to the one "
                "with a histogram per warp")
    kinds = (("random", BLUE, 0), ("skewed: half are equal", ORANGE, 110), ("constant", GREEN, 284))
    programs = (("histogram_shared_atomics", 1, "one histogram per block"),
                ("histogram_wide_loads", 2, "16-byte loads, one per warp"), ("histogram_lanes", 4, "counters for each lane"))

    def speed(program, row, kind):
        # As in the page's table: with random data, the row of ./course bench.
        return measured(f"bench.histogram.{row}" if kind == "random" else f"{program}.{kind.partition(':')[0]}")

    d.text(20, 28, "1 GiB on an H200, kernel alone: GB/s", 13, anchor="start", bold=True)
    reads = measured("bench.histogram.reference")
    words = f"a kernel that only reads: {reads:,.0f}"
    if narrow:
        left, scale = 20, 320 / 4800
        for (name, color, _), x in zip(kinds, (20, 100, 258)):
            d.box(x, 44, 14, 14, fill=color)
            d.text(x + 18, 56, name, 12, anchor="start")
        for group, (program, row, title) in enumerate(programs):
            y = 86 + 96 * group
            d.text(left, y, title, 13, anchor="start")
            for k, (kind, color, _) in enumerate(kinds):
                value = speed(program, row, kind)
                d.box(left, y + 8 + 24 * k, value * scale, 22, fill=color, radius=0)
                short = value < 1000
                d.text(left + value * scale + (6 if short else -6), y + 24 + 24 * k, f"{value:,.0f}", 12,
                       anchor="start" if short else "end")
        d.line(left + reads * scale, 76, left + reads * scale, 366, DARK[RED], 1.5, dashed=True)
        d.text(left + reads * scale + 4, 386, words, 12, anchor="end", color=DARK[RED])
        return d
    for name, color, x in kinds:
        d.box(330 + x, 17, 14, 14, fill=color)
        d.text(350 + x, 29, name, 12, anchor="start")
    left, bottom, height, most = 70, 262, 196, 5000
    for value in range(0, most, 1000):
        y = bottom - value / most * height
        d.line(left, y, 700, y, GRID, 1)
        d.text(left - 8, y + 4, f"{value:,}", 11, anchor="end", color=SOFT)
    for group, (program, row, title) in enumerate(programs):
        x = left + 20 + 206 * group
        for k, (kind, color, _) in enumerate(kinds):
            value = speed(program, row, kind)
            y = bottom - value / most * height
            d.box(x + 60 * k, y, 52, bottom - y, fill=color, radius=0)
            d.text(x + 60 * k + 26, y - 5 if value < 1000 else y + 16, f"{value:,.0f}", 11)
        d.text(x + 86, bottom + 20, title, 12)
    d.line(left, bottom - reads / most * height, 700, bottom - reads / most * height, DARK[RED], 1.5, dashed=True)
    d.text(700, bottom - reads / most * height - 20, words, 11, anchor="end", color=DARK[RED])
    return d


DRAWINGS = (two_level_histogram, data_kinds)
