"""The rules of STYLE.md that a program can check, for all pages (readme_check.py).

Code. A ```cpp block is whole or a fragment. Whole: it defines a function at its left margin, or a
kernel. It then compiles as it stands with `#include "../common/book.h"`, or with what it includes
itself. A fragment is statements, at most six lines, and a piece of the file that it names. No block has
a line `...`. Between paragraphs, a whole block may leave out paragraphs of its file. Blocks marked `not in
a program: the answer to an exercise` are changes to a program, tested by answers_check.py, and may be
either.

Prose. A chapter's README.md has at most 250 lines. The median sentence has fewer than 18 words;
sentences of more than 25 are listed, and are no problem. None of the phrases in idioms.txt.
"""

import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANSWER = "the answer to an exercise"
PAGE_LINES = 250
FRAGMENT_LINES = 6
LONG_SENTENCE = 25
MEDIAN = 18
QUOTES_IDIOMS = "STYLE.md"  # the page that warns of them
BOOK = '#include "../common/book.h"'


# ------------------------------------------------------------------------------------------ code


def is_whole(block):
    text = "\n".join(block.lines)
    if "__global__" in text:
        return True
    definition = r"^(?!else\b|if\b|for\b|while\b|switch\b|return\b)[\w:<>,*&\[\] ]+[ *&]~?\w+\([^;{}]*\)[^;{}]*\{"
    return re.search(definition, text, re.M) is not None


def is_answer(block):
    return any(value.startswith(ANSWER) for value in block.values("not in a program"))


def check_blocks(page):
    for block in page.blocks:
        if block.language != "cpp":
            continue
        for offset, line in enumerate(block.lines, 1):
            if line.strip() in ("...", "// ..."):
                page.problem(block.line + offset, "no '...' in code: show all of it, or less")
        lines = sum(bool(line.strip()) for line in block.lines)
        if not is_whole(block) and not is_answer(block) and lines > FRAGMENT_LINES:
            page.problem(block.line, f"a fragment of {lines} lines, more than {FRAGMENT_LINES}: "
                                     "show the whole function")


def source_of(page, blocks):
    """One file with the blocks, each in a namespace, behind what all of them include."""
    # With what they include, macros without a value, which headers ask for (GL_GLEXT_PROTOTYPES).
    includes = [line for line in blocks[0].lines if re.match(r"#include|#define \w+$", line)] or [BOOK]
    includes = [f'#include "{ROOT}/{line.split(chr(34))[1].removeprefix("../")}"'
                if '"../' in line else line for line in includes]
    text = "\n".join(includes) + "\n"
    for number, block in enumerate(blocks):
        lines = ["" if line.startswith("#include") else line for line in block.lines]
        text += f'namespace block_{number} {{\n#line {block.line + 1} "{page.path}"\n'
        text += "\n".join(lines) + "\n}\n"
    return text


def whole_blocks(page):
    return [block for block in page.blocks
            if block.language == "cpp" and is_whole(block) and not is_answer(block)]


def check_compiles(page, nvcc):
    """Compiles the page's whole blocks: those with the same includes together."""
    groups = {}
    for block in whole_blocks(page):
        key = tuple(line for line in block.lines if line.startswith("#include"))
        groups.setdefault(key, []).append(block)
    for blocks in groups.values():
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "blocks.cu"
            file.write_text(source_of(page, blocks))
            tiles = any("cuda_tile.h" in line for line in blocks[0].lines)
            language = ["--enable-tile", "-std=c++20"] if tiles else ["-std=c++17"]
            done = subprocess.run([nvcc, *language, "-O0", "-c", file, "-o", file.with_suffix(".o")],
                                  capture_output=True, text=True, check=False)
        if "needs CCCL 3.4" in done.stderr:  # it is not here; `./course setup --toolkit` brings it
            continue
        for name, line, text in re.findall(r"^(.*?):(\d+):\d*:? (?:fatal )?error: (.*)", done.stderr, re.M):
            page.problem(int(line) if name == str(page.path) else blocks[0].line,
                         f"does not compile as it stands: {text}")
        if done.returncode != 0 and not page.problems:
            page.problem(blocks[0].line, f"does not compile as it stands: {done.stderr[-500:]}")


# ----------------------------------------------------------------------------------------- prose


def plain(text):
    """Prose without Markdown's marks."""
    text = re.sub(r"<[^>]+>", " ", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "Code", text)
    return re.sub(r"[*_]{1,2}(\S.*?)[*_]{1,2}", r"\1", text)


def paragraphs(page):
    """(line number, text) of each paragraph and list item; no headings, tables and pictures."""
    begin, text, before = 0, "", 0
    for number, line in [*page.prose, (10**9, "")]:
        stripped = line.strip()
        item = re.match(r"(?:[-*]|\d+\.) +", stripped)
        ends = not stripped or item or stripped[0] in "#|<" or number != before + 1
        if ends and text:
            yield begin, plain(text)
            text = ""
        before = number
        if item:
            stripped = stripped[item.end():]
        if stripped and stripped[0] not in "#|<" and not stripped.startswith("!["):
            begin = begin if text else number
            text += " " + stripped


def sentences(page):
    """(line number, words) of each sentence that ends with a full stop or the like."""
    found = []
    for number, text in paragraphs(page):
        for sentence in re.split(r"(?<=[.!?:])[\"')]*\s+(?=[\"'(]*[A-Z0-9])", text):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if words and re.search(r"[.!?:][\"')]*$", sentence.strip()):
                found.append((number, words))
    return found


def long_sentences(page):
    return [(number, words) for number, words in sentences(page) if len(words) > LONG_SENTENCE]


def check_prose(page):
    lines = page.path.read_text().count("\n")
    if page.path.name == "README.md" and re.match(r"ch\d|app|nbody", page.path.parent.name):
        if page.path.parent.parent == ROOT and lines > PAGE_LINES:
            page.problem(PAGE_LINES, f"{lines} lines, more than {PAGE_LINES}: MORE.md takes the rest")
    lengths = [len(words) for _, words in sentences(page)]
    if lengths and statistics.median(lengths) >= MEDIAN:
        page.problem(1, f"the median sentence has {statistics.median(lengths):g} words, "
                        f"not less than {MEDIAN}")
    for number, text in paragraphs(page) if page.name() != QUOTES_IDIOMS else ():
        for pattern, remedy in idioms():
            match = re.search(pattern, text, re.I)
            if match:
                page.problem(number, f"'{match[0].strip()}' reads as translated; rather: {remedy}")


def idioms():
    lines = (ROOT / "tests/pages/idioms.txt").read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def check(page, nvcc):
    """All of the rules; nvcc: None to compile nothing."""
    check_blocks(page)
    check_prose(page)
    # The snippets' own test compiles each of them, whole.
    if nvcc and not page.problems and page.name() != "SNIPPETS.md":
        check_compiles(page, nvcc)
