"""The versions of a program side by side: tools/bench.py, with what it needs built first."""

import subprocess
import sys

from .. import ROOT, TOOLS
from ..building import build, configure
from ..devices import choose_device
from ..messages import Problem, say
from ..packages import set_up

USAGE = "bench [--cpu|--gpu] [NAME...]"
ABOUT = """The versions of a program side by side, with NVIDIA's libraries on a GPU, and what the device can
do at best. Writes build/bench/index.html and bench.json.

NAME: vector_add, dot, dot_short, julia, rays, heat, histogram, hash_insert, hash_find, nbody."""
PASSES_ON = True


def peers_program(nvcc, folder):
    """What measures NVIDIA's libraries; None if they are not here."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "peers.log", "w", encoding="utf-8") as log:
        done = subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", TOOLS / "peers.cu", "-lcublas",
                               "-o", folder / "peers"], stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return folder / "peers"
    say("without NVIDIA's libraries: tools/peers.cu cannot be built, see build/bench/peers.log")
    return None


def run(options, words):
    tool = [sys.executable, "-B", TOOLS / "bench.py"]
    asked = subprocess.run([*tool, "--programs", *words], stdout=subprocess.PIPE, text=True, check=False)
    if asked.returncode != 0:
        return 2
    set_up("all")
    device = choose_device(options.device)
    configure(device)
    if not build(device, ["limits", *asked.stdout.split()]):
        raise Problem("not everything could be built")
    out = ROOT / "build/bench"
    peers = peers_program(device.nvcc, out) if device.kind == "gpu" else None
    return subprocess.run([*tool, "--build", device.build, "--device", device.kind, "--out", out, "--limits",
                           device.build / "tools/limits", *(["--peers", peers] if peers else []), *words],
                          check=False).returncode
