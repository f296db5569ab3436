"""The drawings of ch07_texture/README.md."""

from drawing import BLUE, DARK, GRAY, GREEN, ORANGE, SOFT, Drawing


def stencil():
    d = Drawing("ch07_texture/images/stencil.svg", 720, 270,
                "A cell's new temperature comes from five old ones; two buffers change places")
    cell = 34

    def plate(left, top, title, marks):
        d.text(left + 2.5 * cell, top - 10, title, 13, bold=True)
        for y in range(5):
            for x in range(5):
                text, fill = marks.get((x, y), ("", GRAY))
                d.box(left + x * cell, top + y * cell, cell, cell, text, fill, 12, radius=0)

    plate(40, 50, "in: read only", {(2, 2): ("c", ORANGE), (2, 1): ("t", BLUE), (1, 2): ("l", BLUE),
                                    (3, 2): ("r", BLUE), (2, 3): ("b", BLUE)})
    plate(500, 50, "out: written only", {(2, 2): ("new", GREEN)})
    d.arrow(216, 135, 496, 135)
    d.text(355, 118, "new = c + k (t + b + l + r - 4 c)", 12, mono=True)
    d.text(355, 158, "one thread per cell", 12, color=SOFT)
    d.text(360, 250, "then in and out change places: what was written is what the next step reads", 13)
    return d


def heat_color(temperature):
    """heat_color() of common/lessons/heat_colors.h."""
    hue = (180 + int(360 * temperature)) % 360
    high = min(2 * temperature, 1)
    low = 2 * temperature - high

    def channel(hue):
        hue %= 360
        part = hue / 60 if hue < 60 else 1 if hue < 180 else (240 - hue) / 60 if hue < 240 else 0
        return int(255 * (low + (high - low) * part))

    return channel(hue + 120), channel(hue), channel(hue - 120)


def heat_scale():
    d = Drawing("ch07_texture/images/heat_scale.svg", 720, 96,
                "The colors of temperatures: 0 is black, then blue, purple, red and yellow, 1 is white")
    left, width, steps = 130, 560, 140
    d.text(left - 14, 44, "temperature", 13, anchor="end", bold=True)
    for k in range(steps):
        d.parts.append('<rect x="%g" y="24" width="%g" height="30" fill="rgb(%d,%d,%d)"/>' % (
            left + width / steps * k, width / steps + 0.5, *heat_color((k + 0.5) / steps)))
    for k in range(6):
        x = left + width * k / 5
        d.line(x, 54, x, 60)
        d.text(x, 78, f"{k / 5:g}", 12)
    return d


def halo():
    d = Drawing("ch07_texture/images/halo.svg", 720, 290,
                "A tile of 4 x 4 cells needs the cells around it, its halo")
    cell, left, top = 30, 40, 50
    d.text(left, 32, "one step: a halo of 1 cell", 13, anchor="start", bold=True)
    for y in range(6):
        for x in range(6):
            inside = 1 <= x <= 4 and 1 <= y <= 4
            corner = x in (0, 5) and y in (0, 5)
            d.box(left + x * cell, top + y * cell, cell, cell,
                  fill=GREEN if inside else GRAY if corner else ORANGE, radius=0)
    d.box(40, 250, 14, 14, fill=GREEN)
    d.text(60, 262, "the tile: computed here", 12, anchor="start")
    d.box(220, 250, 14, 14, fill=ORANGE)
    d.text(240, 262, "its halo: read, and computed by neighbors", 12, anchor="start")
    left = 300
    d.text(left, 32, "several steps without looking outside: each step eats one ring", 13,
           anchor="start", bold=True)
    for k, (size, words) in enumerate(((8, "loaded"), (6, "after 1 step"), (4, "after 2 steps"))):
        at = left + (0, 170, 310)[k]
        cell = 18
        off = (8 - size) / 2 * cell
        for y in range(size):
            for x in range(size):
                ring = min(x, y, size - 1 - x, size - 1 - y)
                good = ring >= 2 - k
                d.box(at + x * cell, top + 20 + off + y * cell, cell, cell,
                      fill=GREEN if good else ORANGE, radius=0)
        d.text(at + size * cell / 2, 232, words, 12, color=SOFT)
    return d


def texture_addressing():
    d = Drawing("ch07_texture/images/texture_addressing.svg", 720, 330,
                "A row of four texels, where their centers are, and what lies beyond the edge")
    values = [10, 20, 40, 30]
    cell, left = 64, 232
    d.text(20, 36, "a texture of width 4", 13, anchor="start", bold=True)
    for k, value in enumerate(values):
        d.box(left + k * cell, 48, cell, 34, value, BLUE, 14, radius=0)
        d.line(left + (k + 0.5) * cell, 82, left + (k + 0.5) * cell, 90, DARK[BLUE])
        d.text(left + (k + 0.5) * cell, 104, f"{k}.5", 12, color=DARK[BLUE])
    for k in range(5):
        d.text(left + k * cell, 44, k, 11, color=SOFT)
    d.text(20, 104, "centers of the texels", 12, anchor="start", color=SOFT)
    rows = [("Clamp", [10, 10], [30, 30], "the edge's texel"), ("Border", [0, 0], [0, 0], "nothing: 0"),
            ("Wrap", [40, 30], [10, 20], "starts anew"), ("Mirror", [20, 10], [30, 40], "turned around")]
    for row, (name, before, after, words) in enumerate(rows):
        y = 124 + 40 * row
        d.text(20, y + 20, name, 13, anchor="start", bold=True)
        for k, value in enumerate(before + values + after):
            inside = 2 <= k < 6
            d.box(left + (k - 2) * cell, y, cell, 30, value, GRAY if inside else ORANGE, 13, radius=0)
        d.text(left + 6 * cell + 10, y + 19, words, 12, anchor="start", color=SOFT)
    d.text(360, 304, "tex2D(in, x - 0.5f, y + 0.5f) is the left neighbor of cell x: at x = 0 it asks at "
           "-0.5, beyond the edge", 12)
    return d


DRAWINGS = (stencil, heat_scale, halo, texture_addressing)
