"""The drawings of ch10_streams/README.md. The timelines were written by programs (--save) on a GPU; here they get their
narrow forms."""

import html
import pathlib
import re

from drawing import BLUE, DARK, LINE, ORANGE, RED, SOFT, Drawing

ROOT = pathlib.Path(__file__).resolve().parents[2]


def stream_queues(narrow):
    d = Drawing(narrow, "ch10_streams/images/stream_queues.svg", (400, 508),
                "Two chunks in two streams: one queue for all copies, in two orders; and the engines of today")
    unit, left, right = d.pick((62, 130, 700), (26, 102, 348))
    if narrow:
        d.lines(12, 26, 17, ("a, b: copies to the device; K: kernel;", "c: copy to the host. Chunk"), 12, anchor="start",
                color=SOFT)
        d.box(196, 30, 26, 18, "0", BLUE)
        d.text(238, 43, "and", 12, color=SOFT)
        d.box(254, 30, 26, 18, "1", ORANGE)
        d.text(12, 63, "are in different streams.", 12, anchor="start", color=SOFT)
    else:
        d.text(20, 26, "a, b: copies to the device; K: kernel; c: copy to the host. Chunk", 11, anchor="start",
               color=SOFT)
        d.box(406, 13, 26, 18, "0", BLUE, 11)
        d.box(466, 13, 26, 18, "1", ORANGE, 11)
        d.text(449, 26, "and", 12, color=SOFT)
        d.text(500, 26, "are in different streams.", 12, anchor="start", color=SOFT)

    def panel(y, title, words, rows):
        if narrow:
            d.text(12, y - 17, title, 13, anchor="start", bold=True)
            d.text(12, y, words, 12, anchor="start")
        else:
            d.text(20, y, title + words, 13, anchor="start", bold=True)
        for k, (name, works) in enumerate(rows):
            top = y + 10 + 30 * k
            d.text(d.pick(20, 12), top + 18, name, 12, anchor="start", color=SOFT)
            d.line(left, top + 26, right, top + 26, LINE, 0.6)
            for work, start, length in works:
                d.box(left + start * unit, top, length * unit - 2, 24, work,
                      BLUE if work.endswith("0") else ORANGE, 12)

    panel(d.pick(58, 108), "the book's GPU, depth-first: ", "a0 b0 K0 c0, then a1 b1 K1 c1",
          (("copies", (("a0", 0, 1), ("b0", 1, 1), ("c0", 3.5, 1), ("a1", 4.5, 1),
                       ("b1", 5.5, 1), ("c1", 8, 1))),
           ("kernels", (("K0", 2, 1.5), ("K1", 6.5, 1.5)))))
    if narrow:
        d.text(left, 192, "c0 waits for K0, and a1 waits for c0", 12, anchor="start", color=DARK[RED])
    else:
        d.text(left + 2.75 * unit, 85, "c0 waits for K0,", 11, color=DARK[RED])
        d.text(left + 4.2 * unit, 115, "and a1 waits for c0", 11, anchor="start", color=DARK[RED])
    panel(d.pick(162, 238), "the same GPU, breadth-first: ", "a0 a1 b0 b1 K0 K1 c0 c1",
          (("copies", (("a0", 0, 1), ("a1", 1, 1), ("b0", 2, 1), ("b1", 3, 1), ("c0", 4.5, 1), ("c1", 6, 1))),
           ("kernels", (("K0", 3, 1.5), ("K1", 4.5, 1.5)))))
    panel(d.pick(266, 352), "today, either order: ", "a queue for each stream, an engine for each direction",
          (("to the device", (("a0", 0, 1), ("b0", 1, 1), ("a1", 2, 1), ("b1", 3, 1))),
           ("kernels", (("K0", 2, 1.5), ("K1", 4, 1.5))),
           ("to the host", (("c0", 3.5, 1), ("c1", 5.5, 1)))))
    y = d.pick(382, 476)
    d.arrow(left, y, right, y)
    d.text(left - 8, y + 4, "time", 11, anchor="end", color=SOFT)
    return d


class Timeline:
    """A timeline of stream_single or stream_breadth_first in the form for phones: the words of a row stand above it."""

    def __init__(self, wide):
        self.name = str(wide.relative_to(ROOT)).replace(".svg", "_narrow.svg")
        self.wide = wide.read_text()

    def svg(self):
        def words(pattern):
            return [(float(x), float(y), html.unescape(text)) for x, y, text in re.findall(pattern, self.wide)]

        def at(x):
            return 16 + (float(x) - 130) * 328 / 570

        title = re.search(r'font-weight="bold">(.*?)</text>', self.wide)[1]
        rows = words(r'<text x="(122)" y="(\d+)" text-anchor="end">([^<]* [^<]*)</text>')
        top = {y - 14: 112 + 42 * k for k, (_, y, _) in enumerate(rows)}  # of a row's bars: here and there
        end = 112 + 42 * len(rows)
        style = re.search(r"<style>.*?</style>", self.wide, re.S)[0]
        parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 %d" width="360" height="%d" '
                 'font-family="sans-serif" font-size="12">' % (end + 38, end + 38), style,
                 f'<rect class="page" x="1" y="1" width="358" height="{end + 36}" rx="10"/>',
                 f'<text x="16" y="26" font-weight="bold">{title.rstrip(".").replace(", one operation", ": one")}</text>']
        for k, (fill, name) in enumerate(re.findall(r'height="14" fill="(#\w+)"/><text [^>]*>(.*?)</text>', self.wide)):
            x, y = ((16, 40), (158, 40), (234, 40))[k]
            parts.append(f'<rect x="{x}" y="{y}" width="14" height="14" fill="{fill}"/><text x="{x + 18}" y="{y + 12}">{name}</text>')
        for name in re.findall(r'stroke="#999" stroke-width="3"/><text [^>]*>(.*?)</text>', self.wide)[:1]:
            parts.append('<line x1="16" y1="69" x2="30" y2="69" stroke="#999" stroke-width="3"/>'
                         f'<text x="34" y="74">{name}</text>')
        ticks = words(r'<text x="([\d.]+)" y="(\d+)" text-anchor="middle">([\d.]+)</text>')
        for x, _, name in ticks:
            parts.append(f'<line class="tick" x1="{at(x):.1f}" y1="90" x2="{at(x):.1f}" y2="{end - 6}"/>')
            if float(name) == int(float(name)):
                parts.append(f'<text x="{at(x):.1f}" y="{end + 10}" text-anchor="middle">{name}</text>')
        parts.append(f'<text x="180" y="{end + 26}" text-anchor="middle">ms</text>')
        parts += [f'<text x="16" y="{top[y - 14] - 5}">{name}</text>' for _, y, name in rows]
        for x, y, width, fill, when in re.findall(
                r'<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="18" fill="(#\w+)">(<title>.*?</title>)', self.wide):
            parts.append(f'<rect x="{at(x):.2f}" y="{top[float(y)]}" width="{at(130 + float(width)) - 16:.2f}" height="18" '
                         f'fill="{fill}">{when}</rect>')
        for x1, y, x2 in re.findall(r'<line x1="([\d.]+)" y1="(\d+)" x2="([\d.]+)" y2="\2" stroke="#999"', self.wide)[1:]:
            row = max(bars for bars in top if bars <= float(y))
            parts.append(f'<line x1="{at(x1):.2f}" y1="{top[row] + float(y) - row:g}" x2="{at(x2):.2f}" '
                         f'y2="{top[row] + float(y) - row:g}" stroke="#999" stroke-width="3"/>')
        return "\n".join([*parts, "</svg>"]) + "\n"


TIMELINES = [Timeline(ROOT / f"ch10_streams/images/stream_{name}.svg") for name in ("single", "breadth_first")]
DRAWINGS = (stream_queues,)
