#!/usr/bin/env python3
"""No number on a page changes by accident: claims.txt has the numbers, the expressions in code style and the commands of
each page, and the words of each drawing.

    tests/pages/claims_test.py [--update]    writes the table anew; read the difference before you commit it

Figures with a key are compared with measured/ (figures_test.py), and code blocks with programs (readme_check.py). Links are called like the files that they lead to. This is the
rest: "700 times faster" in a sentence, `n / count * d` in a task, `-lwebp` in a command, "threads 0 to 3" in a drawing. A page
can also be wrong in words. Only a reader notices that.
"""

import html
import pathlib
import re
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/harness")]
from counting import check, check_table, finish  # noqa: E402  pylint: disable=wrong-import-position

TABLE = ROOT / "tests/pages/claims.txt"
FOR_CONTRIBUTORS = ("CONTRIBUTING.md", "STYLE.md", "SNIPPETS.md")
GENERATED = ("common/cpu_device/SUPPORTED.md", "tests/mistakes/compute_sanitizer.md")
NUMBER = re.compile(r"Ctrl-.|(?<![\w.])\d[\d,.]*(?:(?<=\d)|(?<=\d,))(?: ?(?:%|[a-zA-Z]+(?:/[a-z]+)?))?")
EXPRESSION = re.compile(r"[-+*/%<>=&|\d ]")


def pages():
    for path in sorted(ROOT.rglob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("build/", "tests/", "tools/course")) or "/runtime/" in name or "/rewriter/" in name:
            continue
        if name not in FOR_CONTRIBUTORS + GENERATED:
            yield name, path


def claims_of_page(text):
    """The numbers without a key, the expressions and the commands of each line, in their order."""
    text = re.sub(r"[\d,.]+<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    language, block = None, []
    for line in text.splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            language = (fence[1] or "plain") if language is None else None
            if block:
                yield f"printed: {len(block)} lines, {zlib.crc32(chr(10).join(block).encode()):08x}"
            block = []
            continue
        if language is not None:
            block += [line] if language in ("plain", "text", "console") else []
            if language in ("sh", "bash", "cmake") or re.match(r"\$ |(?:\./course|nvcc|make|cmake|common/)\b", line):
                yield line.strip()
            continue
        line = re.sub(r"\]\([^)]*\)", "]", line)
        line = re.sub(r"https?://\S+|<[^>]*>", "", line)
        expressions = [one for one in re.findall(r"`([^`]+)`", line) if EXPRESSION.search(one)]
        yield " | ".join(expressions + NUMBER.findall(re.sub(r"`[^`]*`", "`", line)))


def words_of_drawing(text):
    """Each text of an SVG file."""
    return [html.unescape(re.sub(r"<[^>]*>", "", one)) for one in re.findall(r"<text\b[^>]*>(.*?)</text>", text, re.S)]


def claims():
    lines = ["# Numbers, expressions and commands on the pages, and words of the drawings: claims_test.py --update writes them."]
    for name, path in pages():
        found = [one for one in claims_of_page(path.read_text(encoding="utf-8")) if one]
        lines += [f"== {name}", *found] if found else []
    for path in sorted(ROOT.rglob("images/*.svg")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("build/"):
            lines += [f"== {name}", *words_of_drawing(path.read_text(encoding="utf-8"))]
    return lines


def check_links():
    """A link that is called like a file or a lab leads there."""
    for name, path in pages():
        for text, target in re.findall(r"\[`?([^\]`]+)`?\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
            lab = re.search(r"(?:(\w+)/)?labs/(\w+)/task\.md$", target)
            if lab and re.fullmatch(r"(ch\d\d|appA|nbody)_\w+", text):
                chapter = (lab[1] or path.parent.name).split("_")[0]
                check(f"{name}: [{text}]({target})", text == f"{chapter}_{lab[2]}")
            elif re.fullmatch(r"[\w/.]+\.(cu|h|cpp|py|md|sh|json|txt)", text) and "://" not in target:
                check(f"{name}: [{text}]({target})", target == text or target.endswith("/" + text) or text.endswith(target.lstrip("./")))


def main():
    check_links()
    check_table(TABLE, claims(), context=0)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
