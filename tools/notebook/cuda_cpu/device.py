"""Where the CPU device is: in the course's own folders, or a copy of what the package carries."""
import os
import pathlib
import shutil
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CARRIED = HERE / "course"


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "cuda-course-cpu"


def root():
    """The folder with common/cpu_device and tools. An installed package may not be written to, and the CPU device is
    built where it lies: so there is a copy for each version in the user's cache."""
    if not CARRIED.is_dir():
        return HERE.parent.parent.parent
    copy = cache_folder() / (CARRIED / "content.txt").read_text(encoding="utf-8").strip()
    if not copy.is_dir():
        copy.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=copy.parent) as folder:  # others may be making it, too
            made = pathlib.Path(folder) / "copy"
            shutil.copytree(CARRIED, made)
            programs = made / "tests/checked_run/checked_programs.txt"
            programs.parent.mkdir(parents=True)
            programs.write_text("", encoding="utf-8")
            try:
                made.rename(copy)
            except OSError:
                if not copy.is_dir():
                    raise
    return copy


def nvcc():
    return root() / "common/cpu_device/nvcc"


def is_built(checked):
    """Whether the runtime is there, rather than built by the next compilation."""
    cache = os.environ.get("CPU_DEVICE_CACHE") or root() / "common/cpu_device/.cache"
    return any(pathlib.Path(cache).glob("runtime-checked-*" if checked else "runtime-[0-9]*"))


def say_if_built_now(checked, file=None):
    """What takes long the first time. On a terminal nvcc says so itself."""
    if not is_built(checked):
        print("Building the CPU device%s, once, about 30 s ..." % (" for checked runs" if checked else ""), file=file, flush=True)
