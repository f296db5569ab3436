#!/usr/bin/env python3
"""The words of the CPU device's messages, as a table that somebody has read: message_words.txt.

    message_words_test.py [--write]

Tests that provoke a message look for a part of it. Most messages of a runtime are provoked by no test. So a word that is
lost, doubled or changed by mistake is seen here: the table says what was meant. Who changes a message changes the table
with --write, and reads the difference. Where in the sources a message is, does not matter. runtime/check/ and its like
have tests of their own, with all of what they print.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE = ROOT / "common/cpu_device"
TABLE = pathlib.Path(__file__).with_name("message_words.txt")
OTHERS = {"check", "observe", "profile", "watch"}
# A comment, a raw string, a string, a character (not the ' of 1'000), or any other character.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|(?<!\w)\'(?:[^\'\\\n]|\\.)*\'|\s+|\w+|.', re.S)


def strings(text):
    """The strings of C++ code; those that follow each other are one."""
    found, is_next = [], False
    for match in TOKEN.finditer(text.replace("\\\n", "\n")):
        token = match[0]
        if token.isspace() or token.startswith(("//", "/*")):
            continue
        part = match[2] if match[2] is not None else match[3]
        if part is None:
            # PRIu64 and the like, and macros, between two strings
            is_next = is_next and re.fullmatch(r"PRI[a-z]\d+", token) is not None
        elif is_next:
            found[-1] += part
        else:
            found.append(part)
            is_next = True
    return found


def is_message(text):
    """Words for people: at least three of letters, with blanks between them."""
    if re.search(r"\.globl|\) return|cpu_device|[{}]", text):  # code that is written
        return False
    return len(re.findall(r"(?:^|[ (])[A-Za-z']{2,}(?=[ .,:;)?!]|$)", text)) >= 3 and not text.lstrip().startswith("#")


def sources():
    for folder in sorted((DEVICE / "runtime").iterdir()):
        if folder.is_dir() and folder.name not in OTHERS:
            yield from folder.iterdir()
    yield from (DEVICE / "rewriter").iterdir()
    yield from (DEVICE / "include").rglob("*")


def messages():
    found = []
    for path in sources():
        if path.suffix in (".cpp", ".h", ".inc"):
            found.extend(text.replace("\n", "\\n") for text in strings(path.read_text()) if is_message(text))
    # nvcc: what it says before it gives up, and its help.
    driver = (DEVICE / "nvcc").read_text()
    found.extend(match[1] for match in re.finditer(r"\bfatal ['\"](.*?)['\"](?: *;;)?$", driver, re.M))
    found.extend(line.strip() for line in re.search(r"print_help\(\) \{\n  cat <<'EOF'\n(.*?)\nEOF\n", driver, re.S)[1].splitlines() if line.strip())
    return sorted(found)


def main():
    # The scanner itself: what is a string and what is not.
    sample = r'''say("a \"b\" c" /* "no" */ " d", '"', R"(raw "x")", 1'000, "e" PRIu64 "f"); // "no"'''
    if strings(sample) != [r'a \"b\" c d', 'raw "x"', "ef"]:
        sys.exit(f"strings() finds {strings(sample)}")
    now = messages()
    if sys.argv[1:] == ["--write"]:
        TABLE.write_text("\n".join(now) + "\n")
    before = TABLE.read_text().splitlines()
    if len(before) < 500:
        sys.exit(f"{TABLE.name} has only {len(before)} messages")
    changes = [line for line in difflib.unified_diff(before, now, "the table", "the sources", lineterm="", n=0) if not line.startswith("@@")]
    if changes:
        print("\n".join(changes[:40]))
        sys.exit(f"messages differ from {TABLE.relative_to(ROOT)}. If that is meant: tests/cpu_device/message_words_test.py --write, and read "
                 "the difference")
    print(f"{len(now)} messages as they were read")


if __name__ == "__main__":
    main()
