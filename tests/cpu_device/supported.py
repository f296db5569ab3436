#!/usr/bin/env python3
"""Writes common/cpu_device/SUPPORTED.md, the list of CUDA's functions that the CPU device has.

supported.py [--check]
  --check: exits with 1 if the file, or the list of the driver's functions, is not what the headers say.
"""
import csv
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVICE = ROOT / "common" / "cpu_device"
TARGET = DEVICE / "SUPPORTED.md"
ENTRY_POINTS = DEVICE / "runtime/driver/entry_points.inc"
PROGRAMS = ROOT / "tests" / "foreign" / "public_programs.tsv"
HECBENCH = ROOT / "tests" / "foreign" / "hecbench_sample.tsv"

# How the table of public programs was made. The verdicts are the table's own.
PROGRAMS_DATE = "25 November 2026"
AGAIN_DATE = "29 and 30 November 2026"
HECBENCH_DATE = "29 November 2026, one of them again on 30 November"
VERDICTS = ("right", "ran", "slow", "wrong", "not compiled", "failed", "undecided")
HOW_COUNTED = """\
These are unchanged programs of other authors. Each one ran with the Toolkit (CUDA 13) on an H200, and with the CPU device. A program
is valid if the Toolkit compiles it and its run on the GPU succeeds. The others are not counted.

- right: both runs print the same, except for times
- ran: it also succeeds here, and prints nothing that can be compared
- slow: not finished after 60 s
- wrong: a different result or exit code
- not compiled, failed: it does not compile here, or its run ends with an error
- undecided: not finished after 12 s on a busy machine, and not tried again
"""

# What a program may ask for and does not get.
ABSENT = [
    ("some PTX in `asm`: tensor core instructions other than `ldmatrix` and `mma` of `f16`, `bf16` and `tf32`; tensor "
     "maps; shared memory of other blocks of the cluster (`mapa`); comparisons of `f16`",
     "a compile error that names the instruction and its line"),
    ("modules with code for a GPU (PTX, cubin), and in a checked run all modules. (Modules from `nvcc -ptx` of the CPU "
     "device and from NVRTC work)", "`CUDA_ERROR_NOT_SUPPORTED`"),
    ("the types of the driver's functions (`cudaTypedefs.h`); `cuGetProcAddress` and `cudaGetDriverEntryPoint` work",
     "a compile error"),
    ("green contexts, tensor maps (`cuTensorMapEncodeTiled`), attributes of kernel nodes; memory pools of managed memory",
     "`CUDA_ERROR_NOT_SUPPORTED`"),
    ("the parameters of a kernel node in a captured graph", "`cudaErrorNotSupported`"),
    ("`__block_size__` before a kernel", "a compile error"),
    ("clusters of blocks in a cooperative launch", "`cudaErrorNotSupported`"),
    ("host memory from `cuMemCreate`", "`CUDA_ERROR_INVALID_VALUE`"),
    ("memory from `cuMemCreate` for other processes", "`CUDA_ERROR_NOT_SUPPORTED`"),
    ("Poisson numbers from a quasirandom generator", "`CURAND_STATUS_TYPE_ERROR`"),
    ("in tile kernels (`cuda_tile.h`): `scaled_mma`, `repack`, elements of 4 bits, and rounding other than to the "
     "nearest", "a compile error that names it"),
    ("CUDA's headers in C", "a compile error that explains it"),
    ("memory of other processes (`cudaIpc...`)", "`cudaErrorNotSupported`"),
    ("compressed, sparse and YUV arrays; textures and surfaces with formats other than 1, 2 or 4 channels of 8, 16 or "
     "32 bits", "`cudaErrorInvalidChannelDescriptor`, `cudaErrorInvalidValue`, or a compile error"),
    ("anisotropic filtering (`maxAnisotropy` above 1) where a kernel passes gradients", "`cudaErrorInvalidTexture`"),
    ("OpenGL images other than `GL_TEXTURE_2D` and `GL_TEXTURE_RECTANGLE`", "`cudaErrorNotSupported`"),
    ("cuSOLVER beyond dense factors and eigenvalues, cuSPARSE beyond products, triangular systems, ILU(0) and conversions of CSR, CSC "
     "and COO, cuBLASXt beyond `gemm`, cuDNN, NPP, nvJPEG, NCCL, nvJitLink",
     "a compile error whose first line names the library and a way out"),
]

PTX = """\
PTX that works in `asm`: arithmetic, bits, conversions, predicates, branches, special registers. Loads, stores and atomics
also work, and so do votes, shuffles, `bar`, `mbarrier`, fences and `cp.async` (also `bulk`, for bytes in a row).
"""


def headers():
    include = DEVICE / "include"
    return sorted(name for name in (p.relative_to(include).as_posix() for p in include.rglob("*.h"))
                  if not name.startswith("cpu_device/")
                  and "#error" not in (include / name).read_text())


def names(pattern):
    found = set()
    for path in sorted((DEVICE / "include").rglob("*")):
        if path.is_file():
            found.update(re.findall(pattern, path.read_text()))
    return sorted(found)


def words(items):
    return ", ".join(f"`{item}`" for item in items) + "\n"


def share(count, total):
    return f"{100 * count / total:.0f} %" if total else "-"


def run_again(valid, count):
    again = Counter(row["again"] for row in valid if row["again"])
    before = Counter(row["verdict"] for row in valid if row["again"] == "not run")
    tried = sum(again.values()) - again["not run"]
    succeed = count["right"] + count["ran"] + again["succeeds"]
    as_before = " and ".join(f"{number} {verdict}" for verdict, number in before.items())
    return (
        f"On {AGAIN_DATE}, {tried} of the {sum(again.values())} other programs were run again (column `again`). Each had one\n"
        f"worker and at most 60 s of processor time, or two workers and 60 s of it each. {again['succeeds']} of them now succeed, and their output is\n"
        f"plausible or passes their own check. **With these, {succeed} of {len(valid)} succeed: {100 * succeed / len(valid):.1f} %.** There was no GPU run to\n"
        f"compare with, so the table below does not count them. {again['slow']} take longer. The {again['not run']} programs that were not run\n"
        f"again count as they did before ({as_before}).\n")


def hecbench():
    rows = read_table(HECBENCH)
    results = Counter(row["result"] for row in rows)
    compile_here = len(rows) - results["not compiled"]
    lacking = [f"{row['note']} ({row['program']})" for row in rows if row["result"] == "not compiled"]
    runs = results["passes"] + results["ends well"]
    return (
        "### HeCBench\n\n"
        f"A random sample of {len(rows)} of the 521 CUDA programs of zjin-lcf/HeCBench ({HECBENCH_DATE}), compiled by their own Makefiles:\n"
        f"**{compile_here} compile ({100 * compile_here / len(rows):.0f} %).** The others need more than CUDA: {', '.join(lacking)}. Then each ran with fewer repetitions or\n"
        f"smaller sizes, with one worker and at most 60 s of processor time. **{runs} of the {compile_here} succeed ({100 * runs / compile_here:.0f} %)**: {results['passes']} pass their own check,\n"
        f"and {results['ends well']} end well without one. {results['no data']} need data that is not in the repository, and {results['slow']} take longer.\n"
        f"Wrong results: {results['fails']}. The list is in [tests/foreign/hecbench_sample.tsv](../../tests/foreign/hecbench_sample.tsv).\n")


def read_table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def public_programs():
    rows = read_table(PROGRAMS)
    valid = [row for row in rows if row["verdict"] != "not valid"]
    count = Counter(row["verdict"] for row in valid)
    lines = [
        "## Public programs\n",
        f"Of {len(rows)} public programs, {len(valid)} are valid. **{share(count['right'], len(valid))} give the GPU's "
        f"result, and {share(count['ran'], len(valid))} run to the end with nothing to compare: "
        f"{share(count['right'] + count['ran'], len(valid))} together** (on {PROGRAMS_DATE}; later work is not "
        "counted).\n",
        HOW_COUNTED,
        run_again(valid, count),
        "Each program, with its verdict and the cause, is in "
        "[tests/foreign/public_programs.tsv](../../tests/foreign/public_programs.tsv).\n",
        "| repository | valid | " + " | ".join(VERDICTS) + " |",
        "| --- |" + " ---: |" * (len(VERDICTS) + 1),
    ]
    for repository in sorted({row["repository"] for row in valid}, key=str.lower):
        own = Counter(row["verdict"] for row in valid if row["repository"] == repository)
        lines.append(f"| {repository} | {sum(own.values())} | " + " | ".join(str(own[v]) for v in VERDICTS) + " |")
    lines.append(f"| all | {len(valid)} | " + " | ".join(str(count[v]) for v in VERDICTS) + " |\n")
    causes = Counter(row["cause"] for row in valid if row["verdict"] not in ("right", "ran") and row["cause"])
    lines += ["The most frequent causes of the rest:\n", "| programs | cause |", "| ---: | --- |"]
    lines += [f"| {number} | {cause} |" for cause, number in causes.most_common(8)]
    return "\n".join(lines) + "\n\n" + hecbench()


def text():
    runtime = names(r"\bcudaError_t (cuda[A-Z]\w*)\(")
    driver = names(r"\bCUresult (cu[A-Z]\w*)\(")
    intrinsics = names(r"\binline [\w ]+? (__[a-z]\w*[a-z0-9])\(")
    parts = [
        "# What the CPU device supports\n",
        "`tests/cpu_device/supported.py` writes this page from the headers, and a test compares them. "
        "[DIFFERENCES.md](DIFFERENCES.md) says what differs from a GPU.\n",
        "## Not supported\n",
        "| missing | what you get instead |\n| --- | --- |\n" +
        "\n".join(f"| {what} | {answer} |" for what, answer in ABSENT) + "\n",
        PTX,
        f"## Headers ({len(headers())})\n", words(headers()),
        f"## Functions of the runtime interface ({len(runtime)})\n", words(runtime),
        f"## Functions of the driver interface ({len(driver)})\n", words(driver),
        f"## Intrinsics written as functions ({len(intrinsics)})\n", words(intrinsics),
        "Macros in `include/cpu_device/intrinsics.h` (rounding, bytes in a word), `atomics.h` and "
        "`include/cuda_fp16.h` define many more.\n",
        public_programs(),
    ]
    return "\n".join(parts)


def entry_points_that_differ():
    """Functions of the driver interface that cuGetProcAddress() does not find, or that are gone."""
    found = set(re.findall(r"CPU_DEVICE_ENTRY\((\w+)\)", ENTRY_POINTS.read_text()))
    headers_have = set(re.findall(r"^(?:inline )?CUresult (cu[A-Z]\w*)\(", "".join(
        path.read_text() for path in (DEVICE / "include/cpu_device").glob("driver*.h")), re.M))
    return sorted(found ^ (headers_have - {"cuCtxCreate"}))  # which has two forms


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if not sys.argv[1:]:
        TARGET.write_text(text())
        return 0
    differ = entry_points_that_differ()
    if differ:
        print(f"{ENTRY_POINTS} differs from the headers: {' '.join(differ)}", file=sys.stderr)
        return 1
    if TARGET.exists() and TARGET.read_text() == text():
        return 0
    print(f"{TARGET} is not what the headers say: run tests/cpu_device/supported.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
