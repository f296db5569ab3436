"""A build that goes on while the programs that are ready run already."""

import re
import subprocess
import threading

from .building import beside, build_environment, jobs, not_built

LINKED = re.compile(rb"\[\d+/\d+\] Linking .*?([\w.-]+)\s*$")


class BackgroundBuild:
    """Builds the targets one after the other or side by side, as `build()` does with keep_going. Use it in a `with`:
    what is still being built when the block is left early is stopped. `prefix`: words before the command, such as those of `nice`."""

    def __init__(self, device, targets, prefix=()):
        self.ready, self.worked = set(), None  # names of programs; None while it goes on
        self.changed = threading.Condition()
        targets = [target for target in targets if not not_built(device, target)]
        self.log = beside(device, ".build.log")
        self.process = subprocess.Popen(
            [*prefix, "cmake", "--build", device.build, "-j", str(jobs()), "--target", *targets, "--", "-k", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=build_environment(targets)) if targets else None
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        with open(self.log, "wb") as file:
            for line in self.process.stdout if self.process else ():
                file.write(line)
                linked = LINKED.match(line)
                if linked:
                    with self.changed:
                        self.ready.add(linked[1].decode())
                        self.changed.notify()
        with self.changed:
            self.worked = self.process is None or self.process.wait() == 0
            self.changed.notify()

    def next_of(self, programs):
        """The first of these programs that can run; waits until one can. With it, whether the build has ended."""
        with self.changed:
            while True:
                if self.worked is not None:
                    return programs[0], True
                for program in programs:
                    if program.name in self.ready:
                        return program, False
                self.changed.wait()

    def __enter__(self):
        return self

    def stop(self):
        if self.process and self.worked is None:
            self.process.terminate()

    def __exit__(self, *_):
        self.stop()
        self.thread.join()


class ProgramQueue:
    """Programs that a BackgroundBuild makes, each once it is ready, with whether the build has ended by then. Several
    threads may take from it."""

    def __init__(self, build, programs):
        self.build, self.left, self.stopped = build, list(programs), False
        self.again = []  # Those that shall run once more, after all others.
        self.lock = threading.Lock()

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            programs = self.left or self.again
            if self.stopped or not programs:
                raise StopIteration
            program, ended = self.build.next_of(programs)
            if self.stopped:
                raise StopIteration
            programs.remove(program)
            return program, ended

    def stop(self):
        """Nothing is taken any more, and nothing built: nobody waits for it."""
        self.stopped = True
        self.build.stop()
