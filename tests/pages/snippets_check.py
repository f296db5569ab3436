#!/usr/bin/env python3
"""Checks the snippets, CHAPTER/snippets/NAME.cu: small programs to copy, which the pages quote.

    tests/pages/snippets_check.py CPU_NVCC FOLDER [CHAPTER|NAME...]

Form: 10 to 60 lines of at most 100 characters. The first line is a comment whose first sentence says
what the snippet shows; a line `// Topic: ...` names one of TOPICS. It includes only the language's and
CUDA's headers, or handle_error.h, so that it compiles alone. Its name is unique.

Each is compiled with the CPU device's nvcc (CPU_NVCC) for a checked run, and with the Toolkit's nvcc
where there is one, under -Wall -Wextra -Werror. It is run, must end with 0, and have no findings.
SNIPPETS.md, the page of all of them, must be what tools/snippets.py writes.
FOLDER: where the executables go. Exit code: 0, 1 with a line for each problem, 2 usage.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPICS = ("atomics", "constant memory", "devices", "errors", "events", "graphics", "graphs",
          "hash tables", "histograms", "host memory", "indexing", "locks", "memory", "n-body",
          "pictures", "reductions", "shared memory", "stencils", "streams", "textures", "threads",
          "warps")
WARNINGS = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra,-Werror"]
QUICK = ["-Xcicc", "-O0", "-Xptxas", "-O0"]  # nothing runs of what the Toolkit compiles
SECONDS = 1000  # that a command may take: the first compilation builds the CPU device's runtime
JOBS = min(2, os.cpu_count() or 1)


def snippets(words):
    found = sorted(ROOT.glob("*/snippets/*.cu"))
    return [file for file in found
            if not words or file.parent.parent.name in words or file.stem in words]


def topic(text):
    """What the line `// Topic: ...` names, or None."""
    match = re.search(r"^// Topic: (.+)$", text, re.M)
    return match and match[1]


def form_problems(file, text):
    lines = text.splitlines()
    if not 10 <= len(lines) <= 60:
        yield f"has {len(lines)} lines, not 10 to 60"
    for number, line in enumerate(lines, 1):
        if len(line) > 100:
            yield f"line {number} has {len(line)} characters, more than 100"
    if not re.match(r"// [A-Z].*?[.:]", text.replace("\n// ", " ")):
        yield "does not begin with a comment that says in a sentence what it shows"
    if topic(text) not in TOPICS:
        yield f"has no line `// Topic: ...` with one of: {', '.join(TOPICS)}"
    for header in re.findall(r'^#include "(.*)"', text, re.M):
        if header != "../../common/handle_error.h":
            yield f'includes "{header}", so it does not compile alone'
    if not re.search(r"^int main\(", text, re.M):
        yield "has no main()"


def nvidia_nvcc():
    """The Toolkit's nvcc, on PATH or where its installer puts it, or None."""
    for path in (shutil.which("nvcc"), shutil.which("/usr/local/cuda/bin/nvcc")):
        if path and ROOT not in pathlib.Path(path).resolve().parents:
            return path
    return None


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=SECONDS, check=False,
                          env={**os.environ, **(environment or {})})
    return done.returncode, (done.stdout + done.stderr).strip()


def build_problems(file, cpu_nvcc, folder):
    """Compiles the snippet with both compilers and runs it."""
    program = folder / file.stem
    code, output = run([cpu_nvcc, "--check", *WARNINGS, file, "-o", program])
    if code != 0:
        yield f"does not compile with the CPU device's nvcc: {output[:2000]}"
        return
    code, output = run([program], {"CPU_DEVICE_COUNT": "3"})  # for those on several devices
    if code != 0:
        yield f"ended with {code} in a checked run: {output[:2000]}"
    elif "checked run: no findings" not in output:
        yield f"does not say 'no findings' in a checked run: {output[:2000]}"
    toolkit = nvidia_nvcc()
    if toolkit:
        code, output = run([toolkit, "-arch=sm_90", *QUICK, *WARNINGS, "-c", file, "-o", f"{program}.o"])
        if code != 0 or "warning" in output:
            yield f"the Toolkit's nvcc says: {output[:2000]}"


def problems(file, cpu_nvcc, folder):
    try:
        found = list(form_problems(file, file.read_text()))
        return found or list(build_problems(file, cpu_nvcc, folder))
    except subprocess.TimeoutExpired as error:
        return [f"did not end within {SECONDS} s: {error.cmd}"]


def main():
    if len(sys.argv) < 3:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    cpu_nvcc, folder, words = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    files = snippets(words)
    if not files:
        print(f"there are no snippets ({' '.join(words)})")
        return 77
    found = [(file, f"there is another '{file.stem}'") for file in files
             if sum(other.stem == file.stem for other in snippets([])) > 1]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for file, some in zip(files, pool.map(lambda file: problems(file, cpu_nvcc, folder), files)):
            found += [(file, problem) for problem in some]
    for file, problem in found:
        print(f"{file.relative_to(ROOT)}: {problem}", file=sys.stderr)
    print(f"{len(files)} snippets, {'with' if nvidia_nvcc() else 'without'} the Toolkit's nvcc: "
          f"{len(found) or 'no'} problem{'' if len(found) == 1 else 's'}")
    page = subprocess.run([sys.executable, "-B", ROOT / "tools/snippets.py", "--check"], check=False)
    return 1 if found or page.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
