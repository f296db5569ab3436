"""The test report: a card for each program, made by templates/report.html."""

import datetime
import json
import os
import platform
import re
import time

from .. import ROOT
from ..devices import cores
from ..printable import printable, without_paths
from ..programs import all_programs, chapter_title, purpose

MOST_BYTES = 65536  # of an output or a source that is shown
FOLDED = 12         # lines: what is longer is folded
RATE = re.compile(r"[0-9][0-9.e+]* G(?:B|FLOP)/s")
WORDS = {"broken": "broken on purpose"}


def shown(path):
    """What the page shows of a file."""
    with open(path, "rb") as file:
        text = file.read(MOST_BYTES).decode("utf-8", errors="ignore")
    return without_paths(printable(text)).rstrip("\n")


class Card:
    """One program on the page: what it is, and what became of it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.output_file = folder / "output.txt"
        self.verdict, self.reason, self.seconds, self.time = "failed", "", 0, ""
        self.shared = []  # pictures that another program's folder has
        self.late = False  # whether it was stopped since it took too long

    @property
    def name(self):
        return self.program.name

    @property
    def verdict_words(self):
        return WORDS.get(self.verdict, self.verdict)

    def complete(self, page):
        """Adds what the template shows."""
        self.purpose = purpose(ROOT / self.program.source)
        self.pictures = self.shared + sorted(f"{self.name}/{path.name}" for path in self.folder.iterdir()
                                             if path.suffix in (".png", ".webp"))
        self.output = shown(self.output_file)
        self.output_lines = line_count(self.output_file)
        self.source = shown(ROOT / self.program.source)
        self.source_lines = line_count(ROOT / self.program.source)
        self.speeds = speeds(self.output)
        self.watched = (self.folder / "watch.html").exists()
        self.profiled = (self.folder / "profile.html").exists()
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
        if re.search(r"% of the [0-9.e+]+ GFLOP/s of multiply-adds", line):
            whose = "of multiply-adds alone"
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


def in_seconds(seconds):
    return f"{seconds:.1f} s" if seconds < 9.9995 else f"{seconds:.0f} s"


class Results:
    """What a tour has found out so far. It is kept beside its page, so that `./course site` needs no second tour."""

    FILE = "results.json"

    def __init__(self, ran_on, expected):
        self.ran_on, self.expected = ran_on, expected  # how many programs there are to run
        self.machine, self.when = machine(), datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
        self.seconds, self.cards, self.running = 0, [], True
        self.begin = time.monotonic()

    def count(self, verdict):
        return sum(card.verdict == verdict for card in self.cards)

    def save(self, folder):
        rows = [[card.name, card.verdict, card.reason, round(card.seconds, 3)] for card in self.cards]
        (folder / self.FILE).write_text(json.dumps({
            "ran_on": self.ran_on, "machine": self.machine, "when": self.when, "seconds": self.seconds,
            "cards": rows}, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder):
        """Those of a tour that has ended, None if there are none."""
        try:
            saved = json.loads((folder / cls.FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        programs = {program.name: program for program in all_programs()}
        results = cls(saved["ran_on"], 0)
        results.machine, results.when, results.seconds = saved["machine"], saved["when"], saved["seconds"]
        for name, verdict, reason, seconds in saved["cards"]:
            if name in programs and (folder / name / "output.txt").is_file():
                card = Card(programs[name], folder / name)
                card.verdict, card.reason, card.seconds = verdict, without_paths(reason), seconds
                results.cards.append(card)
        results.expected, results.running = len(results.cards), False
        return results if results.cards else None


def write_report(page, frame, results):
    """report.html, and what it looks at while the tour runs."""
    for card in results.cards:
        card.time = in_seconds(card.seconds)
    counts = [(verdict, WORDS.get(verdict, verdict), results.count(verdict))
              for verdict in ("verified", "skipped", "broken", "failed")]
    text = frame.render(
        "report.html", "report.html", "Test report", kind="report", counts=counts,
        failures=[card.name for card in results.cards if card.verdict == "failed"], ran_on=results.ran_on,
        machine=results.machine, when=results.when, elapsed=in_seconds(results.seconds),
        sections=sections(page, results.cards), cards=results.cards, folded=FOLDED, running=results.running,
        expected=results.expected)
    replace(page / "report.html", text)


def replace(path, text):
    """Writes a file at once: a browser may load it at any time."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
