#!/usr/bin/env python3
"""What the course writes for editors: .clangd, and .vscode/ for the debugger and in hand-outs of labs.

    editor_files_test.py [--update]

The files are compared with editor_files.txt, for several folders. Beside the table there are models. A small stand-in for
Visual Studio Code replaces its variables, builds a file as F5 does, with a stand-in for nvcc, and looks at what is started.
Random settings of other tools are merged by a second implementation. Paths of .clangd must still exist after the folder was
moved. What cannot be read is refused in one line, and stays as it was.

--update writes the table anew. Read the difference before you commit it.
"""

import copy
import difflib
import importlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tools"), str(HERE.parent / "harness")]
# pylint: disable=wrong-import-position
from counting import check, check_table, finish  # noqa: E402

TABLE = HERE / "editor_files.txt"
NVCC = """#!/bin/sh
{ printf '%s\\n' "$PWD" "$@"; } >"$NOTED"
exit "${NVCC_CODE:-0}"
"""
table, noted = [], {}


class Tree:
    """A copy of what is needed of the CPU device, in a folder that can be moved: FOLDER/common/cpu_device."""

    def __init__(self, folder):
        self.folder = folder
        device = self.device()
        device.mkdir(parents=True)
        for name in ("editor", "debugger"):
            shutil.copytree(ROOT / "common/cpu_device" / name, device / name, ignore=shutil.ignore_patterns("__pycache__", "cases", "lines"))
        (device / "include").mkdir()
        (device / "libraries/cccl").mkdir(parents=True)
        (folder / "cccl/thrust").mkdir(parents=True)
        (folder / "cccl/thrust/version.h").touch()
        (device / "nvcc").write_text(NVCC)
        (device / "nvcc").chmod(0o755)
        (folder / "bin").mkdir()
        (folder / "bin/mpicxx").write_text("#!/bin/sh\n[ \"$1\" = --showme:compile ] && echo -I/mpi/include -pthread -I/mpi/more\n")
        (folder / "bin/mpicxx").chmod(0o755)

    def device(self):
        return self.folder / "common/cpu_device"

    def run(self, script, *words, where=None, environment=None):
        """(exit code, stdout, stderr)"""
        done = subprocess.run([sys.executable, "-B", self.device() / script, *words], cwd=where or self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                                   "CCCL_PATH": str(self.folder / "cccl"), **(environment or {})})
        return done.returncode, done.stdout, done.stderr

    def plain(self, text):
        return text.replace(str(self.device()), "DEVICE").replace(str(self.folder), "TREE").replace(str(self.folder.parent), "TEMP")


def note(title, text, kind):
    """The first text of a kind, and how the others differ from it."""
    table.append(title)
    lines = text.splitlines()
    first = noted.setdefault(kind, lines)
    table.extend("    " + line for line in (lines if first is lines else difflib.unified_diff(first, lines, lineterm="", n=0))
                 if not line.startswith(("---", "+++", "@@")))


# ---- .clangd ----

def settings_of(text, part=0):
    """{name: value} of the few forms of YAML that editor.py writes, in a part of the file."""
    found, name = {}, None
    for line in re.sub(r",\n +", ", ", text.split("\n---\n")[part]).splitlines():
        one = re.fullmatch(r"\s*(\w+): ?(.*)", line)
        item = re.fullmatch(r" +- '(.*)'", line)
        if item:
            found[name].append(item[1].replace("''", "'"))
        elif one:
            name = one[1]
            value = one[2]
            found[name] = ([word.replace("''", "'") for word in re.findall(r"'((?:[^']|'')*)'", value)] if value.startswith("[")
                           else value if value else [])
        else:
            check(f"a line of .clangd: {line}", line.startswith("#"))
    return found


def paths_of(settings, folder):
    """What -isystem and -include name of the CPU device, as paths seen from the folder."""
    words = settings["Add"]
    return [folder / (word[8:] or words[i + 1]) for i, word in enumerate(words)
            if word.startswith(("-isystem", "-include")) and not word.endswith("cccl") or word.endswith("libraries/cccl")]


def clangd(tree):
    elsewhere = tree.folder.parent / "some body's work"
    (elsewhere / "deep").mkdir(parents=True)
    for title, words, folder in (("the course", ["--absolute", tree.folder], tree.folder), ("a hand-out", [tree.folder], tree.folder),
                                 ("headers", ["-Imy headers", "-I..", tree.folder], tree.folder),
                                 ("another folder", [elsewhere], elsewhere), ("relative", ["--relative", elsewhere / "deep"], elsewhere / "deep"),
                                 ("relative and absolute", ["--relative", "--absolute", elsewhere], elsewhere)):
        code, out, err = tree.run("editor/editor.py", *words)
        text = (folder / ".clangd").read_text(encoding="utf-8")
        note(f".clangd: {title}: {code} {tree.plain(out + err).strip()}", tree.plain(text), ".clangd")
        found = settings_of(text)
        paths = paths_of(found, folder)
        check(f"{title}: what .clangd names is there", [os.path.realpath(path) for path in paths] == [
              os.path.realpath(tree.device() / name) for name in ("editor/include", "include", "libraries/cccl", "editor/cuda_editor.h")], paths)
        kept = words[-1] == tree.folder and "--absolute" not in words or "--relative" in words
        check(f"{title}: paths are relative where the folder can be moved", all(str(tree.device()) not in word for word in found["Add"]) == kept, found)
        check(f"{title}: no option is twice", len(found["Add"]) == len(set(found["Add"])), found["Add"])
    # In the folder where one is, and in several at once.
    code, out, _ = tree.run("editor/editor.py", where=elsewhere)
    check("without a folder: here", code == 0 and tree.plain(out) == "wrote .clangd: clangd understands the .cu files there now\n", out)
    (elsewhere / "a").mkdir()
    (elsewhere / "b").mkdir()
    code, out, _ = tree.run("editor/editor.py", "a", "b", where=elsewhere)
    check("two folders", code == 0 and out.count("\n") == 2 and (elsewhere / "a/.clangd").read_bytes() == (elsewhere / "b/.clangd").read_bytes(), out)
    # Without MPI.
    (tree.folder / "bin/mpicxx").write_text("#!/bin/sh\necho -I/of/an/error\nexit 1\n")
    tree.run("editor/editor.py", "a", where=elsewhere)
    without, has = (settings_of((elsewhere / name / ".clangd").read_text(encoding="utf-8"))["Add"] for name in "ab")
    check("MPI's folders, and only those", [word for word in has if word not in without] == ["-I/mpi/include", "-I/mpi/more"], (without, has))
    # Thrust, CUB and libcu++: where CCCL_PATH says, if they are there.
    (elsewhere / "c").mkdir()
    tree.run("editor/editor.py", "c", where=elsewhere, environment={"CCCL_PATH": str(elsewhere)})
    there, not_there = ([word for word in settings_of((elsewhere / name / ".clangd").read_text(encoding="utf-8"))["Add"]
                         if word in (f"-isystem{tree.folder / 'cccl'}", f"-isystem{elsewhere}")] for name in "bc")
    check("where CCCL is", (there, not_there) == ([f"-isystem{tree.folder / 'cccl'}"], []), (there, not_there))
    # Tiles: in files that are called so.
    tiles = settings_of((elsewhere / "b/.clangd").read_text(encoding="utf-8"), 1)
    for path, wanted in (("dot_tiles.cu", True), ("tiles/a.cu", True), ("x/my_tile.cuh", True), ("a.cu", False), ("til.cu", False), ("tile.cpp", False)):
        check(f"{path} is compiled with tiles: {wanted}", bool(re.fullmatch(tiles["PathMatch"], path)) == wanted, tiles["PathMatch"])
    check("their options", tiles["Add"] == ["-std=c++20", "-D__CUDACC_TILE__=1"], tiles)
    # A folder that is moved.
    tree.run("editor/editor.py", tree.folder)
    moved = Tree.__new__(Tree)
    moved.folder = tree.folder.parent / "moved away"
    tree.folder.rename(moved.folder)
    paths = paths_of(settings_of((moved.folder / ".clangd").read_text(encoding="utf-8")), moved.folder)
    check("a moved folder", len(paths) == 4 and all(path.exists() for path in paths), paths)
    moved.folder.rename(tree.folder)
    which_files(found := settings_of((tree.folder / ".clangd").read_text(encoding="utf-8")))
    which_options(found)
    clangd_refuses(tree, elsewhere)


def which_files(settings):
    """clangd compares a path with the whole pattern."""
    for path, wanted in (("a.cu", True), ("ch05_threads/dot.cu", True), ("common/book.h", True), ("x/y.cuh", True), ("a.hpp", True), ("a.inl", True),
                         ("a.cpp", False), ("a.c", False), ("a.cu.txt", False), ("acu", False), ("b/h", False), ("a.py", False), ("cu", False)):
        check(f".clangd is for {path}: {wanted}", bool(re.fullmatch(settings["PathMatch"], path)) == wanted, settings["PathMatch"])
    for path, wanted in (("common/cpu_device/runtime/order/queue.h", True), ("machinery/common/cpu_device/rewriter/syntax.h", True),
                         ("common/cpu_device/include/cuda.h", False), ("common/cpu_device/editor/cuda_editor.h", False), ("ch05_threads/runtime/a.cu", False),
                         ("my/cpu_device/runtimes/a.h", False)):
        check(f".clangd leaves out {path}: {wanted}", bool(re.fullmatch(settings["PathExclude"], path)) == wanted, settings["PathExclude"])


def which_options(settings):
    """Of what CMake and makefiles pass to nvcc, clang gets what it understands."""
    def removed(option):
        return any(option == one or one.endswith("*") and option.startswith(one[:-1]) for one in settings["Remove"])

    for option in ("-forward-unknown-to-host-compiler", "--generate-code=arch=compute_90,code=[sm_90]", "-gencode", "-gencode=arch=compute_90,code=sm_90",
                   "-arch=native", "-arch", "-rdc=true", "--options-file", "-Xcompiler=-Wall", "-Xcompiler", "--extended-lambda", "-expt-relaxed-constexpr",
                   "-lineinfo", "--check", "-x", "-G"):
        check(f"{option} is removed", removed(option), settings["Remove"])
    for option in ("-g", "-O2", "-std=c++20", "-Icommon", "-DNAME", "-isystem", "-Wall", "-include"):
        check(f"{option} stays", not removed(option), settings["Remove"])
    added = settings["Add"]
    release = re.search(r"^readonly release=(\d+)\.(\d+)$", (ROOT / "common/cpu_device/nvcc").read_text(), re.M)
    check("the release is nvcc's", {f"-D__CUDACC_VER_MAJOR__={release[1]}", f"-D__CUDACC_VER_MINOR__={release[2]}"} <= set(added), added)
    check("the files are CUDA, for the host, without a Toolkit", added[:5] == ["-xcuda", "-std=c++17", "-nocudainc", "-nocudalib", "--cuda-host-only"], added)


def refused(tree, what, script, words, says, where, files):
    """One line, exit code 2, and each of the files as it was."""
    before = {path: path.read_bytes() for path in files if path.is_file()}
    code, out, err = tree.run(script, *words, where=where)
    check(f"{what}: refused in one line", code == 2 and out == "" and err.count("\n") == 1 and says in err, f"{code} {out}{err}")
    check(f"{what}: the files are as before", before == {path: path.read_bytes() for path in files if path.is_file()})
    table.append(f"{what}: " + re.sub(r"\((Expecting|'utf-8' codec) .*\)", r"(\1 ...)", tree.plain(err).strip()))  # Python's words


def clangd_refuses(tree, elsewhere):
    own = elsewhere / "own"
    own.mkdir()
    path = own / ".clangd"
    for title, data in (("somebody's", b"CompileFlags:\n"), ("one that only mentions it", b"If:\n# Written by the CPU device's editor.py: written again\n"),
                        ("Latin-1", b"# Andr\xe9\n"), ("empty", b"")):
        path.write_bytes(data)
        refused(tree, f".clangd that is {title}", "editor/editor.py", ["own"], "is not from editor.py", elsewhere, [path])
    path.unlink()
    path.mkdir()
    refused(tree, ".clangd that is a folder", "editor/editor.py", ["own"], "cannot write", elsewhere, [])
    for title, words, says in (("no folder", ["nothing"], "is not a folder"), ("a file", ["a/.clangd"], "is not a folder"),
                               ("an option", ["--fish"], "there is no option"), ("an option behind a folder", ["a", "-x"], "there is no option")):
        refused(tree, f"editor.py with {title}", "editor/editor.py", words, says, elsewhere, [elsewhere / "a/.clangd"])


# ---- .vscode of the debugger ----

def load(folder, name):
    return json.loads((folder / ".vscode" / name).read_text(encoding="utf-8"))


NAMES = ("launch.json", "tasks.json", "c_cpp_properties.json", "settings.json")


def replaced(value, variables):
    """As Visual Studio Code does it, in all words of a value."""
    if isinstance(value, dict):
        return {key: replaced(one, variables) for key, one in value.items()}
    if isinstance(value, list):
        return [replaced(one, variables) for one in value]
    if not isinstance(value, str):
        return value
    return re.sub(r"\$\{(\w+)\}", lambda one: variables[one[1]], value)


def press_f5(tree, folder, source):
    """Each configuration of launch.json with the file that is open."""
    variables = {"workspaceFolder": str(folder), "file": str(source), "fileDirname": str(source.parent), "fileBasenameNoExtension": source.stem}
    tasks = {task["label"]: task for task in replaced(load(folder, "tasks.json"), variables)["tasks"]}
    said = tree.folder / "said"
    for one in replaced(load(folder, "launch.json"), variables)["configurations"]:
        task, what = tasks[one["preLaunchTask"]], f"F5 in {folder.name}: {one['name']}"
        said.unlink(missing_ok=True)
        for code in (3, 0):
            done = subprocess.run([task["command"], *task["args"]], cwd=task["options"]["cwd"], check=False,
                                  env={**os.environ, "NOTED": str(said), "NVCC_CODE": str(code)})
            check(f"{what}: the exit code is nvcc's", done.returncode == code, done.returncode)
        checked = ["--check"] if "checked" in one["name"] else []
        wanted = [str(source.parent), "-g", "-G", *checked, str(source), "-o", one["program"]]
        check(f"{what}: nvcc compiles what gdb starts", said.read_text().splitlines() == wanted, said.read_text())
        check(f"{what}: its folder is there", pathlib.Path(one["program"]).parent.is_dir() and one["cwd"] == str(source.parent))
        kept = [word["text"] for word in one["setupCommands"]]
        check(f"{what}: gdb gets CUDA's commands", f"source {tree.device() / 'debugger/cpu_device_gdb.py'}" in kept and
              (tree.device() / "debugger/cpu_device_gdb.py").is_file(), kept)
    return tasks


def vscode(tree):
    for title, environment in (("new", {}), ("gdb", {"CUDA_DEBUG_GDB": "/opt/my gdb"})):
        folder = tree.folder / f"a {title} folder"
        (folder / "sub").mkdir(parents=True)
        code, out, err = tree.run("debugger/vscode.py", folder, environment=environment)
        table.append(f".vscode: {title}: {code} {tree.plain(out + err).strip()}")
        for name in NAMES:
            text = (folder / ".vscode" / name).read_text(encoding="utf-8")
            note(name, tree.plain(text).replace(f"linux-gcc-{'x64' if os.uname().machine == 'x86_64' else 'arm64'}", "linux-gcc-MACHINE"), name)
        before = {name: (folder / ".vscode" / name).read_bytes() for name in NAMES}
        tree.run("debugger/vscode.py", where=folder, environment=environment)
        check(f"{title}: once more changes nothing", before == {name: (folder / ".vscode" / name).read_bytes() for name in NAMES})
        for source in (folder / "sub/it's a test.cu", folder / "$HOME.cu"):
            tasks = press_f5(tree, folder, source)
            check("both tasks have names of their own", len(tasks) == 2)
        check("nothing else is written", sorted(os.listdir(folder / ".vscode")) == sorted([*NAMES, "build"]), os.listdir(folder / ".vscode"))
    merges(tree, tree.folder / "a new folder")
    vscode_refuses(tree)


def merges(tree, new):
    """Entries of other tools stay, in their order, before ours; those with our names are ours."""
    ours = {name: load(new, name) for name in NAMES}
    rng = random.Random(5)
    for number in range(12):
        folder = tree.folder / f"merge{number}"
        (folder / ".vscode").mkdir(parents=True)
        wanted = copy.deepcopy(ours)
        for name, key, label in (("launch.json", "configurations", "name"), ("tasks.json", "tasks", "label"),
                                 ("c_cpp_properties.json", "configurations", "name")):
            if rng.random() < 0.25:
                continue
            own = [entry[label] for entry in ours[name][key]]
            theirs = [{label: f"theirs {i}", "ä": [i, None]} for i in range(rng.randrange(3))] + \
                     [{label: rng.choice(own), "old": True} for _ in range(rng.randrange(3))] + [{"type": "no name"}] * rng.randrange(2)
            rng.shuffle(theirs)
            content = {"version": rng.choice(["9.9", 3]), "inputs": [{"id": "x"}]}
            if rng.random() < 0.8:
                content[key] = theirs
            else:
                theirs = []
            (folder / ".vscode" / name).write_text(json.dumps(content), encoding="utf-8")
            wanted[name] = {**content, key: [entry for entry in theirs if entry.get(label) not in own] + ours[name][key]}
        if rng.random() < 0.7:
            content = rng.choice([{}, {"a.b": 1}, {"files.associations": {"*.x": "c", "*.cu": "cpp"}, "z": {}}, {"debug.allowBreakpointsEverywhere": False}])
            (folder / ".vscode/settings.json").write_text(json.dumps(content))
            wanted["settings.json"] = {**content, "debug.allowBreakpointsEverywhere": True,
                                       "files.associations": {**content.get("files.associations", {}), "*.cu": "cuda-cpp", "*.cuh": "cuda-cpp"}}
        code, _, err = tree.run("debugger/vscode.py", folder)
        check(f"merge {number}: it ends well", code == 0, err)
        for name in NAMES:
            check(f"merge {number}: {name}", load(folder, name) == wanted[name], f"{load(folder, name)}\n  wanted: {wanted[name]}")


def vscode_refuses(tree):
    for name, key in (("launch.json", "configurations"), ("tasks.json", "tasks"), ("c_cpp_properties.json", "configurations"),
                      ("settings.json", "files.associations")):
        for title, text in (("a comment", '{ // mine\n  "x": 1\n}'), ("nothing", ""), ("a list", "[]"), ("Latin-1", '{"x": "\udce9"}'), ("words", '"x"'),
                            (f"{key} that is a number", json.dumps({key: 5})), (f"{key} that is a list of numbers", json.dumps({key: [5]})),
                            (f"{key} that is null", json.dumps({key: None}))):
            folder = tree.folder / "strange"
            (folder / ".vscode").mkdir(parents=True)
            path = folder / ".vscode" / name
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            refused(tree, f"{name} with {title}", "debugger/vscode.py", ["strange"], f"{name} cannot be read", tree.folder, [path])
            check(f"{name} with {title}: no other file is written", os.listdir(folder / ".vscode") == [name], os.listdir(folder / ".vscode"))
            shutil.rmtree(folder)
    refused(tree, "vscode.py with no folder", "debugger/vscode.py", ["nothing"], "is not a folder", tree.folder, [])
    (tree.folder / "strange").mkdir()
    (tree.folder / "strange/.vscode").write_text("mine")
    refused(tree, "vscode.py where .vscode is a file", "debugger/vscode.py", ["strange"], "cannot write", tree.folder, [tree.folder / "strange/.vscode"])


# ---- hand-outs and exports ----

def handed_out(tree):
    """The files of a lab's folder; the machinery is in it."""
    handout = importlib.import_module("handout")
    folder = tree.folder / "lab"
    folder.mkdir()
    inner = Tree(folder / "machinery")
    shutil.rmtree(inner.folder / "bin")
    os.environ["PATH"] = f"{tree.folder / 'bin'}:{os.environ['PATH']}"  # mpicxx, which says nothing
    os.environ["CCCL_PATH"] = str(tree.folder / "cccl")
    handout.editor_settings(folder)
    note("a lab: .clangd", tree.plain((folder / ".clangd").read_text(encoding="utf-8")), ".clangd")
    for name in sorted(os.listdir(folder / ".vscode")):
        note(f"a lab: {name}", (folder / ".vscode" / name).read_text(), f"lab's {name}")
    paths = paths_of(settings_of((folder / ".clangd").read_text(encoding="utf-8")), folder)
    check("a lab: the paths are there", len(paths) == 4 and all(path.exists() for path in paths), paths)
    check("a lab: its headers", "-Imachinery/common" in settings_of((folder / ".clangd").read_text(encoding="utf-8"))["Add"])

    export = importlib.import_module("course.commands.export")
    folder = tree.folder / "export"
    made = Tree(folder)
    (folder / "ch05_threads").mkdir()
    export.for_editors(folder, "ch05_threads")
    note("an export: .clangd", tree.plain((folder / "ch05_threads/.clangd").read_text(encoding="utf-8")), ".clangd")
    paths = paths_of(settings_of((folder / "ch05_threads/.clangd").read_text(encoding="utf-8")), folder / "ch05_threads")
    check("an export: the paths are there", len(paths) == 4 and all(path.exists() for path in paths), paths)
    shutil.rmtree(made.device())
    (folder / "ch05_threads/.clangd").unlink()
    export.for_editors(folder, "ch05_threads")
    check("an export without the CPU device has no .clangd", not (folder / "ch05_threads/.clangd").exists())


def main():
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(pathlib.Path(folder).resolve() / "the course")
        clangd(tree)
        vscode(tree)
        handed_out(tree)
    check_table(TABLE, table)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
