"""The page of `./course tour`: a card for each program, made by templates/tour.html."""

import datetime
import platform
import re

from . import HERE, ROOT
from .devices import cores
from .programs import chapter_title, purpose

MOST_BYTES = 65536  # of an output or a source that is shown
FOLDED = 12         # lines: what is longer is folded
RATE = re.compile(r"[0-9][0-9.e+]* G(?:B|FLOP)/s")
WORDS = {"broken": "broken on purpose"}


def printable(text):
    """Text that a browser accepts: without control characters and the colors of terminals."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)


def shown(path):
    """What the page shows of a file."""
    with open(path, "rb") as file:
        text = file.read(MOST_BYTES).decode("utf-8", errors="ignore")
    return printable(text).rstrip("\n")


class Card:
    """One program on the page: what it is, and what became of it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.verdict, self.reason, self.seconds, self.time = "failed", "", 0, ""

    @property
    def name(self):
        return self.program.name

    @property
    def verdict_words(self):
        return WORDS.get(self.verdict, self.verdict)

    def complete(self, page):
        """Adds what the template shows."""
        self.purpose = purpose(ROOT / self.program.source)
        self.pictures = sorted(path.name for path in self.folder.iterdir() if path.suffix in (".png", ".webp"))
        self.output = shown(self.folder / "output.txt")
        self.output_lines = line_count(self.folder / "output.txt")
        self.source = shown(ROOT / self.program.source)
        self.source_lines = line_count(ROOT / self.program.source)
        self.speeds = speeds(self.output)
        self.watched = (self.folder / "watch.html").exists()
        self.listing = (page / f"{self.program.source}.html").exists()


def line_count(path):
    return path.read_bytes().count(b"\n")


def speed(label, rate, limit, whose):
    percent = 100 * float(rate.split()[0]) / float(limit.split()[0])
    return {"label": label, "rate": rate, "limit": limit, "whose": whose, "width": f"{percent:.1f}",
            "percent": f"{percent:.2g}" if percent < 10 else f"{percent:.0f}"}


def speeds(output):
    """What a program printed of its kernels' speed beside the machine's limit: "... 20 GB/s; a copy within
    the device's memory moves 80 GB/s", or the limit on a line below those of the kernels."""
    found, known = [], []
    for line in output.splitlines():
        rates = RATE.findall(line)
        whose = ""
        if re.search(r"% of the [0-9.e+]+ GFLOP/s that", line):
            whose = "that the device can do"
        elif re.search(r"a copy within the device.s memory|this device copies", line):
            whose = "of a copy on the device"
        if whose and len(rates) > 1:
            found.append(("kernel", rates[-2], rates[-1], whose))
        elif whose and rates:
            found += [(label, rate, rates[0], whose) for label, rate in known]
        elif len(rates) == 1:
            known.append((re.sub("(  |[:,]).*", "", line), rates[0]))
    return [speed(*row) for row in found if float(row[2].split()[0]) > 0]


def machine():
    def first(path, pattern):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                found = re.search(pattern, file.read(), re.M)
        except OSError:
            found = None
        return found[1] if found else ""
    model = first("/proc/cpuinfo", r"^model name[^:]*: *(.*)$") or platform.machine()
    memory = int(first("/proc/meminfo", r"^MemTotal: *(\d+)") or 0) / 1e6
    system = first("/etc/os-release", r"^PRETTY_NAME=(.*)$").strip("'\"")
    return (f"{model}, {cores()} cores, {memory:.0f} GB of memory, "
            f"{system or f'{platform.system()} {platform.release()}'}")


def sections(page, cards):
    """The cards by chapter."""
    found = []
    for card in cards:
        card.complete(page)
        chapter = card.program.chapter
        if not found or found[-1]["name"] != chapter:
            found.append({"name": chapter, "title": chapter_title(chapter), "cards": [],
                          "has_page": (page / chapter / "README.html").exists()})
        found[-1]["cards"].append(card)
    return found


def write_index(page, cards, device, seconds):
    import jinja2
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    pages = [("README", "The course"), ("GLOSSARY", "Glossary"), ("SNIPPETS", "Snippets"), ("TOOLS", "Tools"),
             ("SPEED", "Speed"), ("LABS", "Labs")]
    counts = [(verdict, WORDS.get(verdict, verdict), sum(card.verdict == verdict for card in cards))
              for verdict in ("verified", "skipped", "broken", "failed")]
    (page / "index.html").write_text(environment.get_template("tour.html").render(
        pages=[pair for pair in pages if (page / f"{pair[0]}.html").exists()], counts=counts,
        failures=[card.name for card in cards if card.verdict == "failed"], ran_on=device.words(),
        machine=machine(), when=datetime.datetime.now().strftime("%Y-%m-%d %H:%M"),
        elapsed=f"{seconds:.1f} s" if seconds < 9.9995 else f"{seconds:.0f} s", sections=sections(page, cards),
        cards=cards, folded=FOLDED) + "\n", encoding="utf-8")
