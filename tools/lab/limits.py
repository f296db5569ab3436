"""Runs commands that nobody trusts, one after the other, within limits, and says how each ended.

    python3 -I limits.py

It reads one specification a line, and writes one answer a line, both JSON: a process that stays is
there sooner than Python starts, and each command still gets a process of its own to watch it.

In a specification: command (its first word a path), folder (its current folder, and all that it may fill), environment,
user (an id to become, or null), walls (null, "bubblewrap": the command is its, or "landlock"), readable (folders, for
Landlock), input and results (files), and the limits: seconds, cpu_seconds,
memory, tasks, text (bytes on stdout and stderr), data (bytes of results and of files). compiles (true for a
compiler): it may make files executable.

What the command writes to its descriptor 3 goes to the file `results`; what it writes to stdout and
stderr comes back as "text", shortened. "ended" is "exit" or "signal" (with "code"), or the limit
that ended it: "time", "memory", "tasks", "text" or "data". In any case no process of it is left.
"""

import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
import walls

SPARE = 32  # processes beyond `tasks` before fork() fails: who has more than `tasks` is ended at once
KEPT = 16000  # bytes of text that are kept from its beginning, and as many from its end
DEEPEST = 100  # levels of folders in the scratch folder
EVERY = 0.1  # seconds between two looks at its processes
MANY = 500  # processes: more than any limit on them
WHOLE = 10  # of so many looks, one goes through all processes of the machine
PAGE, TICKS = resource.getpagesize(), os.sysconf("SC_CLK_TCK")
LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_CHILD_SUBREAPER = 36


def of_stat(process):
    """(parent, resident bytes, threads, seconds of processor time, with those of its children that have ended) of a
    process; OSError if it has ended."""
    with open(f"/proc/{process}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[1]), int(fields[21]) * PAGE, int(fields[17]), sum(map(int, fields[11:15])) / TICKS


def descendants():
    """(process, resident bytes, threads, seconds) of all that this process started, directly or not: as a subreaper
    it stays the ancestor of those whose parents have gone. From a list of all processes of this machine."""
    table, children = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):  # it has ended meanwhile
                table[int(name)] = of_stat(name)
    for process, (parent, *_) in table.items():
        children.setdefault(parent, []).append(process)
    found, waiting = [], list(children.get(os.getpid(), []))
    while waiting:
        process = waiting.pop()
        found.append((process, *table[process][1:]))
        waiting += children.get(process, [])
    return found


def descendants_at_a_glance():
    """The same from the kernel's lists of children, which takes a hundredth of the time. While processes come and go,
    such a list can lack one. Ends at MANY, as it would never catch up with processes that start others."""
    found, waiting = [], [os.getpid()]
    while waiting and len(found) < MANY:
        process = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                    waiting += map(int, file.read().split())
            if process != os.getpid():
                found.append((process, *of_stat(process)[1:]))
    return found


def threads_of_user():
    """How many threads this process's user has on this machine: the limit is on all of them together."""
    total = 0
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                total += of_stat(name)[2]
    return total


def bury():
    """Waits for what has ended, without waiting; {process: status}."""
    ended = {}
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if process == 0:
            return ended
        ended[process] = status


def end_all():
    """Ends everything that is left. Those that fork faster than they are killed are stopped first."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        left = descendants()
        if not left:
            return
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process, *_ in left:
                try:
                    os.kill(process, number)
                except OSError:
                    pass
        bury()


def folder_bytes(folder):
    """What is in the folder. Nobody needs folders that are DEEPEST deep: they count as too much."""
    total, waiting = 0, [(folder, 0)]
    while waiting:
        path, depth = waiting.pop()
        if depth > DEEPEST:
            return sys.maxsize
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512 + 256
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, depth + 1))
        except OSError:
            pass  # removed, or closed, at this moment
    return total


def start(spec, text_end, results_end):
    """Starts the command; its process id."""
    child = os.fork()
    if child != 0:
        return child
    try:
        os.setsid()
        os.chdir(spec["folder"])
        given = os.open(spec["input"] or os.devnull, os.O_RDONLY)
        # First out of the way of 0 to 3, then to where they belong.
        given, text, results = (os.dup2(end, 10 + i) for i, end in
                                enumerate((given, text_end, results_end)))
        for place, end in enumerate((given, text, text, results)):
            os.dup2(end, place, inheritable=True)
        os.closerange(4, 256)
        if spec["walls"] == "bubblewrap":
            give_filter(4, spec.get("compiles", False))
        limits = {resource.RLIMIT_CPU: spec["cpu_seconds"], resource.RLIMIT_FSIZE: spec["data"],
                  resource.RLIMIT_CORE: 0, resource.RLIMIT_NOFILE: 256}
        if spec["user"] is not None:
            limits[resource.RLIMIT_NPROC] = spec["tasks"] + SPARE
        elif spec["walls"] != "bubblewrap":  # in which sandbox.py sets it
            limits[resource.RLIMIT_NPROC] = threads_of_user() + spec["tasks"] + SPARE
        for limit, value in limits.items():
            most = resource.getrlimit(limit)[1]  # a learning platform can have lower ones
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(limit, (value, value))
        if spec["user"] is not None:
            os.setgroups([])
            os.setresgid(*[spec["user"]] * 3)
            os.setresuid(*[spec["user"]] * 3)
        ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if spec["walls"] == "landlock":
            walls.keep_in(spec["readable"], [spec["folder"]])
            walls.filter_calls(spec.get("compiles", False))
        # Not execvpe: it imports modules, which the new user may not be able to read.
        os.execve(spec["command"][0], spec["command"], spec["environment"])
    except BaseException as error:
        os.write(2, f"cage: {spec['command'][0]}: {error}\n".encode())
    os._exit(127)


def give_filter(place, compiles):
    """The filter for system calls, to be read by bubblewrap from this descriptor."""
    out, into = os.pipe()
    os.write(into, walls.filter_code(compiles))
    os.close(into)
    if out != place:
        os.dup2(out, place, inheritable=True)
        os.close(out)
    os.set_inheritable(place, True)


def supervise(spec, child, text, results):
    """Follows the child until it ends or breaks a limit; (how it ended, code, its text, seconds)."""
    ears = selectors.DefaultSelector()
    for end in (text, results):
        os.set_blocking(end, False)
        ears.register(end, selectors.EVENT_READ)
    began = time.monotonic()
    looked, looks, said, said_bytes, data_bytes = began, 0, bytearray(), 0, 0
    status = None
    with open(spec["results"], "wb") as kept:
        while True:
            heard = False
            for key, _ in ears.select(0 if status is not None else EVERY / 4):
                try:
                    piece = os.read(key.fd, 1 << 18)
                except BlockingIOError:
                    continue
                if not piece:
                    ears.unregister(key.fd)
                    continue
                heard = True
                if key.fd == results:
                    data_bytes += len(piece)
                    if data_bytes > spec["data"]:
                        return "data", 0, said, time.monotonic() - began
                    kept.write(piece)
                else:
                    said_bytes += len(piece)
                    said += piece
                    if len(said) > 2 * KEPT:
                        said[KEPT:-KEPT] = b"\n[...]\n"
                    if said_bytes > spec["text"]:
                        return "text", 0, said, time.monotonic() - began
            if status is not None and not heard:
                break
            now = time.monotonic()
            status = bury().get(child, status)
            if status is None and now - began > spec["seconds"]:
                return "time", 0, said, now - began
            if now - looked > EVERY:
                looked, looks = now, looks + 1
                running = descendants_at_a_glance() if LISTS_CHILDREN and looks % WHOLE else descendants()
                _, memory, threads, used = map(sum, zip(*running)) if running else (0, 0, 0, 0)
                if memory > spec["memory"]:
                    return "memory", 0, said, now - began
                if threads > spec["tasks"]:
                    return "tasks", 0, said, now - began
                if used > spec["cpu_seconds"]:
                    return "time", 0, said, now - began
                if folder_bytes(spec["folder"]) > spec["data"]:
                    return "data", 0, said, now - began
    seconds = time.monotonic() - began
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGKILL and seconds >= spec["cpu_seconds"]:
            return "time", 0, said, seconds
        ended = {signal.SIGXCPU: "time", signal.SIGXFSZ: "data"}.get(number, "signal")
        return ended, number, said, seconds
    code = os.WEXITSTATUS(status)
    # bubblewrap says 128 + signal, as shells do.
    if code == 128 + signal.SIGXCPU or (code == 137 and seconds >= spec["cpu_seconds"]):
        return "time", 0, said, seconds
    if code == 128 + signal.SIGXFSZ:
        return "data", 0, said, seconds
    return "exit", code, said, seconds


def end_with(parent):
    """If the grader is ended, so is this, and with it what it started."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(143)


def run(spec, parent):
    """Runs one command; what is to be said of it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    end_with(parent)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    text, text_end = os.pipe()
    results, results_end = os.pipe()
    child = start(spec, text_end, results_end)
    os.close(text_end)
    os.close(results_end)
    try:
        ended, code, said, seconds = supervise(spec, child, text, results)
    finally:
        end_all()
    return {"ended": ended, "code": code, "text": bytes(said).decode(errors="replace"),
            "seconds": seconds}


def main():
    # SIGTERM ends this process as it is: a handler of Python's would not run while it waits for a line.
    end_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C: the grader ends this
    own = os.getpid()
    for line in sys.stdin:
        watcher = os.fork()
        if watcher == 0:
            print(json.dumps(run(json.loads(line), own)), flush=True)
            os._exit(0)
        if os.waitpid(watcher, 0)[1] != 0:
            print("null", flush=True)


main()
