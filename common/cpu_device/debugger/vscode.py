"""Writes what Visual Studio Code needs to debug the .cu files of a folder on the CPU device:

    vscode.py FOLDER        .vscode/launch.json, tasks.json and c_cpp_properties.json

Entries of other tools in these files stay. Open a .cu file, set breakpoints, press F5.
"""
import json
import os
import pathlib
import sys

DEVICE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = "${workspaceFolder}/.vscode/build/${fileBasenameNoExtension}"


def task(label, *options):
    return {
        "label": label,
        "type": "process",
        "command": "sh",
        "args": ["-c", 'mkdir -p "$1" && shift && exec "$@"', "sh", "${workspaceFolder}/.vscode/build",
                 str(DEVICE / "nvcc"), "-g", "-G", *options, "${file}", "-o", PROGRAM],
        "options": {"cwd": "${fileDirname}"},
        "problemMatcher": ["$gcc"],
        "group": "build",
        "presentation": {"reveal": "silent", "clear": True},
    }


def configuration(name, label):
    return {
        "name": name,
        "type": "cppdbg",
        "request": "launch",
        "program": PROGRAM,
        "args": [],
        "cwd": "${fileDirname}",
        "MIMode": "gdb",
        "miDebuggerPath": os.environ.get("CUDA_DEBUG_GDB", "gdb"),
        "setupCommands": [
            {"description": "No frames of the runtime", "text": "-enable-frame-filters"},
            {"description": "CUDA's kernels, blocks and threads",
             "text": "source %s" % (DEVICE / "debugger/cpu_device_gdb.py")},
        ],
        "preLaunchTask": label,
    }


def properties():
    return {
        "name": "CPU device",
        "includePath": ["${workspaceFolder}/**", str(DEVICE / "include")],
        "defines": ["__CUDACC__", "__NVCC__"],
        "compilerPath": "/usr/bin/g++",
        "cppStandard": "c++17",
        "intelliSenseMode": "linux-gcc-x64" if os.uname().machine == "x86_64" else "linux-gcc-arm64",
    }


class Refused(Exception):
    pass


def changed(path, start, change):
    """The text of a file of settings after change(content). A file that is not there begins with `start`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else start
        if not isinstance(content, dict):
            raise ValueError("it is not an object")
        change(content)
    except ValueError as error:
        raise Refused("%s cannot be read (%s). Move it away, or remove its comments." % (path, error)) from None
    return json.dumps(content, indent=2) + "\n"


def put(key, entries, name):
    """Puts the entries into the list `key`, in place of those with the same name."""
    def change(content):
        names, old = [entry[name] for entry in entries], content.get(key, [])
        if not isinstance(old, list) or not all(isinstance(entry, dict) for entry in old):
            raise ValueError("its '%s' is not a list of objects" % key)
        content[key] = [entry for entry in old if entry.get(name) not in names] + entries
    return change


def associate(content):
    """Without it, .cu files have no breakpoints."""
    old = content.get("files.associations", {})
    if not isinstance(old, dict):
        raise ValueError("its 'files.associations' is not an object")
    content["files.associations"] = {**old, "*.cu": "cuda-cpp", "*.cuh": "cuda-cpp"}
    content["debug.allowBreakpointsEverywhere"] = True


def main(words):
    folder = pathlib.Path(words[0] if words else ".")
    if not folder.is_dir():
        raise Refused("'%s' is not a folder" % folder)
    settings = folder / ".vscode"
    plain, checked = "nvcc -g -G (CPU device)", "nvcc --check -g -G (CPU device)"
    try:
        settings.mkdir(exist_ok=True)
        # All are read before the first is written: what is refused leaves each as it is.
        texts = {path: changed(path, start, change) for path, start, change in (
            (settings / "tasks.json", {"version": "2.0.0"}, put("tasks", [task(plain), task(checked, "--check")], "label")),
            (settings / "launch.json", {"version": "0.2.0"},
             put("configurations", [configuration("CUDA on the CPU device", plain),
                                    configuration("CUDA on the CPU device, checked", checked)], "name")),
            (settings / "c_cpp_properties.json", {"version": 4}, put("configurations", [properties()], "name")),
            (settings / "settings.json", {}, associate))}
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused("cannot write to '%s': %s" % (settings, error.strerror)) from None
    print("wrote %s: open a .cu file in Visual Studio Code, set a breakpoint, press F5" % settings)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as refused:
        print("cuda-debug: %s" % refused, file=sys.stderr)
        sys.exit(2)
