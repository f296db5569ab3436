"""Builds programs with CMake: quiet, with the progress in one line, and what failed in full."""

import atexit
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

from . import ROOT
from .messages import Problem, say
from .toolkit import cccl_folder

STEP = re.compile(r"\[\d+/\d+\]")


def owner(path):
    try:
        return pwd.getpwuid(os.stat(path).st_uid).pw_name
    except (OSError, KeyError):
        return None


def build_folder():
    """Makes sure that there is a folder to build in."""
    folder = ROOT / "build"
    try:
        folder.mkdir(exist_ok=True)
        if os.access(folder, os.W_OK):
            return
    except OSError:
        pass
    raise Problem(f"cannot write to {folder}: it belongs to {owner(folder) or owner(ROOT)}, "
                  f"and you are {pwd.getpwuid(os.geteuid()).pw_name}")


def jobs():
    """Compilers side by side: one per core, and 1.5 GB of memory for each."""
    cores = len(os.sched_getaffinity(0))
    with open("/proc/meminfo", encoding="ascii") as file:
        available = re.search(r"^MemAvailable: *(\d+)", file.read(), re.M)
    fit = int(available[1]) // 1500000 if available else cores
    return max(1, min(cores, fit))


def cached(cache, name):
    """A value in a CMakeCache.txt, '' if it is not there."""
    found = re.search(rf"^{name}:[A-Z]*=(.*)$", cache, re.M)
    return found[1] if found else ""


def read(path):
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def beside(device, ending):
    """build/cpu.configure.log and the like."""
    return device.build.with_name(device.build.name + ending)


def configure(device):
    build_folder()
    cache = read(device.build / "CMakeCache.txt")
    if cache:
        # A folder that was copied from elsewhere, or a Toolkit that is gone: CMake would refuse.
        compiler = cached(cache, "CMAKE_CUDA_COMPILER")
        gone = device.kind == "gpu" and compiler and not os.access(compiler, os.X_OK)
        if cached(cache, "CMAKE_HOME_DIRECTORY") != str(ROOT) or gone:
            shutil.rmtree(device.build)
    log = beside(device, ".configure.log")
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(["cmake", "--preset", device.kind], cwd=ROOT, stdin=subprocess.DEVNULL,
                              stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.stderr.write(read(log))
        raise Problem("CMake cannot configure the build; see above")


def may_be_here_now(reason):
    """Whether CMake must look again for what a program was left out for."""
    return cccl_folder() != "" if "CCCL" in reason else "package" in reason


def is_configured(device):
    """Whether a build folder can be used as it is, if nothing was left out that could be built now."""
    left_out = read(device.build / "not_built.txt").splitlines()
    return ((device.build / "build.ninja").is_file() and not any(may_be_here_now(line) for line in left_out) and
            f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}" in read(device.build / "CMakeCache.txt").splitlines())


def not_built(device, name):
    """"needs the package ..." if the program is not built here, otherwise ''."""
    for line in read(device.build / "not_built.txt").splitlines():
        if line.startswith(f"{name}: "):
            return line.removeprefix(f"{name}: ")
    return ""


def build_program(device, name):
    """Builds one program, or says why not."""
    require_built(device, name)
    if not build(device, [name]):
        require_built(device, name)  # known only now, if the build folder was older than the program
        raise Problem(f"{name} does not compile; see above")


def require_built(device, name):
    reason = not_built(device, name)
    if reason:
        raise Problem(f"{name}: {reason}" + (f" (apt-get install {reason.split()[-1]})" if "package" in reason else ""))


def amount(size):
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def start_cpu_device(device):
    """Builds the rewriter and the runtime in the background. Builds that need them wait for them, and report what fails."""
    build_folder()
    folder = device.build / "cpu_device"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "empty.cu"
    source.write_text("int main() {}\n", encoding="utf-8")
    process = subprocess.Popen(["bash", ROOT / "common/cpu_device/nvcc", source, "-o", folder / "empty"],
                               env={**os.environ, "CPU_DEVICE_CACHE": str(folder)}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(process.terminate)


def say_if_space_is_short(needed=300 << 20):
    """Where the disk is full, compilers, linkers and programs each say so in other words, or not at all. `needed`: bytes."""
    for folder in dict.fromkeys((str(ROOT / "build"), tempfile.gettempdir())):
        free = shutil.disk_usage(folder).free if os.path.isdir(folder) else needed
        if free < needed:
            say(f"the disk with {folder} has only {amount(free)} left, and about {amount(needed)} are needed: remove something, "
                "then start again")
            return


def build_environment(targets):
    """What is compiled ahead takes as long as a few programs, and serves them all."""
    many = {"CPU_DEVICE_MANY_PROGRAMS": "1"} if len(targets) > 4 or {"programs", "all"} & set(targets) else {}
    return {**os.environ, **many, "NINJA_STATUS": "[%f/%t] "}


def build(device, targets, keep_going=False):
    """Builds the targets but those that cannot be built here; whether it worked. With `keep_going` it goes
    on after the first failure, and says nothing about any."""
    targets = [target for target in targets if not not_built(device, target.removesuffix("_test"))]
    if not targets:
        return True
    command = ["cmake", "--build", device.build, "-j", str(jobs()), "--target", *targets,
               "--", "-k", "0" if keep_going else "1"]
    log = beside(device, ".build.log")
    show = Progress()
    with open(log, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env=build_environment(targets))
        for line in process.stdout:
            file.write(line)
            show(line)
    show.end()
    failed = process.wait() != 0
    if failed and not keep_going:
        sys.stderr.writelines(line + "\n" for line in what_failed(read(log).splitlines()))
        say_if_space_is_short()
    return not failed


class Progress:
    """The step that a build is at, in one line that changes, if a person looks."""

    def __init__(self):
        self.wide = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0

    def __call__(self, line):
        if self.wide and STEP.match(text := line.decode(errors="replace").rstrip()):
            print(f"\r\033[K{text[:self.wide - 1]}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.wide:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def what_failed(lines):
    """Of a build's log what the compilers said of what failed, without the commands."""
    show = skip = False
    for line in lines:
        if skip:  # the command
            skip = False
        elif line.startswith("FAILED: "):
            show = skip = True
        else:
            if STEP.match(line) or line.startswith("ninja: build stopped"):
                show = False
            if show or line.startswith(("ninja: error", "CMake Error")):
                yield line
