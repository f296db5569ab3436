"""NVIDIA's nvcc of today, from PyPI, in a folder of its own: for machines without the CUDA Toolkit."""

import importlib.util
import os
import re
import subprocess
import sys

from . import ROOT
from .messages import Problem

RELEASE = "13.5"
FOLDER = ROOT / "build/toolkit"
PACKAGES = tuple(f"nvidia-{name}=={RELEASE}.*" for name in (
    "cuda-nvcc", "cuda-crt", "nvvm", "cuda-runtime", "cuda-tileiras")) + ("nvidia-cuda-cccl==13.*",)
NVCC = "nvidia/cu13/bin/nvcc"


def cccl_folder():
    """Where CCCL 3.4 or newer is, with its runtime classes, '' if nowhere. CMakeLists.txt looks in the same places."""
    for folder in (os.environ.get("CCCL_PATH", ""), f"{FOLDER}/nvidia/cu13/include/cccl", "/usr/local/cuda/include/cccl"):
        try:
            with open(f"{folder}/cuda/std/__cccl/version.h", encoding="utf-8") as file:
                version = re.search(r"#define CCCL_VERSION (\d+)", file.read())
        except OSError:
            continue
        if version and int(version[1]) >= 3004000:
            return folder
    return ""


def version_of(nvcc):
    """"13.5" of an nvcc; '' if it does not run."""
    try:
        text = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False).stdout
    except OSError:
        return ""
    return text.partition("release ")[2].partition(",")[0]


def install_toolkit(folder):
    """Puts it into the folder, unless it is there, and returns the path of nvcc."""
    nvcc = folder / NVCC
    if version_of(nvcc) == RELEASE:
        return nvcc
    if importlib.util.find_spec("pip") is None:
        raise Problem("setup --toolkit needs pip: sudo apt-get install python3-pip")
    print(f"Downloading nvcc {RELEASE} from pypi.org into {folder} (160 MB, 450 MB on the disk) ...", flush=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--upgrade", "--target", folder, "--root-user-action=ignore", *PACKAGES]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        last = [line for line in done.stdout.splitlines() if line.strip()][-1:] or ["pip failed"]
        raise Problem(f"could not install nvcc {RELEASE} from pypi.org: {last[0].strip()}")
    if version_of(nvcc) != RELEASE:
        raise Problem(f"{nvcc} does not run")
    return nvcc
