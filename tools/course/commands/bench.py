"""The versions of a program side by side: tools/bench.py, with what it needs built first."""

import pathlib
import subprocess
import sys

from .. import ROOT, TOOLS, own_bench
from ..building import build, configure
from ..devices import choose_device
from ..messages import Problem, say
from ..own_files import OwnFile, find
from ..packages import set_up

USAGE = "bench [--cpu|--gpu] [NAME...] | cpu | FILE... [ARGS...]"
ABOUT = """Compares the versions of a program, on a GPU also with NVIDIA's libraries, and with the limits of the
device. Writes build/bench/index.html and bench.json.

NAME: vector_add, dot, dot_short, julia, rays, heat, histogram, hash_insert, hash_find, nbody.

cpu: nine kernels on the CPU device, next to PoCL (OpenCL on the CPU) and to hand-written loops.

FILE: your own .cu file in any folder, or a compiled program. Several files all run with the
same ARGS. A table shows the times and rates that they print, as medians of several runs."""
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


def is_file(word):
    return pathlib.Path(word).is_file() and ("/" in word or word.endswith(".cu"))


def bench_files(options, words):
    """The user's own programs: the first words, up to one that is no file."""
    count = next((i for i, word in enumerate(words) if not is_file(word)), len(words))
    programs, arguments = [find(word) for word in words[:count]], words[count:]
    for program in programs:
        if not isinstance(program, OwnFile):
            raise Problem(f"{program.source} belongs to the course: ./course bench takes its topics, see "
                          "./course bench --help")
    set_up("tools")
    device = choose_device(options.device)
    paths = [program.built(device) for program in programs]
    versions = [own_bench.Version(word, path, arguments) for word, path in zip(words, paths)]
    return own_bench.report(versions, arguments, device, limits_of(device))


def limits_of(device):
    """{name: value} of what the device can do at best; {} if that cannot be measured."""
    configure(device)
    if not build(device, ["limits"]):
        return {}
    done = subprocess.run([device.build / "tools/limits"], stdout=subprocess.PIPE, text=True, check=False)
    rows = [line.split("\t") for line in done.stdout.splitlines()] if done.returncode == 0 else []
    limits = {name: float(value) for name, value in rows}
    if limits:  # to read alone is at least as fast as to copy; the CPU device's threads stride when they read
        limits["read"] = max(limits["read"], limits["copy"])
    return limits


def bench_cpu(words):
    """The CPU device next to what else runs on a CPU."""
    set_up("tools")
    nvcc = ROOT / "common/cpu_device/nvcc"
    return subprocess.run([sys.executable, "-B", TOOLS / "bench_cpu.py", nvcc, ROOT / "build/bench/cpu", *words],
                          check=False).returncode


def run(options, words):
    if words and words[0] == "cpu":
        return bench_cpu(words[1:])
    if words and is_file(words[0]):
        return bench_files(options, words)
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
