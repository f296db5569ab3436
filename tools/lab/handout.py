"""Makes the folder that a student gets: the task, the starter, and what it takes to check oneself."""

import json
import shutil
import sys

import build_kit
from labs import LabError
from vetting import ATTRIBUTES, LIBRARY, PRAGMAS, STAND_INS, WORDS, mathematics

README = """# @LAB@: @TITLE@

Read [task.md](task.md), edit [@FILE@](@FILE@), and run:

```sh
./lab check     # compiles your answer and tries it
./lab watch     # the same whenever you save the file
./lab debug     # the debugger (gdb), with the case that failed first
./lab hint      # the next hint
./lab submit    # writes @LAB@_submission.cu, to hand in
```

The *CPU device* runs CUDA programs without a GPU. A *checked run* examines every memory access and reports what breaks CUDA's
rules. *Hidden cases* are tried only when the lab is graded.

You need bash and g++, and no GPU. If `./lab` is not executable after unpacking, run `bash lab check`. The first check
builds the CPU device, which takes one to four minutes.

Editors with clangd understand the file (`.clangd`). In Visual Studio Code, Ctrl-Shift-B runs the check.
What failing cases printed is kept in `last_failures.txt`. You do not need to look into `machinery/`.
"""
SCRIPT = build_kit.HERE / "student.sh"


def hand_out(lab, to):
    """Writes to/NAME; the folder."""
    folder = to / lab.name
    if folder.exists():
        raise LabError(f"there is a {folder} already; remove it, or choose another place with --to")
    try:
        machinery = folder / "machinery"
        machinery.mkdir(parents=True)
        build_kit.copy_machinery(machinery)
        for path in (lab.folder / "harness.cu", lab.folder / "judge.cpp", build_kit.HERE / "judge.h",
                     build_kit.HERE / "counts.h"):
            shutil.copy(path, machinery / path.name)
        (machinery / "lab.txt").write_text(lab_text(lab))
        (machinery / "cases.txt").write_text(
            "".join(f"{case.kind} {' '.join(case.parameters)}\n" for case in lab.cases
                    if case.kind != "hidden"))
        (folder / "hints").mkdir()
        for count, (where, hint) in enumerate(hints(lab), 1):
            (folder / f"hints/{count}.md").write_text(
                f"Hint {count} of {len(lab.hints())} ({where}): {hint}\n")
        (folder / lab.file).write_text(lab.starter())
        (folder / "task.md").write_text(task_text(lab))
        (folder / "README.md").write_text(README.replace("@LAB@", lab.name).replace("@TITLE@", lab.title)
                                          .replace("@FILE@", lab.file))
        (machinery / "names.txt").write_text("\n".join(sorted({*LIBRARY, *STAND_INS, *mathematics()})) + "\n")
        (machinery / "words.txt").write_text(f"{WORDS.pattern}\n{'|'.join(sorted(ATTRIBUTES))}\n{PRAGMAS.pattern}\n")
        editor_settings(folder)
        shutil.copy(SCRIPT, folder / "lab")
        (folder / "lab").chmod(0o755)
    except OSError as error:
        raise LabError(f"cannot write {error.filename}: {error.strerror}") from error
    return folder


def editor_settings(folder):
    """For editors with clangd, and for Visual Studio Code, which then checks with Ctrl-Shift-B."""
    build_kit.must([sys.executable, "-B", folder / "machinery/common/cpu_device/editor/editor.py", "-Imachinery/common",
                    folder],
                   "what writes the editor's settings")
    settings = folder / ".vscode"
    settings.mkdir()
    for name, data in (("settings.json", {"files.associations": {"*.cu": "cuda-cpp"}, "files.exclude": {"machinery": True}}),
                       ("extensions.json", {"recommendations": ["llvm-vs-code-extensions.vscode-clangd"]}),
                       ("tasks.json", {"version": "2.0.0", "tasks": [{
                           "label": "lab check", "type": "shell", "command": "./lab check", "problemMatcher": ["$gcc"],
                           "group": {"kind": "build", "isDefault": True}}]})):
        (settings / name).write_text(json.dumps(data, indent=2) + "\n")


def lab_text(lab):
    """What ./lab reads, one word and its value a line."""
    words = {"name": lab.name, "file": lab.file, "kernels": int(lab.needs_kernels()), **lab.points}
    return "".join(f"{word} {value}\n" for word, value in words.items())


def hints(lab):
    """(where, hint) in order."""
    return [(f"TODO {number}" if lab.regions[number - 1].marked else "where to look", hint)
            for number, hint in lab.hints()]


def task_text(lab):
    """The task, and where its hints are: in files of their own, as an editor unfolds what is folded."""
    rows = [lab.task.rstrip(), "", "## Hints", "",
            "`./lab hint` shows one, and one more each time. Or open them one by one:", ""]
    rows += [f"- [hint {count}: {where}](hints/{count}.md)"
             for count, (where, _) in enumerate(hints(lab), 1)]
    return "\n".join(rows) + "\n"
