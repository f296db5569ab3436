"""The watch and profile pages of a tour, and the programs that they are made with."""

import os
import queue
import shlex
import subprocess
import sys
import threading
from concurrent import futures

from . import ROOT, TOOLS
from .background import BackgroundBuild, ProgramQueue
from .building import configure, jobs, not_built
from .devices import Device, cores
from .messages import Problem, say
from .programs import options_here

WHEN_IDLE = ("nice", "-n", "19")


class PagePrograms:
    """Compiles the programs in the background, on cores that have nothing else to do. Use it in a `with`."""

    def __init__(self, chosen):
        from .site.cover import watched_programs
        from .site.writing import PROFILED
        self.arguments = watched_programs()
        self.watched = [program for program in chosen if program.name in self.arguments]
        self.profiled = [program for program in chosen if program.name in PROFILED]
        self.device = Device("cpu-check")
        self.running, self.stopped, self.lock = set(), False, threading.Lock()
        self.programs_built = None
        self.compiled = queue.SimpleQueue()  # programs that have been compiled, each with whether it is watched; None at the end
        self.thread = threading.Thread(target=self.compile, daemon=True)

    def start(self):
        if self.watched or self.profiled:
            self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """What is still being compiled when the block is left early is stopped."""
        with self.lock:
            self.stopped = True
            if self.programs_built:
                self.programs_built.stop()
            for process in self.running:
                process.terminate()
        if self.thread.ident:
            self.thread.join()

    def run_when_idle(self, *command):
        with self.lock:
            if self.stopped:
                return
            process = subprocess.Popen([*WHEN_IDLE, *command], cwd=ROOT, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.running.add(process)
        process.wait()
        self.running.discard(process)

    def compile(self):
        """Both kinds at the same time: one after the other would often leave a core idle."""
        try:
            configure(self.device)
            with futures.ThreadPoolExecutor(jobs()) as pool:
                pool.submit(self.compile_watched)
                pool.map(self.compile_profiled, self.profiled)
        except Problem as problem:
            say(problem)
        finally:
            self.compiled.put(None)

    def compile_watched(self):
        programs = [program for program in self.watched if not not_built(self.device, program.name)]
        with self.lock:
            if self.stopped or not programs:
                return
            build = BackgroundBuild(self.device, [program.name for program in programs], WHEN_IDLE)
            self.programs_built = ProgramQueue(build, programs)
        with build:
            for program, _ in self.programs_built:
                self.compiled.put((program, True))

    def compile_profiled(self, program):
        self.run_when_idle(*self.profile(program, "--compile"))
        self.compiled.put((program, False))

    def profile(self, program, *words):
        """The command. All programs include the same file first, so that nvcc compiles it only once."""
        options = options_here(program)
        headers = self.device.build / "cpu_device/program_headers.h"
        if headers.exists():
            options = f"-include {shlex.quote(str(headers))} {options}"
        return [sys.executable, TOOLS / "profile.py", *words, "--with", options, ROOT / program.source]

    def write_pages(self, folder):
        """NAME/watch.html and NAME/profile.html in this folder. What fails leaves no page, and the tour goes on."""
        from .site.writing import write_profile_page, write_watch_page
        if not self.thread.ident:
            return
        say(f"making {len(self.watched)} watch and {len(self.profiled)} profile pages")
        pool = futures.ThreadPoolExecutor(cores())
        try:
            for program, is_watched in iter(self.compiled.get, None):
                path, page = self.device.build / program.chapter / program.name, folder / program.name
                if is_watched and os.access(path, os.X_OK):
                    pool.submit(write_watch_page, path, page / "watch.html", self.arguments[program.name])
                elif not is_watched and page.is_dir():
                    pool.submit(write_profile_page, self.profile(program, "--page", page / "profile.html"), page / "profile.html")
            pool.shutdown()
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C only those that have begun
