"""Copies a program and everything it needs to a new folder, with a Makefile."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from .. import ROOT
from ..messages import Problem
from ..one_file import one_file
from ..own_files import OwnFile, find
from ..programs import CHAPTERS, MPI_LINK, needed_files

USAGE = "export [--one-file] NAME|PATH.cu DIR"
ABOUT = """Copies a program and everything it needs to a new folder, with a Makefile for NVIDIA's nvcc and for
that of the CPU device. With --one-file, the folder gets a single file, NAME.cu, which compiles
alone. With your own .cu file, the headers that it includes by #include "..." are also copied."""
CHOOSES_DEVICE = False

NOT_COPIED = (".cache", "lib", "lib64")  # what the CPU device makes of itself
PACKAGES = {"-lglut": "freeglut3-dev", "-lGLEW": "libglew-dev", "-lpng": "libpng-dev", "-lwebp": "libwebp-dev",
            "mpicxx": "libopenmpi-dev"}

MAKEFILE = """\
# {title}
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

{name}: {prerequisites}
	$(NVCC) $(NVCCFLAGS) {source} -o $@{link}

clean:
	rm -f {name} .compiler

.PHONY: clean
"""


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


def copy(source, target):
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy(source, target)
    except OSError as error:
        raise Problem(f"cannot copy {source} to '{target.parent}': {error.strerror}") from None


def copy_of_course(name, folder):
    copy(ROOT / name, folder / name)


def packages_of(link):
    """The Debian packages of what a program is linked with."""
    return " ".join(dict.fromkeys(PACKAGES[word] for word in link.replace(")", " ").split() if word in PACKAGES))


def options(parser):
    parser.add_argument("--one-file", action="store_true", help="a single .cu file with the parts of the headers that it uses")


def export_one_file(program, folder):
    file = folder / f"{program.name}.cu"
    own = isinstance(program, OwnFile)
    if own:
        source = os.path.relpath(program.path, ROOT) if of_course(program.path) else str(program.path)
    else:
        source = program.source
    try:
        text = one_file(source)
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise Problem(f"cannot write {file}: {error.strerror}") from None
    name = shlex.quote(program.name)
    if own:
        words = [*program.language(), shlex.quote(file.name), "-o", name, *program.libraries()]
    else:
        words = [f"-std={program.standard()}", program.compile_options(), file.name, "-o", name,
                 program.link_options().replace(MPI_LINK, "$(mpicxx --showme:compile) $(mpicxx --showme:link)")]
    print(f"{program.name} is in {file}, which compiles alone. There:\n\n"
          f"  nvcc {' '.join(word for word in words if word)} && ./{name}")
    return 0


def for_editors(folder, sources):
    """A .clangd in the export, so that editors with clangd understand the program, wherever the folder goes."""
    editor = folder / "common/cpu_device/editor/editor.py"
    if editor.exists():
        subprocess.run([sys.executable, "-B", editor, "--relative", folder / sources], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def of_course(path):
    """Whether a file is the course's, such as a snippet or a header in common/."""
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("common", *CHAPTERS)


def in_make(word):
    """A path among the targets and prerequisites of a Makefile."""
    return re.sub(r"([ \t#:*?[])", r"\\\1", word).replace("$", "$$")


def copy_program(program, folder):
    """Copies a program of the course. Returns what its Makefile says."""
    for source in needed_files(program.source):
        copy_of_course(source, folder)
    chapter = program.chapter
    return {"title": f"{program.name}, from the chapter {chapter} of the course.", "name": program.name, "sources": chapter,
            "standard": program.standard(), "options": program.compile_options(), "source": "$<",
            "prerequisites": f"{program.source} $(wildcard {chapter}/*.h common/*.h common/*/*.h)",
            "link": program.link_options()}


def copy_own_file(own, folder):
    """Copies a file of the user's to source/, with its headers. Returns what its Makefile says."""
    files = own.files()
    theirs = [file for file in files if not of_course(file)]
    top = os.path.commonpath([file.parent for file in theirs]) if theirs else ROOT
    places = ["source" / file.relative_to(top) if file in theirs else file.relative_to(ROOT) for file in files]
    for file, place in zip(files, places):
        copy(file, folder / place)
    source = places[0]
    name = re.sub(r"[^\w.+-]", "_", own.name)
    standard, *options = own.language()
    return {"title": f"{own.path.name}, exported with ./course export.", "sources": source.parent,
            "name": f"{name}.out" if name in ("source", "common", "Makefile", "clean") else name,
            "standard": standard.partition("=")[2], "options": " ".join([*options, *(["-Icommon"] if len(theirs) < len(files) else [])]),
            "source": shlex.quote(str(source)).replace("$", "$$"),
            "prerequisites": " ".join(in_make(str(place)) for place in places), "link": " ".join(own.libraries())}


def run(chosen, words):
    if len(words) != 2:
        raise Problem("export needs a program or the path of a .cu file, and a new folder: ./course export dot ~/dot")
    program = find(words[0])
    is_own = isinstance(program, OwnFile)
    if is_own and not program.is_source:
        raise Problem(f"'{words[0]}' is compiled already. Pass its .cu file")
    folder = new_folder(words[1])
    if chosen.one_file:
        return export_one_file(program, folder)
    make = copy_own_file(program, folder) if is_own else copy_program(program, folder)
    for entry in sorted((ROOT / "common/cpu_device").iterdir()):
        if entry.name not in NOT_COPIED:
            copy_of_course(f"common/cpu_device/{entry.name}", folder)
    for_editors(folder, make["sources"])
    if (ROOT / "LICENSE").exists():  # it is not for the user's own file
        copy(ROOT / "LICENSE", folder / ("common/cpu_device/LICENSE" if is_own else "LICENSE"))
    for part in ("options", "link"):
        make[part] = f" {make[part]}" if make[part] else ""
    (folder / "Makefile").write_text(MAKEFILE.format(**make), encoding="utf-8")
    print(f"{program.name} is in {folder}, with everything it needs. There:\n\n  make && ./{make['name']}")
    link = make["link"].strip()
    if link:
        packages = packages_of(link)
        print(f"\nIt is linked with {link.replace(MPI_LINK, '-lmpi')}" + (f" (packages: {packages})." if packages else "."))
    return 0
