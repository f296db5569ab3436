#!/usr/bin/env python3
"""The site of ./course tour and ./course site, made of a course that does not exist, against a model of our own.

    tests/pages/site_words_test.py [SEEDS]
    tests/pages/site_words_test.py --update      writes site_words.txt anew: the words that are the same on each site

A seed makes up chapters, programs, pages, sources and the results of a tour. Their names, titles, outputs and paths contain tags,
quotes, ampersands and other alphabets. Then each page is read as a browser reads it, and compared are: each word of a card and of
the report, the first page, the sidebar, the links before and after a page, where each link leads, the search and what a host needs.
No browser and no cmark-gfm are needed: what becomes of a Markdown file is made up, too. Exit code 77 without Jinja2.
"""

import contextlib
import datetime
import html
import html.parser
import io
import json
import pathlib
import posixpath
import random
import re
import sys
import tempfile
import types
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HERE / "tools"), str(HERE / "tests/harness")]
try:
    import jinja2  # noqa: F401  pylint: disable=unused-import
except ImportError:
    print("skipped: there is no Jinja2 (sudo apt-get install python3-jinja2)")
    sys.exit(77)
# pylint: disable=wrong-import-position
from counting import check, check_table, finish  # noqa: E402
from course import packages, page_programs, programs  # noqa: E402, F401  pylint: disable=unused-import
from course.commands import site as command  # noqa: E402
from course.messages import Problem  # noqa: E402
from course.site import cover, frame, markdown, pages, pictures, report, writing  # noqa: E402

STRANGE = ["<b>bold</b>", "a & b", "&amp;", 'say "no"', "it's", "</pre></article>", "<script>alert(1)</script>", "{{ 1 }}", "{% if %}", "ä 漢 😀", "a\\b",
           "plain", "%20 100 %", "<!-- c -->"]
NAMES = ["dot", "dot_broken", "transpose", "a&b", "it's", 'q"q', "x<i>y", "ä漢", "amp&lt;"]
VERDICTS = ["verified", "skipped", "broken", "failed"]
SAID = {"verified": "verified", "skipped": "skipped", "broken": "broken on purpose", "failed": "failed"}
TOPICS = ["threads & blocks", "<i>pixels</i>", 'say "x"', "ä", "CUDA on one GPU, MPI on many", "how NVIDIA's nvcc names __CUDA_ARCH__", "éÉ in UTF-8"]
ROOT_PAGES = ["README", "INSTALL", "TILES", "TOOLS", "DEBUGGING", "SNIPPETS", "SPEED", "GLOSSARY", "LABS", "CONTRIBUTING", "STYLE", "NEWS", "ÄNDERN & MEHR"]

# Of the first page: pictures at its top, and on the cards of the chapters.
STRIP = {"ch04_parallel/images/julia.png": "a Julia set", "ch05_threads/images/ripple.webp": "a ripple",
         "ch06_constant/images/rays.png": "ray-traced spheres",
         "ch07_texture/images/heat.webp": "heat that spreads", "nbody/images/galaxies.webp": "two galaxies collide"}
DRAWN = {"ch03_intro": "host_and_device.svg", "ch04_parallel": "julia.png", "ch05_threads": "ripple.webp", "ch06_constant": "many.png",
         "ch07_texture": "heat.webp",
         "ch08_interop": "ripple_mouse.webp", "ch09_atomics": "two_level_histogram.svg", "ch10_streams": "stream_breadth_first.svg",
         "ch11_multigpu": "three_ways.svg",
         "appA_hashtable": "bucket_lists.svg", "nbody": "galaxies.webp"}
FIRST_PAGE = {*STRIP, *(f"{chapter}/images/{name}" for chapter, name in DRAWN.items())}

# ---- a page as a browser reads it ----

VOID = {"meta", "link", "img", "input", "br", "source", "base"}


class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.children = tag, attributes, parent, []

    def __getitem__(self, name):
        return self.attributes.get(name)

    def all(self, tag, **wanted):
        """Those inside with this tag and these attributes, in order; `class_` stands for class."""
        for child in self.children:
            if isinstance(child, Node):
                if child.tag == tag and all(child[name.rstrip("_")] == value for name, value in wanted.items()):
                    yield child
                yield from child.all(tag, **wanted)

    def one(self, tag, **wanted):
        found = list(self.all(tag, **wanted))
        return found[0] if found else Node(tag, {}, None)

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def words(self):
        return " ".join(self.text().split())


class Reader(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.top = self.at = Node("page", {}, None)
        self.wrong, self.tags = [], set()
        self.feed(text)
        self.close()
        if self.at is not self.top:
            self.wrong.append(f"<{self.at.tag}> is not closed")

    def handle_starttag(self, tag, attrs):
        node = Node(tag, dict(attrs), self.at)
        self.at.children.append(node)
        self.tags.add(tag)
        if len(dict(attrs)) != len(attrs):
            self.wrong.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.at = node

    def handle_endtag(self, tag):
        if tag != self.at.tag:
            self.wrong.append(f"</{tag}> in <{self.at.tag}>")
        while self.at.parent is not None and self.at.tag != tag:
            self.at = self.at.parent
        self.at = self.at.parent or self.at

    def handle_data(self, data):
        self.at.children.append(data)


def read(path):
    """The page; a line for what is not well made."""
    reader = Reader(path.read_text(encoding="utf-8"))
    check(f"{path.name} is well made", not reader.wrong, str(reader.wrong[:3]))
    return reader.top


# ---- a course that does not exist ----

class Course:
    """Files in a folder, and what must be known of them: `titles` and `bodies` of the Markdown files, by their path."""

    def __init__(self, rng, root):
        self.rng, self.root = rng, root
        self.titles, self.sections, self.bodies = {}, {}, {}
        self.programs, self.purposes, self.topics, self.pictures = [], {}, {}, []
        self.chapters = sorted(rng.sample(range(len(programs.CHAPTERS)), rng.randint(1, 4)))
        self.chapters = [programs.CHAPTERS[n] for n in self.chapters]
        self.readmes = {chapter for chapter in self.chapters if rng.random() < 0.8}
        names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
        for number, name in enumerate(names):
            self.program(self.chapters[number % len(self.chapters)], name)
        for chapter in self.chapters:
            mine = [name for where, name in self.programs if where == chapter]
            if mine or rng.random() < 0.5:
                self.file(f"{chapter}/CMakeLists.txt", "".join(f"course_program({name})\n" for name in mine))
            self.pictures += [name for name in FIRST_PAGE if name.startswith(chapter) and rng.random() < 0.7]
        for name in self.pictures:
            self.file(name, "a picture")
        self.programs = [(chapter, name) for chapter in self.chapters for where, name in self.programs if where == chapter]
        for name in ROOT_PAGES:
            if rng.random() < 0.7:
                self.page(f"{name}.md", f"{name.lower()} {rng.choice(STRANGE)}")
        for chapter in self.chapters:
            kind = "Appendix A" if chapter.startswith("app") else "N-body" if chapter == "nbody" else f"Chapter {int(chapter[2:4])}"
            if chapter in self.readmes:
                self.page(f"{chapter}/README.md", f"{kind}: about {rng.choice(STRANGE)}")
            for name in rng.sample(["MORE", "a&b", "Zed"], rng.randint(0, 3)):
                self.page(f"{chapter}/{name}.md", f"{kind}: more of {rng.choice(STRANGE)}" if rng.random() < 0.7 else rng.choice(STRANGE))
        if "README.md" in self.titles:
            for chapter in self.chapters:
                if rng.random() < 0.7:
                    self.topics[chapter] = rng.choice(TOPICS)
            table = "".join(f"| [{chapter}]({chapter}{rng.choice(['', '/README.md'])}) | {words} |\n" for chapter, words in self.topics.items())
            self.file("README.md", (root / "README.md").read_text() + table)

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def program(self, chapter, name):
        self.programs.append((chapter, name))
        self.purposes[name] = f"Says {self.rng.choice(STRANGE).replace(chr(92), '/')} to {name}."
        header = f"of {name}.h".replace('"', "'")
        self.file(f"{chapter}/{header}", f"// A header.\nint {'x' * self.rng.randint(1, 9)};\n")
        lines = "".join(f"// {self.rng.choice(STRANGE)}\n" for _ in range(self.rng.choice([0, 1, 2, 30])))
        self.file(f"{chapter}/{name}.cu", f'// {self.purposes[name]}\n#include "{header}"\n#include <a>\n{lines}int main() {{ return 1 < 2 && 3 > 2; }}\n')

    def page(self, name, title):
        """A Markdown file, and the HTML that cmark-gfm would make of it: sections, a link to a file, one to a section, and one elsewhere."""
        title = title.replace("`", "").replace("*", "")
        self.titles[name] = " ".join(title.split())
        sections = self.rng.sample(["First & last", "Use <b>", "It's 1", "Ä"], self.rng.randint(0, 3))
        self.sections[name] = sections
        up = "../" * name.count("/")
        links = ['<a href="https://example.org/?a=1&amp;b=2">there</a>']
        if self.programs:
            chapter, program = self.rng.choice(self.programs)
            links.append(f'<a href="{html.escape(urllib.parse.quote(f"{up}{chapter}/{program}.cu"))}">source</a>')
            links.append(f'<a href="{html.escape(urllib.parse.quote(f"{up}{chapter}"))}">folder</a>')
        other = self.rng.choice(sorted(self.titles))
        if self.sections[other]:
            slug = slug_of(self.rng.choice(self.sections[other]))
            links.append(f'<a href="{html.escape(urllib.parse.quote(up + other))}#{slug}">section</a>')
        body = f"<h1>{html.escape(title)}</h1>\n<p>{' '.join(links)}</p>\n"
        body += "".join(f"<h2>{html.escape(words)}</h2>\n<p>Text &amp; 10 ms of {html.escape(words)}</p>\n" for words in sections)
        self.bodies[str(self.root / name)] = body
        self.file(name, f"# {title}\n\n" + "".join(f"## {words}\n\n" for words in sections))


def slug_of(words):
    return "".join(letter for letter in words.lower() if letter.isalnum() or letter in " -_").replace(" ", "-")


def short(title):
    """A chapter's title in the sidebar."""
    kind, colon, rest = title.partition(": ")
    first = kind.split()[-1]
    return f"{first}. {rest}" if colon and kind.split()[0] in ("Chapter", "Appendix") else title


# ---- results that a tour did not have ----

class Made:
    """What a tour would have found out of the programs, and what it leaves in their folders."""

    def __init__(self, rng, course, folder):
        self.rng, self.folder, self.of = rng, folder, {}
        run = [program for program in programs.all_programs() if rng.random() < 0.9]
        self.results = report.Results(f"the device {rng.choice(STRANGE)}", len(run) + rng.choice([0, 1, 5]))
        now, when = datetime.datetime.now(), datetime.datetime.strptime(self.results.when, "%Y-%m-%d %H:%M")
        check("a report has the time of its beginning", datetime.timedelta(0) <= now - when < datetime.timedelta(minutes=2), str(when))
        self.results.machine, self.results.when = f"machine {rng.choice(STRANGE)}", "2026-12-01 10:00"
        self.results.seconds, self.results.running = rng.choice([0.04, 9.9994, 9.9996, 59.6, 600]), rng.random() < 0.3
        for program in run:
            self.results.cards.append(self.card(program, course))

    def card(self, program, course):
        rng, folder = self.rng, self.folder / program.name
        folder.mkdir()
        card = report.Card(program, folder)
        card.verdict, card.reason, card.seconds = rng.choice(VERDICTS), rng.choice(["", *STRANGE]), rng.choice([0, 0.05, 1.26, 9.94, 9.9996, 120.4])
        lines = [rng.choice(STRANGE) for _ in range(rng.choice([0, 1, 2, 11, 12, 13, 40]))]
        if rng.random() < 0.3:
            lines.append("the kernel reads 20 GB/s; a copy within the device's memory moves 80 GB/s")
        output = "".join(line + "\n" for line in lines)
        (folder / "output.txt").write_text(output, encoding="utf-8")
        drawn = rng.sample(["b&c.png", "a.png", "x<y>.webp"], rng.randint(0, 2))
        for name in drawn:
            (folder / name).write_bytes(name.encode() if rng.random() < 0.5 else b"the same")
        (folder / "other.txt").write_text("not a picture")
        made = {kind: rng.random() < 0.4 for kind in ("watch", "profile")}
        for kind in made:
            if made[kind]:
                (folder / f"{kind}.html").write_text("<!DOCTYPE html><title>x</title>")
        self.of[program.name] = types.SimpleNamespace(
            card=card, lines=lines, drawn=sorted(drawn), made=made, source=(course.root / program.source).read_text(encoding="utf-8"), program=program)
        return card


def in_seconds(seconds):
    return f"{seconds:.1f} s" if round(seconds, 3) < 10 else f"{seconds:.0f} s"


def count(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


# ---- the report ----

def target_of(folder, page, link):
    """The file that a link of a page leads to, and the id in it; None if it leads elsewhere."""
    if re.match(r"[a-z]+:|//", link):
        return None
    name, _, anchor = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(name))) if name else page
    return path, urllib.parse.unquote(anchor)


def check_report(course, made, folder, has_pages, where):
    top, results = read(folder / "report.html"), made.results
    main, shown = top.one("main"), [card.name for card in results.cards]
    check(f"{where}: the title", top.one("title").text() == "Test report" and main.one("h1").text() == "Test report")
    counted = [(item["class"], item.words()) for item in main.one("ul", class_="counts").all("li")]
    expected = [(verdict, f"{sum(card.verdict == verdict for card in results.cards)} {SAID[verdict]}") for verdict in VERDICTS]
    check(f"{where}: the counts", counted == expected, f"{counted} {expected}")
    failed = [(link["href"], link.text()) for link in main.all("a", class_="failed")]
    check(f"{where}: what failed", failed == [(f"#{card.name}", card.name) for card in results.cards if card.verdict == "failed"], str(failed))
    pairs = list(zip([term.text() for term in main.all("dt")], [term.text() for term in main.all("dd")]))
    check(f"{where}: the machine", pairs == [("device", results.ran_on), ("machine", results.machine),
                                             ("date", f"{results.when}, in {in_seconds(results.seconds)}")], str(pairs))
    check_running(main, results, where, "This page grows.")
    chapters = list(dict.fromkeys(card.program.chapter for card in results.cards))
    titles = {chapter: course.titles.get(f"{chapter}/README.md", chapter) for chapter in chapters}
    links = [(link["href"], " ".join(link.text().split())) for link in main.one("nav", class_="filter").all("a")]
    check(f"{where}: the filter", links == [("#all", "all"), *((f"#{chapter}", titles[chapter]) for chapter in chapters)], str(links))
    headings = [section.one("h2").words() for section in main.all("section")]
    check(f"{where}: the chapters", headings == [titles[chapter] for chapter in chapters], f"{headings}")
    for section in main.all("section"):
        linked = [link["href"] for link in section.one("h2").all("a")]
        there = has_pages and section["id"] in course.readmes
        check(f"{where}: a chapter's link", linked == ([f"{section['id']}/README.html"] if there else []), str(linked))
        ids = [article["id"] for article in section.all("article")]
        check(f"{where}: the cards of {section['id']}", ids == [card.name for card in results.cards if card.program.chapter == section["id"]])
    articles = list(main.all("article"))
    check(f"{where}: the cards", [article["id"] for article in articles] == shown)
    for number, article in enumerate(articles):
        check_card(course, made.of[article["id"]], article, has_pages, f"{where}: {article['id']}")
        around = {link["rel"]: (link["href"], link.words()) for link in article.one("nav", class_="around").all("a")}
        expected = {}
        if number > 0:
            expected["prev"] = (f"#{shown[number - 1]}", f"‹ {shown[number - 1]}")
        if number + 1 < len(shown):
            expected["next"] = (f"#{shown[number + 1]}", f"{shown[number + 1]} ›")
        check(f"{where}: the cards around {article['id']}", around == expected, f"{around} {expected}")


def check_running(main, results, where, more):
    said = main.one("p", id="running")
    words = f"The tour is running: {len(results.cards)} of {results.expected} programs are done. {more}"
    check(f"{where}: whether the tour runs", said.words() == (words if results.running else ""), said.words())
    if results.running:
        bar = said.one("progress")
        check(f"{where}: how far it is", (said["data-done"], bar["max"], bar["value"]) == (str(len(results.cards)), str(results.expected),
                str(len(results.cards))))


def check_card(course, one, article, has_pages, where):
    card, name, chapter = one.card, one.program.name, one.program.chapter
    check(f"{where}: the heading", article.one("h3").words() == f"{name} {SAID[card.verdict]}", article.one("h3").words())
    check(f"{where}: the verdict's color", article.one("h3").one("span")["class"] == f"verdict {card.verdict}")
    check(f"{where}: the purpose", article.one("p").words() == " ".join(course.purposes[name].split()), article.one("p").text())
    check(f"{where}: the reason", [reason.text() for reason in article.all("p", class_="reason")] == ([card.reason] if card.reason else []))
    drawn = [*card.shared, *(f"{name}/{picture}" for picture in one.drawn if (card.folder / picture).exists())]
    shown = [(image.parent["href"], image["src"], image["alt"]) for image in article.all("img")]
    check(f"{where}: the pictures", shown == [(picture, picture, f"the picture that {name} draws") for picture in drawn], str(shown))
    line = article.one("p", class_="command")
    check(f"{where}: the command", line.words() == f"./course run {name} {in_seconds(card.seconds)}, {chapter}/{name}.cu, its chapter", line.words())
    links = [(link["href"], link.text()) for link in line.all("a")]
    expected = [(f"{chapter}/{name}.cu.html", f"{chapter}/{name}.cu")] * has_pages + [(f"{chapter}/README.html",
            "its chapter")] * (has_pages and chapter in course.readmes)
    check(f"{where}: its links", links == expected, f"{links} {expected}")
    speeds = [speed.words() for speed in article.all("div", class_="speed")]
    fast = one.lines and one.lines[-1].startswith("the kernel reads")
    check(f"{where}: the speed", speeds == ["kernel: 20 GB/s, 25 % of the 80 GB/s of a copy on the device"] * bool(fast), str(speeds))
    more = [(link["href"], link.text()) for link in article.all("a") if link["href"].endswith(("watch.html", "profile.html"))]
    check(f"{where}: watch and profile", more == [(f"{name}/watch.html", "Watch its threads")] * one.made["watch"] +
          [(f"{name}/profile.html", "Profile of its lines")] * one.made["profile"], str(more))
    folded = [(fold["class"], fold.one("summary").text(), fold.one("pre").text()) for fold in article.all("details")]
    output, source = "\n".join(one.lines).rstrip("\n"), one.source.rstrip("\n")
    expected = [(None, f"output, {len(one.lines)} lines", output)] * (len(one.lines) > 12)
    expected.append(("source", f"source, {one.source.count(chr(10))} lines", source))
    check(f"{where}: what is folded", folded == expected, f"{folded} {expected}")
    plain = [text.text() for text in article.all("pre") if text.parent is article]
    check(f"{where}: the output", plain == [output] * (0 < len(one.lines) <= 12), f"{plain} {output}")


# ---- the first page ----

def check_cover(course, made, folder, has_pages, where):
    top = read(folder / "index.html")
    main, results = top.one("main"), made.results if made else None
    hrefs = {link["href"]: link.words() for link in main.one("p", class_="buttons").all("a")}
    titles = course.titles if has_pages else {}
    expected = {"ch03_intro/README.html": "Start with chapter 3"} if "ch03_intro/README.md" in titles else {}
    expected.update({"README.html": "Overview"} if "README.md" in titles else {})
    expected.update({"report.html": "Test report"} if made else {})
    check(f"{where}: the buttons", hrefs == expected, f"{hrefs} {expected}")
    if made:
        check_running(main, results, f"{where}, first page", "See them")
    shown = [[one["href"], one.one("b").words(), one.one("span").text(), one.one("i").text()] for one in main.all("a", class_="chapter")]
    expected = []
    for chapter in course.chapters:
        number = sum(where == chapter for where, _ in course.programs)
        source, topic = f"{chapter}/README.md", course.topics.get(chapter, "")
        if number:
            reported = any(card.program.chapter == chapter for card in results.cards) if made else False
            expected.append([f"{chapter}/README.html" if source in titles else f"report.html#{chapter}" if reported else None, titles.get(source, chapter),
                             f"{topic[0].upper()}{topic[1:]}." if topic else "", count(number, "program")])
    check(f"{where}: the chapters of the first page", shown == expected, f"{shown} {expected}")
    shown = [(one.parent["href"], one["src"], one["alt"]) for one in main.one("p", class_="strip").all("img")]
    expected = [(f"{name.partition('/')[0]}/README.html", name, words) for name, words in STRIP.items() if has_pages and name in course.pictures]
    check(f"{where}: the pictures at the top", shown == expected, f"{shown} {expected}")
    shown = [(one["src"], one["class"]) for one in main.one("div", class_="chapters").all("img")]
    expected = [f"{chapter}/images/{DRAWN[chapter]}" for chapter in course.chapters if any(where == chapter for where, _ in course.programs)]
    expected = [(name, "drawing" if name.endswith(".svg") else None) for name in expected if has_pages and name in course.pictures]
    check(f"{where}: the pictures of the chapters", shown == expected, f"{shown} {expected}")
    watched = sorted(path.parent.name for path in folder.glob("*/watch.html"))
    story = next((name for name in ("lost_update", "dot_broken") if name in watched), "")
    told = main.one("section", class_="story")
    check(f"{where}: the story", [(one["src"], one["title"]) for one in told.all("iframe")] ==
          [(f"{story}/watch.html#story", f"{story}: its threads, step by step")] * bool(story))
    command_line = " ".join(["./course watch", story, *cover.arguments_of(story)]) if story else ""
    check(f"{where}: its command", (told.one("p", class_="command").one("code").text(), told.one("p", class_="command").one("a")["href"]) ==
          ((command_line, f"{story}/watch.html#story") if story else ("", None)))
    chips = [(link["href"], link.text()) for link in main.one("p", class_="chips").all("a")]
    check(f"{where}: the watch pages", chips == [(f"{name}/watch.html", name) for name in watched] * bool(story), str(chips))
    ways = [(way.one("h3").text(), way.one("code").text(), [link["href"] for link in way.all("a")]) for way in main.one("div", class_="ways").all("div")]
    expected = []
    for title, words, _, source, _ in cover.WAYS:
        example = {"Watch": "dot/watch.html", "Profile": "transpose/profile.html"}.get(title, "")
        expected.append((title, f"./course {words}", [example] * bool(example and (folder / example).is_file()) +
                         [source.replace(".md", ".html")] * (source in titles)))
    check(f"{where}: the ways", ways == expected, f"{ways} {expected}")
    links = [link["href"] for link in main.one("ul", class_="links").all("a")]
    said = [way.one("p").words() for way in main.one("div", class_="ways").all("div")]
    expected = [" ".join([words] + ["Example"] * (way[2][:1] not in ([], [source.replace(".md", ".html")])) + [more] * (source in titles))
                for (_, _, words, source, more), way in zip(cover.WAYS, ways)]
    check(f"{where}: what is said of the ways", said == expected, f"{said} {expected}")
    said = [one.words() for one in main.one("ul", class_="links").all("li")]
    expected = [f"{title}: {words}" for name, title, words in cover.LINKS if name in titles]
    check(f"{where}: what is said of the links", said[:len(expected)] == expected and len(said) - len(expected) == bool(expected), f"{said} {expected}")
    expected = [f"{dict(cover.STORIES)[story]} Step through the story with the numbered buttons, or press Play."] if story else []
    check(f"{where}: what is said of the story", [one.words() for one in told.all("p")][:1] == expected)
    expected = [name + ".html" for name in ("LABS", "SNIPPETS", "GLOSSARY", "SPEED", "CONTRIBUTING") if f"{name}.md" in titles]
    check(f"{where}: the links", links == expected + ["print.html"] * bool(expected), str(links))


def first_pages(seeds):
    """Parts of the first page alone, of every chapter: topics, pictures of which some are large animations, watch pages and their arguments."""
    for seed in range(seeds):
        rng = random.Random(1000 + seed)
        with tempfile.TemporaryDirectory() as scratch:
            first_page(rng, pathlib.Path(scratch), f"first page {seed}")


def first_page(rng, root, where):
    def some(names):
        return {name for name in names if rng.random() < 0.7}

    def write(name, text):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    arranged(None, root)
    cover.TOOLS = root / "tools"
    numbers = {chapter: rng.choice([0, 1, 2]) for chapter in programs.CHAPTERS}
    topics = {chapter: rng.choice(TOPICS) for chapter in sorted(some(programs.CHAPTERS))}
    sources = {f"{chapter}/README.md": f"Chapter {rng.choice(STRANGE)}" for chapter in sorted(some(programs.CHAPTERS))}
    rows = [f"| [{chapter}]({chapter}{rng.choice(['', '/README.md'])}) | {words} |" for chapter, words in topics.items()]
    rows += ["| [elsewhere](https://example.org) | not a chapter |", "see | [nbody](nbody) | within a line |", "| [nbody](nbody/MORE.md) | another page |"]
    rng.shuffle(rows)
    write("README.md", "# Overview\n\n| chapter | topic |\n| --- | --- |\n" + "\n".join(rows) + "\n")
    for chapter, number in numbers.items():
        write(f"{chapter}/CMakeLists.txt", "".join(f"course_program({chapter}{n})\n" for n in range(number)))
    for name, title in sources.items():
        write(name, f"# {title}\n")
    there = some(sorted(FIRST_PAGE))
    for name in there:
        write(name, "a picture")
    large = {name for name in sorted(there) if name.endswith(".webp") and rng.random() < 0.5}
    arguments = {name: rng.sample(["--size 32", "--frames 1", "x #1"], rng.randint(0, 3)) for name in ("lost_update", "dot_broken", "zed", "a")}
    given = "".join(f"{' '.join([name, *words])}\n" for name, words in arguments.items() if name != "zed")
    write("tools/watched_programs.txt", f"# lost_update --not this\n#dot_broken --nor this\n\n{given}")
    watched = some(sorted(arguments))
    for name in watched:
        write(f"out/{name}/watch.html", "")
    write("out/other/profile.html", "")
    linked = []
    made = types.SimpleNamespace(still=lambda name: name + ".still" if name in large else "", link=lambda page, name: linked.append((page, name)))
    page = cover.Cover(root / "out", types.SimpleNamespace(sources=set(sources)), made)
    page.need_pictures()
    shown = [name for name in STRIP if name in there]
    drawn = {chapter: f"{chapter}/images/{name}" for chapter, name in DRAWN.items()}
    check(f"{where}: what the site must have", set(linked) == {("index.html", name) for name in [*shown, *(name for chapter, name in drawn.items()
          if numbers[chapter])] if name in there - large}, str(linked))
    as_still = {"": "", **{name: name + ".still" if name in large else name for name in there}}
    expected = [{"src": as_still[name], "href": f"{name.partition('/')[0]}/README.html", "alt": STRIP[name]} for name in shown]
    check(f"{where}: the pictures at the top", page.strip() == expected, f"{page.strip()} {expected}")
    reported = some(sorted(numbers))
    results = types.SimpleNamespace(cards=[types.SimpleNamespace(program=types.SimpleNamespace(chapter=chapter)) for chapter in reported])
    for ran in (results, None):
        expected = []
        for chapter in [chapter for chapter in programs.CHAPTERS if numbers[chapter]]:
            title, topic = sources.get(f"{chapter}/README.md"), topics.get(chapter, "")
            href = f"{chapter}/README.html" if title else f"report.html#{chapter}" if ran and chapter in reported else ""
            expected.append({"href": href, "title": title or chapter, "topic": topic and f"{topic[0].upper()}{topic[1:]}.",
                             "programs": count(numbers[chapter], "program"), "picture": as_still.get(drawn[chapter], ""),
                             "drawing": drawn[chapter].endswith(".svg")})
        check(f"{where}: the chapters", page.chapters(ran) == expected, f"{page.chapters(ran)} {expected}")
    check(f"{where}: the watch pages", page.watched() == [{"name": name, "href": f"{name}/watch.html"} for name in sorted(watched)])
    name = next((name for name in ("lost_update", "dot_broken") if name in watched), None)
    story = page.story()
    check(f"{where}: the story", (story and story["page"]) == (name and f"{name}/watch.html") and
          (story and story["command"]) == (name and " ".join([name, *arguments[name]])), f"{story} {name}")
    check(f"{where}: arguments", cover.arguments_of("zed") == [] and cover.arguments_of("a") == " ".join(arguments["a"]).split())


# ---- the Markdown pages ----

class Site:
    """What stands around each page."""

    def __init__(self, course, made, edit):
        self.course, self.made, self.edit = course, made, edit
        titles = course.titles
        self.readmes = [f"{chapter}/README.md" for chapter in programs.CHAPTERS if f"{chapter}/README.md" in titles]
        reference = ["TILES.md", "TOOLS.md", "DEBUGGING.md", "SNIPPETS.md", "SPEED.md", "GLOSSARY.md", *sorted(
            f"{name}.md" for name in ("NEWS", "ÄNDERN & MEHR") if f"{name}.md" in titles)]
        start = [("index.html", "First page"), ("README.html", "Overview"), ("INSTALL.html", "Installing"), ("report.html", "Test report"), ("print.html",
                "All on one page")]
        there = {name.removesuffix(".md") + ".html" for name in titles} | {"index.html", "print.html"} | ({"report.html"} if made else set())
        groups = [("Start", start), ("Chapters", [(name.removesuffix(".md") + ".html", short(titles[name])) for name in self.readmes]),
                  ("Reference", [(name.removesuffix(".md") + ".html", name.removesuffix(".md").capitalize()) for name in reference]),
                  ("For teachers", [("LABS.html", "Labs")]),
                  ("For contributors", [("CONTRIBUTING.html", "Contributing"), ("STYLE.html", "Style")])]
        self.groups = [(title, [pair for pair in pairs if pair[0] in there]) for title, pairs in groups]
        self.order = [page for title, pairs in self.groups[:4] for page, _ in pairs if page not in ("index.html", "report.html", "print.html")]

    def source(self, page):
        return page.removesuffix(".html") + ".md"

    def title(self, page):
        return self.course.titles[self.source(page)]

    def sidebar(self, page, brief):
        """[(title, [(target, words, whether it is this page, [what stands below it])])]"""
        groups = self.groups if not brief else [self.groups[0], self.groups[4 if page.startswith(("tests/", "common/cpu_device/")) else 1]]
        shown = []
        for title, pairs in groups:
            links = []
            for target, words in pairs:
                sections = [words for words in self.course.sections.get(self.source(page), []) if not brief]
                below = [(page, slug_of(words), words, False) for words in sections] if target == page else []
                folder = posixpath.dirname(target)
                if title == "Chapters" and page.startswith(folder + "/"):
                    for other in sorted(name for name in self.course.titles if posixpath.dirname(name) == folder and not name.endswith("/README.md")):
                        other = other.removesuffix(".md") + ".html"
                        words_of_it = self.title(other)
                        kind, colon, rest = words_of_it.partition(": ")
                        if colon and re.fullmatch(r"Chapter \w+|Appendix \w+|N-body", kind):
                            words_of_it = rest[:1].upper() + rest[1:]
                        below.append((other, "", words_of_it, other == page))
                        if other == page:
                            below += [(page, slug_of(words), words, False) for words in sections]
                links.append((target, words, target == page, below))
            if links:
                shown.append((title, links))
        return shown

    def around(self, page, source):
        """[(rel, target, anchor, words)]"""
        links, chapter = [], f"{source.partition('/')[0]}/README.md"
        if page in self.order:
            at = self.order.index(page)
            links += [("prev", other, "", f"‹ {self.title(other)}") for other in self.order[:at][-1:]]
            links += [("next", other, "", f"{self.title(other)} ›") for other in self.order[at + 1:at + 2]]
        toured = {f"{one.program.chapter}/{name}.cu": name for name, one in self.made.of.items()} if self.made else {}
        chapters = {posixpath.dirname(name) for name in toured}
        place = 1 if links and links[0][0] == "prev" else 0
        if source in toured:
            links.insert(place, (None, "report.html", toured[source], "Its output in the test report"))
        elif source == chapter and posixpath.dirname(chapter) in chapters:
            links.insert(place, (None, "report.html", posixpath.dirname(chapter), "Its programs in the test report"))
        if source != chapter and chapter in self.course.titles:
            links.insert(0, (None, chapter.replace(".md", ".html"), "", f"‹ {self.course.titles[chapter]}"))
        return links


def sidebar_of(top, folder, page):
    shown, bar = [], top.one("nav", class_="sidebar")
    titles = [heading.text() for heading in bar.all("h2")]
    lists = [child for child in bar.children if isinstance(child, Node) and child.tag == "ul"]
    for title, group in zip(titles, lists):
        links = []
        for item in (child for child in group.children if isinstance(child, Node)):
            link, *below = item.all("a")
            links.append((target_of(folder, page, link["href"])[0], link.words(), link["aria-current"] == "page",
                          [(*target_of(folder, page, one["href"]), one.words(), one["aria-current"] == "page") for one in below]))
        shown.append((title, links))
    return shown


def check_page(site, folder, path, where):
    page = path.relative_to(folder).as_posix()
    top = read(path)
    where, course = f"{where}: {page}", site.course
    kind = {"index.html": "cover", "report.html": "report", "print.html": "page whole"}.get(page, "page")
    check(f"{where}: what kind it is", top.one("body")["class"] == kind)
    waits = bool(site.made) and site.made.results.running and kind in ("cover", "report")
    check(f"{where}: whether it waits for more", any(script["src"] == "progress.js" for script in top.all("script")) == waits)
    source = page.removesuffix(".html")
    brief = page in ("print.html", "404.html") or not (page in ("index.html", "report.html") or f"{source}.md" in course.titles)
    expected = site.sidebar(page, brief and page != "404.html")
    check(f"{where}: the sidebar", sidebar_of(top, folder, page) == expected, f"\n  {sidebar_of(top, folder, page)}\n  {expected}")
    if page != "404.html":
        for name in ("src", "href"):
            for node in (one for tag in ("a", "img", "script", "link", "iframe") for one in top.all(tag) if one[name]):
                there = target_of(folder, page, node[name])
                if there and there[0] != "progress.js":
                    check(f"{where}: {node[name]} is there", (folder / there[0]).is_file(), str(there))
                    if there[1] and there[0].endswith(".html") and "watch.html" not in there[0]:
                        other = top if there[0] == page else Reader((folder / there[0]).read_text(encoding="utf-8")).top
                        check(f"{where}: the id of {node[name]}", any(True for tag in ("h1", "h2", "article", "section", "div",
                                "main") for _ in other.all(tag, id=there[1])))
    if page in ("index.html", "report.html", "print.html", "404.html"):
        return
    text = None
    if f"{source}.md" in course.titles:
        source = f"{source}.md"
        title = course.titles[source]
    elif posixpath.basename(page) == "index.html":
        source = title = posixpath.dirname(page)
        names = sorted(one.name for one in (course.root / source).iterdir())
        items = [(link.parent.tag, link.text()) for link in top.one("main").all("a") if link.parent.tag == "li"]
        check(f"{where}: the files of the folder", items == [("li", name) for name in names], f"{items} {names}")
    else:
        title, text = source, (course.root / source).read_text(encoding="utf-8")
        check(f"{where}: the code", top.one("pre", class_="whole").text() == text)
        included = [(target_of(folder, page, link["href"])[0], link.text()) for link in top.one("main").all("a") if link.parent.tag == "p" and
                    link.parent.words().startswith("Includes")]
        names = re.findall(r'#include "(.*)"', text)
        check(f"{where}: what it includes", included == [(f"{posixpath.dirname(source)}/{name}.html",
                                                          f"{posixpath.dirname(source)}/{name}") for name in names], str(included))
    heading = re.sub(r" ?#$", "", top.one("h1").words())
    check(f"{where}: its title", " ".join(top.one("title").text().split()) == title and heading == " ".join(title.split()),
          f"{top.one('title').text()} {heading} {title}")
    is_source_of_page = source.endswith(".md") and page == f"{source}.html"
    around = [(link["rel"], *target_of(folder, page, link["href"]), link.words()) for link in top.one("nav", class_="around").all("a")]
    expected = site.around(page, source) if not is_source_of_page else [(None, source.replace(".md", ".html"), "", "‹ The page")]
    check(f"{where}: around it", around == expected, f"\n  {around}\n  {expected}")
    links = [(link["href"], link.words()) for link in top.one("p", class_="from").all("a")]
    expected = []
    if source.endswith(".md") and not is_source_of_page:
        expected.append(("Source of this page", f"{source}.html"))
    if site.edit and not is_source_of_page and posixpath.basename(page) != "index.html":
        expected.append(("Edit on the code host", f"{site.edit}/{source}"))
    shown = [(words, target_of(folder, page, link)[0] if words.startswith("Source") else urllib.parse.unquote(link)) for link, words in links]
    check(f"{where}: where it comes from", shown == expected, f"{shown} {expected}")


def check_search(course, folder, where):
    """An entry for each section of a page, and one for each source of a chapter that has a page."""
    script = (folder / "search_index.js").read_text(encoding="utf-8")
    entries = json.loads(re.fullmatch(r"course_index\((.*)\);\n", script, re.S)[1])
    check(f"{where}: the search's script has no end tag", "</" not in script)
    found = {(page, title, heading, slug) for page, title, heading, slug, _ in entries}
    expected = set()
    for name, title in course.titles.items():
        page = name.removesuffix(".md") + ".html"
        expected.add((page, title, title, ""))
        expected |= {(page, title, words, slug_of(words)) for words in course.sections[name]}
    check(f"{where}: the sections in the search", {one for one in found if not one[0].endswith((".cu.html", ".h.html"))} == expected)
    sources = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.name.endswith((".cu.html", ".h.html"))}
    check(f"{where}: the sources in the search", {one[0] for one in found if one[0].endswith((".cu.html", ".h.html"))} == sources)
    for page, title, heading, _, text in entries:
        if page.endswith(".cu.html"):
            name = posixpath.basename(page).removesuffix(".cu.html")
            check(f"{where}: {title} in the search", heading == course.purposes[name] and title == page.removesuffix(".html") and " main" in f" {text}",
                  heading)
            check(f"{where}: each word once", len(text.split()) == len(set(text.split())))


def check_host(folder, url, results, where):
    """What ./course site writes besides."""
    places = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.name != "404.html")
    robots = (folder / "robots.txt").read_text()
    expected = ["User-agent: *", "Allow: /"] + ([f"Sitemap: {url.rstrip('/')}/sitemap.xml"] if url else [])
    check(f"{where}: robots.txt", robots.splitlines() == expected, robots)
    check(f"{where}: a sitemap where there is an address", (folder / "sitemap.xml").exists() == bool(url))
    if url:
        found = [html.unescape(place) for place in re.findall("<loc>(.*?)</loc>", (folder / "sitemap.xml").read_text(encoding="utf-8"))]
        check(f"{where}: the sitemap", found == [f"{url.rstrip('/')}/{urllib.parse.quote(page)}" for page in places])
    base = read(folder / "404.html").one("base")["href"]
    check(f"{where}: 404.html knows where it is", base == (urllib.parse.urlsplit(url).path.rstrip("/") + "/"), base)
    check(f"{where}: GitHub serves the files as they are", (folder / ".nojekyll").read_bytes() == b"")
    pictures_there = [path.read_bytes() for path in folder.glob("*/*") if path.suffix in (".png",
            ".webp") and (folder / path.parent.name / "x").parent.name in
                      {card.name for card in results.cards}] if results else []
    check(f"{where}: each picture once", len(pictures_there) == len(set(pictures_there)))
    check(f"{where}: nothing else of a program", not list(folder.glob("*/output.txt")) and not list(folder.glob("*/other.txt")))


def arranged(course, root):
    """In place of the course: this one. In place of cmark-gfm: the HTML of its pages."""
    for name, module in list(sys.modules.items()):
        if name.startswith("course.") and hasattr(module, "ROOT"):
            module.ROOT = root
    if course is None:
        return
    markdown.subprocess = types.SimpleNamespace(run=lambda words, **_: types.SimpleNamespace(stdout=course.bodies[words[-1]]), PIPE=None)


def one_course(seed):
    rng, where = random.Random(seed), f"seed {seed}"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        course, folder = Course(rng, scratch / "course"), scratch / "course/build/tour"
        arranged(course, scratch / "course")
        folder.mkdir(parents=True)
        made, has_pages = Made(rng, course, folder), rng.random() < 0.8
        writing.Missing = lambda: types.SimpleNamespace(pages=[] if has_pages else ["cmark-gfm"], templates=[])
        site = writing.Site(folder, [one.program for one in made.of.values()], "https://host/edit/")
        with contextlib.redirect_stderr(io.StringIO()):
            site.write_pages()
        site.write_results(made.results)
        check(f"{where}: what a page asks while the tour runs", (folder / "progress.js").exists() == made.results.running)
        check_report(course, made, folder, has_pages, where)
        check_cover(course, made, folder, has_pages, where)
        if has_pages:
            around = Site(course, made, "https://host/edit")
            for path in sorted(folder.rglob("*.html")):
                if path.name not in ("watch.html", "profile.html"):
                    check_page(around, folder, path, where)
            check_search(course, folder, where)
        made.results.save(folder)
        for with_results in (True, False):
            one_site(rng, course, made if with_results and made.results.cards else None, scratch, where)


def one_site(rng, course, made, scratch, where):
    """./course site, with the results of the tour or without."""
    tour, to, url = scratch / "course/build/tour", scratch / "to", rng.choice(["", "https://example.org", "http://example.org/a b/"])
    command.Missing = writing.Missing = lambda: types.SimpleNamespace(pages=[], templates=[])
    if made is None:
        (tour / "results.json").unlink(missing_ok=True)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command.run(types.SimpleNamespace(url=url, edit=""), [str(to)])
    where = f"{where}, site {'with' if made else 'without'} results"
    check(f"{where}: it works", code == 0)
    check(f"{where}: a tour is missing", ("./course tour" in err.getvalue()) == (made is None), err.getvalue())
    files = sum(path.is_file() for path in to.rglob("*"))
    check(f"{where}: how many files", out.getvalue().startswith(f"{files} files, ") and out.getvalue().endswith(f" MB in {to}\n"), out.getvalue())
    if made:
        made.results = report.Results.load(tour)
        saved = [(card.name, card.verdict, card.reason, card.seconds) for card in made.results.cards]
        check(f"{where}: what was saved", saved == [(name, one.card.verdict, one.card.reason, round(one.card.seconds, 3)) for name, one in made.of.items()],
              str(saved))
        check(f"{where}: that it has ended", (made.results.running, made.results.expected) == (False, len(saved)))
        pictures_of = {}
        for card in made.results.cards:  # the first that draws a picture has it
            made.of[card.name].card = card
            for name in made.of[card.name].drawn:
                data = (card.folder / name).read_bytes()
                first = pictures_of.setdefault(data, f"{card.name}/{name}")
                card.shared += [first] * (first != f"{card.name}/{name}")
            card.folder = to / card.name
        check_report(course, made, to, True, where)
    else:
        check(f"{where}: no report", not (to / "report.html").exists())
    check_cover(course, made, to, True, where)
    check_host(to, url, made.results if made else None, where)
    around = Site(course, made, "")
    for path in sorted(to.rglob("*.html")):
        if path.name not in ("watch.html", "profile.html"):
            check_page(around, to, path, where)


def refused():
    """Folders and addresses that ./course site does not take, whatever is installed."""
    command.Missing = lambda: types.SimpleNamespace(pages=[], templates=[])
    with tempfile.TemporaryDirectory() as scratch:
        other = pathlib.Path(scratch, "other")
        other.mkdir()
        (other / "mine").write_text("mine")
        for words, more, said in (([], {}, "a folder to write to"), ([str(other)], {}, "contains other files"), ([str(other)], {"url": "ftp://x"},
                "'ftp://x' is not an address"),
                                  ([str(other)], {"edit": "example.org"}, "'example.org' is not an address"), (["/dev/null/x"], {},
                                          "cannot write to /dev/null/x")):
            try:
                command.run(types.SimpleNamespace(**{"url": "", "edit": "", **more}), words)
                told = "nothing"
            except Problem as problem:
                told = str(problem)
            check(f"./course site {words} {more} is refused", said in told and (other / "mine").exists(), told)
        (other / "search_index.js").write_text("")  # an earlier site goes, but not a copy of the course
        (other / "course").write_text("")
        for left in (True, False):
            try:
                command.empty(other)
            except Problem:
                pass
            check(f"a folder with {'course' if left else 'an earlier site'} stays or goes", (other / "mine").exists() == left)
            (other / "course").unlink(missing_ok=True)


def stills():
    """Of an animation the frame that is shown: from the middle, and as large as the picture."""
    size = bytes([9, 0, 0, 7, 0, 0])

    def frame(name, whole=True):
        inner = pictures.chunk(b"VP8 ", name)
        return pictures.chunk(b"ANMF", bytes(6) + (size if whole else bytes(6)) + bytes(4) + inner)

    def animation(*frames, magic=b"WEBP"):
        return b"RIFF" + bytes(4) + magic + pictures.chunk(b"VP8X", bytes(4) + size) + b"".join(frames)

    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch, "a.webp")
        for data, wanted in ((animation(*(frame(b"%d" % n) for n in range(5))), b"2"), (animation(*(frame(b"%d" % n) for n in range(2))), b"0"),
                             (animation(frame(b"a", False), frame(b"bcd"), frame(b"e", False)), b"bcd"), (animation(frame(b"a", False)), None), (b"\x89PNG",
                                     None),
                             (animation(frame(b"a"), magic=b"WAVE"), None)):
            path.write_bytes(data)
            still = pictures.still_of(path)
            body = None if wanted is None else b"WEBP" + b"VP8 " + bytes([len(wanted), 0, 0, 0]) + wanted + b"\0" * (len(wanted) % 2)
            check(f"the still {wanted}", still == (body and b"RIFF" + bytes([len(body), 0, 0, 0]) + body), str(still))


WORDS = HERE / "tests/pages/site_words.txt"


def fixed_words():
    """Lines: the words of the templates without what is put in, and those of the first page and the sidebar."""
    for path in sorted((HERE / "tools/course/site/templates").glob("*.html")):
        yield f"# {path.name}"
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text(encoding="utf-8"), flags=re.S)
        for attributes in re.findall(r'(?:title|placeholder|aria-label|alt|content)="([^"]*)"', text):
            if attributes:
                yield f"    {attributes}"
        for line in re.split(r"</?(?:p|h\d|li|tr|td|dt|dd|summary|div|title|label|a|button|section|ul|nav|head|body)\b[^>]*>", re.sub(r"\{\{.*?\}\}", "...",
                text, flags=re.S)):
            words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", line)).split())
            if re.search(r"\w", words):
                yield f"    {words}"
    for name, rows in (("stories", cover.STORIES), ("ways", cover.WAYS), ("links", cover.LINKS), ("start", frame.START), ("contributors",
            frame.CONTRIBUTORS)):
        yield f"# {name}"
        yield from (f"    {' | '.join(row)}" for row in rows)


def real_topics():
    """Of the real README.md: what each chapter is about."""
    check("every chapter has a topic on the first page", sorted(cover.topics()) == sorted(programs.CHAPTERS), str(cover.topics()))


def main():
    real_topics()
    check_table(WORDS, fixed_words(), context=0)
    if "--update" in sys.argv:
        return finish()
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    refused()
    stills()
    for seed in range(seeds):
        one_course(seed)
    first_pages(4 * seeds)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
