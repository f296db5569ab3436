"""What must be installed, and how: looks for it, installs it, or says in one line what a person types."""

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading

from . import ROOT
from .building import build_folder
from .messages import Problem, say

# Header, Debian package and what it is for, of the libraries.
LIBRARIES = (
    ("GL/freeglut.h", "freeglut3-dev", "windows"),
    ("GL/glew.h", "libglew-dev", "OpenGL shared with CUDA"),
    ("doctest/doctest.h", "doctest-dev", "tests"),
    ("png.h", "libpng-dev", "pictures"),
    ("webp/mux.h", "libwebp-dev", "animations"),
)
OTHER_NAMES = {
    "dnf": {"g++": "gcc-c++", "freeglut3-dev": "freeglut-devel", "libglew-dev": "glew-devel",
            "xvfb": "xorg-x11-server-Xvfb"},
    "pacman": {"g++": "gcc", "ninja-build": "ninja", "freeglut3-dev": "freeglut", "doctest-dev": "doctest",
               "libglew-dev": "glew", "libpng-dev": "libpng", "xvfb": "xorg-server-xvfb",
               "libwebp-dev": "libwebp", "python3-jinja2": "python-jinja"},
}
OLDEST_CMAKE = (3, 22)


def has(command):
    return shutil.which(command) is not None


def has_mpi():
    return has("mpicxx") or has("mpic++")


def missing_libraries():
    """(package, use) of each library whose header the compiler does not find; without one, all."""
    question = "".join(f"#if !__has_include(<{header}>)\nmissing:{package}\n#endif\n"
                       for header, package, _ in LIBRARIES)
    try:
        answer = subprocess.run(["g++", "-std=c++17", "-E", "-P", "-x", "c++", "-"], input=question, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return [(package, use) for _, package, use in LIBRARIES]
    answer = answer.split()
    return [(package, use) for _, package, use in LIBRARIES if f"missing:{package}" in answer]


class Missing:
    """Debian's names of the packages that are not here, by what they are for."""

    def __init__(self):
        def absent(**commands):
            return [package for command, package in commands.items() if not has(command)]
        self.tools = absent(**{"g++": "g++", "cmake": "cmake", "ninja": "ninja-build"})
        self.libraries = [package for package, _ in missing_libraries()]
        self.display = absent(Xvfb="xvfb", xdotool="xdotool")
        self.make = absent(make="make")
        self.mpi = [] if has_mpi() else ["libopenmpi-dev"]
        self.templates = [] if importlib.util.find_spec("jinja2") else ["python3-jinja2"]
        self.pages = absent(**{"cmark-gfm": "cmark-gfm"})


def user_id():
    return subprocess.run(["id", "-u"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def may_install():
    """The words before apt-get that make it root's, or None if this user may not install."""
    if user_id() == "0":
        return []
    if not has("sudo"):
        return None
    if subprocess.run(["sudo", "-n", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                      check=False).returncode == 0:
        return ["sudo"]
    # sudo will ask for a password: only if somebody is there who may know one.
    if not os.isatty(0) or os.environ.get("CI"):
        return None
    groups = subprocess.run(["id", "-nG"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return ["sudo"] if {"sudo", "wheel", "admin"} & set(groups) else None


def install_command(*packages):
    """What a person types to install these."""
    if has("apt-get"):
        command = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"
        return f"sudo sh -c '{command}'" if user_id() != "0" and has("sudo") else command
    for manager, begin in (("dnf", "sudo dnf install"), ("pacman", "sudo pacman -S")):
        if has(manager):
            names = [OTHER_NAMES[manager].get(package, package) for package in packages]
            if manager == "dnf":
                names = [re.sub("-dev$", "-devel", name) for name in names]
            return f"{begin} {' '.join(names)}"
    return f"with your system's package manager (these are Debian's names): {' '.join(packages)}"


def cmake_version():
    text = subprocess.run(["cmake", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    return re.sub(r"^[^0-9]*", "", text.partition("\n")[0])


def is_old_cmake(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < OLDEST_CMAKE


def set_up_tour(with_compiler):
    """Installs what the first program and its page need. Returns the packages that can follow while programs are
    built: libraries, and what makes pages of the READMEs. Who may not install needs all but the latter.

    Calls with_compiler() once there is a compiler and other packages are still missing."""
    missing = Missing()
    at_once, later = missing.tools + missing.templates, missing.libraries + missing.pages
    as_root = may_install() if (at_once or later) and has("apt-get") else None
    if as_root is None:
        set_up("tour")
        return []
    compiler, others = [name for name in at_once if name == "g++"], [name for name in at_once if name != "g++"]
    if compiler:
        apt_install(as_root, compiler)
        # Only now there is a compiler to ask for headers.
        later = Missing().libraries + missing.pages
    if others:
        with_compiler()
        apt_install(as_root, others)
    refuse_old_cmake()
    return later


def set_up(purpose):
    """Installs what is missing. `purpose` is

    tools   what builds is needed, and the libraries are welcome
    all     the libraries are needed, too
    tour    so are page templates; what makes pages of the READMEs is welcome
    tests   so are, if they can be installed, MPI and a display for windows that nobody sees
    """
    missing = Missing()
    packages = missing.tools + missing.libraries
    needed = list(missing.tools)
    if purpose != "tools":
        needed += missing.libraries
    if purpose == "tests":
        packages += missing.display + missing.make + missing.mpi
    if purpose in ("tests", "tour"):
        packages += missing.templates + missing.pages
    if purpose == "tour":
        needed += missing.templates
    if packages:
        as_root = may_install() if has("apt-get") else None
        if as_root is not None:
            apt_install(as_root, packages)
        elif needed:
            raise Problem("packages are missing. Install them, or ask an administrator: "
                          + install_command(*packages))
        elif purpose == "tests" and missing.display:
            say(f"tests of windows are skipped. To run them: {install_command(*missing.display)}")
    refuse_old_cmake()


def refuse_old_cmake():
    version = cmake_version()
    if is_old_cmake(version):
        raise Problem(f"CMake 3.22 or newer is needed, but this is {version}. Install a newer one: pip install cmake")


class Installation:
    """Packages that are installed while other things are done. Use it in a `with`, which waits for them."""

    def __init__(self, packages):
        self.packages, self.worked = packages, True
        self.thread = threading.Thread(target=self.install)

    def install(self):
        self.worked = apt_get(may_install() or [], self.packages, ROOT / "build/setup.log")

    def __enter__(self):
        if self.packages:
            say(f"meanwhile installing {' '.join(self.packages)}")
            self.thread.start()
        return self

    def __exit__(self, *_):
        if self.packages:
            self.thread.join()


def apt_install(as_root, packages):
    say(f"installing {' '.join(packages)} (apt-get{', through sudo' if as_root else ''})")
    log = ROOT / "build/setup.log"
    if not apt_get(as_root, packages, log):
        sys.stderr.writelines(log.read_text(encoding="utf-8", errors="replace").splitlines(True)[-15:])
        raise Problem(f"apt-get failed. Its output is in {log}. Install by hand: {install_command(*packages)}")
    look_again()


new_lists = []  # one entry once apt-get has brought its lists up to date


def apt_get(as_root, packages, log):
    """Installs packages, without a word; whether it worked."""
    build_folder()
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]
    with open(log, "w", encoding="utf-8") as file:
        def run(*words):
            return subprocess.run([*apt, *words], stdin=subprocess.DEVNULL, stdout=file,
                                  stderr=subprocess.STDOUT, check=False).returncode
        # Once is enough for a tour, which installs twice. One that fails for one source of several leaves the others usable.
        if not new_lists and run("update") == 0:
            new_lists.append(True)
        failed = run("install", "-y", "--no-install-recommends", *known_to_apt(packages))
    importlib.invalidate_caches()
    return not failed


def look_again():
    """Makes CMake look for the libraries again."""
    for cache in glob.glob(f"{glob.escape(str(ROOT))}/build/*/CMakeCache.txt"):
        os.remove(cache)


def known_to_apt(packages):
    """Their names in this release: freeglut's is being renamed, and not every machine has an MPI."""
    names = []
    for name in packages:
        if name in ("freeglut3-dev", "libopenmpi-dev") and subprocess.run(
                ["apt-cache", "show", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False).returncode != 0:
            if name == "libopenmpi-dev":
                continue
            name = "libglut-dev"
        names.append(name)
    return names
