#!/usr/bin/env python3
"""Checks that ./course check --fix repairs races: of the wrong programs of tests/mistakes.

    tests/checked_run/fixes_check.py NVCC BUILD_FOLDER [NAME...] [--jobs N]
    tests/checked_run/fixes_check.py --table

Each of the programs must be repaired: a checked run has no finding, and the program prints and returns the same as its
right twin, and leaves the same in device memory. With --all it tries every pair of races, and those that are repaired must be the
ones in fixes.txt. Each of the others has a class in not_repaired.txt. --table compares the tables in tests/mistakes/repairs.md with
the lists; --table --write writes them.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "mistakes"
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from course.fixes import ENCODING, SECONDS, Repair, patch, run_program  # noqa: E402  pylint: disable=wrong-import-position


def compiled(options, source, target, *words):
    return subprocess.run([options.nvcc, "--check", *words, source, "-o", target], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def one_of_pair(text, right):
    """The program without the lines of its twin: what a user has, who knows no right one."""
    found, inside = [], []
    for line in text.splitlines(keepends=True):
        begin, middle, end = re.match(r"#(if(?:n?def)?)\b\s*(.*)", line), line.startswith("#else"), line.startswith("#endif")
        if begin:
            inside.append({"ifdef": right, "ifndef": not right}[begin[1]] if begin[2].split("//")[0].strip() == "RIGHT" else None)
        elif middle and inside[-1] is not None:
            inside[-1] = not inside[-1]
        own = (begin or middle or end) and inside[-1] is not None
        if not own and False not in inside:
            found.append(line)
        if end:
            inside.pop()
    return "".join(found)


VARIABLE = re.compile(r"^(?:static )?__device__ (?:alignas\(\d+\) )?(?:volatile )?(?:unsigned |long )*\w+(?: int)? (?P<names>[^;({]+)(?=[;{])", re.M)

# Prints what device memory has when it is freed, and what the variables have at the end. Memory begins with zeros.
SHOW_MEMORY = """
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
namespace shown {
inline std::map<void*, size_t> sizes;
inline void show(const char* name, const std::vector<unsigned char>& bytes) {
  printf("\\n%s:", name);
  for (unsigned char byte : bytes) printf(" %02x", byte);
}
template <class T>
cudaError_t allocate(T** memory, size_t size) {
  const cudaError_t error = cudaMalloc(memory, size);
  if (error == cudaSuccess) cudaMemset(*memory, 0, size), sizes[*memory] = size;
  return error;
}
template <class T>
cudaError_t release(T* memory) {
  cudaDeviceSynchronize();
  if (sizes.count((void*)memory)) {
    std::vector<unsigned char> bytes(sizes[(void*)memory]);
    cudaMemcpy(bytes.data(), (void*)memory, bytes.size(), cudaMemcpyDeviceToHost);
    show("memory", bytes);
  }
  return cudaFree((void*)memory);
}
}
#define cudaMalloc shown::allocate
#define cudaFree shown::release
void show_variables();
"""


def with_memory(text, names):
    """The program, and at its end what its variables have."""
    show = "".join(f"{{ std::vector<unsigned char> bytes(sizeof {name}); cudaMemcpyFromSymbol(bytes.data(), {name}, bytes.size()); "
                   f'shown::show("{name}", bytes); }}\n' for name in names)
    text = text.replace("int main() {", "int main() { atexit(show_variables);")
    return f"{SHOW_MEMORY}{text}\nvoid show_variables() {{ cudaDeviceSynchronize();\n{show}}}\n"


def variables(text):
    return {name for match in VARIABLE.finditer(text) for name in re.findall(r"(?:^|, |\*)(\w+)", re.sub(r"\{[^}]*\}|\[[^\]]*\]|=\s*[^,]*", "", match["names"]))}


def result(program, settings):
    """What it prints and returns."""
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=settings,
                              timeout=SECONDS, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, b""


def has_right_result(source, before, after, environment, options):
    """Whether the repaired program prints, returns and leaves in device memory what the right one does. Memory counts only if it
    is the same in every order of the threads."""
    right = one_of_pair(source.read_text(), True)
    names = sorted(variables(before) & variables(right))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = {}
        for way, text in (("repaired", after), ("right", right)):
            for memory in (False, True):
                file = folder / f"{way}{memory}.cu"
                file.write_text(with_memory(text, names) if memory else text, **ENCODING)
                programs[way, memory] = file.with_suffix("")
                if not compiled(options, file, programs[way, memory]) and not memory:
                    return False
        if result(programs["repaired", False], environment) != result(programs["right", False], environment):
            return False
        orders = [dict(environment, CPU_DEVICE_ORDER=order) for order in ("forward", "reverse", "shuffle")]
        memory = {result(programs["right", True], order) for order in orders} if programs["right", True].exists() else set()
        return len(memory) != 1 or result(programs["repaired", True], environment) in memory


def repaired(name, options):
    """Whether the program is repaired and has the right result, the number of candidates, and the patch."""
    source = SOURCES / f"{name}.cu"
    environment = dict(os.environ, **dict(re.findall(r"^// environment: (\w+)=(\S*)", source.read_text(), re.M)))

    def check(path, report, seconds):
        target = path.with_suffix("")
        return run_program(target, [], report, environment, seconds) if compiled(options, path, target) else None

    with tempfile.TemporaryDirectory() as folder:
        wrong = pathlib.Path(folder) / source.name
        wrong.write_text(one_of_pair(source.read_text(), False))
        repair = Repair(wrong, check)
        before, after, left = repair.repaired()
    if after is None or left:
        return "not repaired", repair.tried, ""
    changes = patch(source.name, before, after)
    if has_right_result(source, "".join(before), "".join(after), environment, options):
        return "repaired", repair.tried, changes
    return "repaired, with another result", repair.tried, changes


def kind_of_race(path):
    """The first kind of race that the program is to have."""
    kind = re.search(r"// finds (race-[a-z-]+|warp-sync|lost-update)", path.read_text())
    return kind and kind[1]


def names_of_races():
    return sorted(path.stem for path in SOURCES.glob("*.cu") if kind_of_race(path))


def in_list():
    return (HERE / "fixes.txt").read_text().split()


def classes():
    """{class: what it means} and {name: class} of the pairs that are not repaired."""
    lines = (HERE / "not_repaired.txt").read_text().splitlines()
    meanings = dict(re.match(r"# (\w+): (.+)", line).groups() for line in lines if line.startswith("#"))
    return meanings, dict(line.split() for line in lines if line and not line.startswith("#"))


def row(kind, *counts):
    return f"| {kind} | {' | '.join(map(str, counts))} |"


def tables():
    """Each pair is in one of the lists."""
    meanings, reasons = classes()
    kinds = {name: kind_of_race(SOURCES / f"{name}.cu") for name in names_of_races()}
    repairs = set(in_list())
    if repairs & set(reasons) or repairs | set(reasons) != set(kinds) or set(reasons.values()) - set(meanings):
        wrong = sorted((repairs & set(reasons)) | ((repairs | set(reasons)) ^ set(kinds)))
        raise SystemExit(f"each race must be in fixes.txt, or in not_repaired.txt with a class: {' '.join(wrong)}")
    rows = ["| kind | pairs | have a story | repaired |", "| --- | ---: | ---: | ---: |"]
    for kind in sorted(set(kinds.values())):
        of_kind = [name for name in kinds if kinds[name] == kind]
        rows.append(row(kind, len(of_kind), len(of_kind), len(repairs.intersection(of_kind))))
    rows.append(row("**all**", *(f"**{count}**" for count in (len(kinds), len(kinds), len(repairs)))))
    rows += ["", "Why there is no patch for the others, in one word:", "", "| class | what it means | pairs |", "| --- | --- | ---: |"]
    counts = collections.Counter(reasons.values())
    rows += [row(name, meaning, counts[name]) for name, meaning in meanings.items()]
    return "\n".join(rows) + "\n"


def compare_table(write):
    page = SOURCES / "repairs.md"
    text = page.read_text()
    begin = text.index("| kind |")
    if write:
        page.write_text(text[:begin] + tables())
    elif text[begin:] != tables():
        print(f"{page}: its tables are not those of the lists; tests/checked_run/fixes_check.py --table --write writes them")
        return 1
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("nvcc", type=pathlib.Path, nargs="?")
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="for temporary files")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: those in fixes.txt")
    parser.add_argument("--all", action="store_true", help="every pair of races")
    parser.add_argument("--table", action="store_true", help="compare the tables of repairs.md, or write them")
    parser.add_argument("--patches", action="store_true", help="print each patch")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_intermixed_args()
    if not options.table and options.folder is None:
        parser.error("NVCC and BUILD_FOLDER are needed")
    return options


def main():
    options = parse_options()
    if options.table:
        return compare_table(options.write)
    options.nvcc = options.nvcc.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(options.folder.resolve())
    names = names_of_races() if options.all else options.names or in_list()
    right, different = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, (verdict, tried, changes) in zip(names, pool.map(lambda name: repaired(name, options), names)):
            right += [name] * (verdict == "repaired")
            if (verdict == "repaired") != (name in in_list()):
                different += 1
            if options.all or verdict != "repaired":
                print(f"{name}: {verdict}, {tried} tried", flush=True)
            if options.patches:
                print(changes, flush=True)
    print(f"{len(right)} of {len(names)} repaired" + (f", {different} not as in fixes.txt" if different else ""))
    return 1 if different or not options.all and len(right) < len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
