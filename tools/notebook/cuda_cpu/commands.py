"""The commands of the package: nvcc, cuda-check, cuda-profile, cuda-watch and cuda-debug."""
import os
import pathlib
import subprocess
import sys
import tempfile

from . import device


def become(*words):
    sys.stdout.flush()
    os.execv(str(words[0]), [str(word) for word in words])


def fail(command, words):
    print("%s: %s" % (command, words), file=sys.stderr)
    sys.exit(2)


def say_if_built_now(checked):
    if not sys.stderr.isatty():
        device.say_if_built_now(checked, file=sys.stderr)


def nvcc():
    if any(word.endswith(".cu") for word in sys.argv[1:]):
        say_if_built_now("--check" in sys.argv)
    become(device.nvcc(), *sys.argv[1:])


def debug():
    become(device.root() / "common/cpu_device/bin/cuda-debug", *sys.argv[1:])


def source_of(command, usage):
    """The .cu file that the command line names, and the arguments for the program."""
    words = sys.argv[1:]
    if words and words[0] in ("-h", "--help"):
        print(usage)
        sys.exit(0)
    if not words or words[0].startswith("-"):
        fail(command, "name a .cu file (%s --help says more)" % command)
    source = pathlib.Path(words[0])
    if source.suffix != ".cu":
        fail(command, "'%s' is not a .cu file" % source)
    if not source.is_file():
        fail(command, "there is no file '%s'" % source)
    return source, words[1:]


def compile_checked(source, folder):
    say_if_built_now(checked=True)
    program = pathlib.Path(folder) / source.stem
    done = subprocess.run([device.nvcc(), "--check", source, "-o", program], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return program


def check():
    source, arguments = source_of("cuda-check", "Usage: cuda-check FILE.cu [ARGUMENTS]\n\nRuns a program and reports races, bad "
                                  "indexes, divergent barriers and more. Exit code 1 if there is a finding.")
    with tempfile.TemporaryDirectory() as folder:
        code = subprocess.run([compile_checked(source, folder), *arguments], check=False).returncode
    sys.exit(code if code >= 0 else 128 - code)  # a signal, as in a shell


def watch():
    source, arguments = source_of("cuda-watch", "Usage: cuda-watch FILE.cu [ARGUMENTS]\n\nWrites FILE.watch.html, a page on which "
                                  "you watch the threads work, step by step. For small launches.")
    with tempfile.TemporaryDirectory() as folder:
        program = compile_checked(source, folder)
        done = subprocess.run([sys.executable, "-B", device.root() / "tools/watch.py", program,
                               source.with_suffix(".watch.html"), *arguments], check=False)
    sys.exit(done.returncode)


def profile():
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print("Usage: cuda-profile [--json] [--page] FILE.cu [ARGUMENTS]\n\nCounts what each line of the kernels asks of the memory: "
              "sectors, bank conflicts, contention, divergence. --page writes FILE.profile.html.")
        sys.exit(0 if words else 2)
    files = [word for word in words if not word.startswith("--")]
    if not files or not pathlib.Path(files[0]).is_file():
        fail("cuda-profile", "there is no file '%s'" % (files[0] if files else ""))
    begin = words.index(files[0])  # what follows is for the program
    if "--page" in words[:begin]:
        words.insert(words.index("--page") + 1, pathlib.Path(files[0]).with_suffix(".profile.html"))
    say_if_built_now(checked=True)
    os.environ.setdefault("CPU_DEVICE_CACHE", str(device.root() / "common/cpu_device/.cache"))
    become(sys.executable, "-B", device.root() / "tools/profile.py", *words)
