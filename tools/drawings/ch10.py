"""The drawings of ch10_streams/README.md."""

from drawing import BLUE, DARK, LINE, ORANGE, RED, SOFT, Drawing


def stream_queues():
    d = Drawing("ch10_streams/images/stream_queues.svg", 720, 400,
                "Two chunks in two streams: one queue for all copies, in two orders; and the engines of today")
    unit, left = 62, 130
    d.text(20, 26, "a, b: copies to the device; K: kernel; c: copy to the host; of chunk", 11, anchor="start",
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
    d.text(left + 4.2 * unit, 115, "and a1 waits for c0", 11, anchor="start", color=DARK[RED])
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


DRAWINGS = (stream_queues,)
