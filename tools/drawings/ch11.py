"""The drawings of ch11_multigpu/README.md."""

from drawing import BLUE, DARK, FIGURES, GRAY, GREEN, INK, LINE, ORANGE, PANEL, RED, SOFT, Drawing


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


def three_ways_times():
    d = Drawing("ch11_multigpu/images/three_ways_times.svg", 720, 216,
                "Milliseconds for copies and kernel: pageable memory takes seven times as long as pinned or mapped memory")
    d.text(20, 28, "33 x 2\u00b2\u2070 elements on an H200: milliseconds, copies and kernel", 13, anchor="start", bold=True)
    for k, (name, key, color) in enumerate((("dot_pageable", "dot_pageable.end_to_end", RED),
                                            ("dot_managed, on demand", "dot_managed.on_demand", RED),
                                            ("dot_managed, prefetched", "dot_managed.prefetched", ORANGE),
                                            ("dot_pinned", "dot_pinned.end_to_end", GREEN),
                                            ("dot_zero_copy", "dot_zero_copy.end_to_end", GREEN))):
        y, value = 46 + 32 * k, FIGURES[key]["value"]
        d.text(190, y + 16, name, 12, anchor="end", mono=True)
        d.box(200, y, 11 * value, 22, fill=color)
        d.text(208 + 11 * value, y + 16, f"{value:.1f}", 13, anchor="start")
    return d


DRAWINGS = (three_ways, three_ways_times)
