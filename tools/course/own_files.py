"""Programs that do not belong to the course: any .cu file, or a program that is built already.

Their builds are in build/own/NAME-KEY/, where KEY comes from the whole path: two files of one name in two
folders do not meet.
"""

import os
import pathlib
import re
import zlib

from . import ROOT
from .compiling import Compilation, runtime_files
from .messages import Problem, say
from .programs import CHAPTERS, all_programs, no_such_program, plain_name

SOURCES = (".cu",)
# What a GPU's programs are linked with, by the headers that they include; the CPU device's nvcc finds it itself.
LIBRARIES = (("GL/(free)?glut", "-lglut -lGL"), ("GL/glew", "-lGLEW -lGL"), ("png.h", "-lpng"),
             ("webp/", "-lwebpmux -lwebp"), ("cublas", "-lcublas"), ("curand.h", "-lcurand"), ("cufft", "-lcufft"),
             ("cusparse", "-lcusparse"), ("cusolver", "-lcusolver"), ("nvrtc", "-lnvrtc"))
FLAGS = {"cpu": ["-O2", "-g"], "cpu-check": ["--check", "-O2", "-g"], "profile": ["--branches", "-g"],
         "gpu": ["-O3", "-lineinfo", "-arch=native", "-Xlinker", "--as-needed"]}
BECAUSE = {"cpu": "for the CPU device", "cpu-check": "for a checked run", "profile": "for counting",
           "gpu": "for the GPU"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
# Words in a program's file that tell what it was built for.
OF_CPU_DEVICE, OF_CHECKED_RUN = b"CPU_DEVICE_ORDER", b"CPU_DEVICE_WATCH"


class OwnFile:
    """A file of the user's; `path` is absolute."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem if path.suffix in SOURCES else path.name
        self.is_source = path.suffix in SOURCES

    @property
    def key(self):
        return f"{self.name}-{zlib.crc32(os.fsencode(self.path)):08x}"

    def built(self, device, more=()):
        """The path of the program, built for a device: "cpu", "gpu", "cpu-check" or "profile"."""
        if not self.is_source:
            self.must_be_for(device)
            return self.path
        compilation = self.compilation(device, more)
        if compilation.process is not None:
            say(f"compiling {self.path.name} {BECAUSE[device.kind]}")
        return compilation.wait()

    def compilation(self, device, more):
        kind = device.kind
        environment = dict(os.environ)
        if kind == "gpu":
            command, dependencies = [device.nvcc, *self.libraries()], []
        else:
            environment.setdefault("CPU_DEVICE_CACHE", str(ROOT / "build" / kind.replace("profile", "cpu-check") /
                                                           "cpu_device"))
            command, dependencies = [str(ROOT / "common/cpu_device/nvcc")], runtime_files()
        return Compilation(self.path, ROOT / "build/own" / self.key / kind,
                           [*command, *self.language(), *FLAGS[kind], *self.include_folders(), *more], environment,
                           dependencies)

    def language(self):
        """The C++ that it is compiled as. Tile kernels need a newer one, and an option."""
        return ["-std=c++20", "--enable-tile"] if "cuda_tile.h" in self.includes() else ["-std=c++17"]

    def must_be_for(self, device):
        """Says what a program that is built already was not built for."""
        data = self.path.read_bytes()
        if device.kind == "cpu-check" and OF_CHECKED_RUN not in data:
            how = "--check" if OF_CPU_DEVICE in data else "--check of common/cpu_device"
            raise Problem(f"{self.path.name} was not compiled for checked runs. Compile it with nvcc {how}, or pass its "
                          ".cu file")

    def includes(self):
        """What it and the files that it includes with quotation marks include."""
        return self.walk()[1]

    def files(self):
        """Itself and the files that it includes with quotation marks, directly or not, as absolute paths."""
        return self.walk()[0]

    def walk(self):
        left, files, names = [self.path], [], []
        while left:
            file = pathlib.Path(os.path.normpath(left.pop(0)))
            if file in files:
                continue
            files.append(file)
            text = file.read_text(encoding="utf-8", errors="replace")
            for quote, name in INCLUDE.findall(text):
                names.append(name)
                places = [file.parent / name, ROOT / "common" / name] if quote == '"' else []
                left += [place for place in places if place.is_file()][:1]
        return files, names

    def include_folders(self):
        """The course's headers, for a listing that includes "../common/book.h" wherever it is."""
        text = self.path.read_text(encoding="utf-8", errors="replace")
        return [f"-I{ROOT / 'common'}"] if re.search(r'#[ \t]*include[ \t]*"\.\./common/', text) and \
            not (self.path.parent / "../common").is_dir() else []

    def libraries(self):
        found = [link for pattern, link in LIBRARIES if any(re.match(pattern, name) for name in self.includes())]
        return list(dict.fromkeys(" ".join(found).split()))


def in_the_course(path):
    """The program of the course that this file is, or None."""
    try:
        parts = path.resolve().relative_to(ROOT.resolve()).parts
    except ValueError:
        return None
    for program in all_programs():
        if parts == (program.chapter, f"{program.name}.cu"):
            return program
    return None


def names_a_program(word):
    """The program of the course whose name, or whose path in it, the word is; or None."""
    *folders, last = [part for part in word.split("/") if part]
    for program in all_programs():
        if last.removesuffix(".cu") == program.name and (not folders or folders[-1] == program.chapter):
            return program
    return None


def find(word):
    """What a word of the command line names: a Program of the course, or an OwnFile."""
    path = pathlib.Path(word)
    is_path = "/" in word or path.suffix in SOURCES
    if is_path and path.is_file():
        return in_the_course(path) or own_file(path)
    program = names_a_program(word)
    if program is not None:
        return program
    if path.is_file():
        return own_file(path)
    if path.is_dir() and word.removesuffix("/") not in CHAPTERS:
        raise Problem(f"'{word}' is a folder; name a .cu file in it")
    if is_path:
        raise Problem(f"there is no file '{word}', and no program '{plain_name(word).removesuffix('.cu')}' "
                      "(./course list shows all)")
    beside = pathlib.Path(word + ".cu")
    if beside.is_file():
        raise Problem(f"there is no program '{word}'; did you mean your file {beside}?")
    raise no_such_program(word)


def own_file(path):
    path = path.absolute()
    if not os.access(path, os.R_OK):
        raise Problem(f"'{path}' cannot be read: permission denied")
    if path.suffix not in SOURCES and not os.access(path, os.X_OK):
        raise Problem(f"'{path}' is neither a .cu file nor a program")
    return OwnFile(path)
