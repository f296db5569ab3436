"""Where submissions are compiled and run: in a process of their own, within limits, without network and without
the rest of the machine's files. bubblewrap does that, or, where it does not work, Landlock (walls.py).

As root, each also gets a user of its own that owns nothing but its scratch folder.
"""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

import walls
from untrusted import remove_folder

LIMITS = pathlib.Path(__file__).with_name("limits.py")
USERS = range(61000, 64000)  # as root: one of these for each sandbox
MEGABYTE = 1 << 20
PATH = "/usr/local/bin:/usr/bin:/bin"  # of the programs that submissions see
SPARE = 32  # processes beyond the limit on tasks, with which a command is ended, before fork() fails

# What a command may take. cpu_seconds, of all its processes, end loops; seconds, those who sleep, and a
# busy machine needs many of them. Right answers take a tenth of all this.
COMPILE = {"seconds": 300, "cpu_seconds": 20, "memory": 1024 * MEGABYTE, "tasks": 64,
           "text": 4 * MEGABYTE, "data": 256 * MEGABYTE, "compiles": True}
RUN = {"seconds": 40, "cpu_seconds": 6, "memory": 1024 * MEGABYTE, "tasks": 128,
       "text": 4 * MEGABYTE, "data": 128 * MEGABYTE}
CHECKED = {**RUN, "seconds": 120, "cpu_seconds": 24, "memory": 3072 * MEGABYTE}


def reserve_user():
    """(a user that no other sandbox on this machine has, what keeps it reserved while this process
    lives): the limit on processes counts all that a user runs."""
    for user in USERS:
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0course-lab-user-{user}")
            return user, reservation
        except OSError:
            reservation.close()
    raise OSError("all users for sandboxes are in use")


class Sandbox:
    """For one command at a time. kit: a folder to be read. To be closed."""

    def __init__(self, kit, kind):
        self.kit = pathlib.Path(kit)
        self.user = self.reservation = None
        if os.geteuid() == 0:
            self.user, self.reservation = reserve_user()
        self.kind = kind  # "bubblewrap", "landlock", or None: neither
        self.limits = subprocess.Popen([sys.executable, "-I", str(LIMITS)], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends what runs in it."""
        self.limits.terminate()
        self.limits.wait()
        if self.user is not None and self.kind is None:
            remove_files_of(self.user)
        if self.reservation:
            self.reservation.close()

    def scratch(self):
        """A new folder that belongs to the submission; the caller removes it."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="lab."))
        if self.user is not None:
            os.chown(folder, self.user, self.user)
        return folder

    def run(self, command, folder, limits, given=None, results=os.devnull, environment=None):
        """Runs the command in the folder; what limits.py says."""
        words = [str(word) for word in command]
        environment = {"PATH": PATH, "HOME": str(folder),
                       "TMPDIR": str(folder), "LC_ALL": "C.UTF-8", "CPU_DEVICE_THREADS": "1",
                       **(environment or {})}
        command = self.bubblewrap(folder, limits["tasks"]) + words
        command[0] = shutil.which(command[0]) or command[0]
        spec = {"command": command, "folder": str(folder), "user": self.user,
                "walls": self.kind, "readable": [str(self.kit)],
                "environment": environment, "input": given and str(given),
                "results": str(results), **limits}
        self.limits.stdin.write(json.dumps(spec).encode() + b"\n")
        self.limits.stdin.flush()
        done = json.loads(self.limits.stdout.readline() or b"null")
        if done is None:
            raise OSError("its sandbox was stopped")
        return done

    def bubblewrap(self, folder, tasks):
        if self.kind != "bubblewrap":
            return []
        # An ordinary user has no further users. But the kernel also counts the processes in a namespace of users, if
        # the limit is set in it.
        prlimit = shutil.which("prlimit") if self.user is None else None
        limit = [prlimit, f"--nproc={tasks + SPARE}"] if prlimit else []
        return bubblewrap_command() + ["--ro-bind", str(self.kit), str(self.kit),
                                       "--bind", str(folder), str(folder), "--remount-ro", "/",
                                       "--seccomp", "4", "--chdir", str(folder), "--", *limit]


def bubblewrap_command():
    """bwrap and its options for a machine that holds a compiler and nothing else. Nothing can be written there:
    what lies in memory as a file would escape the limit on memory."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
               "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--dir", "/tmp"]
    for name in ("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"):
        if os.path.islink(name):
            command += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            command += ["--ro-bind", name, name]
    for name in ("/etc/alternatives", "/etc/ld.so.cache"):
        if os.path.exists(name):
            command += ["--ro-bind", name, name]
    return command


def remove_files_of(user):
    """What a submission without walls has left where everybody may write."""
    for folder in {tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"}:
        with contextlib.suppress(OSError):
            for entry in list(os.scandir(folder)):
                if entry.stat(follow_symlinks=False).st_uid == user:
                    remove_folder(entry.path)


def works(kind):
    """(whether submissions can be kept in that way here, what it said)"""
    with tempfile.TemporaryDirectory() as kit:
        os.chmod(kit, 0o755)
        with Sandbox(kit, kind) as box:
            scratch = box.scratch()
            try:
                done = box.run(["true"], scratch, RUN)
            finally:
                remove_folder(scratch)
    return done["ended"] == "exit" and done["code"] == 0, (done["text"].strip().splitlines() or ["no message"])[0]


def isolation():
    """(how submissions are kept in: "bubblewrap", "landlock" or None; what to say of it)"""
    reasons = []
    if shutil.which("bwrap"):
        good, said = works("bubblewrap")
        if good:
            return "bubblewrap", "in bubblewrap"
        reasons.append("bubblewrap does not work here (" + said.split(". ")[0] + ")")
    else:
        reasons.append("there is no bubblewrap (apt-get install bubblewrap)")
    version = walls.landlock_version()
    # An older one does not keep signals in. Between users, the kernel does.
    if version >= walls.SIGNALS or (version > 0 and os.geteuid() == 0):
        good, said = works("landlock")
        if good and walls.filter_code():
            return "landlock", "in Landlock"
        reasons.append(f"Landlock does not work here ({said})")
    else:
        reasons.append("Landlock needs Linux 6.12 or newer")
    return None, "; ".join(reasons)
