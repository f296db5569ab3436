#!/usr/bin/env python3
"""Tests readme_check.py: pages with one fault each, and what must be said of them. The code of a page stands in a file."""

import pathlib
import sys
import tempfile

import readme_check
from page_cases import run_cases

FILE = """#include <cstdio>

__global__ void twice(float* a) {
  a[threadIdx.x] *= 2;
}

__global__ void thrice(float* a) {
  a[threadIdx.x] *= 3;
}
"""
TWICE = "__global__ void twice(float* a) {\n  a[threadIdx.x] *= 2;\n}"
THRICE = TWICE.replace("twice", "thrice").replace("2", "3")
PRINTED = "1 + 2 = 3\nall verified\n"


def block(code, mark="<!-- from code.cu -->", language="cpp"):
    return f"{mark}\n```{language}\n{code}\n```\n"


# (what is on the page, a part of what must be said of it; None: nothing)
CODE = [
    (block(TWICE), None),
    (block(TWICE + "\n...\n}"), None),
    (block(TWICE + "\n\n" + THRICE), None),
    (block("  a[threadIdx.x] *= 2;"), None),
    (block(TWICE.replace("2", "4")), "code.cu:4 has 'a[threadIdx.x] *= 2;', not 'a[threadIdx.x] *= 4;'"),
    (block(TWICE.replace("a[threadIdx.x] *= 2", "a[threadIdx.x] *=  2")), "not 'a[threadIdx.x] *=  2;'"),
    (block(TWICE.replace("  a[", " a[")), "indented otherwise"),
    (block(THRICE + "\n...\n" + TWICE), "not in code.cu, or not after what is above it"),  # the other way round
    (block(TWICE + "\n...\n  a[threadIdx.x] *= 2;"), "not in code.cu, or not after what is above it"),  # twice
    (block(TWICE + "\nint last;"), "not 'int last;'"),
    (block("int stands_nowhere;"), "not in code.cu"),
    (block(TWICE, "<!-- from missing.cu -->"), "there is no file 'missing.cu'"),
    (block(TWICE, "<!-- from . -->"), "there is no file '.'"),
    (block(TWICE, ""), "before a ```cpp block must stand"),
    (block(TWICE, "<!-- not in a program: -->"), "before a ```cpp block must stand"),  # no reason
    (block(TWICE, "<!-- not in a program: the answer to an exercise -->"), None),
    ("<!-- from code.cu -->\n\n" + block(TWICE, "", "cpp"), "must follow 'from' at once"),
    (block(TWICE, language="cuda"), "write ```cpp, not ```cuda"),
    (block(TWICE, language="C++"), "write ```cpp, not ```C++"),
    (block(TWICE, "", ""), "this is code: write ```cpp"),
    (block(TWICE, "", "text"), "this is code: write ```cpp"),
    (block("twice<<<1, 32>>>(a);", "", ""), "this is code: write ```cpp"),
    (block("cudaFree(a);", "", "text"), "this is code: write ```cpp"),
    (block("race in kernel twice\n    line 4:  a[0] = 1;", "<!-- printed by: ./course check dot -->", "text"), None),
    (block(TWICE, "", "cpp title"), "a block begins with ``` and at most one word"),
    ("~~~cpp\n" + TWICE + "\n~~~\n", "a block begins with ``` and at most one word"),
    ("```cpp\n" + TWICE, "the block that begins here has no end"),
    ("<!-- form code.cu -->\n<!-- from code.cu -->\n```cpp\n" + TWICE + "\n```\n", None),
    ("<!-- printed: x -->\n", "is none of"),
]
OUTPUT = [
    ("1 + 2 = 3", None),
    ("$ ./course run add\n1 + 2 = 3\nall verified", None),
    ("1 + 2 =\n   3", None),
    ("1 + 2 = 4", "was not printed: 1 + 2 = 4"),
    ("all verified\n...\n1 + 2 = 3", "was not printed: 1 + 2 = 3"),
    ("1 + 2 = 3\n...\n1 + 2 = 3", "was not printed: 1 + 2 = 3"),
    ("1 + 2 = 3\nmore", "was not printed: 1 + 2 = 3 more"),
]
LINKS = [
    ("[a](code.cu)", None),
    ("# One head\n[a](#one-head)", None),
    ("# One head\n[a](#two-heads)", "has no heading #two-heads"),
    ("[a](missing.md)", "'missing.md' does not exist"),
    ("![a](missing.png)", "'missing.png' does not exist"),
    ("<img src=\"missing.svg\">", "'missing.svg' does not exist"),
    ("[a]: missing.md", "'missing.md' does not exist"),
    ("`[a](missing.md)`", None),
    ("<details>", "do not come in pairs"),
]


# (page, the commands of it that --quick runs)
PRINTED_COMMANDS = [
    ("```sh\n./course run dot   # a comment\nls\nX=1 ./course check dot --size 3\n```\n",
     ["./course run dot   # a comment", "X=1 ./course check dot --size 3"]),
    ("<!-- slow: dot: for a GPU -->\n```sh\n./course run dot --size 9\n./course run heat\n```\n", ["./course run heat"]),
    ("```text\n$ ./course run dot\n./course run printed\n```\nand `./course check dot`, not `./coursework`.\n",
     ["./course run dot", "./course check dot"]),
    ("```cpp\nint x;  // ./course run dot\n```\n", []),
]
# (command, exit code, its output, processor seconds, a part of what must be said of it; None: nothing)
ENDINGS = [
    ("./course run dot", 0, "", 19.9, None),
    ("./course run dot", 0, "", 20.1, "takes 20 processor seconds"),
    ("./course run dot", 1, "wrong", 1, "ended with 1: wrong"),
    ("./course run dot", 77, "", 1, None),
    ("./course check dot", 1, "", 1, None),
    ("./course check dot", 2, "usage", 1, "ended with 2: usage"),
    ("./course check dot", 2, "needs what ./course setup --toolkit brings", 1, None),
    ("./course check dot --size 10007 --threads 100", 2, "", 1, None),
    ("./course run dot", None, "", 300, "did not end within 300 s"),
    ("./course run dot", 139, "", 1, "ended with 139: it printed nothing"),
]


def check_commands():
    with tempfile.TemporaryDirectory() as folder:
        for text, expected in PRINTED_COMMANDS:
            file = pathlib.Path(folder) / "page.md"
            file.write_text(text)
            found = [command for _, command in readme_check.printed_commands(readme_check.Page(file))]
            if found != expected:
                sys.exit(f"{text}\n{found}, not {expected}")
    for text, code, output, seconds, expected in ENDINGS:
        said = readme_check.ending_problem(text, code, output, seconds)
        if (said is None) != (expected is None) or (expected and expected not in said):
            sys.exit(f"{text}, {code}, {seconds} s: {said}, not {expected}")


def output_check(page):
    readme_check.check_output(page, page.blocks[0], PRINTED)


def main():
    cases = [(text, expected, readme_check.check_code) for text, expected in CODE]
    cases += [(block(text, "", "text"), expected, output_check) for text, expected in OUTPUT]
    cases += [(text, expected, readme_check.check_links) for text, expected in LINKS]
    check_commands()
    return run_cases(cases, [("code.cu", FILE)])


if __name__ == "__main__":
    sys.exit(main())
