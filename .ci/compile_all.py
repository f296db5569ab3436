#!/usr/bin/env python3
"""Compiles every program, snippet and lab solution with an nvcc, warnings as errors.

    .ci/compile_all.py [--arch=sm_75] NVCC [FILE...]      FILE: default all of the course's

Most of the time goes into headers. So many files become one: each is in a namespace of its own, and all of their headers
come first. Files are together if they include the same headers of the course. If such a unit does not compile, each of
its files is compiled alone, since names may clash that never meet in one program. So only errors of single files count.
A `main` in a namespace needs a `return`, so units do not warn where one is missing.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(.*)")
MOST = 14  # files in one unit
# Tile kernels are for compute capability 8.0 and newer.
ARCH = "-arch=sm_80"
OPTIONS = ["-Icommon", "-Xcicc", "-O0", "-Xptxas", "-O0", "-Werror", "all-warnings",
           "-Xcompiler", "-Wall,-Wextra,-Werror,-fopenmp", "-c", "-o", os.devnull]
TOGETHER = ["-diag-suppress", "940", "-Xcompiler", "-Wno-return-type"]


def own_header(file, mark, name):
    """The path of a header of the course, as #include "..." finds it; None of another one."""
    if mark == "<":
        return None
    for folder in (file.parent, ROOT / "common"):
        path = (folder / name).resolve()
        if path.exists():
            return path
    return None


def headers_of(file, seen=None):
    """All headers of the course that the file includes, and names of others."""
    seen = set() if seen is None else seen
    for line in file.read_text().splitlines():
        found = INCLUDE.match(line)
        if not found:
            continue
        path = own_header(file, found[1], found[2])
        if (path or found[2]) not in seen:
            seen.add(path or found[2])
            if path:
                headers_of(path, seen)
    return seen


def unit(files):
    """One source of many."""
    first, includes, parts = {}, {}, []
    for number, file in enumerate(files):
        lines, macros, included = file.read_text().split("\n"), [], False
        for i, line in enumerate(lines):
            include, define = INCLUDE.match(line), DEFINE.match(line)
            if include:
                included = True
                path = own_header(file, include[1], include[2])
                includes[f'#include "{path}"' if path else line] = True
                lines[i] = ""
            elif define and not included and not define[2].strip():  # for headers, such as GL_GLEXT_PROTOTYPES
                first[line] = True
                lines[i] = ""
            elif define:
                macros.append(f"#undef {define[1]}")
        parts += [f"namespace unit_{number} {{", f'#line 1 "{file.relative_to(ROOT)}"', *lines, "}", *macros]
    return "\n".join([*first, *includes, *parts]) + "\n"


def options_of(headers):
    if "cuda_tile.h" in headers:
        return ["--enable-tile", "-std=c++20"]
    if "mpi.h" in headers:
        return ["-std=c++17", *subprocess.run(["mpicxx", "--showme:compile"], capture_output=True, text=True,
                                              check=True).stdout.split()[:2]]
    return ["-std=c++17"]


def compile_one(nvcc, source, options):
    done = subprocess.run([nvcc, ARCH, *options, *OPTIONS, source], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


def compile_files(nvcc, files, options, folder, number):
    """The messages of files that do not compile, and how many were compiled alone."""
    if len(files) > 1:
        source = folder / f"unit_{number}.cu"
        source.write_text(unit(files))
        if compile_one(nvcc, source, options + TOGETHER)[0]:
            return [], 0
    done = [compile_one(nvcc, file, options) for file in files]
    return [f"{file.relative_to(ROOT)} does not compile:\n{text}" for file, (right, text) in zip(files, done)
            if not right], len(files)


def all_files():
    return sorted(path for pattern in ("*/*.cu", "*/snippets/*.cu", "*/labs/*/solution.cu") for path in ROOT.glob(pattern)
                  if re.match(r"ch\d|app|nbody", path.relative_to(ROOT).parts[0]))


def main():
    global ARCH  # pylint: disable=global-statement
    arguments = sys.argv[1:]
    if arguments[0].startswith("--arch="):
        ARCH = arguments.pop(0)[1:]
    nvcc, *names = arguments
    files = [pathlib.Path(name).resolve() for name in names] or all_files()
    groups = collections.defaultdict(list)
    for file in files:
        headers = headers_of(file)
        if "mpi.h" in headers and not shutil.which("mpicxx"):
            print(f"{file.name} is left out: there is no mpicxx")
            continue
        own = frozenset(path for path in headers if isinstance(path, pathlib.Path) and "common/program" not in str(path))
        groups[own, "__constant__" in file.read_text(), tuple(options_of(headers))].append(file)
    units = [(members[i:i + most], list(options)) for (_, constant, options), members in groups.items()
             for most in [2 if constant else MOST]  # constant memory has 64 KB
             for i in range(0, len(members), most)]
    units.sort(key=lambda one: -len(one[0]))
    print(f"{len(files)} files in {len(units)} units, ", end="", flush=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda one: compile_files(nvcc, *one[1], pathlib.Path(folder), one[0]), enumerate(units)))
    problems = [problem for found, _ in done for problem in found]
    print(f"{sum(alone for _, alone in done)} compiled alone: "
          f"{len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}")
    print(*problems, sep="\n", end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
