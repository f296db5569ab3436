"""Copies a program and everything it needs to a new folder, with a Makefile."""

import os
import pathlib
import shutil
import subprocess
import sys

from .. import ROOT
from ..messages import Problem
from ..one_file import one_file
from ..programs import MPI_LINK, choose, needed_files, no_such_program, plain_name

USAGE = "export [--one-file] NAME DIR"
ABOUT = """Copies a program and everything it needs to a new folder, with a Makefile for NVIDIA's nvcc and for the
CPU device's. With --one-file, the folder gets a single file, NAME.cu, which compiles alone."""
CHOOSES_DEVICE = False

CPU_DEVICE = ("README.md", "images", "nvcc", "include", "rewriter", "runtime", "branches", "editor", "cmake", "bin", "debugger",
              "unset_variables.awk", "compiler_messages.awk")
PACKAGES = {"-lglut": "freeglut3-dev", "-lGLEW": "libglew-dev", "-lpng": "libpng-dev", "-lwebp": "libwebp-dev",
            "mpicxx": "libopenmpi-dev"}

MAKEFILE = """\
# {name}, from the chapter {chapter} of the course.
#
#   make                               with NVIDIA's nvcc, or without one with the CPU device's
#   make NVCC=common/cpu_device/nvcc   with the CPU device's

ifndef NVCC
NVCC := $(or $(shell command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null),common/cpu_device/nvcc)
endif
NVCCFLAGS = -std={standard} -O2 -g -lineinfo{options}

# With another compiler than last time it is built again.
ifneq ($(shell cat .compiler 2>/dev/null),$(NVCC))
$(shell rm -f {name}; echo '$(NVCC)' >.compiler)
endif

{name}: {chapter}/{name}.cu $(wildcard {chapter}/*.h common/*.h common/*/*.h)
	$(NVCC) $(NVCCFLAGS) $< -o $@{link}

clean:
	rm -f {name} .compiler

.PHONY: clean
"""


def the_program(what):
    """Of a name or path; a chapter is none."""
    try:
        chosen = choose([what])
    except KeyError:
        chosen = []
    if len(chosen) != 1 or chosen[0].chapter.startswith(what):
        raise no_such_program(plain_name(what))
    return chosen[0]


def new_folder(name):
    folder = pathlib.Path(name)
    if folder.exists() and (not folder.is_dir() or next(folder.iterdir(), None)):
        raise Problem(f"'{name}' already exists and is not empty")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Problem(f"cannot write to '{name}'")
    return folder.resolve()


def copy(source, folder):
    try:
        target = folder / source
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target, symlinks=True)
        else:
            shutil.copy(ROOT / source, target)
    except OSError as error:
        raise Problem(f"cannot copy {source} to '{folder}': {error.strerror}") from None


def packages_of(link):
    """The Debian packages of what a program is linked with."""
    return " ".join(dict.fromkeys(PACKAGES[word] for word in link.replace(")", " ").split() if word in PACKAGES))


def options(parser):
    parser.add_argument("--one-file", action="store_true", help="a single .cu file with the parts of the headers that it uses")


def export_one_file(program, folder):
    file = folder / f"{program.name}.cu"
    try:
        file.write_text(one_file(program.source), encoding="utf-8")
    except OSError as error:
        raise Problem(f"cannot write {file}: {error.strerror}") from None
    words = [f"nvcc -std={program.standard()}", program.compile_options(), file.name, "-o", program.name,
             program.link_options().replace(MPI_LINK, "$(mpicxx --showme:compile) $(mpicxx --showme:link)")]
    print(f"{program.name} is in {file}, which compiles alone. There:\n\n"
          f"  {' '.join(word for word in words if word)} && ./{program.name}")
    return 0


def for_editors(folder, chapter):
    """A .clangd in the export, so that editors with clangd understand the program, wherever the folder goes."""
    editor = folder / "common/cpu_device/editor/editor.py"
    if editor.exists():
        subprocess.run([sys.executable, "-B", editor, "--relative", folder / chapter], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(chosen, words):
    if len(words) != 2:
        raise Problem("export needs the name of a program and a new folder: ./course export dot ~/dot")
    program, folder = the_program(words[0]), new_folder(words[1])
    if chosen.one_file:
        return export_one_file(program, folder)
    for source in needed_files(program.source):
        copy(source, folder)
    for name in CPU_DEVICE:
        if (ROOT / "common/cpu_device" / name).exists():
            copy(f"common/cpu_device/{name}", folder)
    if (ROOT / "LICENSE").exists():
        copy("LICENSE", folder)
    for_editors(folder, program.chapter)
    link, more = program.link_options(), program.compile_options()
    (folder / "Makefile").write_text(MAKEFILE.format(
        name=program.name, standard=program.standard(), chapter=program.chapter, options=f" {more}" if more else "",
        link=f" {link}" if link else ""), encoding="utf-8")
    print(f"{program.name} is in {folder}, with everything it needs. There:\n\n  make && ./{program.name}")
    if link:
        print(f"\nIt is linked with {link.replace(MPI_LINK, '-lmpi')} (packages: {packages_of(link)}).")
    return 0
