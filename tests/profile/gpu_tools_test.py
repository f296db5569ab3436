#!/usr/bin/env python3
"""What tools/ncu.py and tools/check.py read of NVIDIA's tools: made-up reports against a model of our own.

    tests/profile/gpu_tools_test.py [SEEDS]

ncu_check.py plays back two reports of a GPU. Here, launches, files, lines and instructions are drawn: with and without predicates,
listed twice, with quotation marks and commas, with counts such as 1,234 or n/a. compute-sanitizer is a script that writes what was
drawn, or does not end.
"""

import collections
import contextlib
import csv
import io
import itertools
import os
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import check as sanitizer  # noqa: E402  pylint: disable=wrong-import-position
import ncu  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

# ---- ncu ----

# An instruction, and which of our counts its sectors or bank conflicts belong to.
INSTRUCTIONS = {
    "LDG.E R4, [R2.64]": "loads, sectors", "LD.E.128 R4, [R2]": "loads, sectors", "STG.E.64 [R2.64], R4": "stores, sectors",
    "ST.E [R2], R3": "stores, sectors", "RED.E.ADD.F32.FTZ.RN [R2.64], R5": "reductions, sectors", "REDG.E.ADD [R2.64], R5": "reductions, sectors",
    "ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R4, R5": "atomics, sectors", "ATOM.E.ADD R3, [R4], R5": "atomics, sectors",
    "LDS.128 R4, [R2]": "shared loads, bank conflicts", "STS [R2+0x40], R7": "shared stores, bank conflicts",
    "ATOMS.POPC.INC.32 RZ, [R2]": "shared atomics, bank conflicts",
    "LDC R1, c[0x0][0x28]": None, "BRA 0x7f00": None, "IMAD.MOV.U32 R1, RZ, RZ": None, "LDSM.16.M88.4 R4, [R2]": None,
}
PREDICATES = ["", "@P0 ", "@!P0 ", "@P6 ", "@!PT ", "@UP0 "]
COLUMNS = ["L2 Theoretical Sectors Global", "L1 Wavefronts Shared Excessive", "Divergent Branches", "# Samples"]
KERNELS = {"reduce(const float *, float *, int)": "reduce", "void n::tile<(int)16, float>(T2 *)": "tile", "(anonymous namespace)::fill(int *)": "fill"}


def drawn_number(rng):
    """A count and how ncu writes it; nothing where there is none."""
    value = rng.choice([0, 1, rng.randrange(1000), rng.randrange(10 ** 6)])
    return rng.choice([(value, f"{value:,}"), (value, str(value)), (0, ""), (0, "n/a"), (value + 0.5, f"{value:,}.5")])


def drawn_report(rng):
    """The lines of ncu's two pages, and what each launch must count: [(kernel, grid, block, metrics, {(file, line, what): count})]."""
    raw, source, expected = io.StringIO(), io.StringIO(), []
    columns = sorted(ncu.NAMES)
    rng.shuffle(columns)
    by_launch, by_line = csv.writer(raw, quoting=csv.QUOTE_ALL), csv.writer(source, quoting=csv.QUOTE_ALL)
    raw.write("==PROF== Connected to process 7\n")
    by_launch.writerow(["ID", "Kernel Name", "Block Size", "Grid Size", *columns])
    by_launch.writerow(["", "", "", "", *("sector" for _ in columns)])
    for number in range(rng.randrange(1, 7)):
        name = rng.choice(list(KERNELS))
        grid, block = (rng.choice([1, 99]), 1, 7), (rng.choice([32, 1024]), 1, 1)  # few, so that a kernel is launched in one way again
        metrics = {one: drawn_number(rng) for one in columns}
        by_launch.writerow([number, name, f"({', '.join(map(str, block))})", f"({', '.join(map(str, grid))})", *(metrics[one][1] for one in columns)])
        counts = collections.Counter()
        # The first file of a launch tells it from the launch of the same kernel before it.
        for file in ["/home/a b/reduce.cu", *rng.sample(["include/tile.cuh", "x.h"], rng.randrange(3))]:
            by_line.writerow(["File Path", file])
            by_line.writerow(["Function Name", name])
            by_line.writerow(["Line No", "Source", "Address", "Source", *COLUMNS])
            address = 0x7f0000 + 0x100000 * len(counts)
            for line in sorted(rng.sample(range(1, 300), rng.randrange(1, 6))):
                by_line.writerow([line, rng.choice(["x = y;", 'printf("a, b");', "f(a, b);"]), "", "", *("-" for _ in COLUMNS)])
                for _ in range(rng.randrange(4)):
                    text, what = rng.choice(list(INSTRUCTIONS.items()))
                    text = rng.choice(PREDICATES) + text
                    text = "{ " + text if rng.random() < 0.2 else text
                    values = [drawn_number(rng) for _ in COLUMNS]
                    address += 16
                    for _ in range(rng.choice([1, 1, 2])):  # it may be listed twice
                        by_line.writerow(["", "", f"0x{address:x}{number:02x}{ord(file[0]):02x}", text, *(written for _, written in values)])
                    if what:
                        counts[(os.path.basename(file), line, what)] += values[1 if "bank" in what else 0][0]
                    counts[(os.path.basename(file), line, "divergent branches")] += values[2][0]
        known = {one: value if written not in ("", "n/a") else None for one, (value, written) in metrics.items()}
        expected.append((KERNELS[name], grid, block, known, {key: value for key, value in counts.items() if value}))
    return raw.getvalue().splitlines(), source.getvalue().splitlines(), expected


def mean_of(several):
    keys = {key for one in several for key, value in one.items() if value is not None}
    return {key: sum(one.get(key) or 0 for one in several) / len(several) for key in keys}


def check_reports(seeds):
    for seed in range(seeds):
        rng = random.Random(f"ncu {seed}")
        raw, source, expected = drawn_report(rng)
        wanted = {}
        for kernel, grid, block, metrics, counts in expected:
            both = wanted.setdefault((kernel, grid, block), ([], []))
            both[0].append(metrics)
            both[1].append(counts)
        came = ncu.read_report(raw, source)
        check(f"ncu, seed {seed}: which launches", set(came) == set(wanted), f"{sorted(came)}\n  {sorted(wanted)}")
        for key in set(came) & set(wanted):
            metrics, lines = mean_of(wanted[key][0]), mean_of(wanted[key][1])
            for what, one, other in (("metrics", came[key][0], metrics), ("lines", came[key][1], lines)):
                differ = [(k, one.get(k), other.get(k)) for k in set(one) | set(other) if one.get(k) != other.get(k)]
                check(f"ncu, seed {seed}: {what} of {key[0]}", not differ, f"{differ[:3]}")


# ---- compute-sanitizer ----

SCRIPT = """#!/usr/bin/env python3
import pathlib, sys, time
tool = sys.argv[sys.argv.index("--tool") + 1]
print((pathlib.Path(__file__).parent / (tool + ".txt")).read_text(), end="", flush=True)
if (pathlib.Path(__file__).parent / (tool + ".endless")).exists(): time.sleep(1000)
"""
TITLES = ["Invalid __global__ read of size 4 bytes", "Error: Race reported between Write access", "Warning: Race reported between Read access",
          "Uninitialized __global__ memory read of size 4 bytes", "Barrier error detected. Divergent thread(s) in block",
          "Leaked 400 bytes at 0x7f00aa000000", "Program hit cudaErrorInvalidValue (error 1)"]


def drawn_output(rng, most):
    """What a tool of compute-sanitizer writes, and the lines that the course makes of it."""
    output, counts = [], collections.Counter()
    own = [f"the sum is {rng.randrange(100)}" for _ in range(rng.randrange(3))]
    output += own
    for _ in range(min(most, rng.choice([0, 0, 1, 3, 6]))):
        title = rng.choice(TITLES)
        file, line = rng.choice(["a.cu", "b.h", "c.cpp", "d.cuh"]), rng.randrange(1, 6)
        output += [f"========= {title}", "=========     " + rng.choice([f"at kernel(float *)+0x90 in /home/x/{file}:{line}", f"in {file}:{line}:main"]),
                   "=========     by thread (0,0,0) in block (0,0,0)", f"=========         Host Frame: main in other.cu:{rng.randrange(9)}", "========="]
        counts[(file, line, title.replace("0x7f00aa000000", "an address"))] += 1
    if rng.random() < 0.8:
        output.append(f"========= ERROR SUMMARY: {len(counts)} errors")
    lines = [f"  (the program's last line: {own[-1]})"] if own else []
    lines += [f"  {file}:{line}: {title}" + (f" ({n} times)" if n > 1 else "") for (file, line, title), n in sorted(counts.items())]
    if not counts:
        lines.append(f"  {output[-1].strip('= ')}" if output and "SUMMARY" in output[-1] else "  no summary: did the program start?")
    return "\n".join(output) + "\n" if output else "", lines, bool(counts)


def check_sanitizer(seeds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        script = folder / "compute-sanitizer"
        script.write_text(SCRIPT)
        script.chmod(0o755)
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        sanitizer.SECONDS = 1
        for seed in range(seeds):
            rng = random.Random(f"sanitizer {seed}")
            endless = rng.choice([None, None, None, 0, 1, 2, 3]) if seed else 2  # at first, nothing else is wrong
            wanted, findings = [], endless is not None
            for i, (tool, what, _) in enumerate(sanitizer.TOOLS):
                text, lines, found = drawn_output(rng, 6 if seed else 0)
                (folder / f"{tool}.txt").write_text(text)
                (folder / f"{tool}.endless").unlink(missing_ok=True)
                if i == endless:
                    (folder / f"{tool}.endless").touch()
                    lines = ["  not done after 1 s: a kernel that waits forever, or a size too large for this tool; try a smaller one"]
                findings = findings or found
                wanted += [f"{tool}: {what}", *lines]
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                code = sanitizer.gpu("program", [])
            check(f"compute-sanitizer, seed {seed}: the lines", said.getvalue().splitlines() == wanted, f"{said.getvalue()}\n---\n" + "\n".join(wanted))
            check(f"compute-sanitizer, seed {seed}: the exit code", code == int(findings), f"{code}, findings: {findings}")


# ---- the course's programs as checked runs ----

def check_verdicts():
    """Each ending of a program, with and without findings, for one that is to be right and one that is broken on purpose."""
    with tempfile.TemporaryDirectory() as name:
        program = pathlib.Path(name) / "program"
        for code, said, words in itertools.product((0, 1, 2, 77), ("no findings: 1 launch", "1 finding: 1 race", None), (None, "race", "barrier")):
            last = f"echo 'CPU device: checked run: {said}' >&2" if said else ":"
            program.write_text(f"#!/bin/sh\necho out\n{last}\nexit {code}\n")
            program.chmod(0o755)
            good, text, output = sanitizer.verdict(program, [], words)
            wanted = words in f"{said}" if words else code in (0, 77) and said is not None and said.startswith("no findings")
            check(f"exit code {code}, {said}, to be told: {words}", good == wanted and "out" in output, f"{good} {text}")
        check("a program that is not run", sanitizer.verdict(program, [], "not run: it has no end") == (True, "            not run: it has no end", ""))


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    check_reports(seeds)
    check_sanitizer(seeds // 4)
    check_verdicts()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
