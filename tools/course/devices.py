"""Where kernels run: on a GPU with NVIDIA's Toolkit, or on the CPU device."""

import glob
import os
import re
import subprocess

from . import HERE, ROOT
from .building import build_folder
from .messages import Problem
from .packages import has
from .toolkit import FOLDER, NVCC


class Device:
    """A place to run on: "cpu", "gpu", or "cpu-check" for checked runs; and the folder of its builds."""

    def __init__(self, kind, nvcc="", gpu=""):
        self.kind, self.nvcc, self.gpu = kind, nvcc, gpu
        self.build = ROOT / "build" / kind

    def words(self):
        if self.kind != "gpu":
            return f"the CPU device ({cpu_threads()} worker threads, no GPU)"
        name, driver, runtime = self.gpu.split("\t")
        return f"{name} (CUDA {runtime}, driver for CUDA {driver})"


def cores():
    return len(os.sched_getaffinity(0))


def cpu_threads():
    return os.environ.get("CPU_DEVICE_THREADS") or cores()


def version_key(text):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def find_toolkit():
    """The path of the Toolkit's nvcc, wherever the installers put it; '' if there is none."""
    candidates = [os.environ.get("CUDACXX", "")]
    candidates += [os.path.join(folder, "nvcc") for folder in os.environ.get("PATH", "").split(os.pathsep)]
    candidates += [os.environ.get(name, "") + "/bin/nvcc" for name in ("CUDA_HOME", "CUDA_PATH")]
    candidates += ["/usr/local/cuda/bin/nvcc"]
    candidates += sorted(glob.glob("/usr/local/cuda-*/bin/nvcc"), key=version_key, reverse=True)
    if (FOLDER / NVCC).exists():  # what somebody has asked for
        candidates.insert(1, str(FOLDER / NVCC))
    for candidate in candidates:
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK) and \
                not os.path.realpath(candidate).endswith("/cpu_device/nvcc"):
            os.environ["CUDACXX"] = candidate
            return candidate
    return ""


def nvidia_smi(*words):
    try:
        return subprocess.run(["nvidia-smi", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=20, text=True, errors="replace",
                              check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def capability():
    """"90" for the oldest GPU; '' if it is not known."""
    if not has("nvidia-smi"):
        return ""
    found = re.findall(r"^\d+\.\d+$", nvidia_smi("--query-gpu=compute_cap", "--format=csv,noheader"), re.M)
    return min(found, key=version_key).replace(".", "") if found else ""


def device_files():
    return [path for path in glob.glob("/dev/nvidia[0-9]*")]


def in_wsl_or_tegra():
    return os.path.exists("/dev/dxg") or os.path.exists("/dev/nvmap")


def may_have_gpu():
    return bool(device_files()) or in_wsl_or_tegra()


def probe_gpu(nvcc):
    """(whether kernels run on a GPU: runs one; "name<TAB>driver<TAB>runtime", or what is wrong). The
    compiled probe is kept."""
    if not may_have_gpu():
        return False, "this machine has no NVIDIA GPU"
    build_folder()
    folder = ROOT / "build/probe"
    folder.mkdir(parents=True, exist_ok=True)
    program, key_file = folder / "gpu", folder / "gpu.key"
    of_gpu = capability()
    version = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    key = f"{nvcc} {version.strip().rpartition(chr(10))[2]} {of_gpu}"
    if not program.exists() or not key_file.exists() or key_file.read_text() != key:
        program.unlink(missing_ok=True)
        key_file.unlink(missing_ok=True)
        architecture = [f"-arch=sm_{of_gpu}"] if of_gpu else []
        done = subprocess.run([nvcc, *architecture, HERE / "probes/gpu.cu", "-o", program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            line = re.search(r"^.*(error|unsupported).*$", done.stdout, re.M | re.I)
            return False, f"nvcc cannot compile: {line[0] if line else ''}"
        key_file.write_text(key)
    try:
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, text=True,
                              errors="replace", check=False)
        text = done.stdout.strip()
        if done.returncode == 0:
            return True, text
    except subprocess.TimeoutExpired:
        text = ""
    return False, f"the GPU does not work: {text or 'no answer within 60 seconds'}"


def choose_device(wanted):
    """`wanted`: "cpu", "gpu", or "" for the GPU if there is one that works."""
    nvcc = find_toolkit()
    if wanted == "cpu":
        return Device("cpu", nvcc)
    if wanted == "gpu" and not nvcc:
        raise Problem("--gpu needs the CUDA Toolkit, but there is no nvcc; see ./course doctor")
    works, text = probe_gpu(nvcc) if nvcc else (False, "")
    if wanted == "gpu" and not works:
        raise Problem(f"--gpu: {text}; see ./course doctor")
    return Device("gpu", nvcc, text) if works else Device("cpu", nvcc)
