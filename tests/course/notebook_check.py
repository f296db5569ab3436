#!/usr/bin/env python3
"""The package cuda-course-cpu: built as wheel and sdist, installed into a fresh venv, its commands run from a folder of
somebody's own; and the three notebooks, executed where nbconvert is installed.

    notebook_check.py [package|notebooks]
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "tools/notebook"
# What the cells print: enough to know that each of them did its work.
SAYS = {
    "chapter_3_first_kernels": ("Hello from thread 3", "2 + 7 = 9", "host pointer used", "1 finding"),
    "chapter_4_blocks": ("-9 + 81 = 72", "out of bounds", "neighboring threads", "<th"),
    "chapter_5_threads": ("4032, expected 4032", "no findings", "race in kernel dot", "iframe srcdoc"),
}
PROGRAM = """#include <cstdio>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
int main(int argc, char** argv) {
  int* a;
  cudaMallocManaged(&a, 16 * sizeof(int));
  fill<<<1, argc > 1 ? 17 : 16>>>(a);
  cudaDeviceSynchronize();
  printf("%d\\n", a[5]);
}
"""
failures = []


def expect(what, condition, output=""):
    if not condition:
        failures.append(what)
        print("FAILED: %s\n  %s" % (what, output[-1500:].replace("\n", "\n  ")))


def run(*words, folder=None, environment=None):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=1200)
    return done.returncode, done.stdout


def build(work):
    """The wheel, as pip builds it; also from the sdist, which must give the same."""
    dist = work / "dist"
    dist.mkdir()
    code, said = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "-w", dist, PACKAGE)
    expect("pip wheel", code == 0, said)
    code, said = run(sys.executable, "-B", "-c", "import sys; sys.path.insert(0, '.'); import backend; "
                     "print(backend.build_sdist(sys.argv[1]))", dist, folder=PACKAGE)
    expect("sdist", code == 0, said)
    wheels, sdists = list(dist.glob("*.whl")), list(dist.glob("*.tar.gz"))
    if failures or len(wheels) != 1 or len(sdists) != 1:
        return None
    again = work / "again"
    code, said = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "-w", again, sdists[0])
    expect("a wheel from the sdist", code == 0, said)
    contents = [sorted((e.filename, e.CRC) for e in zipfile.ZipFile(path).infolist())
                for path in (wheels[0], *again.glob("*.whl"))]
    expect("both wheels have the same content", len(contents) == 2 and contents[0] == contents[1])
    expect("nothing unwanted", not [name for name, _ in contents[0] if ".cache" in name or "__pycache__" in name])
    return wheels[0]


def check_commands(work, wheel):
    venv, own = work / "a venv", work / "my files"
    own.mkdir()
    code, said = run(sys.executable, "-m", "venv", venv)
    expect("venv", code == 0, said)
    code, said = run(venv / "bin/pip", "install", "--no-deps", "--no-index", wheel)
    expect("pip install", code == 0, said)
    environment = {**os.environ, "PATH": "%s:/usr/bin:/bin" % (venv / "bin"), "HOME": str(work), "XDG_CACHE_HOME": ""}
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
        environment.pop(name, None)
    (own / "hw.cu").write_text(PROGRAM, encoding="utf-8")

    def command(*words):
        return run(*words, folder=own, environment=environment)

    code, said = command("nvcc", "hw.cu", "-o", "hw")
    expect("nvcc", code == 0, said)
    if code != 0:
        return
    code, said = command("./hw")
    expect("the program", (code, said) == (0, "5\n"), said)
    code, said = command("cuda-check", "hw.cu")
    expect("cuda-check", code == 0 and "no findings" in said, said)
    code, said = command("cuda-check", "hw.cu", "more")
    expect("cuda-check finds", code == 1 and "out of bounds" in said, said)
    code, said = command("cuda-watch", "hw.cu")
    expect("cuda-watch", code == 0 and (own / "hw.watch.html").stat().st_size > 10000, said)
    code, said = command("cuda-profile", "--json", "hw.cu")
    expect("cuda-profile", code == 0 and '"kernels"' in said, said)
    code, said = command("cuda-profile", "--page", "hw.cu")
    expect("cuda-profile --page", code == 0 and "hw.profile.html in a browser" in said, said)
    code, said = command("cuda-debug", "--help")
    expect("cuda-debug", code == 0 and "info cuda" in said, said)
    for name in ("cuda-check", "cuda-watch", "cuda-profile"):
        code, said = command(name, "nothing.cu")
        expect(name + " without its file", (code, said) == (2, "%s: there is no file 'nothing.cu'\n" % name), said)


def check_package():
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("pip") is None \
            or importlib.util.find_spec("ensurepip") is None:
        print("skipped: the package's test needs pip and venv (sudo apt-get install python3-pip python3-venv)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        wheel = build(work)
        if wheel is not None:
            check_commands(work, wheel)
    return 0


def has_notebooks(python):
    """Whether this Python can execute notebooks: the first on PATH may be another than that of Debian's packages."""
    try:
        return subprocess.run([python, "-c", "import nbconvert, ipykernel"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


# A cell's program is told its arguments in each way of running it: 37 blocks, 37 requests.
WITH_ARGUMENTS = """#include <cstdio>
#include <cstdlib>
__global__ void add(int* x) { atomicAdd(x, 1); }
int main(int argc, char** argv) {
  const int blocks = argc > 1 ? atoi(argv[1]) : 2;
  int* x;
  cudaMallocManaged(&x, sizeof *x);
  *x = 0;
  add<<<blocks, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%d blocks, %s\\n", *x, argc > 2 ? argv[2] : "no name");
  cudaFree(x);
}
"""


def check_arguments(python, environment, folder):
    ways = ("", "--check ", "--profile ")
    sources = ["%load_ext cuda_cpu", *("%%cuda " + way + "--args \"37 'a name'\"\n" + WITH_ARGUMENTS for way in ways)]
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {},
                "cells": [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source} for source in sources]}
    path = pathlib.Path(folder) / "arguments.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    code, said = run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", path, environment=environment)
    expect("a notebook with arguments runs", code == 0, said)
    if code == 0:
        cells = json.loads((pathlib.Path(folder) / "done.ipynb").read_text(encoding="utf-8"))["cells"]
        outputs = [json.dumps(cell["outputs"]) for cell in cells[1:]]
        for way, output in zip(ways[:2], outputs):
            expect("arguments of %%%%cuda %s" % way, "37 blocks, a name" in output, output[:2000])
        expect("arguments of a profile", ">37<" in outputs[2], outputs[2][:2000])


def check_notebooks():
    python = next((one for one in (sys.executable, "/usr/bin/python3") if has_notebooks(one)), None)
    if python is None:
        print("skipped: the notebooks need nbconvert and ipykernel (sudo apt-get install python3-nbconvert python3-ipykernel)")
        return 77
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    with tempfile.TemporaryDirectory() as folder:
        check_arguments(python, environment, folder)
        for name, says in SAYS.items():
            code, said = run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder,
                             PACKAGE / "notebooks" / (name + ".ipynb"), environment=environment)
            expect("%s runs" % name, code == 0, said)
            if code != 0:
                continue
            cells = json.loads((pathlib.Path(folder) / (name + ".ipynb")).read_text(encoding="utf-8"))["cells"]
            output = json.dumps([cell.get("outputs") for cell in cells])
            for words in says:
                expect("%s shows %s" % (name, words), any(one in output for one in words.split("|")), output[:3000])
    return 0


def main():
    wanted = sys.argv[1:] or ["package", "notebooks"]
    codes = [check() for name, check in (("package", check_package), ("notebooks", check_notebooks)) if name in wanted]
    if failures:
        return 1
    return 77 if 77 in codes else 0


if __name__ == "__main__":
    sys.exit(main())
