#!/usr/bin/env python3
"""Checks that the pages of the course (*.md) say what its programs are.

    tests/pages/readme_check.py [--build FOLDER] [--run | --quick] [--nvcc NVCC] [--sentences] [FILE.md...]

Code. A ```cpp block has one of these on the line before it:

    <!-- from dot.cu -->                    its lines stand in that file (seen from the page), in that
                                            order; a line `...` skips some, and so may the empty line
                                            between paragraphs of a block that is whole. Indentation
                                            may differ by what all lines of a piece share
    <!-- not in a program: REASON -->       it stands in no program, because ...

Links and pictures: what they name exists, and so do the #headings.

Commands, in ```sh blocks and in `...`: `./course run NAME --option` names a program, and an option that
its --help lists (FOLDER: where the programs were built). --run also runs those of the ```sh blocks,
each in an empty folder, and it must end with 0; after `check` with 0 or 1. Before the block may stand

    <!-- run: ./course run dot --size 1000 -->     instead of the block's commands for that program
    <!-- not run: NAME: REASON -->                 leave out those for that program

With --quick, the pages' `run` and `check` commands run as they are printed: those of ```sh blocks, after `$ ` and in
sentences. Each must end within QUICK seconds on a laptop of two cores, which is measured as processor time.
(Compiling does not count: a command that takes longer may try again.) Before a block may stand

    <!-- slow: NAME: REASON -->                 the page says that NAME's command takes longer

Output. With --run, a ```text block is compared with what was printed, where this stands before it:

    <!-- printed by: ./course check dot_broken -->  the pieces between its lines `...` come in that
                                                    order; line breaks and runs of spaces don't matter,
                                                    nor does a line `$ COMMAND`

Style: page_rules.py, for the pages that it is told of; --nvcc compiles the blocks that are whole,
--sentences lists the long sentences.

Spelling: by codespell, where it is installed. Exit code: 0, 1 with a line for each finding, 2 usage.
"""

import argparse
import html
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import urllib.parse

import page_rules

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # that a command may take
QUICK, CORES = 10, 2  # STYLE.md: seconds, on a laptop
MARK = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
KNOWN_MARKS = ("from", "not in a program", "run", "not run", "slow", "printed by")
SUBCOMMANDS = {path.stem for path in (ROOT / "tools/course/commands").glob("[a-z]*.py")}
CPP_NAMES = {"c++", "cu", "cuda", "cc", "cxx", "c"}


class Block:
    """A fenced block: its language, lines without the fence's indentation, and the marks before it."""

    def __init__(self, line, language, marks):
        self.line, self.language, self.marks = line, language, marks
        self.lines = []

    def values(self, name):
        return [value for key, value in self.marks if key == name]


class Page:
    """A Markdown file, split into blocks and the rest."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.blocks = []
        self.prose = []  # (line number, text), without the blocks
        marks, block, indent = [], None, 0
        for number, line in enumerate(path.read_text().splitlines(), 1):
            fence = re.match(r"^(\s*)```(\S*)\s*$", line)
            mark = MARK.match(line)
            if block is not None:
                if fence and not fence[2]:
                    block = None
                else:
                    strip = min(indent, len(line) - len(line.lstrip()))
                    block.lines.append(line[strip:])
            elif fence:
                block, indent = Block(number, fence[2], marks), len(fence[1])
                self.blocks.append(block)
                marks = []
            elif mark:
                key, colon, value = mark[1].partition(":")
                if not colon:
                    key, _, value = mark[1].partition(" ")
                if key in KNOWN_MARKS:
                    marks.append((key, value.strip()))
                elif marks or re.match("(not|from|run|print|slow)", key):
                    self.problem(number, f"'{mark[1]}' is none of: {', '.join(KNOWN_MARKS)}")
            else:
                if re.match(r"\s*(```|~~~)", line):
                    self.problem(number, "a block begins with ``` and at most one word")
                if marks:
                    self.problem(number, f"a ``` block must follow '{marks[-1][0]}' at once")
                marks = []
                self.prose.append((number, line))
        if block is not None:
            self.problem(block.line, "the block that begins here has no end")

    def problem(self, line, text):
        self.problems.append((line, text))

    def name(self):
        return os.path.relpath(self.path, ROOT)


# ------------------------------------------------------------------------------------------ code


def pieces(lines, between=("...", "// ...")):
    """The runs of lines between lines such as `...`, with the offset of each; blank ends cut off."""
    found, piece = [], []
    for offset, line in enumerate([*lines, between[0]]):
        if line.strip() in between:
            while piece and not piece[-1][1].strip():
                piece.pop()
            while piece and not piece[0][1].strip():
                piece.pop(0)
            if piece:
                found.append((piece[0][0], [text for _, text in piece]))
            piece = []
        else:
            piece.append((offset, line))
    return found


def dedent(lines):
    return textwrap.dedent("\n".join(line.rstrip() for line in lines)).split("\n")


def find(piece, lines, start):
    """(where the piece begins in lines, from start on, or None; how many of its lines matched at
    best; and where that was)"""
    wanted = dedent(piece)
    best, best_at = 0, None
    for at in range(start, len(lines) - len(wanted) + 1):
        if wanted[0].strip() != lines[at].strip():
            continue
        here = dedent(lines[at : at + len(wanted)])
        if here == wanted:
            return at, len(wanted), at
        same = 0
        while same < len(wanted) and here[same].strip() == wanted[same].strip():
            same += 1
        if same > best:
            best, best_at = same, at
    return None, best, best_at


def difference(name, piece, lines, same, at):
    """In words: what the file has instead of the first line of the piece that it lacks."""
    wrong = piece[min(same, len(piece) - 1)].strip()
    if same == len(piece):
        return f"indented otherwise than {name}:{at + 1}: {wrong}"
    if at is not None and at + same < len(lines):
        return f"{name}:{at + same + 1} has '{lines[at + same].strip()}', not '{wrong}'"
    return f"not in {name}, or not after what is above it: {wrong}"


def looks_like_code(block):
    """Whether a block that is not called code is some: a kernel, a launch or a call of CUDA, and no program printed it."""
    if block.language not in ("", "text") or block.values("printed by"):
        return False
    return any(re.match(r"\s*(__global__ |__device__ |\w+<<<.*>>>\(|cuda[A-Z]\w+\(.*;)", line) for line in block.lines)


def check_code(page):
    for block in page.blocks:
        if block.language.lower() in CPP_NAMES:
            page.problem(block.line, f"write ```cpp, not ```{block.language}")
        if block.language != "cpp":
            if looks_like_code(block):
                page.problem(block.line, "this is code: write ```cpp, and where it stands on the line before")
            continue
        files = block.values("from")
        if not files:
            if not any(block.values("not in a program")):
                page.problem(block.line, "before a ```cpp block must stand <!-- from FILE --> or "
                                         "<!-- not in a program: REASON -->")
            continue
        source = page.path.parent / files[0]
        if not source.is_file():
            page.problem(block.line, f"there is no file '{files[0]}'")
            continue
        lines, start = source.read_text().splitlines(), 0
        whole = page_rules.is_whole(block)
        for offset, piece in pieces(block.lines, ("", "...")) if whole else pieces(block.lines):
            at, same, nearest = find(piece, lines, start)
            if at is None:
                page.problem(block.line + 1 + offset + min(same, len(piece) - 1),
                             difference(files[0], piece, lines, same, nearest))
                break
            start = at + len(piece)


# ----------------------------------------------------------------------------------------- links


def anchors(path):
    """The names that #... may have: of the headings, as code hosts make them, and of <a id=...>."""
    found, seen, fenced = set(), {}, False
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        found.update(re.findall(r'<[a-z0-9]+ (?:id|name)="([^"]+)"', line))
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*$", line)
        if fenced or not heading:
            continue
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(heading[1]))
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


def check_links(page):
    for number, line in page.prose:
        line = re.sub(r"`[^`]*`", "`code`", line)  # a[i](x) is no link
        targets = re.findall(r"\]\(\s*<?([^)\s>]+)", line)
        targets += re.findall(r'(?:src|srcset|href)="([^"]*)"', line)
        targets += re.findall(r"^\s*\[[^\]]+\]:\s*(\S+)", line)
        for target in targets:
            if re.match(r"[a-z]+:", target):
                continue  # elsewhere
            name, _, anchor = urllib.parse.unquote(html.unescape(target)).partition("#")
            path = page.path.parent / name if name else page.path
            if not path.exists():
                page.problem(number, f"'{name}' does not exist")
                continue
            if path.is_dir() and anchor:
                path = path / "README.md"
            if anchor and path.suffix == ".md" and anchor not in anchors(path):
                page.problem(number, f"'{name or 'this page'}' has no heading #{anchor}")
    text = "\n".join(line for _, line in page.prose)
    for tag in ("details", "summary"):
        if text.count(f"<{tag}>") != text.count(f"</{tag}>"):
            page.problem(1, f"<{tag}> and </{tag}> do not come in pairs")


# -------------------------------------------------------------------------------------- commands


class Programs:
    """What ./course knows: programs, their chapters, and their options as far as they are built."""

    def __init__(self, build):
        self.build = build
        self.chapter = {}
        for file in sorted(ROOT.glob("*/CMakeLists.txt")):
            text = re.sub(r"#.*", "", file.read_text())
            for name in re.findall(r"course_program\(\s*(\w+)", text):
                self.chapter[name] = file.parent.name
        self.options = {}

    def path(self, name):
        return self.build / self.chapter[name] / name

    def options_of(self, name):
        """The options of a program, or None if it is not built."""
        if name not in self.options:
            self.options[name] = None
            if self.build and self.path(name).exists():
                result = subprocess.run([self.path(name), "--help"], capture_output=True, text=True,
                                        timeout=SECONDS, check=False)
                self.options[name] = set(re.findall(r"^\s+(--[\w-]+)", result.stdout, re.M))
        return self.options[name]


class Command:
    """`VARIABLE=value ./course SUBCOMMAND NAME ARGUMENTS`"""

    def __init__(self, text):
        words = shlex.split(text, comments=True)
        self.environment = {}
        while words and re.match(r"\w+=", words[0]):
            key, _, value = words.pop(0).partition("=")
            self.environment[key] = value
        self.is_course = bool(words) and words[0] == "./course"
        rest = words[1:]
        self.devices = [word for word in rest if word in ("--cpu", "--gpu")]
        rest = [word for word in rest if word not in self.devices]
        self.subcommand = rest[0] if rest else ""
        takes_program = self.subcommand in ("run", "check", "export", "profile", "watch")
        self.name = self.word = rest[1] if takes_program and len(rest) > 1 else ""
        self.name = pathlib.PurePath(self.name).name.removesuffix(".cu")
        self.arguments = rest[2:] if self.name else rest[1:]


def course_commands(block):
    """(line number, text) of the commands of a ```sh block that begin with ./course."""
    text, first = "", None
    for offset, line in enumerate(block.lines, block.line + 1):
        first = first or offset
        text += line.removesuffix("\\") + " "
        if line.endswith("\\"):
            continue
        if re.match(r"(\w+=\S*\s+)*\./course\b", text.strip()):
            yield first, text.strip()
        text, first = "", None


def check_command(page, line, text, programs):
    try:
        command = Command(text)
    except ValueError as error:
        return page.problem(line, f"a shell would not understand '{text}': {error}")
    if command.subcommand.startswith("-") or not command.subcommand:
        return None
    if command.subcommand not in SUBCOMMANDS:
        return page.problem(line, f"./course has no command '{command.subcommand}'")
    if not command.name or not re.fullmatch("[a-z0-9_]+", command.name):
        return None  # NAME and the like
    if command.name not in programs.chapter:
        if command.word.endswith(".cu") and command.word.partition("/")[0] not in programs.chapter.values():
            return None  # a file of the reader's
        return page.problem(line, f"there is no program '{command.name}'")
    known = programs.options_of(command.name)
    if known is None or command.subcommand not in ("run", "check"):
        return None
    for word in command.arguments:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in known | {"--help"}:
            page.problem(line, f"{command.name} has no option {option}")
    return None


def check_commands(page, programs):
    for block in page.blocks:
        if block.language in ("sh", "bash", "console"):
            for line, text in course_commands(block):
                check_command(page, line, text, programs)
        named = {Command(text).name for _, text in course_commands(block)}
        for key, value in block.marks:
            if key in ("run", "printed by"):
                check_command(page, block.line, value, programs)
            name = Command(value).name if key == "run" else value.partition(":")[0]
            if key in ("run", "not run", "slow") and name not in named:
                page.problem(block.line, f"the block has no command for '{name}' ({key}: {value})")
    for number, line in page.prose:
        for code in re.findall(r"`([^`]+)`", line):
            if re.match(r"(\w+=\S*\s+)*\./course\s", code):
                check_command(page, number, code, programs)


# --------------------------------------------------------------------------------------- running


def run(command, programs, folder=None):
    """(exit code, output, seconds of processor time): of `run` the program itself, of anything else ./course."""
    if folder is None:
        with tempfile.TemporaryDirectory() as new:
            return run(command, programs, new)
    if command.subcommand == "run":
        words = [programs.path(command.name).resolve(), *command.arguments]
    else:
        words = [ROOT / "course", command.subcommand, *command.devices]
        words += [word for word in [command.name, *command.arguments] if word]
    before = os.times()
    try:
        result = subprocess.run(words, cwd=folder, env={**os.environ, **command.environment},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace",
                                timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, "", SECONDS
    after = os.times()
    return result.returncode, result.stdout, sum(after[2:4]) - sum(before[2:4])


def reason_not_to_run(command, programs):
    device = os.environ.get("COURSE_DEVICE", "cpu")
    if command.subcommand not in ("run", "check") or not command.name:
        return "only ./course run and check of a program are run here"
    if command.devices and f"--{device}" not in command.devices:
        return "for another device"
    if command.subcommand == "check" and device != "cpu":
        return "checked runs are the CPU device's"
    if command.subcommand == "run" and not programs.path(command.name).exists():
        return "not built"
    return None


def commands_to_run(block):
    """(line number, text, Command) of those that --run runs for this block."""
    if block.language == "text":
        for text in block.values("printed by"):
            yield block.line, text, Command(text)
    if block.language not in ("sh", "bash", "console"):
        return
    instead = [(block.line, text, Command(text)) for text in block.values("run")]
    replaced = {command.name for _, _, command in instead}
    replaced |= {value.partition(":")[0].strip() for value in block.values("not run")}
    yield from instead
    for line, text in course_commands(block):
        command = Command(text)
        if command.name not in replaced:
            yield line, text, command


def collapse(text):
    return " ".join(text.split())


def check_output(page, block, output):
    """Whether the pieces of a ```text block are in the output, one after the other."""
    output, start = collapse(output), 0
    printed = ["..." if line.startswith("$ ") else line for line in block.lines]
    for offset, piece in pieces(printed):
        wanted = collapse(" ".join(piece))
        at = output.find(wanted, start)
        if at < 0:
            page.problem(block.line + 1 + offset, f"was not printed: {wanted[:200]}")
            return
        start = at + len(wanted)


def run_commands(page, programs):
    for block in page.blocks:
        for line, text, command in commands_to_run(block):
            reason = reason_not_to_run(command, programs)
            if reason:
                print(f"{page.name()}:{line}: not run ({reason}): {text}")
                continue
            code, output, seconds = run(command, programs)
            allowed = (0, 1) if command.subcommand == "check" else (0,)
            print(f"{page.name()}:{line}: exit code {code}, {seconds:.1f} processor seconds: {text}",
                  flush=True)
            if code not in (*allowed, 77):  # 77: this machine lacks something
                last = output.strip().splitlines()[-1:] or ["it printed nothing"]
                what = f"did not end within {SECONDS} s" if code is None else f"ended with {code}"
                page.problem(line, f"'{text}' {what}: {last[0]}")
            elif block.language == "text":
                check_output(page, block, output)


def printed_commands(page):
    """(line number, text) of all commands that a page tells its reader to run."""
    for block in page.blocks:
        slow = {value.partition(":")[0] for value in block.values("slow")}
        if block.language in ("sh", "bash", "console"):
            yield from ((line, text) for line, text in course_commands(block) if Command(text).name not in slow)
        for offset, line in enumerate(block.lines, 1):
            if line.startswith("$ ./course "):
                yield block.line + offset, line.removeprefix("$ ")
    for number, line in page.prose:
        for code in re.findall(r"`([^`]+)`", line):
            if re.match(r"(\w+=\S*\s+)*\./course\s", code):
                yield number, code


# Of an exercise: they end with 0 or 1 only after the change that it asks for.
AFTER_A_CHANGE = {"./course check dot --size 10007 --threads 100"}


def ending_problem(text, code, output, seconds):
    """What is wrong with how a printed command ended, or None."""
    allowed = (0, 1) if Command(text).subcommand == "check" else (0,)
    if code is None:
        return f"'{text}' did not end within {SECONDS} s"
    if code not in (*allowed, 77) and "course setup --toolkit brings" not in output and text not in AFTER_A_CHANGE:
        return f"'{text}' ended with {code}: {(output.strip().splitlines() or ['it printed nothing'])[-1]}"
    if seconds > QUICK * CORES:
        return (f"'{text}' takes {seconds:.0f} processor seconds, more than {QUICK} s on {CORES} cores: "
                "print a smaller size")
    return None


def run_printed_commands(page, programs, done):
    """`done`: the commands that ran on another page."""
    with tempfile.TemporaryDirectory() as folder:  # one for the page: a command may read what another one wrote
        for line, text in printed_commands(page):
            command = Command(text)
            key = (command.subcommand, command.name, *command.arguments, *command.environment.items())
            known = command.name in programs.chapter and "/" not in command.word
            placeholder = any(re.fullmatch(r"[A-Z]+|\.\.\.", word) for word in command.arguments)
            if not known or placeholder or key in done or reason_not_to_run(command, programs):
                continue
            done.add(key)
            code, output, seconds = run(command, programs, folder)
            if QUICK * CORES < seconds < SECONDS:  # compiling a program for checked runs may be most of it
                code, output, seconds = run(command, programs, folder)
            print(f"{page.name()}:{line}: exit code {code}, {seconds:.1f} processor seconds: {text}", flush=True)
            problem = ending_problem(text, code, output, seconds)
            if problem:
                page.problem(line, problem)


# -------------------------------------------------------------------------------------- spelling


def check_spelling(pages):
    if not shutil.which("codespell"):
        print("spelling is not checked: codespell is not installed")
        return []
    words = ROOT / "tests/pages/readme_words.txt"
    result = subprocess.run(["codespell", "--ignore-words", words, *[page.path for page in pages]],
                            capture_output=True, text=True, check=False)
    return [os.path.relpath(line, ROOT) if line.startswith("/") else line
            for line in result.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, help="folder of the built programs")
    parser.add_argument("--run", action="store_true", help="also run the commands")
    parser.add_argument("--quick", action="store_true", help="run the commands as they are printed, and time them")
    parser.add_argument("--nvcc", help="compile the blocks with it that are whole")
    parser.add_argument("--sentences", action="store_true", help="list the long sentences")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: all of the course's")
    arguments = parser.parse_args()
    if (arguments.run or arguments.quick) and not arguments.build:
        parser.error("--run and --quick need --build FOLDER")
    missing = [str(path) for path in arguments.pages if not path.is_file()]
    if missing:
        parser.error(f"there is no file '{missing[0]}'")
    paths = [path.resolve() for path in arguments.pages] or sorted(
        path for path in ROOT.rglob("*.md")
        if not any(part == "build" or part.startswith(".") for part in path.relative_to(ROOT).parts))

    programs = Programs(arguments.build)
    pages, done = [Page(path) for path in paths], set()
    for page in pages:
        check_code(page)
        check_links(page)
        check_commands(page, programs)
        page_rules.check(page, arguments.nvcc)
        if arguments.sentences:
            for line, words in page_rules.long_sentences(page):
                print(f"{page.name()}:{line}: {len(words)} words: {' '.join(words)[:100]}")
        if arguments.run and not page.problems:
            run_commands(page, programs)
        if arguments.quick and not page.problems:
            run_printed_commands(page, programs, done)
    lines = [f"{page.name()}:{line}: {text}" for page in pages for line, text in sorted(page.problems)]
    lines += check_spelling(pages)
    for line in lines:
        print(line, file=sys.stderr)
    blocks = [block for page in pages for block in page.blocks if block.values("from")]
    if arguments.quick:
        print(f"{len(done)} commands ran as they are printed")
    print(f"{len(pages)} pages by STYLE.md: {sum(len(page_rules.whole_blocks(page)) for page in pages)} "
          f"blocks of code compile as they stand" + ("" if arguments.nvcc else " (not compiled now)")
          + f", {sum(len(page_rules.long_sentences(page)) for page in pages)} sentences of more than "
          f"{page_rules.LONG_SENTENCE} words (--sentences lists them)")
    print(f"{len(pages)} pages, {len(blocks)} pieces of code from programs: "
          f"{len(lines) or 'no'} problem{'' if len(lines) == 1 else 's'}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
