"""What a program writes is there whole or not at all: each option that writes a file, when the disk is full.

    full_disk_check.py BUILD [PROGRAM...]

Each program runs with its small arguments three times for each such option. First with room: the file is there, and nothing else. Then
with a limit of half its size, where no file was and where an older one is: the program says in one line which file it cannot write and
why, ends with another code than 0, leaves no other file, and the older one is as it was.
"""
import concurrent.futures
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

import calls_check

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "harness"))
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

OLDER = b"the older file"


def run(executable, arguments, folder, limit=None):
    """(exit code, stderr). `limit`: bytes of the largest file that it may write."""
    def prepare():
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_") and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([executable, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=300, preexec_fn=prepare, check=False)
    return done.returncode, done.stderr


def outputs(executable):
    """[(option, ending of the file)] of the options that write one."""
    text = subprocess.run([executable, "--help"], capture_output=True, text=True, errors="replace", check=True).stdout
    found = []
    for line in text.splitlines():
        option = re.match(r"  --([\w-]+) FILE +write ", line)
        if option:
            endings = re.findall(r"\((\.\w+)\)", line)
            found += [(option[1], ending) for ending in endings or [""]]
    return found


def checks_of(program):
    """[(what, whether it is so, more)]"""
    name, (executable, small) = program
    results = []
    for option, ending in outputs(executable):
        about = f"{name} --{option} FILE{ending}"
        arguments = list(small)
        while "--" + option in arguments:
            at = arguments.index("--" + option)
            del arguments[at:at + 2]
        arguments += ["--" + option, "file" + ending]
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / ("file" + ending)
            code, errors = run(executable, arguments, folder)
            if code == 77:
                continue
            results.append((f"{about}: writes the file alone", code == 0 and os.listdir(folder) == [written.name] and written.stat().st_size > 1,
                            f"{code} {os.listdir(folder)} {errors}"))
            if not written.exists():
                continue
            limit = written.stat().st_size // 2
            for older in (False, True):
                written.unlink(missing_ok=True)
                if older:
                    written.write_bytes(OLDER)
                code, errors = run(executable, arguments, folder, limit)
                left = os.listdir(folder)
                results.append((f"{about}, full disk, {'an' if older else 'no'} older file",
                                code > 0 and left == [written.name] * older and (not older or written.read_bytes() == OLDER) and
                                f"cannot write 'file{ending}'" in errors and len(errors.strip().splitlines()) == 1, f"{code} {left} {errors}"))
    return results


def main():
    programs = calls_check.programs(pathlib.Path(sys.argv[1]).resolve(), with_all=True)
    chosen = {name: program for name, program in programs.items() if not sys.argv[2:] or name in sys.argv[2:]}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for results in pool.map(checks_of, chosen.items()):
            for one in results:
                check(*one)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
