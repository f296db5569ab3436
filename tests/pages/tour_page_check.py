#!/usr/bin/env python3
"""The pages that `./course tour` and `./course site` write: that nothing is missing, and what a browser makes of
them.

    tests/pages/tour_page_check.py BUILD [FOLDER]    BUILD: where the programs were built; FOLDER: kept

Some programs of the tour are the real ones; of the others stand-ins print what those print, so that
all is done in seconds. Exit code: 0, 1 with a line for each finding, 77 without cmark-gfm.
"""

import base64
import filecmp
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools")]
sys.dont_write_bytecode = True
import browser       # noqa: E402
import readme_check  # noqa: E402
import site_browser  # noqa: E402

CHAPTERS = ("ch05_threads", "ch07_texture", "nbody")
TOURED = ("ch05_threads", "ch07_texture", "nbody_shared")  # of the last chapter one program
REAL = ("dot", "transpose")                                # these programs, too: they are quick
# What a stand-in prints, where the words stand that the course's own program says, and what the
# tour makes of it.
PRINTED = {
    "heat_global": ("a frame of 90 steps: kernels 3.9 ms, 44 us per step, 2.5 GB/s if each cell is read",
                    "common/lessons/heat.h", "a copy within the device's memory: 10.0 GB/s",
                    "a frame of 90 steps: 2.5 GB/s, 25 % of the 10.0 GB/s of a copy on the device"),
    "nbody_shared": ("66 ms per step, 0.25 G interactions/s, 5 GFLOP/s: 25 % of the 20 GFLOP/s of multiply-adds alone",
                     "nbody/program.h", "", "kernel: 5 GFLOP/s, 25 % of the 20 GFLOP/s of multiply-adds alone"),
}
LARGEST = 600_000  # bytes of a page, except the one that has all of them
LARGEST_WHOLE = 1_000_000
LARGEST_SITE = 20_000_000
FIRST_LOAD = 1_000_000  # bytes that a page loads before somebody scrolls or clicks

problems = []


def toured():
    """The programs of the tour, name: chapter."""
    return {name: chapter for name, chapter in readme_check.Programs(None).chapter.items()
            if name in TOURED or chapter in TOURED}


def check(good, what):
    if not good:
        problems.append(what)
        print(f"FAIL: {what}", flush=True)


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(0o755)


def tour(build, folder):
    """A tour in a copy of the course that builds nothing; the folder of its pages."""
    copy = folder / "course"
    copy.mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("course", "build", ".git"):
            (copy / path.name).symlink_to(path)
    shutil.copy(ROOT / "course", copy)
    commands = folder / "commands"
    for name in ("ninja", "g++"):  # this one finds every header
        executable(commands / name, "exit 0")
    executable(commands / "cmake", 'case "$1" in --version) echo cmake version 3.25.1 ;; esac')
    picture = ROOT / "ch04_parallel/images/julia.png"
    for name, chapter in toured().items():
        program = copy / "build/cpu" / chapter / name
        if name in REAL:
            check((build / chapter / name).exists(), f"{name} is not built in {build}")
            program.parent.mkdir(parents=True, exist_ok=True)
            program.symlink_to(build / chapter / name)
        else:
            words = PRINTED.get(name, ("verified", "", ""))
            executable(program, f'echo "{words[0]}"; echo "{words[2]}"; echo "saved {copy}/picture.png"; '
                                f'cp "{picture}" picture.png')
    (copy / "build/cpu/CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={copy}\n")
    result = subprocess.run([copy / "course", "tour", "--cpu", *TOURED], text=True, check=False,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"})
    check(result.returncode == 0, f"the tour ends with {result.returncode}: {result.stdout[-500:]}")
    check("the page grows while the tour runs" in result.stdout, "the tour names its page at the beginning")
    return copy / "build/tour"


def site(folder, tour_folder):
    """The site for a web server of the same tour, in which a program has a watch page."""
    for name in ("dot", "dot_broken"):
        (tour_folder / name / "watch.html").write_text("<!DOCTYPE html><title>watch</title>")
    to = folder / "a site"
    command = [tour_folder.parents[1] / "course", "site", "--url", "https://example.org/cuda/",
               "--edit", "https://example.org/edit/", to]
    for _ in range(2):  # the second time in the place of the first
        result = subprocess.run(command, text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        check(result.returncode == 0, f"./course site ends with {result.returncode}: {result.stdout[-500:]}")
    other = folder / "other"
    other.mkdir()
    (other / "mine").write_text("mine")
    result = subprocess.run([*command[:-1], other], text=True, check=False, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(result.returncode == 2 and "other files" in result.stdout and (other / "mine").exists(),
          f"a folder with other files: {result.stdout}")
    return to


# ------------------------------------------------------------------------------------- the files


class Reader(html.parser.HTMLParser):
    """Of a page: the ids, the links, and what stands in each <article>."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.articles, self.article = set(), [], {}, None
        self.in_code = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        self.ids.update(attributes[key] for key in ("id", "name") if attributes.get(key) and tag != "meta")
        links = [attributes[key] for key in ("href", "src", "srcset") if attributes.get(key)]
        self.links += links
        if tag == "article":
            self.article = self.articles[attributes["id"]] = {"links": [], "code": "", "text": ""}
        if self.article is not None:
            self.article["links"] += links
        self.in_code = tag == "code" and attributes.get("class") == "language-cpp"

    def handle_endtag(self, tag):
        self.in_code = self.in_code and tag != "code"
        if tag == "article":
            self.article = None

    def handle_data(self, data):
        if self.article is not None:
            self.article["code" if self.in_code else "text"] += data


def check_links(folder, pages):
    for path, page in pages.items():
        for link in page.links:
            name, _, anchor = link.partition("#")
            if re.match(r"https?://", link):
                continue  # a link to follow; what a page loads from elsewhere, the browser's test finds
            target = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
            where = f"{path.relative_to(folder)}: '{link}'"
            if not target.is_file() or folder not in target.parents:
                check(False, f"{where} is not in the folder")
            elif anchor and target.suffix == ".html" and anchor != "story":  # a script's
                check(urllib.parse.unquote(anchor) in pages[target].ids, f"{where}: there is no such id")


def check_readmes(folder, pages):
    for path in ROOT.rglob("*.md"):
        name = path.relative_to(ROOT)
        if name.parts[0] == "build" or any(part.startswith(".") for part in name.parts):
            continue
        page = pages.get(folder / name.with_suffix(".html"))
        check(page is not None, f"{name} has no page")
        if page:
            missing = readme_check.anchors(path) - page.ids
            check(not missing, f"the page of {name} lacks the ids {sorted(missing)[:3]}")


def check_cards(folder, pages):
    cards = pages[folder / "report.html"].articles
    expected = toured()
    check(set(cards) == set(expected), f"cards and programs differ: {sorted(set(cards) ^ set(expected))}")
    for name, card in cards.items():
        source = f"{expected.get(name)}/{name}.cu"
        check(card["code"] == (ROOT / source).read_text().rstrip("\n"), f"{name}: the card has not its source")
        for link in (f"{expected.get(name)}/README.html", f"{source}.html"):
            check(link in card["links"], f"{name}: the card does not link {link}")
    for name, (_, file, last, shown) in PRINTED.items():
        check(shown in cards[name]["text"], f"{name}: the card lacks '{shown}'")
        words = re.sub(r"[0-9].*", "", last) or "multiply-adds alone"
        check(words in (ROOT / file).read_text(), f"{file} does not say '{words}'")
    for name in REAL:
        check("of a copy on the device" in cards[name]["text"], f"{name}: no speed beside the limit")


def check_whole(folder, pages):
    """print.html has each page of a chapter and of the reference once, and leads from part to part."""
    text, page = (folder / "print.html").read_text(), pages[folder / "print.html"]
    ids = re.findall(r'\bid="([^"]*)"', re.sub(r"<pre.*?</pre>", "", text, flags=re.S))
    check(len(ids) == len(set(ids)), f"print.html has an id twice: {sorted(i for i in set(ids) if ids.count(i) > 1)[:3]}")
    parts = re.findall(r'<div class="part" id="([^"]*)">\n<h1[^>]*>(.*?)</h1>', text, re.S)
    expected = {"README", "INSTALL", "TILES", "TOOLS", "DEBUGGING", "SPEED", "GLOSSARY"} | {
        f"{path.parent.name}.{path.stem}" for readme in ROOT.glob("*/README.md") if (readme.parent / "snippets").is_dir()
        for path in readme.parent.glob("*.md")}
    check({name for name, _ in parts} == expected,
          f"the parts of print.html: {sorted({name for name, _ in parts} ^ expected)}")
    for name in expected:
        check(f"#{name}" in page.links, f"print.html's contents lack {name}")
    check("#GLOSSARY.warp" in page.links and "#ch05_threads.README" in page.links, "print.html leads to other pages, not parts")
    there = {link for link in page.links if link.partition("#")[0] in ("GLOSSARY.html", "ch05_threads/README.html")}
    check(not there - {"ch05_threads/README.html", "GLOSSARY.html"}, f"print.html leads away to {sorted(there)[:3]}")
    check('loading="lazy"' not in text, "print.html has pictures that are not loaded for paper")
    check('href="print.html"' in (folder / "index.html").read_text(), "the first page does not lead to print.html")


def check_files(folder):
    # What the programs left is text and pictures; the pages are all other .html.
    pages = {path: Reader(path) for path in folder.rglob("*.html")}
    check_links(folder, pages)
    check_readmes(folder, pages)
    check_cards(folder, pages)
    check_whole(folder, pages)
    for path in pages:
        largest = LARGEST_WHOLE if path.name == "print.html" else LARGEST
        check(path.stat().st_size < largest, f"{path.relative_to(folder)}: {path.stat().st_size} bytes")
    check(not (folder / "progress.js").exists(), "the tour has ended, and its page still waits")


def check_site(to, tour_folder):
    """The pages are the tour's; and what a host needs besides."""
    pages = {path: Reader(path) for path in to.rglob("*.html")}
    check_links(to, {path: page for path, page in pages.items() if path.name != "404.html"})
    for path in tour_folder.rglob("*.html"):
        other = to / path.relative_to(tour_folder)
        check(other.is_file(), f"{path.relative_to(tour_folder)} is not on the site")
    pictures = [path.relative_to(to).as_posix() for path in to.rglob("picture.png")]
    check(len(pictures) == 1 and (to / "report.html").read_text().count(f'<img src="{pictures[0]}"') > 3,
          f"programs that draw the same picture do not share it: {pictures}")
    size = sum(path.stat().st_size for path in to.rglob("*") if path.is_file())
    check(size < LARGEST_SITE, f"the site has {size} bytes")
    check((to / "search_index.js").stat().st_size < 2_000_000, "the index of the search is too large")
    lost = (to / "404.html").read_text()
    check('<base href="/cuda/">' in lost and "does not exist" in lost, "404.html does not know where it is")
    robots = (to / "robots.txt").read_text()
    check("User-agent: *" in robots and "Sitemap: https://example.org/cuda/sitemap.xml" in robots, f"robots.txt: {robots}")
    places = re.findall(r"<loc>https://example.org/cuda/([^<]*)</loc>", (to / "sitemap.xml").read_text())
    check(set(places) == {urllib.parse.quote(str(p.relative_to(to))) for p in pages if p.name != "404.html"},
          "the sitemap has not all pages")
    chapter = (to / "ch05_threads/README.html").read_text()
    check('href="https://example.org/edit/ch05_threads/README.md"' in chapter, "a page does not link its source")
    check('<a class="live" href="../dot/watch.html"' in chapter, "the picture of a watch page does not lead to the page")
    check('src="dot_broken/watch.html#story"' in (to / "index.html").read_text(), "the first page has no story")


def check_no_paths(folder, *secret):
    """No page names folders of the machine that it was made on."""
    for path in folder.rglob("*"):
        if path.suffix in (".html", ".js", ".json", ".css"):
            text = path.read_text(encoding="utf-8")
            for word in secret:
                check(str(word) not in text, f"{path.relative_to(folder)} names {word}")


def check_the_same_again(folder):
    """What is written again is the same."""
    subprocess.run([folder.parents[1] / "course", "site", folder.parent / "third"], check=True, stdout=subprocess.DEVNULL)
    for path in (folder.parent / "third").rglob("*.*"):
        other = folder / path.relative_to(folder.parent / "third")
        # The site's report has each picture once.
        if path.is_file() and path.name not in ("404.html", "robots.txt", ".nojekyll", "report.html"):
            check(other.is_file() and filecmp.cmp(path, other, shallow=False),
                  f"{other.relative_to(folder)} is not the same when it is written again")


# ----------------------------------------------------------------------------------- the browser

UNFOLD = "for (const d of document.querySelectorAll('details')) d.open = true; paint_visible()"
# Of all text on the page: that whose color is too near that of what is behind it (WCAG: 4.5).
CONTRAST = """(() => {
  const parse = text => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const color = parse(getComputedStyle(element).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const found = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.getClientRects().length) continue;
    const text = getComputedStyle(element).color, a = light(parse(text)), b = light(behind(element));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) found.set(element.tagName + "." + element.className, ratio.toFixed(2));
  }
  return [...found].join("; ");
})()"""


def check_page(chrome, path, name, first_load=FIRST_LOAD):
    """Opens one page, and looks at it wide and narrow, light and dark."""
    chrome.shape(1400, 900)
    chrome.open(path.as_uri())
    chrome.run(UNFOLD)
    for width, dark in ((1400, False), (1024, True), (390, False), (360, True)):
        chrome.shape(width, 900, dark)
        there = chrome.run("document.scrollingElement.scrollWidth")
        check(there <= width, f"{name}: {there} pixels wide on a screen of {width}")
        low = chrome.run(CONTRAST)
        check(not low, f"{name}, {'dark' if dark else 'light'}: too little contrast: {low}")
    check_first_load(chrome, name, first_load)
    check(chrome.run("[...document.images].every(i => i.complete && i.naturalWidth > 0 || i.loading === 'lazy')"),
          f"{name}: a picture is not shown")
    check(chrome.complaints() == [], f"{name}: the console says {chrome.complaints()}")
    there = [url for url in chrome.requests() if not url.startswith(("file:", "data:"))]
    check(there == [], f"{name}: requests to {there}")


def check_first_load(chrome, name, most):
    """What a page loads at first, itself included."""
    files = [urllib.parse.unquote(urllib.parse.urlsplit(url).path) for url in chrome.requests() if url.startswith("file:")]
    size = sum(os.path.getsize(file) for file in set(files) if os.path.isfile(file))
    check(size < most, f"{name} loads {size} bytes at first")
    check(not any(file.endswith("search_index.js") for file in files), f"{name} loads the index of the search at once")


def shown(chrome):
    return chrome.run("sections.filter(s => s.getClientRects().length).map(s => s.id)")


def go(chrome, script):
    """Runs a script that may change the address, and waits for what the page makes of it."""
    chrome.run(f"{script}; new Promise(done => setTimeout(() => requestAnimationFrame(done), 50))")


def check_tour(chrome, index):
    chrome.shape(1400, 900)
    chrome.open(index.as_uri())
    check(shown(chrome) == list(CHAPTERS), f"at first all chapters are shown, not {shown(chrome)}")
    go(chrome, "document.querySelector('.filter a[href=\"#ch07_texture\"]').click()")
    check(shown(chrome) == ["ch07_texture"], f"the filter leaves {shown(chrome)}")
    go(chrome, "location.hash = 'dot'")
    check(shown(chrome) == ["ch05_threads"], f"#dot shows {shown(chrome)}")
    names = list(toured())
    for key, expected in (("n", 1), ("n", 2), ("p", 1)):
        chrome.key(key)
        go(chrome, "0")
        name = names[names.index("dot") + expected]
        check(chrome.run("location.hash") == f"#{name}", f"{key}: at {chrome.run('location.hash')}, not #{name}")
        check(chrome.run(f"Math.abs(document.getElementById('{name}').getBoundingClientRect().top) < 800"),
              f"{key}: {name} is not to be seen")
    first = next(name for name, chapter in toured().items() if chapter == "ch07_texture")
    go(chrome, f"document.querySelector('a[rel=prev][href$=\"#{first}\"], a[rel=next][href$=\"#{first}\"]').click()")
    check(shown(chrome) == ["ch07_texture"], "a step into the next chapter shows it")
    go(chrome, "document.querySelector('.filter a[href=\"#all\"]').click()")
    check(shown(chrome) == list(CHAPTERS), f"all: {shown(chrome)}")
    go(chrome, "document.querySelector('#dot .source').open = true")
    painted = chrome.run("[...document.querySelectorAll('#dot .cuda')].map(s => s.textContent)")
    check("__global__" in painted and "__syncthreads" in painted, f"colors in dot's source: {painted[:5]}")
    check(chrome.run("document.querySelector('#dot .source code').textContent") ==
          (ROOT / "ch05_threads/dot.cu").read_text().rstrip("\n"), "colors do not change the source")


def check_paper(chrome, page):
    """Printed, a folded answer is there, and white paper stays white; also where no script runs."""
    chrome.shape(700, 900, dark=True)
    chrome.open(page.as_uri())
    chrome.call("Emulation.setEmulatedMedia", media="print",
                features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check(chrome.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)",
          f"{page.parent.name}: printed on a dark background")
    check(chrome.run("[...document.querySelectorAll('main details')].every(d => !d.open && "
                     "d.lastElementChild.checkVisibility({contentVisibilityAuto: true}))"),
          f"{page.parent.name}: printed folded")
    check(chrome.run("[...document.querySelectorAll('pre')].every(p => p.scrollWidth <= p.clientWidth + 1)"),
          f"{page.parent.name}: printed code is cut off")
    low = chrome.run(CONTRAST)
    check(not low, f"{page.parent.name}, printed: too little contrast: {low}")
    chrome.call("Emulation.setEmulatedMedia", media="")


def check_whole_in_browser(chrome, page):
    """All on one page: complete in a browser and as a PDF file."""
    check_page(chrome, page, page.name, first_load=LARGEST_SITE)
    check_paper(chrome, page)
    pdf = base64.b64decode(chrome.call("Page.printToPDF")["data"])
    sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
    check(100 < sheets < 400 and len(pdf) < LARGEST_SITE, f"print.html as a PDF file: {sheets} pages, {len(pdf)} bytes")


def check_without_scripts(chrome, report):
    chrome.shape(1400, 900)
    chrome.call("Emulation.setScriptExecutionDisabled", value=True)
    chrome.events.clear()
    chrome.call("Page.navigate", url=f"{report.as_uri()}#ch07_texture")  # open() waits for a script
    while not any(event.get("method") == "Page.loadEventFired" for event in chrome.events):
        chrome.events.append(chrome.read())
    places = chrome.run("[...document.querySelectorAll('main section')].map(s => [s.id, Math.round(s.getBoundingClientRect().top)])")
    check([name for name, _ in places] == list(CHAPTERS) and -100 < dict(places)["ch07_texture"] < 100,
          f"without scripts, #ch07_texture leads to {places}")
    chrome.call("Emulation.setScriptExecutionDisabled", value=False)


def check_keys(chrome, folder):
    chrome.open((folder / "ch05_threads/README.html").as_uri())
    chrome.key("n")
    at = ""
    for _ in range(50):
        try:
            at = chrome.run("location.href")
        except RuntimeError:  # between two pages
            pass
        if at.endswith("/ch06_constant/README.html"):
            return
        time.sleep(0.1)
    check(False, f"n on chapter 5's page leads to {at}")


def check_in_browser(folder, to):
    names = ["report.html", "README.html", "GLOSSARY.html", "TOOLS.html", "SPEED.html", "LABS.html", "SNIPPETS.html",
             *(str(path.relative_to(ROOT).with_suffix(".html")) for path in sorted(ROOT.glob("*/README.md"))),
             "common/cpu_device/README.html", "ch05_threads/dot.cu.html", "tests/mistakes/index.html",
             "ch05_threads/labs/dot/task.html"]
    with browser.Browser() as chrome:
        check_page(chrome, to / "index.html", "index.html")
        for name in names:
            check_page(chrome, folder / name, name)
        check_tour(chrome, folder / "report.html")
        for name in ("report.html", "ch05_threads/README.html"):
            check_paper(chrome, folder / name)
        check_whole_in_browser(chrome, folder / "print.html")
        check_without_scripts(chrome, folder / "report.html")
        check_keys(chrome, folder)
        site_browser.check_all(chrome, folder, check)


def main():
    if len(sys.argv) not in (2, 3) or not pathlib.Path(sys.argv[1]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("cmark-gfm"):
        print("the tour's pages are not looked at: there is no cmark-gfm (apt-get install cmark-gfm)")
        return 77
    with tempfile.TemporaryDirectory(prefix="tour") as scratch:
        scratch = pathlib.Path(scratch).resolve()
        folder = tour(pathlib.Path(sys.argv[1]).resolve(), scratch)
        check_files(folder)
        check_the_same_again(folder)
        to = site(scratch, folder)
        check_site(to, folder)
        for pages in (folder, to):
            check_no_paths(pages, scratch, ROOT)
        if browser.find() is None:
            print("without a browser (apt-get install chromium)")
        else:
            check_in_browser(folder, to)
        if len(sys.argv) == 3:
            shutil.copytree(folder, sys.argv[2], dirs_exist_ok=True)
    print(f"{len(problems)} problems" if problems else "all as it should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
