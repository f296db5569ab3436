"""Installs what is missing, and puts nvcc on PATH."""

import os
import pathlib
import shutil
import subprocess
import sys

from .. import ROOT
from ..devices import choose_device
from ..messages import Problem
from ..packages import set_up
from ..toolkit import FOLDER, RELEASE, install_toolkit
from . import editor

USAGE = "setup [--path|--toolkit [--to FOLDER]]"
ABOUT = """Installs the packages that are missing. (tour, test and run also do so.) It writes .clangd, so that
editors with clangd understand the course's .cu files.

With --path, `nvcc` of the CPU device and `course` work in every folder: nvcc --check homework.cu

With --toolkit, it downloads NVIDIA's nvcc from pypi.org into a folder of its own. Use that nvcc to
compile for a GPU if the CUDA Toolkit is not installed, or is too old for tile kernels. This needs
no root."""
MOST_WORDS = 0
WITH_VALUE = ("--to",)
CPU_NVCC = ROOT / "common/cpu_device/nvcc"


def options(parser):
    parser.add_argument("--path", action="store_true", help="link nvcc and course into a folder of PATH")
    parser.add_argument("--toolkit", action="store_true", help=f"download NVIDIA's nvcc {RELEASE}")
    parser.add_argument("--to", metavar="FOLDER", help="that folder (default for --path: ~/.local/bin; for root "
                                                       "/usr/local/bin; for --toolkit: build/toolkit)")


def run(chosen, _):
    if chosen.to and chosen.path == chosen.toolkit:
        raise Problem("--to is for setup --path or setup --toolkit; try ./course setup --help")
    if chosen.toolkit:
        nvcc = install_toolkit(pathlib.Path(chosen.to or FOLDER).expanduser().absolute())
        print(f"NVIDIA's nvcc {RELEASE}: {nvcc}" + ("" if not chosen.to else
              f"\nSo that ./course uses it: export CUDACXX={nvcc}"))
        return 0
    if chosen.path:
        put_on_path(pathlib.Path(chosen.to or default_folder()).expanduser().absolute())
    set_up("tests")
    for_editors()
    print(f"Everything is installed. Programs will run on {choose_device(chosen.device).words()}.")
    return 0


def for_editors():
    """The course's .clangd; one of the user's own stays."""
    command = editor.command([])
    if command[0].exists():
        subprocess.run([sys.executable, "-B", *command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def default_folder():
    return "/usr/local/bin" if os.geteuid() == 0 else "~/.local/bin"


def toolkit_on_path(folder):
    """NVIDIA's nvcc, if a shell finds one; what we have put there ourselves is none."""
    found = shutil.which("nvcc")
    return found if found and os.path.realpath(found) != str(CPU_NVCC.resolve()) and \
        os.path.dirname(os.path.abspath(found)) != str(folder) else None


def put_on_path(folder):
    toolkit = toolkit_on_path(folder)
    name = "cpu-nvcc" if toolkit else "nvcc"
    links = {folder / name: CPU_NVCC, folder / "course": ROOT / "course"}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, target in links.items():  # both or none
            refuse_to_replace(path, target)
        for path, target in links.items():
            path.unlink(missing_ok=True)  # an older link, perhaps to another copy of the course
            path.symlink_to(target)
    except OSError as error:
        raise Problem(f"cannot write to {folder}: {error.strerror}; try ./course setup --path --to FOLDER") from None
    print(f"{folder / name} is the CPU device's nvcc, {folder / 'course'} this course." +
          (f" (nvcc itself is NVIDIA's: {toolkit})" if toolkit else ""))
    if str(folder) not in os.environ.get("PATH", "").split(os.pathsep):
        print(f"Your shell does not look there yet. Append to ~/.profile: export PATH=\"{folder}:$PATH\"")


def refuse_to_replace(path, target):
    """What is there must be a link to this or another copy of the course, or to nothing."""
    ours = path.is_symlink() and path.resolve().parts[-2:] == target.resolve().parts[-2:]
    if path.exists() and not ours:
        raise Problem(f"{path} already exists and is not from this course. Use another folder: ./course setup --path --to FOLDER")
