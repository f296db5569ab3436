"""Makes the folder that a student gets: the task, the starter, and what it takes to check oneself."""

import shutil

import kit
from labs import LabError

SCRIPT = kit.HERE / "student.sh"


def hand_out(lab, to):
    """Writes to/NAME; the folder."""
    folder = to / lab.name
    if folder.exists():
        raise LabError(f"there is a {folder} already; remove it, or choose another place with --to")
    try:
        machinery = folder / "machinery"
        machinery.mkdir(parents=True)
        kit.copy_machinery(machinery)
        # cuBLAS and its like: no lab needs them, and the first check is faster without.
        shutil.rmtree(machinery / "common/cpu_device/runtime/libraries")
        for path in (lab.folder / "harness.cu", lab.folder / "judge.cpp", kit.HERE / "judge.h",
                     kit.HERE / "counts.h"):
            shutil.copy(path, machinery / path.name)
        (machinery / "lab.txt").write_text(lab_text(lab))
        (machinery / "cases.txt").write_text(
            "".join(f"{case.kind} {' '.join(case.parameters)}\n" for case in lab.cases
                    if case.kind != "hidden"))
        (machinery / "hints.txt").write_text(
            "".join(f"{number if lab.regions[number - 1].marked else 0} {hint}\n"  # 0: no TODO says where
                    for number, hint in lab.hints()))
        (folder / lab.file).write_text(lab.starter())
        (folder / "task.md").write_text(task_text(lab))
        shutil.copy(SCRIPT, folder / "lab")
        (folder / "lab").chmod(0o755)
    except OSError as error:
        raise LabError(f"cannot write {error.filename}: {error.strerror}") from error
    return folder


def lab_text(lab):
    """What ./lab reads, one word and its value a line."""
    words = {"name": lab.name, "file": lab.file, "kernels": int(lab.needs_kernels()), **lab.points}
    return "".join(f"{word} {value}\n" for word, value in words.items())


def task_text(lab):
    """The task with its hints folded below it."""
    rows = [lab.task.rstrip(), "", "## Hints", "", "Each opens with a click; `./lab hint` shows them "
            "one after the other, too.", ""]
    for count, (number, hint) in enumerate(lab.hints(), 1):
        where = f"TODO {number}" if lab.regions[number - 1].marked else "where to look"
        rows += ["<details>", f"<summary>Hint {count}: {where}</summary>", "", hint, "", "</details>",
                 ""]
    return "\n".join(rows)
