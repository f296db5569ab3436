#!/usr/bin/env python3
"""Notes on warp-synchronous code in ordinary runs: in each program of tests/mistakes in which a checked run finds it, and in no right one.

    warp_notes_check.py NVCC FOLDER
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

NOTE = "warp-synchronous code"
SECONDS = 60


def output(nvcc, folder, source, define):
    """What the program says in an ordinary run; it may be wrong, or never end."""
    program = folder / (source.stem + define)
    subprocess.run([nvcc, *([define] if define else []), source, "-o", program], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_") or k == "CPU_DEVICE_CACHE"}
    try:
        return subprocess.run([program], env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, text=True, errors="replace", check=False).stdout
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    for source in sorted((HERE.parent / "mistakes").glob("*.cu")):
        text = source.read_text()
        if "volatile" not in text.replace("asm volatile", ""):
            continue
        said = output(nvcc, folder, source, "-DRIGHT")
        check(f"{source.stem}, right: no note", NOTE not in said, said)
        if "// finds warp-sync" in text:
            said = output(nvcc, folder, source, "")
            check(f"{source.stem}, wrong: a note", NOTE in said, said)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
