"""The drawings of ch07_texture/README.md."""

from drawing import BLUE, DARK, GRAY, GREEN, ORANGE, SOFT, Drawing


def stencil(narrow):
    d = Drawing(narrow, "ch07_texture/images/stencil.svg", (270, 290),
                "A cell's new temperature comes from five old ones; the two buffers are swapped after each step")
    cell = d.pick(34, 27)

    def plate(left, top, title, marks):
        d.text(left + 2.5 * cell, top - 10, title, 13, bold=True)
        for y in range(5):
            for x in range(5):
                text, fill = marks.get((x, y), ("", GRAY))
                d.box(left + x * cell, top + y * cell, cell, cell, text, fill, 12, radius=0)

    plate(d.pick(40, 18), 50, "in: read only", {(2, 2): ("c", ORANGE), (2, 1): ("t", BLUE), (1, 2): ("l", BLUE),
                                                (3, 2): ("r", BLUE), (2, 3): ("b", BLUE)})
    plate(d.pick(500, 207), 50, "out: write only", {(2, 2): ("new", GREEN)})
    d.arrow(*d.pick((216, 135, 496, 135), (158, 118, 203, 118)))
    d.text(*d.pick((355, 118), (180, 212)), "new = c + k (t + b + l + r - 4 c)", 12, mono=True)
    d.text(*d.pick((355, 158), (180, 232)), "one thread per cell", 12, color=SOFT)
    words = "then in and out are swapped:", "the next step reads what this step wrote"
    if narrow:
        d.lines(180, 256, 18, words, 13)
    else:
        d.text(360, 250, " ".join(words), 13)
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


def heat_scale(narrow):
    d = Drawing(narrow, "ch07_texture/images/heat_scale.svg", (96, 104),
                "The colors of temperatures: 0 is black, then blue, purple, red, yellow and light green, 1 is white")
    left, width, top, steps = d.pick((130, 560, 24, 140), (20, 320, 36, 140))
    d.text(*d.pick((left - 14, 44), (20, 26)), "temperature", 13, anchor=d.pick("end", "start"), bold=True)
    for k in range(steps):
        d.parts.append('<rect x="%g" y="%g" width="%g" height="30" fill="rgb(%d,%d,%d)"/>' % (
            left + width / steps * k, top, width / steps + 0.5, *heat_color((k + 0.5) / steps)))
    for k in range(6):
        x = left + width * k / 5
        d.line(x, top + 30, x, top + 36)
        d.text(x, top + 54, f"{k / 5:g}", 12)
    return d


def halo(narrow):
    d = Drawing(narrow, "ch07_texture/images/halo.svg", (290, 496),
                "A tile of 4 x 4 cells needs the cells around it, its halo")
    cell, left, top = 30, d.pick(40, 20), 50
    d.text(left, 32, "one step: a halo of 1 cell", 13, anchor="start", bold=True)
    for y in range(6):
        for x in range(6):
            inside = 1 <= x <= 4 and 1 <= y <= 4
            corner = x in (0, 5) and y in (0, 5)
            d.box(left + x * cell, top + y * cell, cell, cell,
                  fill=GREEN if inside else GRAY if corner else ORANGE, radius=0)
    for (x, y), fill, words in zip(d.pick(((40, 250), (220, 250)), ((20, 246), (20, 268))), (GREEN, ORANGE),
                                   ("the tile: computed here", "its halo: read here, owned by other blocks")):
        d.box(x, y, 14, 14, fill=fill)
        d.text(x + 20, y + 12, words, 12, anchor="start")
    left = d.pick(300, 20)
    words = "2 steps per load:", "each step uses up one ring"
    cell = d.pick(18, 14)
    d.origin = (0, d.pick(0, 286))
    if narrow:
        d.lines(left, 16, 18, words, 13, anchor="start", bold=True)
    else:
        d.text(left, 32, " ".join(words), 13, anchor="start", bold=True)
    for k, (size, words) in enumerate(((8, "loaded"), (6, "after 1 step"), (4, "after 2 steps"))):
        at = left + d.pick((0, 170, 310), (0, 134, 248))[k]
        off = (8 - size) / 2 * cell
        for y in range(size):
            for x in range(size):
                ring = min(x, y, size - 1 - x, size - 1 - y)
                good = ring >= 2 - k
                d.box(at + x * cell, d.pick(70, 52) + off + y * cell, cell, cell,
                      fill=GREEN if good else ORANGE, radius=0)
        d.text(at + size * cell / 2, d.pick(232, 184), words, 12, color=SOFT)
    return d


def texture_addressing(narrow):
    d = Drawing(narrow, "ch07_texture/images/texture_addressing.svg", (334, 456),
                "A row of four texels, where their centers are, and what lies beyond the edge")
    values = [10, 20, 40, 30]
    cell, left, top = d.pick((64, 232, 48), (40, 100, 70))
    d.text(d.pick(20, 16), d.pick(36, 28), "a texture of width 4", 13, anchor="start", bold=True)
    for k, value in enumerate(values):
        d.box(left + k * cell, top, cell, 34, value, BLUE, 14, radius=0)
        d.line(left + (k + 0.5) * cell, top + 34, left + (k + 0.5) * cell, top + 42, DARK[BLUE])
        d.text(left + (k + 0.5) * cell, top + 56, f"{k}.5", 12, color=DARK[BLUE])
    for k in range(5):
        d.text(left + k * cell, top - 4, k, 11, color=SOFT)
    d.text(d.pick(20, 16), top + d.pick(56, 56), d.pick("centers of the texels", "centers:"), 12, anchor="start", color=SOFT)
    rows = [("Clamp", [10, 10], [30, 30], "edge texel"), ("Border", [0, 0], [0, 0], "0"),
            ("Wrap *", [40, 30], [10, 20], "repeats"), ("Mirror *", [20, 10], [30, 40], "mirrored")]
    for row, (name, before, after, words) in enumerate(rows):
        y = d.pick(124 + 40 * row, 164 + 55 * row)
        for k, value in enumerate(before + values + after):
            inside = 2 <= k < 6
            d.box(left + (k - 2) * cell, y, cell, 30, value, GRAY if inside else ORANGE, 13, radius=0)
        d.text(d.pick(20, left - 2 * cell), y + d.pick(20, -6), name, 13, anchor="start", bold=True)
        d.text(*d.pick((left + 6 * cell + 10, y + 19), (left - 2 * cell + 62, y - 6)), words, 12, anchor="start", color=SOFT)
    words = "The center of cell x is at x + 0.5. Its left neighbor is", "tex2D<float>(in, x - 0.5f, y + 0.5f): at x = 0, beyond the edge."
    if narrow:
        d.lines(12, 384, 17, ("The center of cell x is at x + 0.5. Its left", "neighbor is tex2D<float>(in, x - 0.5f, y + 0.5f)."), 12, anchor="start")
        d.lines(12, 424, 18, ("* only with normalized coordinates:", "0, 0.25 ... 1 instead of 0, 1 ... 4"), 12, anchor="start", color=SOFT)
    else:
        d.text(20, 298, " ".join(words), 12, anchor="start")
        d.text(20, 318, "* only with normalized coordinates: 0, 0.25 ... 1 instead of 0, 1 ... 4", 12, anchor="start", color=SOFT)
    return d


DRAWINGS = (stencil, heat_scale, halo, texture_addressing)
