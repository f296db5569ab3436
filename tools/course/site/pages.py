"""The course's Markdown files as pages, and pages of the sources, folders and pictures that they name.

X.md becomes X.html, a file such as dot.cu becomes dot.cu.html, and a folder a list of its files."""

import html
import os
import posixpath
import re
import shutil
import urllib.parse

from .. import ROOT
from ..programs import purpose
from . import markdown, pictures
from .frame import MACHINERY, Frame, copy_static, link_to, page_title
from .search import Index
from .whole import PAGE, Whole

PICTURES = (".svg", ".png", ".webp", ".jpg", ".gif")
LANGUAGES = {".cu": "cpp", ".cuh": "cpp", ".h": "cpp", ".cpp": "cpp", ".sh": "sh"}
LARGEST = 1 << 20  # bytes of a file that becomes a page


def sources_of(folder):
    """The course's *.md, as paths from its root: neither what is built nor hidden folders."""
    seen = set()  # folders: a chapter may be a link, and a link may lead back
    for path, folders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(path)
        folders[:] = [] if real in seen else sorted(f for f in folders if f != "build" and not f.startswith("."))
        files = [] if real in seen else files
        seen.add(real)
        for name in sorted(files):
            if name.endswith(".md"):
                yield posixpath.relpath(posixpath.join(path, name), folder)


def readable(path):
    """The text of a file, or None if it has none, or too much."""
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


class Pages:
    """`programs`: those that have a card in the test report; `edit`: where a code host shows files of the course,
    such as https://HOST/NAME/blob/main."""

    def __init__(self, folder, programs, edit="", report=True):
        self.folder, self.edit = folder, edit.rstrip("/")
        sources = list(sources_of(ROOT))
        self.frame = Frame(sources, report)
        self.toured = {program.source: program.name for program in programs}
        self.toured.update({f"{program.chapter}/README.md": program.chapter for program in programs})
        self.left = [*sources, *(name for name in self.toured if (ROOT / name).is_file())]
        self.known = set(self.left)
        self.index, self.bodies = Index(), {}

    def write(self):
        while self.left:
            source = self.left.pop()
            to = self.folder / page_of(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.endswith(PICTURES):
                shutil.copyfile(ROOT / source, to)
            else:
                to.write_text(self.page(source), encoding="utf-8")
        (self.folder / PAGE).write_text(Whole(self.frame, self.bodies).text(), encoding="utf-8")
        (self.folder / "search_index.js").write_text(self.index.script(), encoding="utf-8")
        copy_static(self.folder)

    def page(self, source):
        page, contents = page_of(source), []
        if (ROOT / source).is_dir():
            title, body = source, self.folder_list(source)
        elif source.endswith(".md"):
            body = self.bodies[source] = self.converted(source)
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
            title = markdown.plain(heading[1]) if heading else source
            contents = markdown.sections(body)
            self.index.add_page(page, title, body)
        else:
            title, body = source, self.listing(source)
        return self.frame.render("page.html", page, title, body=body, contents=contents, brief=not source.endswith(".md"),
                                 around=self.around(source), sources=self.sources(source))

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

    def picture(self, source, tag):
        """An <img> of the page of `source`: loaded when it is seen, and a large animation when it is clicked. A
        phone gets the narrow form of a drawing."""
        tag = pictures.lazy(tag)
        named = re.search(r'src="([^"]*)"', tag)[1]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), urllib.parse.unquote(named)))
        still = self.still(path)
        if still:
            return pictures.as_still(tag, link_to(still, page_of(source)))
        narrow = path.replace(".svg", "_narrow.svg")
        return pictures.for_phones(tag, self.link(source, narrow)) if narrow != path and is_ours(narrow) else tag

    def still(self, path):
        """The still of a large animation, '' if the picture is none. It is written beside its picture."""
        if not path.endswith(".webp") or not is_ours(path) or (ROOT / path).stat().st_size <= pictures.LARGEST:
            return ""
        data = pictures.still_of(ROOT / path)
        if data is None:
            return ""
        still = f"{path.removesuffix('.webp')}.still.webp"
        (self.folder / still).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / still).write_bytes(data)
        return still

    def around(self, source):
        """The page before and the one after, and where the report shows what ran; of what belongs to a chapter,
        this chapter."""
        page = page_of(source)
        links = self.frame.around(source, page)
        chapter = f"{source.partition('/')[0]}/README.md"
        if source in self.toured:
            words = "Its programs in the test report" if source.endswith(".md") else "Its output in the test report"
            href = f"{link_to('report.html', page)}#{self.toured[source]}"
            links.insert(1 if links and links[0]["rel"] == "prev" else 0, {"rel": "", "href": href, "words": words})
        if source != chapter and chapter in self.frame.chapters:
            links.insert(0, {"rel": "", "href": self.link(source, chapter),
                             "words": f"‹ {page_title(chapter)}"})
        return links

    def sources(self, source):
        """Links to the file that the page is made of: here, and on a code host."""
        links = []
        if source.endswith(".md"):
            text = f"{source}.html"
            (self.folder / text).write_text(self.frame.render(
                "page.html", text, source, brief=True, body=self.listing(source), around=[
                    {"rel": "", "href": link_to(page_of(source), text), "words": "‹ The page"}]), encoding="utf-8")
            links.append({"href": link_to(text, page_of(source)), "words": "Source of this page"})
        if self.edit and not (ROOT / source).is_dir():
            links.append({"href": f"{self.edit}/{urllib.parse.quote(source)}", "words": "Edit on the code host"})
        return links

    # -------------------------------------------------------------------------------------- pages

    def converted(self, source):
        body = markdown.converted(ROOT / source, lambda link: self.target(source, link),
                                  lambda tag: self.picture(source, tag))
        return re.sub(r'<a href="[^"]*images/watch_(\w+)\.webp">', lambda still: self.watch_link(source, still), body)

    def watch_link(self, source, still):
        """The picture of a watch page leads to the page itself, if there is one."""
        page = f"{still[1]}/watch.html"
        if not (self.folder / page).is_file():
            return still[0]
        return f'<a class="live" href="{link_to(page, page_of(source))}" title="Open the page and step through it">'

    def listing(self, source):
        text = readable(ROOT / source)
        if text is None:
            return f"<h1>{html.escape(source)}</h1>\n<p>This file of the course is not text.</p>"
        included = []
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.M):
            named = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
            if is_ours(named) and named not in included:
                included.append(named)
        links = ", ".join(f'<a href="{self.link(source, name)}">{html.escape(name)}</a>' for name in included)
        language = LANGUAGES.get(posixpath.splitext(source)[1], "text")
        if language == "cpp" and not source.startswith(MACHINERY):  # those a learner does not search
            self.index.add_source(page_of(source), source, purpose(ROOT / source), text)
        return (f"<h1>{html.escape(source)}</h1>\n" + (f"<p>Includes {links}.</p>\n" if links else "") +
                f'<pre class="whole" tabindex="0"><code class="language-{language}">'
                f"{html.escape(text, quote=False)}</code></pre>")

    def folder_list(self, source):
        names = sorted(p.name for p in (ROOT / source).iterdir()
                       if not p.name.startswith((".", "__")) and (p.is_file() or any(p.iterdir())))
        lines = "".join(f'<li><a href="{self.link(source, posixpath.join(source, name))}">'
                        f"{html.escape(name)}</a></li>\n" for name in names)
        return f"<h1>{html.escape(source)}</h1>\n<ul>\n{lines}</ul>"
