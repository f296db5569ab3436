#!/usr/bin/env python3
"""Tests page_rules.py: pages with one fault each, and what must be said of them.

    tests/pages/page_rules_test.py CPU_NVCC
"""

import os
import sys

import page_rules
from page_cases import run_cases

KERNEL = "__global__ void twice(float* a) { a[threadIdx.x] *= 2; }"
FROM = "<!-- from code.cu -->\n"


def cpp(code, mark=FROM):
    return f"{mark}```cpp\n{code}\n```\n"


# (what is on the page, a part of what must be said of it; None: nothing)
CASES = [
    (cpp(KERNEL), None),
    (cpp(KERNEL + "\n...\nint x;"), "no '...' in code"),
    (cpp("__global__ void k(float* a) { a[0] = missing; }"), "does not compile as it stands"),
    (cpp("void run(float* a) {\n  HANDLE_ERROR(cudaMalloc(&a, 4));\n}"), None),
    (cpp("void run(float* a) {\n  unknown_call(a);\n}"), "does not compile as it stands"),
    (cpp(KERNEL) + cpp(KERNEL), None),  # each in a namespace
    (cpp("struct S { int x; };\n__constant__ S s[4];\n" + KERNEL), None),
    (cpp("#include <vector>\nint size(const std::vector<int>& v) { return v.size(); }"), None),
    (cpp("#include <cstdio>\nint size(const std::vector<int>& v) { return v.size(); }"),
     "does not compile as it stands"),
    (cpp("\n".join(f"a = {i};" for i in range(6))), None),
    (cpp("\n".join(f"a = {i};" for i in range(7))), "a fragment of 7 lines"),
    (cpp("\n".join(f"a = {i};" for i in range(7)),
         "<!-- not in a program: the answer to an exercise -->\n"), None),
    ("This does not happen any more.", "reads as translated"),
    ("The kernel draws, too.", "reads as translated"),
    ("Who waits has time. The rest follows.", "reads as translated"),
    ("Who waits for whom?", None),
    ("Code such as `nobody any more` is no prose.", None),
    ("A sentence. " * 3 + "word " * 30 + "end.", None),
    ("word " * 30 + "end.", "the median sentence has 31 words"),
]


def main():
    nvcc = sys.argv[1]
    if not os.path.exists(nvcc):
        return 77
    return run_cases([(text, expected, lambda page: page_rules.check(page, nvcc)) for text, expected in CASES])


if __name__ == "__main__":
    sys.exit(main())
