"""Builds and runs every program, and writes the pages of build/tour."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

from .. import ROOT, TOOLS
from ..building import build, configure, not_built
from ..devices import Device, choose_device
from ..messages import Problem, say
from ..packages import Missing, install_command, set_up
from ..programs import CHAPTERS, choose_or_stop
from ..tour_page import Card, printable, write_index

USAGE = "tour [--cpu|--gpu] [WHAT...]"
ABOUT = """Builds and runs every program, and writes build/tour/index.html: each program with its picture, output,
time, verdict and source, and all pages of the course.

WHAT: programs and chapters, such as dot, ch05."""

SECONDS, SECONDS_IF_BROKEN = 120, 30  # that a program may take
SKIPPED, NO_END = 77, 124             # exit codes; the second is that of `timeout`


def run(options, words):
    chosen = choose_or_stop(words)
    set_up("tour")
    device = choose_device(options.device)
    if not chosen:
        raise Problem(f"there are no programs in {ROOT}")
    say(f"touring {len(chosen)} programs on {device.words()}")
    configure(device)
    say("building (this takes minutes the first time)")
    built = build(device, [p.name for p in chosen] if words else ["programs"], keep_going=True)
    page = empty_folder(ROOT / "build/tour")
    for name in ("tour.css", "tour.js"):
        shutil.copy(TOOLS / name, page)
    write_readmes(page, chosen)
    write_watch_pages(page, chosen)

    begin = time.monotonic()
    cards = tour(device, chosen, built, page)
    write_index(page, cards, device, time.monotonic() - begin)
    (page / "build.txt").unlink(missing_ok=True)
    counts = {verdict: sum(card.verdict == verdict for card in cards)
              for verdict in ("verified", "skipped", "broken", "failed")}
    print(f"{counts['verified']} verified, {counts['skipped']} skipped, {counts['broken']} broken on purpose, "
          f"{counts['failed']} failed, in {in_seconds(time.monotonic() - begin)}\n"
          f"open {page / 'index.html'} in a browser")
    return 1 if counts["failed"] else 0


def in_seconds(seconds):
    return f"{seconds:.1f} s" if seconds < 9.9995 else f"{seconds:.0f} s"


def empty_folder(folder):
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    except OSError:
        raise Problem(f"cannot write into {folder}") from None
    return folder


def write_readmes(page, chosen):
    """The READMEs as pages beside the tour's, and sources that they name; a line says if there are none."""
    missing = Missing().pages
    if missing:
        say(f"without the READMEs' pages; for them: {install_command(*missing)}")
        return
    lines = "".join(f"{program.chapter}\t{program.name}\n" for program in chosen)
    if subprocess.run([sys.executable, "-B", TOOLS / "pages.py", page, *CHAPTERS], input=lines, text=True,
                      check=False).returncode != 0:
        say("without the READMEs' pages")


def write_watch_pages(page, chosen):
    """NAME/watch.html for those of the programs that are worth it. What fails leaves no page, and the tour
    goes on."""
    try:
        rows = (TOOLS / "watched_programs.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    arguments = {row.split()[0]: row.split()[1:] for row in rows if row and not row.startswith("#")}
    worth = [program for program in chosen if program.name in arguments]
    if not worth:
        return
    device = Device("cpu-check")
    say(f"making {len(worth)} watch pages")
    try:
        configure(device)
    except Problem as problem:
        say(problem)
        return
    build(device, [program.name for program in worth], keep_going=True)
    for program in worth:
        path, to = device.build / program.chapter / program.name, page / program.name / "watch.html"
        if os.access(path, os.X_OK) and subprocess.run(
                [sys.executable, TOOLS / "watch.py", path, to, *arguments[program.name]], check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            to.unlink(missing_ok=True)


def tour(device, chosen, built, page):
    """Runs the programs, a line for each; returns their cards."""
    cards, digits, width = [], len(str(len(chosen))), max(len(program.name) for program in chosen)
    for index, program in enumerate(chosen, 1):
        print(f"[{index:{digits}}/{len(chosen)}] {program.name:{width}} ... ", end="", flush=True)
        card = Card(program, page / program.name)
        card.folder.mkdir(exist_ok=True)
        reason = not_built(device, program.name)
        if not built and not builds(device, program, card):
            card.verdict, card.reason = "failed", "it does not compile"
        elif reason:
            card.verdict, card.reason = "skipped", reason
            (card.folder / "output.txt").write_text(f"not built: {reason}\n", encoding="utf-8")
        else:
            run_program(device, program, card)
        print(f"{card.verdict_words} {in_seconds(card.seconds)}{f' ({card.reason})' if card.reason else ''}",
              flush=True)
        card.time = in_seconds(card.seconds)
        cards.append(card)
    return cards


def builds(device, program, card):
    with open(card.folder / "output.txt", "wb") as log:
        return subprocess.run(["cmake", "--build", device.build, "--target", program.name], stdout=log,
                              stderr=subprocess.STDOUT, check=False).returncode == 0


def run_in(folder, program, seconds):
    """The exit code of a program that runs in this folder; as a shell has it, or NO_END."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with open(folder / "output.txt", "wb") as output:
        try:
            process = subprocess.Popen([program], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT)
        except OSError as error:
            output.write(f"{program}: {error.strerror}\n".encode())
            return 127
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
    return 128 - code if code < 0 else code


def run_program(device, program, card):
    """Runs a program in a folder of its own, and sets the card's verdict, reason and time."""
    limit = SECONDS_IF_BROKEN if program.broken else SECONDS
    begin = time.monotonic()
    code = run_in(card.folder, device.build / program.chapter / program.name, limit)
    card.seconds = time.monotonic() - begin
    if code == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    lines = (card.folder / "output.txt").read_text(encoding="utf-8", errors="replace").splitlines()
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
    last = last or "it did not say why"
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
