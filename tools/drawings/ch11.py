"""The drawings of ch11_multigpu/README.md."""

from drawing import BLUE, DARK, FIGURES, GRAY, GREEN, INK, LINE, ORANGE, PANEL, RED, SOFT, Drawing


def three_ways(narrow):
    d = Drawing(narrow, "ch11_multigpu/images/three_ways.svg", (330, 400),
                "Pageable memory is copied twice, pinned memory once, mapped memory is read where it is")
    if narrow:
        d.box(10, 12, 178, 376, fill=PANEL, radius=8)
        d.text(99, 32, "host", 13, bold=True)
        d.box(222, 12, 128, 376, fill=PANEL, radius=8)
        d.text(286, 32, "device", 13, bold=True)
        d.text(205, 30, "bus", 12, color=SOFT)
        d.line(205, 38, 205, 384, LINE, 5)
        for y, title, words in ((58, "dot_pageable", ("the driver copies,", "then the device fetches")),
                                (204, "dot_pinned", ("the device fetches a", "directly")),
                                (296, "dot_zero_copy", ("each access of the kernel", "reads a over the bus"))):
            d.text(20, y, title, 13, anchor="start", bold=True, mono=True)
            d.lines(20, y + 16, 15, words, 12, anchor="start", color=SOFT)
        d.box(50, 96, 128, 26, "a, from malloc", BLUE, 12)
        d.arrow(114, 122, 114, 148, DARK[RED], 2)
        d.text(106, 139, "by the CPU", 12, anchor="end", color=DARK[RED])
        for y, words, fill in ((150, "driver's buffer", GRAY), (242, "a, pinned", BLUE), (334, "a, mapped", BLUE)):
            d.box(50, y, 128, 30, words, fill, 12)
            if words != "a, mapped":
                d.arrow(178, y + 15, 226, y + 15, INK, 2)
                d.box(228, y, 48, 30, "dev_a", ORANGE, 12)
                d.arrow(276, y + 15, 294, y + 15)
            d.box(296, y, 48, 30, "kernel", GREEN, 12)
        d.arrow(178, 349, 294, 349, INK, 2)
        d.text(250, 341, "a[i]", 12, mono=True)
        return d
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
    d.box(290, 72, 130, 40, "driver's pinned buffer", GRAY, 12)
    d.arrow(160, 92, 288, 92, DARK[RED], 2)
    d.text(224, 86, "by the CPU", 11, color=DARK[RED])
    d.arrow(420, 92, 508, 92, INK, 2)
    d.box(510, 72, 96, 40, "dev_a", ORANGE, 12)
    d.arrow(606, 92, 638, 92)

    row(158, "dot_pinned", "the device fetches a directly")
    d.box(290, 168, 130, 40, "a, pinned", BLUE, 12)
    d.arrow(420, 188, 508, 188, INK, 2)
    d.box(510, 168, 96, 40, "dev_a", ORANGE, 12)
    d.arrow(606, 188, 638, 188)

    row(254, "dot_zero_copy", "each access of the kernel reads a over the bus")
    d.box(290, 264, 130, 40, "a, mapped", BLUE, 12)
    d.arrow(420, 284, 638, 284, INK, 2)
    d.text(560, 276, "a[i]", 12, mono=True)
    return d


def three_ways_times(narrow):
    d = Drawing(narrow, "ch11_multigpu/images/three_ways_times.svg", (216, 286),
                "Milliseconds for copies and kernel: pageable memory takes seven times as long as pinned or mapped memory")
    words = "33 x 2\u00b2\u2070 elements on an H200:", "milliseconds, copies and kernel"
    if narrow:
        d.lines(14, 28, 18, words, 13, anchor="start", bold=True)
    else:
        d.text(20, 28, " ".join(words), 13, anchor="start", bold=True)
    left, scale = d.pick((200, 11), (14, 6.9))
    for k, (name, key, color) in enumerate((("dot_pageable", "dot_pageable.end_to_end", RED),
                                            ("dot_managed, on demand", "dot_managed.on_demand", RED),
                                            ("dot_managed, prefetched", "dot_managed.prefetched", ORANGE),
                                            ("dot_pinned", "dot_pinned.end_to_end", GREEN),
                                            ("dot_zero_copy", "dot_zero_copy.end_to_end", GREEN))):
        y, value = d.pick(46 + 32 * k, 78 + 42 * k), FIGURES[key]["value"]
        d.text(*d.pick((190, y + 16), (left, y - 6)), name, 12, anchor=d.pick("end", "start"), mono=True)
        d.box(left, y, scale * value, 22, fill=color)
        d.text(left + 8 + scale * value, y + 16, f"{value:.3g}", 13, anchor="start")
    return d


DRAWINGS = (three_ways, three_ways_times)
