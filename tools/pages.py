#!/usr/bin/env python3
"""The course's READMEs as pages of the tour, which need neither a code host nor a network.

    tools/pages.py FOLDER CHAPTER... <PROGRAMS    PROGRAMS: those of the tour, lines "chapter<TAB>name"

In FOLDER, where ./course tour writes index.html, tour.css and tour.js, each X.md of the course becomes
X.html, beside it the pictures that it shows; a file that a page names, such as dot.cu, becomes
dot.cu.html, and a folder a list of its files. CHAPTER...: in the order in which one reads them.
cmark-gfm converts Markdown; everything that it knows nothing of (ids of headings, links) is done here.
Exit code: 0; 1 with a line if it cannot; 2 usage.
"""

import html
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = (".svg", ".png", ".webp", ".jpg", ".gif")
LANGUAGES = {".cu": "cpp", ".cuh": "cpp", ".h": "cpp", ".cpp": "cpp", ".sh": "sh"}
BESIDES = ("GLOSSARY.md", "SNIPPETS.md", "TOOLS.md", "SPEED.md", "LABS.md")  # what every page links, by these names
# The space between a number and its unit, where a narrow column must not break the line.
UNIT = re.compile(r"(?<=[0-9]) (?=(?:[numk]?s|min|h|[kMGTP]i?B(?:/s)?|bytes?|[GT]FLOP/s|%|[MG])(?![\w]))")
LARGEST = 1 << 20  # bytes of a file that becomes a page

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{top}tour.css">
<script src="{top}tour.js" defer></script>
</head>
<body class="page">
<header><nav class="pages">{pages}</nav></header>
<main>
{body}
</main>
{around}</body>
</html>
"""


def plain(text):
    """HTML without its tags, as one reads it."""
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


def sources_of(folder):
    """The course's *.md, as paths from its root: neither what is built nor hidden folders."""
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "build" and not f.startswith("."))
        for name in sorted(files):
            if name.endswith(".md"):
                yield posixpath.relpath(posixpath.join(path, name), folder)


def readable(path):
    """The text of a file, or None of what is none, or too long."""
    if path.stat().st_size > LARGEST:
        return None
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def is_ours(path):
    """Whether a path from the course's root is there, and within it."""
    return not path.startswith(("..", "/")) and (ROOT / path).exists()


def page_of(source):
    """The page that a file or a folder becomes."""
    if (ROOT / source).is_dir():
        return posixpath.join(source, "index.html")
    if source.endswith(".md"):
        return source.removesuffix(".md") + ".html"
    return source if source.endswith(PICTURES) else source + ".html"


def link_to(page, source):
    """A link from the page to a page or picture, as the browser wants it."""
    return urllib.parse.quote(posixpath.relpath(page, posixpath.dirname(source) or "."))


def with_ids(body):
    """The headings with the ids that code hosts give them."""
    seen = {}

    def heading(match):
        slug = re.sub(r"[^\w\- ]", "", plain(match[2]).lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        return f'<h{match[1]} id="{slug}{f"-{count}" if count else ""}">{match[2]}</h{match[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.S)


def cell(match):
    """A table's cell. One with a sentence is marked, so that no narrow column stretches it downwards."""
    mark = ' class="long"' if len(plain(f"<td{match[1]}")) > 30 else ""
    return f"<td{mark}{UNIT.sub(chr(0xa0), match[1])}"


def contents(body):
    """A folded list of the page's sections, if it has many."""
    found = re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', body, re.S)
    if len(found) < 5:
        return ""
    lines = "".join(f'<li><a href="#{slug}">{html.escape(plain(text))}</a></li>' for slug, text in found)
    return f'<details class="contents"><summary>on this page</summary><ul>{lines}</ul></details>\n'


class Site:
    def __init__(self, folder, chapters, programs):
        self.folder = folder
        self.besides = [name for name in BESIDES if (ROOT / name).is_file()]
        self.order = [name for name in ("README.md", *(f"{c}/README.md" for c in chapters))
                      if (ROOT / name).is_file()]
        self.toured = {f"{chapter}/{name}.cu": name for chapter, name in programs}
        self.toured.update({f"{chapter}/README.md": chapter for chapter, _ in programs})
        self.left = [*sources_of(ROOT), *(name for name in self.toured if (ROOT / name).is_file())]
        self.known = set(self.left)

    def write(self):
        while self.left:
            source = self.left.pop()
            to = self.folder / page_of(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.endswith(PICTURES):
                shutil.copyfile(ROOT / source, to)
            else:
                to.write_text(self.page(source), encoding="utf-8")

    def page(self, source):
        if (ROOT / source).is_dir():
            body = self.folder_list(source)
        elif source.endswith(".md"):
            body = self.converted(source)
        else:
            body = self.listing(source)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
        around = self.around(source)
        return PAGE.format(title=html.escape(plain(title[1])) if title else html.escape(source),
                           top="../" * source.count("/") + ("../" if (ROOT / source).is_dir() else ""),
                           pages=self.pages(source), around=around, body=around + body)

    # ------------------------------------------------------------------------------------- links

    def target(self, source, link):
        """What a link or picture in the file `source` is on its page. What it names gets a page."""
        name, number_sign, anchor = link.partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:|//", name) or not name:
            return link
        named = posixpath.normpath(posixpath.join(posixpath.dirname(source), urllib.parse.unquote(name)))
        if not is_ours(named):
            return link
        if (ROOT / named / "README.md").is_file():
            named = posixpath.normpath(posixpath.join(named, "README.md"))
        return self.link(source, named) + number_sign + anchor

    def link(self, source, named):
        """The link from the page of `source` to that of the file or folder `named`, which gets one."""
        if named not in self.known:
            self.known.add(named)
            self.left.append(named)
        return link_to(page_of(named), page_of(source))

    def pages(self, source):
        links = [(link_to("index.html", page_of(source)), "The tour")]
        links += [(self.link(source, name), word) for name, word in
                  [*((n, "The course") for n in self.order if n == "README.md"),
                   *((n, n.removesuffix(".md").capitalize()) for n in self.besides)]]
        here = posixpath.basename(page_of(source)) if "/" not in source else ""
        return " ".join(f'<a href="{href}"{" aria-current=page" if href == here else ""}>{word}</a>'
                        for href, word in links)

    def around(self, source):
        """The chapter before and the one after; of what belongs to a chapter, this chapter."""
        chapter = f"{source.partition('/')[0]}/README.md"
        links = []
        if source in self.order:
            at = self.order.index(source)
            if at > 0:
                links.append(f'<a rel="prev" href="{self.link(source, self.order[at - 1])}">‹ '
                             f'{self.title(self.order[at - 1])}</a>')
            if source in self.toured:
                href = f"{link_to('index.html', page_of(source))}#{self.toured[source]}"
                links.append(f'<a href="{href}">its programs, run</a>')
            if at + 1 < len(self.order):
                links.append(f'<a rel="next" href="{self.link(source, self.order[at + 1])}">'
                             f'{self.title(self.order[at + 1])}\u00a0›</a>')
        elif chapter in self.order:
            links.append(f'<a href="{self.link(source, chapter)}">{self.title(chapter)}</a>')
            if source in self.toured:
                href = f"{link_to('index.html', page_of(source))}#{self.toured[source]}"
                links.append(f'<a href="{href}">its output and time, on the tour</a>')
        return f'<nav class="around">{" ".join(links)}</nav>\n' if links else ""

    def title(self, source):
        for line in (ROOT / source).read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                return html.escape(line[2:].strip(), quote=False)
        return html.escape(source)

    # -------------------------------------------------------------------------------------- pages

    def converted(self, source):
        command = ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "strikethrough"]
        body = subprocess.run([*command, str(ROOT / source)], stdout=subprocess.PIPE, check=True,
                              encoding="utf-8").stdout
        body = with_ids(re.sub(r"<!--.*?-->\n?", "", body, flags=re.S))
        body = re.sub(r"<[a-z][^>]*>", lambda tag: re.sub(
            r'\b(href|src|srcset)="([^"]*)"',
            lambda m: f'{m[1]}="{html.escape(self.target(source, html.unescape(m[2])))}"', tag[0]), body)
        # What may be wider than a phone scrolls in a box of its own; a picture opens in full.
        body = re.sub(r"(<table>.*?</table>)", r'<div class="scroll" tabindex="0">\1</div>', body, flags=re.S)
        # An option in a line of text is not broken behind its hyphens.
        body = re.sub(r"(?<!<pre>)<code>.*?</code>", lambda code: re.sub(
            r"--?[\w][\w-]*", r'<span class="option">\g<0></span>', code[0]), body, flags=re.S)
        body = re.sub(r"<td(.*?</td>)", cell, body, flags=re.S)
        body = body.replace("<pre>", '<pre tabindex="0">')
        body = re.sub(r"<p>((?:<img [^>]*>\s*)+)</p>", self.figure, body)
        first, heading, rest = body.partition("</h1>\n")
        return first + heading + contents(body) + rest

    @staticmethod
    def figure(match):
        kind = "drawing" if '.svg"' in match[1] else "picture"
        images = re.sub(r'<img src="([^"]*)"[^>]*>', r'<a href="\1">\g<0></a>', match[1])
        return f'<figure class="{kind}" tabindex="0">{images}</figure>'

    def listing(self, source):
        text = readable(ROOT / source)
        if text is None:
            return f"<h1>{html.escape(source)}</h1>\n<p>A file of the course that is no text.</p>"
        included = []
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.M):
            named = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
            if is_ours(named) and named not in included:
                included.append(named)
        links = ", ".join(f'<a href="{self.link(source, name)}">{html.escape(name)}</a>' for name in included)
        language = LANGUAGES.get(posixpath.splitext(source)[1], "text")
        return (f"<h1>{html.escape(source)}</h1>\n" + (f"<p>Includes {links}.</p>\n" if links else "") +
                f'<pre class="whole" tabindex="0"><code class="language-{language}">'
                f"{html.escape(text, quote=False)}</code></pre>")

    def folder_list(self, source):
        names = sorted(p.name for p in (ROOT / source).iterdir()
                       if not p.name.startswith((".", "__")) and (p.is_file() or any(p.iterdir())))
        lines = "".join(f'<li><a href="{self.link(source, posixpath.join(source, name))}">'
                        f"{html.escape(name)}</a></li>\n" for name in names)
        return f"<h1>{html.escape(source)}</h1>\n<ul>\n{lines}</ul>"


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_dir():
        print("usage: tools/pages.py FOLDER CHAPTER... <PROGRAMS; FOLDER must be there", file=sys.stderr)
        return 2
    programs = [tuple(line.split("\t")[:2]) for line in sys.stdin.read().splitlines()]
    try:
        Site(pathlib.Path(sys.argv[1]), sys.argv[2:], programs).write()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"tools/pages.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
