"""The site as a folder for any web server."""

import pathlib
import shutil
import urllib.parse

from .. import ROOT
from ..messages import Problem, say
from ..packages import Missing, install_command
from ..site.report import Results

USAGE = "site [--url URL] [--edit URL] DIR"
ABOUT = """Writes the site to DIR, for any web server that serves files: all pages of the course, and the
pictures, outputs and watch pages of the last ./course tour. It also writes 404.html, a page for
addresses that do not exist, and robots.txt."""
MOST_WORDS = 1
WITH_VALUE = ("--url", "--edit")
CHOOSES_DEVICE = False
LIMIT = 20_000_000  # bytes that a site should not exceed
KEPT = (".png", ".webp", ".html")  # of what a tour leaves of a program


def options(parser):
    parser.add_argument("--url", default="", metavar="URL",
                        help="the address that the site will have; adds a sitemap")
    parser.add_argument("--edit", default="", metavar="URL",
                        help="where a code host shows the course's files, such as https://HOST/NAME/edit/main; "
                             "each page links its source there")


def run(chosen, words):
    if not words:
        raise Problem("site needs a folder to write to; try ./course site --help")
    missing = Missing()
    if missing.pages or missing.templates:
        raise Problem("packages are missing. Install them, or ask an administrator: "
                      + install_command(*missing.templates, *missing.pages))
    from ..site.writing import Site  # only now: it needs what was looked for
    for url in filter(None, (chosen.url, chosen.edit)):
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise Problem(f"'{url}' is not an address; addresses begin with https://")
    folder = empty(pathlib.Path(words[0]))
    results = Results.load(ROOT / "build/tour")
    if results is None:
        say("without a test report and watch pages; for them: ./course tour")
    programs = [card.program for card in results.cards] if results else []
    if results:
        copy_results(results, folder)
    site = Site(folder, programs, chosen.edit, report=results is not None)
    site.write_pages()
    site.write_results(results)
    write_for_hosts(site, folder, chosen.url)
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB in {folder}")
    if size > LIMIT:
        say(f"that is more than the {LIMIT / 1e6:.0f} MB that small hosts take")
    return 0


def empty(folder):
    """The folder, new or as an earlier site; nobody's other files are lost."""
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if not (folder / "search_index.js").is_file() or (folder / "course").exists():
                raise Problem(f"{folder} contains other files; name a new folder")
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"cannot write to {folder}: {error.strerror}") from None
    return folder


def copy_results(results, folder):
    """What the last tour left of each program. Programs that draw the same picture share it."""
    known = {}  # pictures, by their bytes
    for card in results.cards:
        to = folder / card.name
        to.mkdir(exist_ok=True)
        for path in sorted(card.folder.iterdir()):
            if path.suffix not in KEPT:
                continue
            name = f"{card.name}/{path.name}"
            first = name if path.suffix == ".html" else known.setdefault(path.read_bytes(), name)
            if first == name:
                shutil.copyfile(path, to / path.name)
            else:
                card.shared.append(first)
        card.output_file = card.folder / "output.txt"
        card.folder = to


def write_for_hosts(site, folder, url):
    base = urllib.parse.urlsplit(url).path.rstrip("/") + "/"
    (folder / "404.html").write_text(site.frame.render(
        "not_found.html", "404.html", "This page does not exist", base=base), encoding="utf-8")
    robots = "User-agent: *\nAllow: /\n"
    if url:
        address = url.rstrip("/") + "/"
        pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.name != "404.html")
        lines = "".join(f"<url><loc>{address}{urllib.parse.quote(page)}</loc></url>\n" for page in pages)
        (folder / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n', encoding="utf-8")
        robots += f"Sitemap: {address}sitemap.xml\n"
    (folder / "robots.txt").write_text(robots, encoding="utf-8")
    (folder / ".nojekyll").write_text("", encoding="utf-8")  # GitHub Pages: serve the files as they are
