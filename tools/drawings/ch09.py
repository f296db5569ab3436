"""The drawings of ch09_atomics/README.md."""

from drawing import BLUE, DARK, GREEN, ORANGE, PANEL, SOFT, Drawing


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


DRAWINGS = (two_level_histogram,)
