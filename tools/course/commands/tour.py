"""Builds and runs every program, and writes the pages of build/tour."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from concurrent import futures

from .. import ROOT
from ..background import BackgroundBuild, ProgramQueue
from ..building import configure, not_built, start_cpu_device
from ..devices import Device, choose_device, cores, may_have_gpu
from ..messages import Problem, say
from ..page_programs import PagePrograms
from ..packages import Installation, Missing, install_command, look_again, set_up_tour
from ..printable import printable, without_paths
from ..programs import choose_or_stop

USAGE = "tour [--cpu|--gpu] [WHAT...]"
ABOUT = """Builds and runs every program, and writes build/tour/index.html: each program with its picture, output,
time, verdict and source, and all pages of the course.

WHAT: programs and chapters, such as dot, ch05."""

SECONDS, SECONDS_IF_BROKEN = 120, 30  # that a program may take
SKIPPED, NO_END = 77, 124             # exit codes; the second is that of `timeout`


def run(options, words):
    chosen = choose_or_stop(words)
    later = set_up_tour(lambda: start_early(options))
    device = choose_device(options.device)
    if not chosen:
        raise Problem(f"there are no programs in {ROOT}")
    from ..site.report import Results  # only now: jinja2 may have been installed a moment ago
    from ..site.writing import Site
    say(f"touring {len(chosen)} program{'' if len(chosen) == 1 else 's'} on {device.words()}")
    configure(device)
    page = empty_folder(ROOT / "build/tour")
    results = Results(device.words(), len(chosen))
    site = Site(page, chosen)
    tour = Tour(device, chosen, words, site, results)
    with PagePrograms(chosen) as page_programs:
        tour.run(later, page_programs)
        results.running, results.seconds = False, time.monotonic() - results.begin
        site.write_results(results)
        results.save(page)
        counts = {verdict: results.count(verdict) for verdict in ("verified", "skipped", "broken", "failed")}
        print(f"{counts['verified']} verified, {counts['skipped']} skipped, {counts['broken']} broken on purpose, "
              f"{counts['failed']} failed, in {in_seconds(results.seconds)}\n"
              f"open {page / 'index.html'} in a browser", flush=True)
        tour.make_pages_to_watch(page_programs)
    return 1 if counts["failed"] else 0


def start_early(options):
    """While packages are installed, a core would have nothing to do."""
    if options.device == "cpu" or not options.device and not may_have_gpu():
        start_cpu_device(Device("cpu"))


def in_seconds(seconds):
    return f"{seconds:.1f} s" if seconds < 9.9995 else f"{seconds:.0f} s"


def empty_folder(folder):
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    except OSError:
        raise Problem(f"cannot write to {folder}") from None
    return folder


class Tour:
    """Builds and runs programs at the same time, and adds each to the site."""

    def __init__(self, device, chosen, words, site, results):
        self.device, self.chosen, self.site, self.results = device, chosen, site, results
        self.targets = [program.name for program in chosen] if words else ["programs"]
        self.page = site.folder
        self.width = max(len(program.name) for program in chosen)
        self.processes = set()  # programs that run
        self.reporting, self.compiling = threading.Lock(), threading.Lock()

    def run(self, later, page_programs):
        """`later`: packages that are installed while programs are built that do not need them. `page_programs`: what is
        compiled on idle cores."""
        self.site.write_results(self.results)
        say(f"open {self.page / 'index.html'} in a browser: the page grows while the tour runs")
        say("building (this takes minutes the first time)")
        # At once the first program, and the first that draws: a reader has something to look at.
        ready = [p for p in self.chosen if not not_built(self.device, p.name)]
        self.build_and_run([*ready[:1], *(p for p in ready[1:] if "png" in p.words)][:2])
        page_programs.start()
        if later:
            with Installation(later) as packages:
                self.build_and_run([p for p in ready if not p.words])
            if packages.worked:
                look_again()
                configure(self.device)
            elif libraries := Missing().libraries:
                say(f"some programs are skipped; for them: {install_command(*libraries)}")
        self.build_and_run(self.chosen, write_pages=True)

    def make_pages_to_watch(self, programs):
        """Watch and profile pages, after all results: nobody has to wait for them."""
        programs.write_pages(self.page)
        if self.site.pages:  # now their pictures lead to watch pages
            self.site.write_pages()
        self.site.write_results(self.results)  # and the first page shows one

    def build_and_run(self, programs, write_pages=False):
        """Those of the programs that have not run yet."""
        done = {card.name for card in self.results.cards}
        programs = [program for program in programs if program.name not in done]
        targets = self.targets if programs and len(programs) + len(done) == len(self.chosen) else [p.name for p in programs]
        with BackgroundBuild(self.device, targets) as build_of_them:
            if write_pages:
                self.site.write_pages()
                self.site.write_results(self.results)
            self.run_all(build_of_them, programs)

    def run_all(self, build, programs):
        """Runs these programs, each as soon as it is built, with a line for each. On the CPU device two at a time: few
        keep all cores busy from beginning to end."""
        at_once = 2 if self.device.kind == "cpu" and cores() > 1 else 1
        queue = ProgramQueue(build, programs)
        with futures.ThreadPoolExecutor(at_once) as pool:
            runners = [pool.submit(self.run_from, queue) for _ in range(at_once)]
            try:
                for runner in runners:
                    runner.result()
            except BaseException:  # Ctrl-C, or a page that cannot be written: the other runner must end, too
                queue.stop()
                for process in list(self.processes):
                    process.terminate()
                raise

    def run_from(self, queue):
        for program, ended in queue:
            card = self.card(program, ended and not queue.build.worked)
            if queue.stopped:
                return
            if not ended and card.late:  # the compilers took its time
                queue.again.append(program)
                continue
            with self.reporting:
                self.report(card)

    def report(self, card):
        done = len(self.results.cards) + 1
        digits = len(str(len(self.chosen)))
        print(f"[{done:{digits}}/{len(self.chosen)}] {card.name:{self.width}} ... {card.verdict_words} "
              f"{in_seconds(card.seconds)}{f' ({card.reason})' if card.reason else ''}", flush=True)
        self.add(card)

    def add(self, card):
        cards = self.results.cards
        cards.append(card)
        cards.sort(key=lambda one: self.chosen.index(one.program))
        self.results.seconds = time.monotonic() - self.results.begin
        self.site.write_results(self.results, now=len(cards) <= 2)

    def card(self, program, failed):
        """Runs one program. `failed`: something was not built."""
        from ..site.report import Card
        card = Card(program, self.page / program.name)
        card.folder.mkdir(exist_ok=True)
        reason = not_built(self.device, program.name)
        if failed and not self.builds(program, card):
            card.verdict, card.reason = "failed", "it does not compile"
        elif reason:
            card.verdict, card.reason = "skipped", reason
            (card.folder / "output.txt").write_text(f"not built: {reason}\n", encoding="utf-8")
        else:
            run_program(self.device, program, card, self.processes)
        return card

    def builds(self, program, card):
        with self.compiling, open(card.folder / "output.txt", "wb") as log:
            return subprocess.run(["cmake", "--build", self.device.build, "--target", program.name], stdout=log,
                                  stderr=subprocess.STDOUT, check=False).returncode == 0


def run_in(folder, program, seconds, processes):
    """The exit code of a program that runs in this folder; as a shell has it, or NO_END. While it runs, it is one of the
    processes, so that somebody else can end it."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with open(folder / "output.txt", "wb") as output:
        try:
            process = subprocess.Popen([program], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT)
        except OSError as error:
            output.write(f"{program}: {error.strerror}\n".encode())
            return 127
        processes.add(process)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return NO_END
        finally:
            processes.discard(process)
    return 128 - code if code < 0 else code


def run_program(device, program, card, processes):
    """Runs a program in a folder of its own, and sets the card's verdict, reason and time."""
    limit = SECONDS_IF_BROKEN if program.broken else SECONDS
    begin = time.monotonic()
    code = run_in(card.folder, device.build / program.chapter / program.name, limit, processes)
    card.seconds = time.monotonic() - begin
    if code == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    card.late = code == NO_END
    text = (card.folder / "output.txt").read_text(encoding="utf-8", errors="replace")
    lines = without_paths(text).splitlines()
    last = printable(lines[-1]) if lines else ""
    if code == 0 and program.broken:
        # Its mistake was seen.
        said = [line for line in lines if line.startswith("broken as intended")]
        card.verdict, card.reason = "broken", printable(said[0]) if said else last
    elif code == 0:
        card.verdict = "verified"
    elif code == SKIPPED:
        card.verdict, card.reason = "skipped", last.removeprefix("skipped: ")
    elif code == NO_END and program.broken and device.kind == "gpu":
        # On a GPU a mistake may hang; on the CPU device none may.
        card.verdict, card.reason = "broken", f"it hung, and was stopped after {limit} seconds"
    else:
        card.verdict, card.reason = "failed", why(code, last, limit)


def why(code, last, limit):
    """What an exit code means, in words."""
    if code in (NO_END, 128 + signal.SIGKILL):
        return f"no end within {limit} seconds"
    last = last or "no message"
    if code == 1:
        return f"wrong result: {last}"
    if 130 <= code < 150 and re.match("SIG", name := signal_name(code - 128)):
        return f"ended by the signal {name}"
    return f"exit code {code}: {last}"


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
