#!/usr/bin/env python3
"""Writes common/cpu_device/SUPPORTED.md, the list of CUDA's functions that the CPU device has.

supported.py [--check]
  --check: exits with 1 if the file is not what the headers say.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVICE = ROOT / "common" / "cpu_device"
TARGET = DEVICE / "SUPPORTED.md"

# What a program may ask for and does not get.
ABSENT = [
    ("PTX in `asm` beyond arithmetic, bits, conversions, predicates, loads and stores, atomics, votes, shuffles, "
     "`bar`, `mbarrier`, fences, `cp.async` (`bulk` of bytes in a row, too), `ldmatrix`, `mma` of `f16`, `bf16` and "
     "`tf32`, arithmetic of `f16` and `bf16`, branches and special registers: other tensor core instructions, tensor "
     "maps, shared memory of other blocks of the cluster (`mapa`), comparisons of `f16`",
     "a compile error that names the instruction and its line"),
    ("modules with code for a GPU (PTX, cubin; `nvcc -ptx` of the CPU device and NVRTC make others), all modules in a "
     "checked run", "`CUDA_ERROR_NOT_SUPPORTED`"),
    ("the driver's functions by pointer (`cuGetProcAddress`, `cudaGetDriverEntryPoint`, `cudaTypedefs.h`)",
     "a compile error"),
    ("parameters of a kernel's node in a graph that was captured, not built", "`cudaErrorNotSupported`"),
    ("`__block_size__` in front of a kernel", "a compile error"),
    ("clusters of blocks in a cooperative launch", "`cudaErrorNotSupported`"),
    ("memory of `cuMemCreate` that is the host's", "`CUDA_ERROR_INVALID_VALUE`"),
    ("memory of `cuMemCreate` for other processes", "`CUDA_ERROR_NOT_SUPPORTED`"),
    ("Poisson's numbers of a quasirandom generator", "`CURAND_STATUS_TYPE_ERROR`"),
    ("CUDA's headers in C", "a compile error that says so"),
    ("memory of other processes (`cudaIpc...`)", "`cudaErrorNotSupported`"),
    ("compressed, sparse and YUV arrays, textures and surfaces in other formats than 1, 2 or 4 channels of 8, 16 or "
     "32 bits", "`cudaErrorInvalidChannelDescriptor`, `cudaErrorInvalidValue`, or a compile error"),
    ("anisotropic filtering (`maxAnisotropy` above 1) where a kernel gives gradients", "`cudaErrorInvalidTexture`"),
    ("images of OpenGL other than `GL_TEXTURE_2D` and `GL_TEXTURE_RECTANGLE`", "`cudaErrorNotSupported`"),
    ("cuSPARSE, cuSOLVER beyond dense factors in float and double, cuDNN, NPP, cuBLASLt, cuBLASXt",
     "a compile error that names the header"),
]


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


def text():
    runtime = names(r"\bcudaError_t (cuda[A-Z]\w*)\(")
    driver = names(r"\bCUresult (cu[A-Z]\w*)\(")
    intrinsics = names(r"\binline [\w ]+? (__[a-z]\w*[a-z0-9])\(")
    parts = [
        "# What the CPU device has of CUDA\n",
        "Written by `tests/cpu_device/supported.py` from the headers; a test compares. What differs from a GPU is in "
        "the [README](README.md).\n",
        "## Not here\n",
        "\n".join(f"- {what}: {answer}" for what, answer in ABSENT) + "\n",
        f"## Headers ({len(headers())})\n", words(headers()),
        f"## Functions of the runtime interface ({len(runtime)})\n", words(runtime),
        f"## Functions of the driver interface ({len(driver)})\n", words(driver),
        f"## Intrinsics written as functions ({len(intrinsics)})\n", words(intrinsics),
        "Many more are made by macros in `include/cpu_device/intrinsics.h` (rounding, bytes in a word), "
        "`atomics.h`, and `include/cuda_fp16.h`.\n",
    ]
    return "\n".join(parts)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if not sys.argv[1:]:
        TARGET.write_text(text())
        return 0
    if TARGET.exists() and TARGET.read_text() == text():
        return 0
    print(f"{TARGET} is not what the headers say: run tests/cpu_device/supported.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
