"""Compiles a single file with nvcc, if that was not done since it, or what it includes, changed."""

import os
import shlex
import subprocess

from . import ROOT
from .messages import Problem


def runtime_files():
    """What every program of the CPU device depends on."""
    return [path for path in (ROOT / "common/cpu_device").rglob("*") if path.is_file() and ".cache" not in path.parts]


def prerequisites(file):
    """The files that a rule of make names, as compilers write it: a space in a name has a backslash."""
    words = shlex.split(file.read_text(encoding="utf-8", errors="surrogateescape").replace("\\\n", " ")
                        .replace("$$", "$").replace("'", "\\'").replace('"', '\\"'))
    return words[1:]


class Compilation:
    """Of one program, in the background, if it is not up to date. `process` is None if it is."""

    def __init__(self, source, folder, command, environment, more_dependencies):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Problem(f"cannot write to {folder}: {error.strerror}") from None
        name = source.stem
        self.program, self.partial = folder / name, folder / f"{name}.new"
        self.dependencies, self.record = folder / f"{name}.d", folder / f"{name}.command"
        self.command = [os.fspath(word) for word in
                        [*command, "-MD", "-MF", self.dependencies, source, "-o", self.partial]]
        self.process = None
        if not self.up_to_date(more_dependencies):
            self.process = subprocess.Popen(self.command, env=environment, stdin=subprocess.DEVNULL)

    def up_to_date(self, more):
        """Whether the program was made by this command, and is newer than all that it was made from."""
        files = (self.program, self.dependencies, self.record)
        if not all(file.exists() for file in files) or self.record.read_text() != shlex.join(self.command):
            return False
        made = self.program.stat().st_mtime
        return all(os.path.exists(path) and os.path.getmtime(path) <= made
                   for path in [*prerequisites(self.dependencies), *more])

    def wait(self):
        """The path of the program, when it is there."""
        if self.process is not None:
            if self.process.wait() != 0:
                raise Problem(f"{self.program.name} does not compile; see above")
            os.replace(self.partial, self.program)
            self.record.write_text(shlex.join(self.command))
        return self.program
