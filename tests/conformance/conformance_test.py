#!/usr/bin/env python3
"""What the CPU device answers, next to what an H200 with CUDA 13.0 answered: recorded/*.txt (order.txt: an H100; names.txt: the
Toolkit's headers and libraries, without a GPU).

    conformance_test.py NVCC [PROGRAM...]

A recording is the output of a program here on that GPU. To record on yours: nvcc -std=c++17 -arch=native warp.cu -o warp
&& ./warp > warp.txt. Differences that stay are in known.txt, each with its reason; SUPPORTED.md lists them.
"""

import fnmatch
import lzma
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RUNS = {"warp": [("warp", [])], "atomics": [("atomics", [])], "copies": [("copies", [])], "numbers": [("numbers", [])],
        "limits": [("limits", []), ("sticky_null", ["null"]), ("sticky_trap", ["trap"])],
        "order": [("order", ["0"])], "names": [("names", [])]}
MOST_SHOWN = 12


def recorded(name):
    packed = HERE / f"recorded/{name}.txt.xz"
    if packed.exists():
        return lzma.decompress(packed.read_bytes()).decode().splitlines()
    return (HERE / f"recorded/{name}.txt").read_text().splitlines()


def known():
    """[(pattern of rows, reason)]"""
    lines = (HERE / "known.txt").read_text().splitlines()
    rules = [line.split(" :: ") for line in lines if line and not line.startswith("#")]
    return [(pattern.strip(), reason.strip()) for pattern, reason in rules]


def without_nan(row):
    """The bits of a NaN are not said by CUDA: any is as good as any other."""
    name = row.split(" ", 1)[0]
    def replace(match):
        word = int(match[0], 16)
        kind = kind_of(name)
        if kind == "float" and word & 0x7fffffff > 0x7f800000 or \
           kind == "double" and word & 0x7fffffffffffffff > 0x7ff0000000000000 or \
           kind == "half" and word & 0x7fff > 0x7c00 or kind == "bf16" and word & 0x7fff > 0x7f80:
            return "nan"
        return match[0]
    left, sign, right = row.partition(" =")
    return left + sign + re.sub(r"\b[0-9a-f]+\b", replace, right)


FLOATS = re.compile(r"f(add|sub|mul|div|maf|sqrt|rcp|rsqrt)_r.|f(min|max|dim|mod)f|remainderf|copysignf|nextafterf|"
                    r"(floor|ceil|trunc|rint|nearbyint|round|fabs|sqrt|logb)f|ldexp_f|scalbn_f|plain_\w+|double2float_\w+|"
                    r"(int|uint|ll|ull)2float_\w+|saturate")
DOUBLES = re.compile(r"d(add|sub|mul|div|sqrt|rcp)_r.|fma_r.|f(min|max|dim|mod)|remainder|copysign|floor|ceil|trunc|rint|round|"
                     r"fabs|sqrt")
HALVES = re.compile(r"half_?h?\w*|float2half_\w+|(int|ll|ull)2half_\w+")
BFLOATS = re.compile(r"bf16_?h?\w*|float2bfloat16_\w+|(int|ll|ull)2bfloat16_\w+")


def kind_of(name):
    for kind, pattern in (("float", FLOATS), ("double", DOUBLES)):
        if pattern.fullmatch(name):
            return kind
    if re.fullmatch(r"(half|bfloat16)2\w+", name):
        return ""
    return "half" if HALVES.fullmatch(name) else "bf16" if BFLOATS.fullmatch(name) else ""


def compare(name, wanted, got, rules, used):
    """Prints rows that differ; returns how many."""
    wrong = []
    if len(wanted) != len(got):
        print(f"{name}: {len(got)} rows instead of {len(wanted)}")
        wrong.append("")
    for gpu, cpu in zip(wanted, got):
        if gpu == cpu or name == "numbers" and without_nan(gpu) == without_nan(cpu):
            continue
        rule = next((rule for rule in rules if fnmatch.fnmatchcase(gpu, rule[0])), None)
        if rule:
            used.add(rule)
            continue
        wrong.append(gpu)
        if len(wrong) <= MOST_SHOWN:
            print(f"{name}:\n  GPU         {gpu}\n  CPU device  {cpu}")
    if wrong:
        print(f"{name}: {len(wrong)} of {len(wanted)} rows differ")
    return len(wrong)


def main():
    nvcc, *names = sys.argv[1:]
    rules, used, rows, wrong = known(), set(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for program in names or RUNS:
            subprocess.run([nvcc, "-std=c++17", "-O1", str(HERE / f"{program}.cu"), "-o", f"{folder}/{program}"], check=True)
            for name, arguments in RUNS[program]:
                done = subprocess.run([f"{folder}/{program}", *arguments], capture_output=True, text=True, check=False,
                                      timeout=300)
                if done.returncode != 0:
                    print(f"{name}: exit code {done.returncode}\n{done.stderr[-2000:]}")
                    wrong += 1
                wanted = recorded(name)
                rows += len(wanted)
                wrong += compare(name, wanted, done.stdout.splitlines(), rules, used)
    if not names:
        for pattern, _ in set(rules) - used:
            print(f"known.txt: no row differs any more: {pattern}")
            wrong += 1
    print(f"{rows} rows compared, {wrong} wrong; known.txt has {len(rules)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
