"""The drawings of ch09_atomics/README.md."""

from drawing import BLUE, DARK, GREEN, GRID, ORANGE, PANEL, RED, SOFT, Drawing, measured


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


def data_kinds():
    d = Drawing("ch09_atomics/images/data_kinds.svg", 720, 300,
                "GB/s of three histograms for random, skewed and constant data: the kind of data matters only to the one "
                "with a histogram per warp")
    kinds = (("random", BLUE, 0), ("skewed: half are equal", ORANGE, 110), ("constant", GREEN, 284))
    d.text(20, 28, "1 GiB on an H200, kernel alone: GB/s", 13, anchor="start", bold=True)
    for words, color, x in kinds:
        d.box(330 + x, 17, 14, 14, fill=color)
        d.text(350 + x, 29, words, 12, anchor="start")
    left, bottom, height, most = 70, 262, 196, 5000
    for value in range(0, most, 1000):
        y = bottom - value / most * height
        d.line(left, y, 700, y, GRID, 1)
        d.text(left - 8, y + 4, f"{value:,}", 11, anchor="end", color=SOFT)
    for group, (program, row, words) in enumerate((("histogram_shared_atomics", 1, "one histogram per block"),
                                                   ("histogram_wide_loads", 2, "16 bytes per load, one per warp"),
                                                   ("histogram_lanes", 4, "one column per lane"))):
        x = left + 20 + 206 * group
        for k, (kind, color, _) in enumerate(kinds):
            # As in the page's table: with random data, the row of ./course bench.
            value = measured(f"{program}.{kind.partition(':')[0]}" if k > 0 else f"bench.histogram.{row}")
            y = bottom - value / most * height
            d.box(x + 60 * k, y, 52, bottom - y, fill=color, radius=0)
            d.text(x + 60 * k + 26, y - 5 if value < 1000 else y + 16, f"{value:,.0f}", 11)
        d.text(x + 86, bottom + 20, words, 12)
    reads = measured("bench.histogram.reference")
    d.line(left, bottom - reads / most * height, 700, bottom - reads / most * height, DARK[RED], 1.5, dashed=True)
    d.text(700, bottom - reads / most * height - 20, f"a kernel that only reads: {reads:,.0f}", 11, anchor="end", color=DARK[RED])
    return d


DRAWINGS = (two_level_histogram, data_kinds)
