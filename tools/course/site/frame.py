"""What stands around every page: the bar, the sidebar, previous and next."""

import posixpath
import re
import shutil
import urllib.parse

from .. import HERE, ROOT
from ..programs import CHAPTERS, chapter_title

STATIC = HERE / "site/static"
START = (("README.md", "Overview"), ("INSTALL.md", "Installing"))
REFERENCE = ("TILES.md", "TOOLS.md", "DEBUGGING.md", "SNIPPETS.md", "SPEED.md", "GLOSSARY.md")
TEACHERS = ("LABS.md",)
CONTRIBUTORS = (("CONTRIBUTING.md", "Contributing"), ("STYLE.md", "Style"), ("tests/README.md", "Tests"),
                ("tools/course/README.md", "The command"), ("common/cpu_device/README.md", "The CPU device"))

MACHINERY = ("common/cpu_device/", "tests/")  # sources for contributors


def link_to(page, here):
    """A link from the page `here` to another page or a picture, as a browser needs it."""
    return urllib.parse.quote(posixpath.relpath(page, posixpath.dirname(here) or "."))


def top_of(page):
    """What leads from a page to the site's folder: "../" or the like."""
    return "../" * page.count("/")


def short_title(source):
    """A chapter's title, as short as a sidebar needs it: "5. Threads that work together"."""
    title = chapter_title(posixpath.dirname(source))
    return re.sub(r"^(?:Chapter|Appendix) (\w+)(?:, part \d+)?: ", r"\1. ", title)


def page_title(source):
    """The first heading of a Markdown file."""
    for line in (ROOT / source).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return re.sub(r"[`*]", "", line[2:]).strip()
    return source


class Frame:
    """`sources`: the Markdown files that have a page, as paths from the course's root; `report`: whether there is
    a test report."""

    def __init__(self, sources, report=True):
        import jinja2
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE / "site/templates"), autoescape=True, trim_blocks=True,
            lstrip_blocks=True, undefined=jinja2.StrictUndefined)
        self.sources, self.report = set(sources), report
        self.chapters = [f"{chapter}/README.md" for chapter in CHAPTERS if f"{chapter}/README.md" in self.sources]
        self.plan = [(title, [pair for pair in pairs if self.is_there(pair[0])]) for title, pairs in self.groups()]
        self.order = [page for title, pairs in self.plan if title != "For contributors"
                      for page, _ in pairs if page.endswith(".md")]

    def is_there(self, page):
        if page.endswith(".md"):
            return page in self.sources
        return {"report.html": self.report, "print.html": bool(self.sources)}.get(page, True)

    def groups(self):
        """(title, [(page or Markdown file, words)])."""
        known = {name for name, _ in (*START, *CONTRIBUTORS)} | {*REFERENCE, *TEACHERS}
        more = sorted(name for name in self.sources if "/" not in name and name not in known)
        named = [(name, name.removesuffix(".md").capitalize()) for name in (*REFERENCE, *more)]
        return [("Start", [("index.html", "First page"), *START, ("report.html", "Test report"),
                           ("print.html", "All on one page")]),
                ("Chapters", [(source, short_title(source)) for source in self.chapters]),
                ("Reference", named),
                ("For teachers", [(name, name.removesuffix(".md").capitalize()) for name in TEACHERS]),
                ("For contributors", CONTRIBUTORS)]

    def inner(self, source, here, page):
        """The other pages of a chapter's folder, while one of them is open."""
        folder = posixpath.dirname(source)
        if source not in self.chapters or not here.startswith(folder + "/"):
            return []
        others = sorted(name for name in self.sources
                        if posixpath.dirname(name) == folder and name != source)
        return [self.link(name, re.sub(r"^(?:Chapter \w+|Appendix \w+|N-body): (.)", lambda m: m[1].upper(), page_title(name)), page)
                for name in others]

    @staticmethod
    def link(source, words, page):
        target = source.removesuffix(".md") + ".html" if source.endswith(".md") else source
        return {"href": link_to(target, page), "words": words, "current": target == page, "inner": []}

    def sidebar(self, page, brief):
        shown = []
        for title, pairs in self.brief_plan(page) if brief else self.plan:
            links = []
            for source, words in pairs:
                link = self.link(source, words, page)
                link["inner"] = self.inner(source, page, page)
                links.append(link)
            if links:
                shown.append({"title": title, "links": links})
        return shown

    def brief_plan(self, page):
        return [self.plan[0], self.plan[-1 if page.startswith(MACHINERY) else 1]]

    def around(self, source, page):
        """The page before and the one after."""
        if source not in self.order:
            return []
        at, links = self.order.index(source), []
        if at > 0:
            before = self.order[at - 1]
            links.append({"rel": "prev", "words": f"‹ {page_title(before)}", **self.target(before, page)})
        if at + 1 < len(self.order):
            after = self.order[at + 1]
            links.append({"rel": "next", "words": f"{page_title(after)}\u00a0›", **self.target(after, page)})
        return links

    def target(self, source, page):
        return {"href": self.link(source, "", page)["href"]}

    def render(self, template, page, title, brief=False, **values):
        """The text of a page. `page`: its path in the site; `brief`: only two groups of the sidebar, since there are a
        thousand pages of sources."""
        values = {"kind": "page", "contents": [], "around": [], "sources": [], "running": False, **values}
        return self.environment.get_template(template).render(
            title=title, top=top_of(page), groups=self.sidebar(page, brief), searchable=bool(self.sources), **values) + "\n"


def copy_static(folder):
    for path in sorted(STATIC.iterdir()):
        shutil.copyfile(path, folder / path.name)
