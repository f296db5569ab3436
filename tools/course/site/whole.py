"""The whole course as one page, print.html: to print it, to save it as a PDF file, or to search it with the browser."""

import html
import posixpath
import re
import urllib.parse

from .frame import link_to, page_title

PAGE = "print.html"
# Long lists to look things up in. The chapters show most of the snippets.
LEFT_OUT = ("SNIPPETS.md", "LABS.md")
TAG = re.compile(r"<[a-z][^>]*>")
LINK = re.compile(r'\b(href|src|srcset|data-moving)="([^"]*)"')
ID = re.compile(r'\bid="([^"]*)"')


def html_page(source):
    return source.removesuffix(".md") + ".html"


def prefix(page):
    """What the ids of a page begin with, so that two pages may have the same heading."""
    return page.removesuffix(".html").replace("/", ".")


def parts(frame):
    """The Markdown files in reading order: each chapter's README.md, then the other pages in its folder, MORE.md last."""
    for source in frame.order:
        if source in LEFT_OUT:
            continue
        yield source
        if source in frame.chapters:
            folder = posixpath.dirname(source)
            others = (name for name in frame.sources if posixpath.dirname(name) == folder and name != source)
            yield from sorted(others, key=lambda name: (name.endswith("MORE.md"), name))


class Whole:
    """`bodies`: of each Markdown file the body of its page."""

    def __init__(self, frame, bodies):
        self.frame, self.bodies = frame, bodies
        self.sources = [source for source in parts(frame) if source in bodies]
        self.pages = {html_page(source) for source in self.sources}

    def link(self, page, link):
        """A link of `page`, as print.html needs it: to a part of this page if it leads to one."""
        if re.match(r"[a-z][a-z0-9+.-]*:|//", link):
            return link
        name, number_sign, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(name))) if name else page
        if target in self.pages:
            return "#" + urllib.parse.quote(prefix(target)) + (f".{anchor}" if anchor else "")
        return link_to(target, PAGE) + number_sign + anchor

    def part(self, source):
        page = html_page(source)

        def moved(tag):
            text = ID.sub(lambda m: f'id="{prefix(page)}.{m[1]}"', tag[0])
            return LINK.sub(lambda m: f'{m[1]}="{html.escape(self.link(page, html.unescape(m[2])))}"', text)

        # Pictures are not loaded lazily: a picture that was never in view would be missing on paper.
        body = TAG.sub(moved, self.bodies[source]).replace(' loading="lazy"', "")
        return f'<div class="part" id="{prefix(page)}">\n{body}\n</div>'

    def text(self):
        contents = [(prefix(html_page(source)), page_title(source)) for source in self.sources]
        return self.frame.render("print.html", PAGE, "CUDA by doing: the whole course", brief=True, kind="page whole",
                                 parts=contents, body="\n".join(self.part(source) for source in self.sources))
