"""Says why a program would not run here, and what helps."""

import glob
import os
import re
import shutil
import subprocess

from .. import HERE, ROOT
from ..building import read
from ..devices import (capability, cpu_threads, device_files, find_toolkit, in_wsl_or_tegra, nvidia_smi, probe_gpu)
from ..packages import LIBRARIES, Missing, cmake_version, has, install_command, is_old_cmake

USAGE = "doctor"
ABOUT = """Explains why a program does not run here, and how to fix it. Exit code 1 if it found a problem."""
MOST_WORDS = 0
CHOOSES_DEVICE = False

PROBE = ROOT / "build/probe"
SMALL_PROGRAM = "#include <vector>\nint main() { std::vector<int> v{1}; if (int i = 0; i == v[0]) return 1; }\n"


class Report:
    def __init__(self):
        self.problems = 0
        self.runs_on = "nothing yet. Fix the problems above first"

    @staticmethod
    def ok(text):
        print(f"  [ok]      {text}")

    @staticmethod
    def note(text):
        print(f"  [note]    {text}")

    def problem(self, what, remedy):
        self.problems += 1
        print(f"  [problem] {what}\n            fix: {remedy}")


def run(*_):
    report = Report()
    print("To build")
    look_at_tools(report)
    look_at_build_folder(report)
    print("The CPU device")
    look_at_cpu_device(report)
    print("The GPU")
    look_at_gpu(report)
    print("Windows")
    look_at_display(report)
    print()
    if report.problems == 0:
        print("No problem found.")
    else:
        print(f"Problems found: {report.problems}. The fix is below each one.")
    print(f"Programs run on {report.runs_on}.")
    return 1 if report.problems else 0


def run_quietly(*command, text="", seconds=None):
    """Exit code (None: no end in time, or no such command) and output."""
    try:
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=seconds, check=False)
        return done.returncode, done.stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return None, ""


def first_line(text, pattern=""):
    """The first line that the pattern is in; the last one if none is."""
    lines = text.splitlines() or [""]
    return next((line for line in lines if re.search(pattern, line, re.I)), lines[-1])


def writable(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def look_at_tools(report):
    missing = Missing()
    if has("g++"):
        _, version = run_quietly("g++", "-dumpfullversion")
        code, _ = run_quietly("g++", "-std=c++17", "-x", "c++", "-", "-o", "/dev/null", text=SMALL_PROGRAM)
        if code == 0:
            report.ok(f"g++ {version}")
        else:
            report.problem(f"g++ {version} cannot compile a C++17 program",
                           "apt-get install --reinstall g++ libc6-dev")
    if has("cmake"):
        version = cmake_version()
        if is_old_cmake(version):
            report.problem(f"CMake {version} is older than 3.22", "pip install cmake")
        else:
            report.ok(f"CMake {version}")
    if has("ninja"):
        report.ok(f"Ninja {run_quietly('ninja', '--version')[1]}")
    absent = []
    for header, package, use in LIBRARIES:
        if package in missing.libraries:
            absent.append(f"{package} ({use})")
        else:
            report.ok(f"{header} ({use})")
    absent = [part for part in [" ".join(missing.tools), *absent] if part]
    if absent:
        report.problem(f"not installed: {', '.join(absent)}",
                       install_command(*missing.tools, *missing.libraries))


def look_at_build_folder(report):
    folder = ROOT / "build"
    if not writable(folder):
        _, name = run_quietly("id", "-un")
        report.problem(f"{folder} cannot be written",
                       f"sudo chown -R {name} '{folder}', or copy the course to your home folder")
        return
    free = shutil.disk_usage(folder).free >> 20
    if free < 1000:
        report.problem(f"only {free} MB are free for {folder}", "make room: the builds need up to 1 GB")
    else:
        report.ok(f"{free // 1024} GB free for {folder}")


def look_at_cpu_device(report):
    """Compiles and runs a kernel: nothing less tells that it works."""
    if not has("g++") or not writable(PROBE):
        report.note("not tested: see above")
        return
    os.environ["CPU_DEVICE_CACHE"] = str(ROOT / "build/cpu/cpu_device")
    code, text = run_quietly(ROOT / "common/cpu_device/nvcc", HERE / "probes/cpu.cu", "-o", PROBE / "cpu")
    del os.environ["CPU_DEVICE_CACHE"]
    if code != 0:
        report.problem(f"its nvcc cannot compile a kernel: {first_line(text, 'error')}",
                       "fix the problems above. If there are none, this is a bug of the course: please report it with this output")
        return
    code, text = run_quietly(PROBE / "cpu", seconds=60)
    if code != 0:
        report.problem(f"a kernel does not run: {text or 'no message'}",
                       "this is a bug of the course: please report it with this output")
        return
    report.ok(f"compiled and ran a kernel, {cpu_threads()} worker threads")
    report.runs_on = "the CPU device"


def version_number(text):
    """To compare CUDA versions by."""
    return tuple(int(part) for part in text.split("."))


def toolkit(report):
    """The Toolkit's nvcc and version; '' and '' without one."""
    nvcc = find_toolkit()
    if not nvcc:
        report.note("no CUDA Toolkit (nvcc): programs run on the CPU device")
        return "", ""
    found = re.search(r"release ([0-9.]*)", run_quietly(nvcc, "--version")[1])
    version = found[1] if found else ""
    report.ok(f"CUDA Toolkit {version} ({nvcc})")
    if shutil.which("nvcc") != nvcc:
        report.note(f"to call it by hand: export PATH={os.path.dirname(nvcc)}:$PATH")
    return nvcc, version


def is_nvidia_gpu(path):
    try:
        with open(f"{path}/vendor", encoding="ascii") as vendor, open(f"{path}/class", encoding="ascii") as kind:
            return vendor.read().strip() == "0x10de" and kind.read().startswith("0x03")
    except OSError:
        return False


def look_at_gpu(report):
    nvcc, version = toolkit(report)
    if not (any(map(is_nvidia_gpu, glob.glob("/sys/bus/pci/devices/*"))) or in_wsl_or_tegra() or device_files()):
        report.note("no NVIDIA GPU in this machine: programs run on the CPU device")
        if os.path.exists("/.dockerenv") or os.environ.get("container"):
            report.note("this is a container. Start it with the GPUs of the host: docker run --gpus all ...")
        return
    if not version:
        report.problem("there is an NVIDIA GPU, but no CUDA Toolkit to compile for it",
                       "install it from https://developer.nvidia.com/cuda-downloads (or: apt-get install "
                       "nvidia-cuda-toolkit)")
    if not look_at_driver(report, version):
        return
    if version and capability():
        look_at_architecture(report, nvcc, version, int(capability()))
    look_at_permissions(report)
    if version:
        works, text = probe_gpu(nvcc)
        if works:
            name = text.split("\t")[0]
            report.ok(f"compiled and ran a kernel on {name}")
            report.runs_on = f"the GPU, {name}"
        else:
            remedy = "fix the problems above"
            if "unsupported GNU version" in text:
                remedy = "install the g++ version in the message, then: export NVCC_CCBIN=g++-NN CUDAHOSTCXX=g++-NN"
            report.problem(text, remedy)


def look_at_driver(report, version):
    """Whether there is one."""
    found = re.search(r"[0-9]{3}\.[0-9.]+", first_line(read_file("/proc/driver/nvidia/version"), r"[0-9]{3}\."))
    driver, supported, said = found[0] if found else "", "", ""
    if has("nvidia-smi"):
        said = nvidia_smi()
        found = re.search(r"CUDA Version: *([0-9.]*)", said)
        supported = found[1] if found else ""
        found = re.search(r"Driver Version: *([0-9.]*)", said)
        driver = driver or (found[1] if found else "")
    if not driver and not in_wsl_or_tegra():
        nouveau = " (nouveau is, which cannot run CUDA)" if os.path.isdir("/sys/module/nouveau") else ""
        report.problem(f"the NVIDIA driver is not loaded{nouveau}",
                       "install it (Ubuntu: sudo ubuntu-drivers install; Debian: apt-get install nvidia-driver) "
                       "and restart")
        return False
    report.ok(f"driver {driver or 'of the host system'}")
    if has("nvidia-smi") and not supported:
        report.problem(f"nvidia-smi: {first_line(said, '.')}",
                       "restart the machine. A new driver works only after a restart")
    elif supported and version:
        if version_number(supported) >= version_number(version):
            report.ok(f"the driver supports CUDA {supported}, the Toolkit is {version}")
        elif supported.split(".")[0] == version.split(".")[0]:
            report.note(f"the driver supports CUDA {supported}, the Toolkit is {version}: works for this GPU's own "
                        "architecture")
        else:
            report.problem(f"the driver supports only CUDA {supported}, and the Toolkit is {version}",
                           f"update the driver, or install a CUDA Toolkit {supported} or older")
    return True


def read_file(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def look_at_architecture(report, nvcc, version, of_gpu):
    known = sorted(int(n) for n in re.findall(r"compute_(\d+)", run_quietly(nvcc, "--list-gpu-arch")[1]))
    if of_gpu in known:
        report.ok(f"the Toolkit compiles for this GPU's architecture, {of_gpu}")
    elif known and of_gpu < known[0]:
        report.problem(f"this GPU's architecture, {of_gpu}, is too old for CUDA {version} ({known[0]} and newer)",
                       "install an older Toolkit: CUDA 12 for 50 to 72, CUDA 11 for 35 and 37")
    else:
        report.note(f"this GPU's architecture, {of_gpu}, is newer than CUDA {version}: programs are translated "
                    "when they start")
    built = [int(n) for n in re.findall(r"\d+", read(ROOT / "build/gpu/gpu_architectures.txt"))]
    if not built:
        return
    words = " ".join(map(str, built))
    if of_gpu in built:
        report.ok("build/gpu was built for it")
    elif of_gpu < built[0]:
        report.problem(f"build/gpu was built for {words}, which this GPU ({of_gpu}) cannot run", "rm -r build/gpu")
    else:
        report.note(f"build/gpu was built for {words}; ./course test builds it for {of_gpu}")


def look_at_permissions(report):
    for path in ["/dev/nvidiactl", "/dev/nvidia-uvm", *device_files()]:
        if not os.path.exists(path):
            if not in_wsl_or_tegra():
                report.problem(f"{path} is missing", "sudo nvidia-modprobe -u -c 0")
        elif not os.access(path, os.R_OK | os.W_OK):
            _, group = run_quietly("stat", "-c", "%G", path)
            _, name = run_quietly("id", "-un")
            report.problem(f"you have no permission to use {path}", f"sudo usermod -aG {group} {name}, then log in again")


def look_at_display(report):
    display = os.environ.get("DISPLAY")
    if not display:
        report.note("no display (DISPLAY is not set): programs save their pictures as files")
        if os.environ.get("SSH_CONNECTION"):
            report.note("over ssh, ssh -X forwards windows, slowly")
        return
    if not writable(PROBE):
        return
    probe = PROBE / "display"
    code, _ = run_quietly("g++", HERE / "probes/display.cpp", "-o", probe, "-lGL", "-lX11")
    if code != 0:
        report.note(f"DISPLAY is {display}; not tested: freeglut is not installed")
        return
    try:
        done = subprocess.run([probe], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=20,
                              check=False)
        code, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, text = None, ""
    if code == 0:
        version, _, renderer = text.rstrip("\n").partition("\t")
        version = version.split(" ")[0]
        report.ok(f"display {display}, OpenGL {version} on {renderer}")
        look_at_sharing(report, display, version, renderer)
    elif code == 3:
        _, name = run_quietly("id", "-un")
        report.problem(f"the display {display} does not answer",
                       f"unset DISPLAY (pictures become files), or allow access: xhost +si:localuser:{name}")
    else:
        report.problem(f"the display {display} has no OpenGL",
                       "apt-get install libgl1-mesa-dri, or unset DISPLAY (pictures become files)")


def look_at_sharing(report, display, version, renderer):
    """Whether CUDA and the OpenGL of this version on this renderer can share buffers: chapter 8."""
    if re.search("llvmpipe|softpipe|SWR|swrast", renderer):
        report.note("OpenGL is drawn by the CPU: windows work, slowly")
    reason = ""
    if tuple(int(n) for n in re.findall(r"\d+", version)[:2]) < (2, 1):
        reason = f"OpenGL {version} is older than 2.1"
    elif not report.runs_on.startswith("the GPU"):
        pass  # the CPU device shares with every OpenGL
    elif re.match("[^:/]+:", display):
        reason = f"the display {display} is elsewhere; a window that shares needs a screen of this machine"
    elif "microsoft" in read_file("/proc/version").lower():
        reason = "in WSL, Windows draws the windows"
    elif "NVIDIA" not in renderer:
        reason = (f"{renderer} draws the windows, not the GPU that computes; try: "
                  "export __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia")
    if reason:
        report.note(f"chapter 8 copies its frames through the host: {reason}")
    else:
        report.ok("CUDA and OpenGL can share buffers")
