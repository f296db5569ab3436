"""The first page."""

import posixpath
import re

from .. import ROOT, TOOLS
from ..programs import CHAPTERS, all_programs
from .frame import link_to, page_title
from .report import replace

# The pictures at the top, with the page that each belongs to.
STRIP = (("ch04_parallel/images/julia.png", "a Julia set"), ("ch05_threads/images/ripple.webp", "a ripple"),
         ("ch06_constant/images/rays.png", "ray-traced spheres"), ("ch07_texture/images/heat.webp", "heat that spreads"),
         ("nbody/images/galaxies.webp", "two galaxies collide"))
# Of a chapter the picture on its card; of one that is not named the first.
PICTURES = {"ch03_intro": "host_and_device.svg", "ch04_parallel": "julia.png", "ch05_threads": "ripple.webp",
            "ch06_constant": "many.png", "ch07_texture": "heat.webp", "ch08_interop": "ripple_mouse.webp",
            "ch09_atomics": "two_level_histogram.svg", "ch10_streams": "stream_breadth_first.svg",
            "ch11_multigpu": "three_ways.svg", "appA_hashtable": "bucket_lists.svg", "nbody": "galaxies.webp"}
# The bugs that are worth a story, the best first: program and what the page says of it.
STORIES = (
    ("lost_update", "Every thread adds 1 to the same counter, and most of the additions are lost. The result often looks "
                    "right on the CPU. This page shows the moment at which it goes wrong."),
    ("dot_broken", "Half of the threads wait at a barrier that the others never reach."),
)
EXAMPLES = {"Watch": "dot/watch.html", "Profile": "transpose/profile.html"}
WAYS = (
    ("Run", "run julia_threads", "Builds a program and runs it, on a GPU or on the CPU.", "INSTALL.md", "Installing"),
    ("Check", "check lost_update --blocks 20", "Finds races, wrong indices, uninitialized memory and more, even if the "
     "result looks right.", "TOOLS.md", "Tools"),
    ("Watch", "watch dot --size 256", "Replays a launch thread by thread, on a page like the one above.", "TOOLS.md", "Tools"),
    ("Profile", "profile transpose", "Counts how each line uses the memory, and says what to improve.", "TOOLS.md", "Tools"),
    ("Debug", "debug dot", "Stops in a kernel and walks through threads, warps and blocks with gdb.", "DEBUGGING.md",
     "Debugging"),
)
LINKS = (("LABS.md", "Labs", "assignments that are graded without a GPU"),
         ("SNIPPETS.md", "Snippets", "small programs to copy"),
         ("GLOSSARY.md", "Glossary", "what the words mean"),
         ("SPEED.md", "Speed", "how fast the best versions are on a GPU, compared with NVIDIA's libraries"),
         ("CONTRIBUTING.md", "Contributing", "how to change the course"))


def topics():
    """What each chapter is about, from the table in README.md."""
    try:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r"^\| \[(\w+)\]\(\1(?:/README\.md)?\) \| (.*) \|$", text, re.M))


def topic_of(text):
    return text[:1].upper() + text[1:] + "." if text else ""


class Cover:
    """`pages`: the pages that were written, None if there are none."""

    def __init__(self, folder, frame, pages):
        self.folder, self.frame, self.pages = folder, frame, pages

    def shown(self, source):
        """Where a picture of the course is in the site: of a large animation a still."""
        if self.pages is None or not (ROOT / source).is_file():
            return ""
        still = self.pages.still(source)
        if not still:
            self.pages.link("index.html", source)
        return still or source

    def need_pictures(self):
        """Before the pages are written: what the first page shows of the course's pictures."""
        self.strip()
        self.chapters()

    def strip(self):
        pictures = [(self.shown(source), source, words) for source, words in STRIP]
        return [{"src": shown, "href": f"{posixpath.dirname(posixpath.dirname(source))}/README.html", "alt": words}
                for shown, source, words in pictures if shown]

    def chapters(self, results=None):
        found, about = [], topics()
        reported = {card.program.chapter for card in results.cards} if results else set()
        for chapter in CHAPTERS:
            source = f"{chapter}/README.md"
            count = sum(program.chapter == chapter for program in all_programs())
            if not count:
                continue
            picture = f"{chapter}/images/{PICTURES.get(chapter, '')}"
            has_page = source in self.frame.sources
            found.append({"href": f"{chapter}/README.html" if has_page else f"report.html#{chapter}" if chapter in reported else "",
                          "title": page_title(source) if has_page else chapter,
                          "topic": topic_of(about.get(chapter, "")),
                          "programs": f"{count} program{'' if count == 1 else 's'}",
                          "picture": self.shown(picture) if PICTURES.get(chapter) else "",
                          "drawing": picture.endswith(".svg")})
        return found

    def watched(self):
        """The watch pages that there are."""
        return [{"name": path.parent.name, "href": f"{path.parent.name}/watch.html"}
                for path in sorted(self.folder.glob("*/watch.html"))]

    def story(self):
        for name, words in STORIES:
            if (self.folder / name / "watch.html").is_file():
                return {"name": name, "words": words, "page": f"{name}/watch.html",
                        "command": " ".join([name, *arguments_of(name)])}
        return None

    def page(self, source):
        """The link to a Markdown file's page, '' if it has none."""
        return link_to(source.removesuffix(".md") + ".html", "index.html") if source in self.frame.sources else ""

    def write(self, results):
        """`results`: the tour's, or None."""
        replace(self.folder / "index.html", self.frame.render(
            "cover.html", "index.html", "CUDA by doing", kind="cover", start=self.page("ch03_intro/README.md"),
            overview=self.page("README.md"), report=results is not None,
            running=results is not None and results.running, done=len(results.cards) if results else 0,
            expected=results.expected if results else 0, pictures=self.strip(), story=self.story(),
            watched=self.watched(), chapters=self.chapters(results),
            ways=[{"title": title, "command": command, "words": words, "href": self.page(source), "more": more,
                   "example": EXAMPLES[title] if title in EXAMPLES and (self.folder / EXAMPLES[title]).is_file() else ""}
                  for title, command, words, source, more in WAYS],
            links=[{"href": self.page(source), "title": title, "words": words}
                   for source, title, words in LINKS if source in self.frame.sources],
            whole=bool(self.frame.sources)))


def watched_programs():
    """The programs that are worth a watch page, with the arguments that make them small."""
    try:
        rows = (TOOLS / "watched_programs.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {row.split()[0]: row.split()[1:] for row in rows if row and not row.startswith("#")}


def arguments_of(name):
    return watched_programs().get(name, [])
