"""Writes the whole site: the pages once, and the report and the first page whenever a program has run."""

import subprocess
import sys
import time

from .. import ROOT, TOOLS
from ..messages import say
from ..packages import Missing, install_command
from .cover import Cover
from .frame import Frame, copy_static
from .pages import Pages
from .report import replace, write_report

# Programs whose lines are worth a profile page: memory in rows and columns, tiles, branches, atomics. A tour makes these;
# ./course profile --page makes one of any program.
PROFILED = ("transpose", "matmul_naive", "matmul_tiled", "divergence", "histogram_global_atomics", "histogram_shared_atomics")
SECONDS = 120  # that a page may take
EVERY = 2  # seconds between two versions of the report, while the tour runs


class Site:
    """`programs`: those of the report, if there is one. `edit`: see Pages."""

    def __init__(self, folder, programs, edit="", report=True):
        self.folder, self.programs, self.edit, self.written = folder, programs, edit, 0
        self.frame, self.pages = Frame([], report), None
        self.cover = Cover(folder, self.frame, None)
        copy_static(folder)

    def use(self, frame, pages):
        self.frame = self.cover.frame = frame
        self.pages = self.cover.pages = pages

    def write_pages(self):
        """The Markdown files as pages, and the sources that they name; a line says if there are none."""
        missing = Missing().pages
        if missing:
            say(f"without the pages of the READMEs. To get them: {install_command(*missing)}")
            return
        report = self.frame.report
        pages = Pages(self.folder, self.programs, self.edit, report)
        try:
            self.use(pages.frame, pages)
            self.cover.need_pictures()
            pages.write()
        except (OSError, subprocess.CalledProcessError) as error:
            say(f"without the pages of the READMEs: {error}")
            self.use(Frame([], report), None)

    def write_results(self, results, now=True):
        """The report and the first page. Without `now` not too often."""
        if not now and time.monotonic() - self.written < EVERY:
            return
        if results is not None:
            write_report(self.folder, self.frame, results)
        self.cover.write(results)
        if results is not None and results.running:
            replace(self.folder / "progress.js", f"course_progress({len(results.cards)});\n")
        else:
            (self.folder / "progress.js").unlink(missing_ok=True)
        self.written = time.monotonic()


def write_watch_page(program, to, arguments):
    """A watch page of a checked program, if it can be made."""
    done = subprocess.run([sys.executable, TOOLS / "watch.py", program, to, *arguments], check=False, cwd=ROOT,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        to.unlink(missing_ok=True)
    else:
        link_report(to)


def link_report(page):
    """A page that stands alone elsewhere leads back to the report here."""
    link = f'<a class="home" href="../report.html#{page.parent.name}">‹ Test report</a>'
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("<!-- home -->", link, 1), encoding="utf-8")


def write_profile_page(command, to):
    """The profile page that this command writes."""
    try:
        subprocess.run(command, check=True, cwd=ROOT, timeout=SECONDS, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        link_report(to)
    except (OSError, subprocess.SubprocessError):
        to.unlink(missing_ok=True)
