"""Writes FOLDER/.clangd, so that editors with clangd understand CUDA there: editor.py [--absolute|--relative] [-IHEADERS...] FOLDER...

If the CPU device lies in FOLDER, as in hand-outs, its paths are written relative to FOLDER: then the folder can be
moved, and .cu files are understood in FOLDER itself. --relative does so wherever the CPU device is, such as in
../common/cpu_device. HEADERS: a folder of headers, seen from FOLDER.
"""
import glob
import os
import pathlib
import subprocess
import sys

DEVICE = pathlib.Path(__file__).resolve().parent.parent
MARK = "# Written by the CPU device's editor.py: written again whenever that runs."


class Refused(Exception):
    pass


def quoted(word):
    return "'%s'" % word.replace("'", "''")


def mpi_includes():
    """Where MPI's headers are, if it is installed."""
    try:
        words = subprocess.run(["mpicxx", "--showme:compile"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []
    return [word for word in words if word.startswith("-I")]


def cccl_includes():
    """Where Thrust, CUB and libcu++ are: nvcc's find_cccl(). Debian's lie in /usr/include."""
    home, virtual = os.environ.get("HOME", ""), os.environ.get("VIRTUAL_ENV") or "/usr/local"
    patterns = [os.environ.get("CCCL_PATH") or "/nonexistent", "/usr/local/cuda/include/cccl", "/opt/cuda/include/cccl",
                virtual + "/lib/python3*/site-packages/nvidia/cu*/include/cccl",
                *("%s/lib/python3*/%s-packages/nvidia/cu*/include/cccl" % (base, kind)
                  for base in (home + "/.local", "/usr/local", "/usr") for kind in ("site", "dist")),
                "/usr/local/cuda-*/include/cccl", "/usr/local/cuda*/include"]
    folders = [folder for pattern in patterns for folder in sorted(glob.glob(pattern))
               if os.path.exists(os.path.join(folder, "thrust/version.h"))]
    return ["-isystem" + folders[0]] if folders else []


def device_path(folder, absolute, relative):
    if relative:
        return os.path.relpath(DEVICE, folder.resolve())
    try:
        inside = DEVICE.relative_to(folder.resolve())
    except ValueError:
        return str(DEVICE)
    return str(DEVICE) if absolute else inside.as_posix()


def configuration(folder, absolute=False, relative=False, includes=()):
    device = device_path(folder, absolute, relative)
    flags = ["-xcuda", "-std=c++17", "-nocudainc", "-nocudalib", "--cuda-host-only",
             "-Xclang", "-fcuda-allow-variadic-functions", "-D__CUDACC__", "-D__NVCC__",
             "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
             *("-isystem%s/%s" % (device, name) for name in ("editor/include", "include", "libraries/cccl")),
             *("-DCCCL_DISABLE_%s_SUPPORT=" % kind for kind in ("FP16", "BF16", "NVFP8", "NVFP6", "NVFP4")), *cccl_includes(),
             "-include", device + "/editor/cuda_editor.h", *includes, *mpi_includes()]
    lines = "".join("    - %s\n" % quoted(flag) for flag in flags)
    return MARK + """
If:
  PathMatch: .*\\.(cu|cuh|h|hpp|inl)
  PathExclude: .*/cpu_device/(runtime|rewriter)/.*
CompileFlags:
  Compiler: clang++
  Add:
%s  Remove: ['-forward-unknown-to-host-compiler', '--generate-code*', '-gencode*', '-arch*', '-rdc*', '--options-file',
           '-Xcompiler*', '--extended-lambda', '-expt-*', '-lineinfo', '--check', '-x', '-G']
Diagnostics:
  UnusedIncludes: None
---
# nvcc --enable-tile -std=c++20
If:
  PathMatch: .*tile.*\\.(cu|cuh)
CompileFlags:
  Add: ['-std=c++20', '-D__CUDACC_TILE__=1']
Diagnostics:
  Suppress: ref_bad_target  # In C++20, allocators of the library take operator new of the wrong side.
""" % lines


def write(folder, absolute=False, relative=False, includes=()):
    if not folder.is_dir():
        raise Refused("'%s' is not a folder" % folder)
    path = folder / ".clangd"
    try:
        if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(MARK):
            raise Refused("%s is not from editor.py. Move it away, or add the lines that editor.py writes in another folder" % path)
        path.write_text(configuration(folder, absolute, relative, includes), encoding="utf-8")
    except OSError as error:
        raise Refused("cannot write '%s': %s" % (path, error.strerror)) from None
    return path


def main(words):
    absolute, relative = "--absolute" in words, "--relative" in words
    includes = [word for word in words if word.startswith("-I")]
    folders = [word for word in words if word not in ("--absolute", "--relative", *includes)] or ["."]
    unknown = [word for word in folders if word.startswith("-")]
    if unknown:
        raise Refused("there is no option '%s'" % unknown[0])
    for folder in folders:
        print("wrote %s: clangd understands the .cu files there now" % write(pathlib.Path(folder), absolute, relative, includes))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as refused:
        print("editor: %s" % refused, file=sys.stderr)
        sys.exit(2)
