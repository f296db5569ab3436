"""What all drawings are made of. Each stands on a panel of its own, so that it can be read on any page and on paper.
Readers whose browser asks for dark pages see other colors (NIGHT). Each has a second, narrow form for phones."""

import html
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measure  # noqa: E402

INK, SOFT, LINE = "#1f2328", "#57606a", "#8c959f"
BLUE, ORANGE, GREEN, RED, GRAY = "#cfe3ff", "#ffe0bd", "#cdeed3", "#ffd3d0", "#eceff2"
DARK = {BLUE: "#0b57d0", ORANGE: "#b45309", GREEN: "#15803d", RED: "#c62828", GRAY: LINE}
PANEL, WHITE, GRID = "#fafbfc", "#ffffff", "#e3e6ea"
NIGHT = {INK: "#e6edf3", SOFT: "#a3adb8", LINE: "#6e7781", WHITE: "#191f27", PANEL: "#12171e", GRID: "#333c46",
         BLUE: "#173f6e", ORANGE: "#63400f", GREEN: "#1d4d2b", RED: "#6b2523", GRAY: "#2c343d",
         DARK[BLUE]: "#6cb2ff", DARK[ORANGE]: "#ffa657", DARK[GREEN]: "#5fd67a", DARK[RED]: "#ff8f87"}
FIGURES = measure.load()["figures"]


def measured(key, factor=1):
    """The figure in measured/ with three digits, as the pages have it."""
    return float(f"{FIGURES[key]['value'] * factor:.3g}")


class Drawing:
    """An SVG file. Its width is 720, and 360 in its narrow form, so that words keep their size on a phone. `heights` are
    those of the two forms. `words` describe the drawing for readers who cannot see it. Places are relative to `origin`."""

    def __init__(self, narrow, name, heights, words):
        self.narrow, self.origin = narrow, (0, 0)
        self.name = name.replace(".svg", "_narrow.svg") if narrow else name
        width, height = self.pick((720, heights[0]), (360, heights[1]))
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="Helvetica, Arial, DejaVu Sans, sans-serif" '
            'font-size="14">',
            f"<title>{html.escape(words)}</title>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker></defs>',
            f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" fill="{WHITE}" '
            f'stroke="{LINE}"/>',
        ]

    def pick(self, wide, narrow):
        return narrow if self.narrow else wide

    def size(self, size):
        """The size of words: in the narrow form at least 12."""
        return self.pick(size, max(size, 12))

    def box(self, x, y, width, height, text="", fill=BLUE, size=14, radius=3, dashed=False,
            color=INK):
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        left, top = x + self.origin[0], y + self.origin[1]
        self.parts.append(f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" '
                          f'rx="{radius}" fill="{fill}" stroke="{DARK.get(fill, LINE)}"{dash}/>')
        if text != "":
            size = self.size(size)
            self.text(x + width / 2, y + height / 2 + size * 0.36, text, size=size, color=color)

    def text(self, x, y, text, size=14, anchor="middle", color=INK, bold=False, mono=False):
        more = ' font-weight="bold"' if bold else ""
        if mono:
            more += ' font-family="DejaVu Sans Mono, Consolas, monospace"'
        x, y = x + self.origin[0], y + self.origin[1]
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{self.size(size)}" text-anchor="{anchor}" '
                          f'fill="{color}"{more}>{html.escape(str(text))}</text>')

    def lines(self, x, y, step, lines, *args, **more):
        """Lines of text below each other."""
        for k, line in enumerate(lines):
            self.text(x, y + step * k, line, *args, **more)

    def arrow(self, x1, y1, x2, y2, color=SOFT, width=1.5, dashed=False, tip=True):
        more = ' stroke-dasharray="4 3"' if dashed else ""
        more += ' marker-end="url(#tip)"' if tip else ""
        x1, y1, x2, y2 = x1 + self.origin[0], y1 + self.origin[1], x2 + self.origin[0], y2 + self.origin[1]
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                          f'stroke="{color}" stroke-width="{width}"{more}/>')

    def line(self, x1, y1, x2, y2, color=LINE, width=1.5, dashed=False):
        self.arrow(x1, y1, x2, y2, color, width, dashed, tip=False)

    def svg(self):
        """The file. Every color has one for dark pages: another is a KeyError."""
        used = sorted(set(re.findall(r'(fill|stroke)="(#\w+)"', "".join(self.parts))))
        rules = "".join(f'[{what}="{color}"]{{{what}:{NIGHT[color]}}}' for what, color in used)
        style = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"
        return "\n".join([*self.parts[:2], style, *self.parts[2:], "</svg>"]) + "\n"
