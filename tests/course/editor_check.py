#!/usr/bin/env python3
"""clangd shows no errors in the files of the course: editor_check.py [--all]

./course editor writes .clangd into a copy of the folder; clangd --check reads each program as an editor does. Without
--all only a few programs, chosen for what they use.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EDITOR = ROOT / "common/cpu_device/editor/editor.py"
sys.path[:0] = [str(EDITOR.parent), str(ROOT / "tools")]
# pylint: disable=wrong-import-position
import editor  # noqa: E402
from course.commands import editor as editor_command  # noqa: E402
# Shared memory and a launch; cooperative groups; textures; an include that is not there without its library; tiles; libcu++; a lab; abs() of an int.
FEW = ("ch05_threads/dot.cu", "ch07_texture/heat_grid_sync.cu", "nbody/nbody_view.cu", "ch04_parallel/julia_tiles.cu",
       "appA_hashtable/lock_acquire_release.cu", "ch03_intro/labs/first_kernel/solution.cu",
       "ch08_interop/snippets/shared_buffer.cu")


def errors_of(path):
    """What clangd says is wrong in the file; and whether it came to the end."""
    done = subprocess.run(["clangd", "--check=%s" % path, "--background-index=false", "--log=verbose"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    found = [line for line in done.stdout.splitlines()
             if re.match(r"E\[[\d:.]+\] (?:\[[\w-]+\] Line|.*(?:error|failed))", line) and "tweak:" not in line]
    if "All checks completed" not in done.stdout and not found:
        found = ["clangd did not come to the end: " + done.stdout[-300:]]
    return [line for line in found if "All checks completed" not in line]


def check(copy, names):
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, errors in zip(names, pool.map(lambda name: errors_of(copy / name), names)):
            if errors:
                failed += 1
                print("FAILED: %s\n  %s" % (name, "\n  ".join(errors[:5])))
    return failed


def refuses():
    """Editor.py's own errors are one line, and a file of somebody else's stays."""
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder) / ".clangd"
        other.write_text("CompileFlags:\n", encoding="utf-8")
        for words, says in ((["nothing"], "is not a folder"), ([folder], "is not from editor.py"), (["--fish"], "no option")):
            done = subprocess.run([sys.executable, "-B", EDITOR, *words], check=False, stderr=subprocess.PIPE, text=True)
            if done.returncode != 2 or says not in done.stderr or done.stderr.count("\n") != 1:
                print("FAILED: editor.py %s: %s" % (words, done.stderr))
                return 1
        return other.read_text(encoding="utf-8") != "CompileFlags:\n"


def handed_out(folder):
    """An export and a lab that are moved afterwards: their .clangd goes along."""
    failed = 0
    for name, words, source in (("an export", ["export", "dot", folder / "first"], "ch05_threads/dot.cu"),
                                ("a lab", ["lab", "hand-out", "ch05_dot", "--to", folder / "second"], "ch05_dot/dot.cu")):
        done = subprocess.run([ROOT / "course", *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        made = pathlib.Path(words[-1])
        moved = folder / f"{name}, moved"
        if done.returncode != 0 or not made.is_dir():
            print("FAILED: %s: %s" % (name, done.stdout))
            failed += 1
            continue
        made.rename(moved)
        settings = next(moved.rglob(".clangd"), None)
        if settings is None or str(folder) in settings.read_text(encoding="utf-8"):
            print("FAILED: %s: its .clangd is %s" % (name, settings))
            failed += 1
        elif not (moved / source).is_file():
            print("FAILED: %s has no %s" % (name, source))
            failed += 1
        else:
            failed += check(moved, [source])
    return failed


def with_compile_commands(copy):
    """CMake's compile_commands.json has every program that is built, and clangd understands what it says of them."""
    build = pathlib.Path(os.environ.get("COURSE_BUILD") or ROOT / "build/cpu")
    try:
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    except OSError:
        print("FAILED: there is no compile_commands.json in %s" % build)
        return 1
    has = {os.path.relpath(one["file"], ROOT) for one in commands}
    left_out = {line.partition(":")[0] for line in (build / "not_built.txt").read_text(encoding="utf-8").splitlines()}
    missing = [name for path in ROOT.glob("*/CMakeLists.txt")
               for name in re.findall(r"^ *course_program\((\w+)", path.read_text(encoding="utf-8"), re.M)
               if name not in left_out and "%s/%s.cu" % (path.parent.name, name) not in has]
    if missing or len(has) < 100:
        print("FAILED: compile_commands.json does not have %s" % missing)
        return 1
    for_copy = copy / "compile_commands.json"
    for one in commands:  # the copy's files; they are compiled in the folder of the build
        one["file"] = one["file"].replace(str(ROOT), str(copy))
        one["command"] = one["command"].replace(str(ROOT), str(copy).replace(" ", "\\ "))
    for_copy.write_text(json.dumps(commands), encoding="utf-8")
    failed = check(copy, [FEW[0]])
    for_copy.unlink()
    return failed


def main():
    if shutil.which("clangd") is None:
        print("skipped: there is no clangd (sudo apt-get install clangd)")
        return 77
    failed = refuses()
    everything = "--all" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "a course"
        ignore = shutil.ignore_patterns("build", ".git", ".cache", "cpu_device", "images")
        shutil.copytree(ROOT, copy, ignore=ignore, symlinks=True)
        (copy / "common/cpu_device").symlink_to(ROOT / "common/cpu_device")
        command = [EDITOR, *(str(word).replace(str(ROOT), str(copy)) for word in editor_command.command([])[1:])]
        subprocess.run([sys.executable, "-B", *command], check=True, stdout=subprocess.DEVNULL)
        names = list(FEW)
        if everything:
            # What a chapter's program includes is read with it.
            names = sorted(str(path.relative_to(copy)) for chapter in [*copy.glob("ch*"), copy / "appA_hashtable",
                           copy / "nbody"] for path in chapter.rglob("*.cu")
                           if path.parent.name != "wrong")  # those are parts of files
            if shutil.which("mpicxx") is None:
                names = [name for name in names if "mpi" not in name]
        # Few machines have CCCL's runtime classes, and not all have CCCL.
        with_cccl = pathlib.Path("/usr/include/thrust").is_dir() or editor.cccl_includes()
        names = [name for name in names if "cccl" not in name and
                 (with_cccl or not re.search(r"include <(cuda|cub|thrust)/", (copy / name).read_text(encoding="utf-8")))]
        failed += check(copy, names)
        failed += with_compile_commands(copy)
        failed += handed_out(pathlib.Path(folder))
        # An error that is one must be seen.
        wrong = copy / "ch05_threads/wrong.cu"
        wrong.write_text("__global__ void f(int* a) { a[threadIdx.x] = nothing; }\nint main() { f<<<1, 1>>>(0); }\n",
                         encoding="utf-8")
        if not errors_of(wrong):
            failed += 1
            print("FAILED: an undeclared name is no error")
    print("%d files, %d failed" % (len(names), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
