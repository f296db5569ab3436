"""What is needed to compile and run answers, in one folder that anybody may read, and what is
needed to judge them, in one that nobody else may."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import threading

from labs import ROOT, LabError
from sandbox import PATH
from similarity import tokens
from untrusted import read_file
from vetting import Allowed

HERE = pathlib.Path(__file__).resolve().parent
# Of common/, for answers.
HEADERS = ("book.h", "handle_error.h", "lessons/heat_colors.h", "program/host_threads.h", "program/random.h")
DEVICE = ROOT / "common/cpu_device"
BUILT = (".cache", "lib", "lib64")  # what nvcc puts there
HARNESS = ("harness.h", "apart.h", "protocol.h")
HOST_WAITS = re.compile(r"\bcuda(?:\w+Synchronize|\w+Query|Memcpy|Memset) ?\(")  # student.sh has the same
ANSWER_FLAGS = ("-O1", "-std=c++17")


def environment_to_compile():
    """With the compiler that answers are compiled with. With another one's, they would compile the CPU device once more."""
    if not shutil.which("g++", path=PATH):
        raise LabError(f"answers are compiled with a g++ of {PATH.replace(':', ', ')}, and there is none: apt-get install g++")
    return {**{key: value for key, value in os.environ.items() if not key.startswith("NVCC_")}, "PATH": PATH}


def must(command, what, environment=None, folder=None):
    """Runs what we trust, in the folder; its output."""
    done = subprocess.run([str(word) for word in command], env=environment, cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace")
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()
        first = next((line for line in lines if "error" in line), (lines or ["no message"])[0])
        raise LabError(f"{what} does not work: {first}")
    return done.stdout


def copy_machinery(to):
    """The headers and the CPU device, without what was built of it, and without cuBLAS and its like: no
    lab needs them, and the first check is faster."""
    shutil.copytree(DEVICE, to / "common/cpu_device", ignore=shutil.ignore_patterns(*BUILT))
    shutil.rmtree(to / "common/cpu_device/runtime/libraries")
    for name in HEADERS:
        (to / "common" / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "common" / name, to / "common" / name)
    for name in HARNESS:
        shutil.copy(HERE / name, to / name)


def built_parts(folder):
    """The folders in nvcc's cache with rewriter and runtimes, which are built if they are not there."""
    caches = [os.environ.get("CPU_DEVICE_CACHE") or DEVICE / ".cache",
              os.path.expanduser("~/.cache/cpu_device")]
    if not any(list(pathlib.Path(cache).glob("runtime-checked-*")) for cache in caches):
        print("course lab: building what all gradings need, only this once (a minute or two) ...",
              file=sys.stderr)
    source = folder / "part.cu"
    source.write_text("int main() {}\n")
    parts = set()
    for options in ([], ["--check"]):
        shown = must(["bash", DEVICE / "nvcc", "-v", *options, source, "-o", folder / "part"],
                     "the CPU device's nvcc", environment_to_compile()).splitlines()
        parts.add(shlex.split(next(line for line in shown if "/rewriter <" in line))[1])
        runtime = next(line for line in shown if line.startswith("#$ LIBRARIES="))
        parts.add(shlex.split(runtime.split("=", 1)[1])[0])
    return [pathlib.Path(part).parent for part in parts]


def let_everybody_read(folder):
    """Whatever the umask of the one who grades: who cannot read what was built here builds it anew."""
    for path in (folder, *folder.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | 0o444 | (0o111 if path.is_dir() or mode & 0o100 else 0))


class Kit:
    """For one lab. folder: for everybody; private: judge and results. many: there is so much to compile
    that it pays to compile the headers ahead."""

    def __init__(self, lab, seed, many=False, board=False):
        self.lab, self.seed, self.board = lab, seed, board
        self.starter, self.starter_lock = None, threading.Lock()
        self.pasting_macros = {}  # of headers, by what answers include (grade.py)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="lab-kit."))
        os.chmod(self.home, 0o755)
        self.folder, self.private = self.home / "kit", self.home / "private"
        try:
            self.private.mkdir(mode=0o700)
            copy_machinery(self.folder)
            for part in built_parts(self.private):
                shutil.copytree(part, self.folder / "common/cpu_device/.cache" / part.name)
            for runtime in self.runtimes():  # findings are about lines of answers, and linking takes half of the time
                must(["strip", "--strip-debug", runtime], "strip")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                for done in [pool.submit(self.build_judge), pool.submit(self.build_harness, False),
                             pool.submit(self.build_stand_ins), pool.submit(self.build_harness, True)]:
                    done.result()
            if many:
                self.compile_headers()
            self.allowed = [Allowed(DEVICE, self.runtimes(), self.harness(checked)) for checked in (False, True)]
            self.write_inputs()
            let_everybody_read(self.folder)
        except BaseException:
            self.close()
            raise

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def of_starter(self, grade):
        """How the starter behaves: grade() finds out, the first time."""
        with self.starter_lock:
            if self.starter is None:
                self.starter = grade()
            return self.starter

    def runtimes(self):
        return list((self.folder / "common/cpu_device/.cache").glob("runtime*/*.a"))

    def nvcc(self):
        return ["bash", self.folder / "common/cpu_device/nvcc", *ANSWER_FLAGS,
                "-I", self.folder / "common", "-I", self.folder]

    def build_judge(self):
        must(["g++", "-std=c++17", "-O1", "-I", HERE, "-I", ROOT / "common",
              self.lab.folder / "judge.cpp", "-o", self.private / "judge"],
             f"the judge of {self.lab.name}", environment_to_compile())

    def harness(self, checked):
        return self.folder / ("harness-checked.o" if checked else "harness.o")

    def build_harness(self, checked):
        self.must_compile([*(["--check"] if checked else []), "-c", self.lab.folder / "harness.cu",
                           "-o", self.harness(checked)], f"the harness of {self.lab.name}")

    def stand_ins(self):
        return self.folder / "stand_ins.o"

    def build_stand_ins(self):
        must(["g++", "-std=c++17", "-O1", "-c", HERE / "stand_ins.cpp", "-o", self.stand_ins()], "stand_ins.cpp",
             environment_to_compile())

    def must_compile(self, words, what, folder=None):
        """With the kit's own cache."""
        others = {key: value for key, value in environment_to_compile().items() if key != "CPU_DEVICE_CACHE"}
        must([*self.nvcc(), *words], what, others, folder)

    def compile_headers(self):
        """Those of the starter, with which most answers begin: nvcc does it when it meets them again. The name of the
        file stands between the headers, so that it must be the one under which answers are compiled."""
        (self.private / self.lab.file).write_text(self.lab.starter())
        for option in ([], self.checked_option()):
            for _ in range(2):
                self.must_compile([*option, "-c", self.lab.file, "-o", "answer.o"], f"the starter of {self.lab.name}",
                                  self.private)

    def checked_option(self):
        """--branches: --check, and a run of the program can count."""
        counts = self.board or any(case.kind == "counts" for case in self.lab.cases)
        return ["--branches" if counts else "--check"]

    def judge(self, mode, case):
        """Only the cases that the student knows have a seed that the student knows."""
        seed = 1 if case.kind == "given" else self.seed
        return [str(self.private / "judge"), mode, str(seed), *case.parameters]

    def input(self, case):
        return self.folder / f"input{self.lab.cases.index(case)}"

    def write_inputs(self):
        for case in self.lab.cases:
            with open(self.input(case), "wb") as file:
                subprocess.run(self.judge("input", case), stdout=file, check=True)

    def words(self, case):
        """The case as a person repeats it, with numbers in the place of ranges."""
        seed_and_words = [self.judge("drawn", case)[2], *str(case).split()]
        return subprocess.run([str(self.private / "judge"), "drawn", *seed_and_words], text=True,
                              stdout=subprocess.PIPE, check=True).stdout.strip()

    def verdict_of_counts(self, case, counts, text):
        """"right", or what is too much; counts: what CPU_DEVICE_PROFILE wrote in the answer's process; text: the
        answer's, in which calls are counted."""
        try:
            data = read_file(counts, 16 << 20)
        except OSError as error:
            return f"nothing was counted: {error.strerror}"
        waits = len(HOST_WAITS.findall(" ".join(tokens(text))))
        data += f'\n{{"kind": "host_waits", "calls": {waits}}}\n'.encode()
        done = subprocess.run(self.judge("counts", case), input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
        said = done.stdout.decode(errors="replace").strip()
        return said or f"the judge ended with code {done.returncode}"

    def verify(self, case, results):
        """(whether they are right, what the judge says)"""
        mode = "verify-hidden" if case.kind == "hidden" else "verify"
        with open(results, "rb") as file:
            done = subprocess.run(self.judge(mode, case), stdin=file, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120)
        said = done.stdout.strip() or f"the judge ended with code {done.returncode}"
        return done.returncode == 0 and said == "right", said
