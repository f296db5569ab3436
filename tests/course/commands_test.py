#!/usr/bin/env python3
"""What each command of ./course does with its words: what it builds, which process it ends in or starts, what it says, and its
exit code. Compared with commands.txt.

    commands_test.py [--update]

The commands run in this process. Nothing is built, installed or started: that is noted instead. A line of the table is a command
with all that it did. Beside the table there are rules: each option that a help names changes what its command does, a refusal is one line, and a program is
given the user's words, unchanged and in their order.

--update writes the table anew. Read the difference before you commit it: each changed line must be what you meant.
"""

import argparse
import contextlib
import importlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shlex
import signal
import sys
import tempfile
import time
import types
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "commands.txt"
sys.path[:0] = [str(HERE.parents[1] / "tools"), str(HERE.parent / "harness")]
# pylint: disable=wrong-import-position
from counting import check, check_table, finish  # noqa: E402
from course import ROOT, building, command_line, devices, messages, own_files, packages, processes, toolkit  # noqa: E402

STRANGE = ["--size", "5", "a b", "", "it's", "--json", "--cpu=1", "$x", "*", "--", "-"]
MODULES = {name: importlib.import_module(f"course.commands.{name}") for name in command_line.commands()}


class Ended(BaseException):
    """In place of a process that another one replaces."""


class Text(io.StringIO):
    def reconfigure(self, **_):
        pass

    def fileno(self):
        raise io.UnsupportedOperation


class World:
    """Notes what a command does. The rest says how the things behave that it meets."""

    def __init__(self, folder):
        self.folder, self.did = folder, []
        self.code = 0          # of each process that is started
        self.races = self.findings = 0
        self.works = True      # what is built
        self.missing = ""      # why a program is not built here
        self.fixed = True      # a repair was found
        self.left = 0          # findings after it
        self.built = False     # whether programs are there already

    def note(self, text):
        self.did.append(text)

    def words(self, words):
        return shlex.join(os.fspath(word) for word in words)

    def become(self, path, words):
        cache = os.environ.get("CPU_DEVICE_CACHE")
        self.note(f"becomes {self.words(words)}" + ("" if os.fspath(path) == words[0] else f" of {path}"))
        if cache:
            self.note(f"with what is built in {cache}")
        raise Ended

    def run(self, words, **more):
        env, out = more.get("env") or {}, ""
        extra = "".join(f" {name}={env[name]}" for name in ("COURSE_REMEMBER",) if name in env) + (" with words" if more.get("input") else "")
        self.note(f"starts {self.words(words)}{extra}")
        if env.get("CPU_DEVICE_REPORT"):
            pathlib.Path(env["CPU_DEVICE_REPORT"]).write_text(json.dumps({"runs": [{"results": [self.race(n) for n in range(self.races)]}]}),
                                                              encoding="utf-8")
        if "--programs" in words:
            out = "vector_add_a vector_add_b\n"
        if os.fspath(words[0]).endswith("tools/limits"):
            out = "copy\t80\nread\t70\n"
        if os.fspath(words[0]).endswith(("hw", "prog")) and more.get("stdout"):
            out = "kernel 1.5 ms\n"
        return types.SimpleNamespace(returncode=self.code, stdout=out, stderr="")

    @staticmethod
    def race(number):
        text = (f"race {number} in kernel k, in block (0,0,0)\n    thread (1,0,0) reads s[{number}]    line 7:  sum += s[0];\n"
                f"    thread (0,0,0) wrote s[{number}]    line 6:  s[0] = 1;\n    no barrier between them since the kernel started")
        return {"message": {"text": text}}

    def set_up(self, purpose):
        self.note(f"installs for {purpose}")

    def choose_device(self, wanted):
        kind = wanted or "cpu"
        self.note(f"looks for {wanted or 'any device'}")
        return devices.Device(kind, "/cuda/bin/nvcc", "H200\t13.0\t13.1")

    def configure(self, device):
        self.note(f"configures {device.kind}")

    def build(self, device, targets, keep_going=False):
        self.note(f"builds {' '.join(targets)} for {device.kind}{', keeps going' if keep_going else ''}")
        return self.works

    def repair(self, source, _):
        left = [None] * self.left
        self.note(f"repairs {source}")
        return types.SimpleNamespace(tried=3, repaired=lambda: (["a\n", "b\n"], ["a\n", "c\n", "b\n"] if self.fixed else None, left))


class Compiled:
    """In place of a compilation of the user's own file."""

    def __init__(self, world, source, folder, command, environment, dependencies):
        self.world, self.process, self.source, self.folder = world, None if world.built else "one", source, folder
        at = environment.get("CPU_DEVICE_CACHE", "none")
        world.note(f"compiles {source} to {folder} by {world.words(command)}, cache {at}, {'with' if dependencies else 'without'} the runtime's files")

    def wait(self):
        if not self.world.works:
            raise messages.Problem(f"{self.source.stem} does not compile; see above")
        return self.folder / self.source.stem


def arranged(stack, world):
    """In the place of what builds, installs and starts: what notes it."""
    own = {"Missing": lambda: types.SimpleNamespace(pages=[], templates=[]), "set_up": world.set_up, "choose_device": world.choose_device,
           "configure": world.configure, "build": world.build, "build_folder": lambda: None,
           "is_configured": lambda _: world.built, "not_built": lambda *_: world.missing, "has": lambda _: True, "has_mpi": lambda: True,
           "Repair": world.repair,
           "say_if_space_is_short": lambda needed: world.note(f"needs {needed >> 30} GB"), "options_here": lambda program: f"-l{program.name}",
           "install_toolkit": lambda folder: world.note(f"downloads to {folder}") or folder / "nvcc", "toolkit_on_path": lambda _: None, "cores": lambda: 3,
           "probe_gpu": lambda _: (False, "this machine has no NVIDIA GPU")}
    for module in [*MODULES.values(), building]:
        for name, function in own.items():
            if hasattr(module, name) and not (module is building and name in ("build_folder",)):
                stack.enter_context(mock.patch.object(module, name, function))
        if hasattr(module, "subprocess"):
            stack.enter_context(mock.patch.object(module, "subprocess", types.SimpleNamespace(
                run=world.run, PIPE=-1, STDOUT=-2, DEVNULL=-3, CalledProcessError=OSError, TimeoutExpired=OSError)))
    stack.enter_context(mock.patch.object(MODULES["completion"], "built", lambda name: [f"built/{name}"] if world.built else []))
    stack.enter_context(mock.patch.object(devices, "cores", lambda: 3))
    stack.enter_context(mock.patch.object(MODULES["setup"], "default_folder", lambda: "the usual bin"))
    stack.enter_context(mock.patch.object(own_files, "Compilation", lambda *words: Compiled(world, *words)))
    stack.enter_context(mock.patch.object(MODULES["bench"].own_bench, "subprocess", types.SimpleNamespace(
        run=world.run, PIPE=-1, STDOUT=-2, DEVNULL=-3, TimeoutExpired=OSError)))
    stack.enter_context(mock.patch.object(MODULES["bench"].own_bench, "REPEATS", 1))
    stack.enter_context(mock.patch.object(MODULES["bench"].own_bench, "table", lambda _: ["the table"]))
    stack.enter_context(mock.patch.object(processes.os, "execv", world.become))
    real = os.access
    stack.enter_context(mock.patch.object(os, "access", lambda path, mode: world.built if str(path).startswith(f"{ROOT}/build/") else real(path, mode)))


def outcome(words, **settings):
    """What a command does: the exit code, what it did, and what it said."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder).resolve()
        world = World(folder)
        before = settings.pop("files", {})
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "COLUMNS": "100", **settings.pop("environment", {})}
        for name, value in settings.items():
            setattr(world, name, value)
        files = {"hw.cu": "// It's mine.\nint main() {}\n", "tiles.cu": "#include <cuda_tile.h>\n",
                 "listing.cu": '#include "../common/book.h"\n#include <png.h>\n',
                 "notes.txt": "words", "folder/x.cu": "int x;", "folder/mine": "mine", **before}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        for name, marks in (("prog", "CPU_DEVICE_ORDER"), ("checked", "CPU_DEVICE_ORDER CPU_DEVICE_WATCH"), ("theirs", "nothing")):
            (folder / name).write_text(f"#!/bin/sh\n# {marks}\n")
            (folder / name).chmod(0o755)
        out, err = Text(), Text()
        arranged(stack, world)
        stack.enter_context(contextlib.chdir(folder) if hasattr(contextlib, "chdir") else inside(folder))
        stack.enter_context(mock.patch.dict(os.environ, environment, clear=True))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        code = "-"
        try:
            code = command_line.main(list(words))
        except SystemExit as end:
            code = end.code
        except Ended:
            pass
        kept = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*")) if path.is_file() and
                path.relative_to(folder).as_posix() not in [*files, "prog", "checked", "theirs"] and not path.is_symlink()}
        links = {path.relative_to(folder).as_posix(): os.readlink(path) for path in sorted(folder.rglob("*")) if path.is_symlink()}
        told = [f"exit code {code}", *world.did]
        told += [f"{name}: {line}" for name, text in (("out", out.getvalue()), ("err", err.getvalue())) for line in text.splitlines()[:6]]
        told += [f"writes {name}, {text[:90]!r}" for name, text in kept.items()] + [f"links {name} to {to}" for name, to in links.items()]
        return [re.sub(r"-[0-9a-f]{8}\b", "-KEY", re.sub(r"/tmp/\w+/report", "REPORT", line)).replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
                .replace(sys.executable, "python") for line in told]


@contextlib.contextmanager
def inside(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def cases():
    """(words, settings)"""
    def several(*lines, **settings):
        return [(shlex.split(line), settings) for line in lines]

    yield from several("", "--help", "-h", "frobnicate", "--fast run dot", "--cpu", "--all list", "--json list", "--page snippet", "--thorough run dot",
                       "list --json", "list --page",
                       "list --all", "list --thorough", "run --json dot")
    yield from several("run", "run dot", "run ch05_threads/dot.cu", "--cpu run dot", "run --gpu dot", "run dot --gpu x --cpu", "run dot --cpu x --gpu",
                       "run hw.cu 1", "run ./prog --cpu x",
                       "run tiles.cu", "run listing.cu", "run --gpu listing.cu", "run dto", "run hw", "run folder", "run ./notes.txt", "run nix.cu",
                       "run nowhere/dot.cu", "run --fast dot",
                       "run notes.txt", "run xyzzy_nothing", "run vector_add_tiles", "run vector_add_cores")
    yield from several("run dot", "run hw.cu", "check dot", "test dot", "bench dot", "bench hw.cu", "check", "--gpu check hw.cu", works=False)
    yield from several("run dot", "run hw.cu", "check dot", "completion words 3 run dot", built=True)
    yield from several("run dot", "check dot", missing="needs the package libpng-dev")
    yield from several("run dot", missing="needs nvcc 13.1 or newer")
    yield from several("run dot", "run hw.cu", environment={"CPU_DEVICE_CACHE": "/mine"})
    yield from several("check", "check --gpu", "check dot 1 'a b'", "check --gpu dot 1", "check hw.cu x", "check ./prog", "check ./checked x",
                       "check ./theirs", "check --story 1",
                       "check --fix p.patch", "check --story 0 dot", "check --story x dot", "check --story 1000000 dot", "check --story 1 --gpu dot",
                       "check --fix p --gpu dot", "check --story",
                       "check dto", "--gpu check ./prog x")
    yield from several("check --story 1 dot x", "check --story 999999 dot", races=0)
    yield from several("check --story 1 dot x", "check --story 2 hw.cu", races=1)
    yield from several("check --story 2 hw.cu", "check --story=3 dot", races=2)
    for code in (1, 3, -11):
        yield from several("check --story 1 dot", races=1, code=code)
        yield from several("test dot", "bench dot", "bench cpu", "bench hw.cu", "check", code=code)
    for left in (0, 1, 2):
        for fixed in (True, False):
            yield from several("check --fix p.patch dot", "check --fix 'out/my p' hw.cu", left=left, fixed=fixed, files={"out/x": ""})
    yield from several("check --fix nowhere/p dot", "check --fix folder dot", "check --fix p ./checked", "check --fix /dev/full dot")
    yield from several("profile", "profile dot 1 'a b'", "profile --json dot", "profile --page dot", "profile --json --page dot x", "--gpu profile dot",
                       "profile hw.cu 1", "profile --page hw.cu",
                       "profile listing.cu", "profile ./prog x", "profile dto", "profile --fast dot")
    yield from several("watch", "watch dot 1 'a b'", "watch --blocks 0-3 dot", "watch --blocks 5 dot x", "watch --blocks 3-1 dot", "watch --blocks",
                       "watch hw.cu --blocks 3", "watch ./checked x",
                       "watch ./prog", "watch dto")
    yield from several("debug", "debug dot 1 'a b'", "debug --check dot", "debug --workers 3 dot", "debug --check --workers 2 hw.cu x", "debug --vscode",
                       "debug --vscode folder", "debug ./prog x",
                       "debug vector_add_tiles", "debug vector_add_cores", "debug dto", "debug --workers", "debug dot", "debug --vscode a b",
                       "debug listing.cu", "debug tiles.cu x")
    yield from several("debug dot", "debug --check dot", environment={"CPU_DEVICE_CACHE": "/mine"})
    yield from several("bench", "bench dot julia", "bench --gpu dot", "bench --cpu dot", "bench cpu", "bench cpu 0.1", "bench hw.cu tiles.cu 1 'a b'",
                       "bench --gpu hw.cu", "bench ./prog x", f"bench {ROOT}/ch05_threads/dot.cu",
                       "bench --fast dot")
    yield from several("test", "test --thorough", "test --all", "test --all --thorough", "test --again", "test --again dot", "test dot hello",
                       "test course_script", "test rewriter tests/cpu_device/cpu_device_half_test.cu",
                       "test bitmap_window", "test heat_window", "test export.nbody", "test page_rules", "test foreign.cublas_products foreign", "test dot.reverse", "test xyzzy", "test --gpu", "test --cpu", "test --json")
    yield from several("test", environment={"CPU_DEVICE_ORDER": "reverse"})
    yield from several("list dot ch03_intro/hello.cu", "list ch99", "list dot --gpu")
    yield from several("snippet dot_product", "snippet ch05_threads/snippets/dot_product.cu", "snippet dot_prodct", "snippet xyzzy_nothing", "snippet a b")
    yield from several("export", "export dot", "export dot a b", "export dot folder", "export dot hw.cu", "export ch05 out", "export ./prog out",
                       "export --one-file hw.cu out", "export --one-file tiles.cu 'o u t'",
                       "export --one-file vector_add_tiles out", "export --one-file nbody_mpi out", "export nix.cu out", "export dot /dev/null/x")
    yield from several("lab list", "lab grade ch05_dot 'a b'", "lab", "lab --help", "lab list --fast")
    yield from several("editor", "editor a 'b c'", "editor --fast")
    yield from several("completion bash", "completion", "completion fish", "completion bash x", "completion words", "completion words x",
                       "completion words 1 prof", "completion words 1",
                       "completion words 2 run dot_bro", "completion words 2 run --", "completion words 2 check --", "completion words 3 check --story ",
                       "completion words 2 lab ''", "completion words 3 lab grade ch05_d",
                       "completion words 2 bench nb", "completion words 2 completion ''", "completion words 2 snippet dot_p", "completion words 2 test ch05",
                       "completion words 2 export --", "completion words 3 export dot --",
                       "completion words 2 doctor --", "completion words 1 --", "completion words 2 nothing x", "completion words 2 setup --",
                       "completion words 2 site --", "completion words 2 list nbody_s",
                       "completion words 9 run dot")
    yield from several("setup", "setup --cpu", "setup --gpu", "setup --path --to 'my bin'", "setup --path", "setup --toolkit", "setup --toolkit --to there",
                       "setup --to there", "setup --path --toolkit --to x", "setup x",
                       "setup --to", "setup --path --to /dev/null/x")
    yield from several("setup --path --to bin", files={"bin/course": "mine"})
    yield from several("setup --path --to bin", environment={"PATH": f"{os.environ['PATH']}:bin"})
    yield from several("doctor x", "site", "site a b", "site --url x out", "site --fast out", "tour --fast", "tour xyzzy")


def lab_module():
    """tools/lab/__main__.py, whose modules are found in its own folder."""
    about = importlib.util.spec_from_file_location("lab_main", ROOT / "tools/lab/__main__.py")
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


LAB_CASES = (
    "", "--help", "fish", "list", "list x", "solution", "solution ch05_dot", "solution ch05_dto", "hand-out ch05_dot", "hand-out ch05_dot --to there",
             "hand-out", "hand-out nothing",
    "grade ch05_dot", "grade ch05_dot a.cu 'b c.cu'", "grade ch05_dot a.cu --format json --out out.json",
             "grade ch05_dot a.cu --format csv --resume kept --roster r.csv --feedback f",
    "grade ch05_dot a.cu --format gradescope", "grade ch05_dot a.cu b.cu --format gradescope", "grade ch05_dot a.cu --format fish",
             "grade ch05_dot a.cu --jobs 0", "grade ch05_dot a.cu --jobs 1",
    "grade ch05_dot a.cu --jobs -1", "grade ch05_dot a.cu --jobs x", "grade ch05_dot a.cu --seed 0 --unsafe", "grade ch05_dot a.cu --seed -1",
             "grade ch05_dot a.cu --due '2026-12-01 23:59'",
    "grade ch05_dot a.cu --due tomorrow", "grade ch05_dot a.cu --attempts last --against old.csv", "grade ch05_dot a.cu --attempts first",
             "grade ch05_dot a.cu --out folder", "grade ch05_dot a.cu --out none/x",
    "grade ch05_dot a.cu --out notes.txt/x", "grade ch05_dot a.cu --resume folder", "grade nothing a.cu", "board ch05_dot a.cu b.cu",
             "board ch05_dot a.cu --format json --out board.json", "board ch05_dot a.cu --format csv",
    "board ch05_dot a.cu --out folder", "board ch05_dot a.cu --due x", "autograder ch05_dot", "autograder ch05_dot --to a.zip", "package ch05_dot",
             "package ch05_dot fish", "package ch05_dot PLATFORM --to there",
    "package ch05_dot PLATFORM", "grade ch05_dot '*.txt' a.cu 'b*.cu'", "grade ch05_dot '*' --format vpl", "board ch05_dot '*/*' 'n?tes*'")


def labs():
    """The command line of ./course lab: what is handed to what hands out and grades."""
    module = lab_module()
    for words, more in [*((shlex.split(line), "") for line in LAB_CASES), *((["grade", "ch05_dot", "a.cu"], more) for more in ("interrupted",
            "a reader that is gone", "Ctrl-C")),
                        (["board", "ch05_dot", "a.cu"], "interrupted")]:
        words = [sorted(module.PACKAGES)[0] if word == "PLATFORM" else word for word in words]
        did, out, err = [], io.StringIO(), io.StringIO()

        def noted(name, answer=None):
            return lambda *given: did.append(f"{name} {', '.join(told(one) for one in given)}") or answer  # pylint: disable=cell-var-from-loop

        def told(one):
            if isinstance(one, argparse.Namespace):
                return str({key: one_of if not isinstance(one_of, list) else [str(path) for path in one_of] for key, one_of in sorted(vars(one).items())
                            if key not in ("action", "command", "lab") and one_of is not None}).replace("PosixPath", "")
            if isinstance(one, list):
                return str([str(item) for item in one])
            return one.name if type(one).__name__ == "Lab" else str(one) if not callable(one) else "write"

        def grade_class(*given):
            noted("grades")(*given)  # pylint: disable=cell-var-from-loop
            if more == "Ctrl-C":  # pylint: disable=cell-var-from-loop
                raise KeyboardInterrupt
            if more == "a reader that is gone":  # pylint: disable=cell-var-from-loop
                raise BrokenPipeError
            return {"results": ["one"]}, more == "interrupted"  # pylint: disable=cell-var-from-loop
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            folder = pathlib.Path(folder).resolve()
            (folder / "folder").mkdir()
            (folder / "notes.txt").write_text("x")
            for name, answer in (("hand_out", "the folder"), ("autograder", None), ("report", None), ("package", "the package"), ("page", "a page\n"),
                                 ("as_json", "JSON\n"), ("processors", 5)):
                stack.enter_context(mock.patch.object(module, name, noted(name, answer) if name != "processors" else lambda: 5))
            stack.enter_context(mock.patch.object(module, "grade_class", grade_class))
            stack.enter_context(mock.patch.object(sys, "argv", ["lab", *words]))
            stack.enter_context(mock.patch.dict(os.environ, {"COLUMNS": "100", "TZ": "UTC"}))
            time.tzset()
            stack.enter_context(inside(folder))
            stack.enter_context(contextlib.redirect_stdout(out))
            stack.enter_context(contextlib.redirect_stderr(err))
            try:
                code = module.main()
            except SystemExit as end:
                code = end.code
            kept = {path.name: path.read_text() for path in sorted(folder.glob("*")) if path.is_file() and path.name != "notes.txt"}
        yield f"$ ./course lab {shlex.join(words)}{f'   {more}' if more else ''}"
        said = [(name, re.sub(r"\(choose from .*?\)", "(choose from ...)", line)) for name, text in (("out", out.getvalue()), ("err",
                err.getvalue())) for line in text.splitlines()[:2] if "--help" not in words]
        yield from (f"    {line}" for line in (f"exit code {code}", *did, *(f"{name}: {line}" for name, line in said), *(f"writes {name}, {text!r}" for name,
                text in kept.items())))


WITH_PROGRAM = {"run": "becomes ROOT/build/cpu/ch05_threads/dot", "check": "becomes ROOT/build/cpu-check/ch05_threads/dot",
                "profile": "becomes python -B ROOT/tools/profile.py --with -ldot ROOT/ch05_threads/dot.cu",
                "watch": "becomes python -B ROOT/tools/watch.py ROOT/build/cpu-check/ch05_threads/dot ROOT/build/watch/dot.html",
                "debug": "becomes ROOT/common/cpu_device/bin/cuda-debug --flags -std=c++17 ROOT/ch05_threads/dot.cu"}


def words_of_programs():
    """What follows the name of a program is the program's, whatever it looks like."""
    for command, begin in WITH_PROGRAM.items():
        did = outcome([command, "dot", *STRANGE])
        check(f"{command} passes on all words", f"{begin} {shlex.join(STRANGE)}" in did, "\n  ".join(did))
    did = outcome(["check", "--story", "1", "dot", *STRANGE], races=1)
    check("check --story passes on all words", f"starts ROOT/build/cpu-check/ch05_threads/dot {shlex.join(STRANGE)}" in did, "\n  ".join(did))
    did = outcome(["bench", "hw.cu", *STRANGE])
    check("bench passes on all words",
          any(line.startswith("starts ROOT/build/own/hw-KEY/cpu/hw ") and line.endswith(f"/hw {shlex.join(STRANGE)}") for line in did), "\n  ".join(did))


def options_of(name, module):
    """[(its spellings, whether it takes a value)] of the options that the help names."""
    parser = command_line.parser_of(name, module)
    return [(action.option_strings, action.nargs != 0) for action in parser._actions  # pylint: disable=protected-access
            if action.help is not argparse.SUPPRESS and "--help" not in action.option_strings]


# Of these, other tests see that each option changes something: site_words_test.py and course_script_test.sh.
ELSEWHERE = {("tour", "--cpu"), ("tour", "--gpu"), ("site", "--url"), ("site", "--edit")}
ANYWAY = {("check", "--cpu"), ("profile", "--cpu")}  # what the command does without it


def each_option(all_cases):
    """An option that the help names changes what the command does, and takes a value as it is said there."""
    for name, module in MODULES.items():
        if hasattr(module, "run_raw"):
            continue
        for spellings, takes_value in options_of(name, module):
            if any((name, one) in ELSEWHERE | ANYWAY for one in spellings):
                continue
            differs = False
            for words, settings in all_cases:
                at = next((i for i, word in enumerate(words) if word in spellings), None)
                if differs or name not in words or at is None:
                    continue
                without = words[:at] + words[at + 1 + takes_value:]
                differs = outcome(words, **dict(settings))[1:] != outcome(without, **dict(settings))[1:] and not outcome(words,
                        **dict(settings))[0].endswith(" 2")
            check(f"./course {name}: {spellings[0]} changes something", differs)


def helps():
    """The long help names each command, and a command's own succeeds and names its options."""
    usage = command_line.usage()
    for name, module in MODULES.items():
        check(f"./course {name} is in the long help", re.search(rf"^  {name}\b", usage, re.M))
        if hasattr(module, "run_raw"):
            continue
        for word in ("--help", "-h"):
            did = outcome([name, word])
            check(f"./course {name} {word} succeeds",
                  did[0] == "exit code 0" and did[1].startswith(f"out: usage: ./course {module.USAGE.splitlines()[0]}"[:60]), "\n".join(did[:3]))
        for option in set(re.findall(r"--[a-z][\w-]*", module.USAGE)):
            known = [one for spellings, _ in options_of(name, module) for one in spellings]
            check(f"./course {name}: {option} of its usage is an option", option in known, str(known))
    # What completion offers of the labs is what the labs have.
    lab = (HERE.parents[1] / "tools/lab/__main__.py").read_text(encoding="utf-8")
    check("completion knows the commands of lab", sorted(MODULES["completion"].LAB) == sorted(re.findall(r'^    (?:one = )?command\("([\w-]+)"', lab, re.M)))
    for user, folder in ((0, "/usr/local/bin"), (1, "~/.local/bin")):
        with mock.patch.object(os, "geteuid", lambda user=user: user):
            check(f"where user {user} has programs", MODULES["setup"].default_folder() == folder)


def exceptions():
    """What ends a command in the middle."""
    for error, code, said in ((messages.Problem("one & <two>"), 2, "course: one & <two>\n"), (KeyboardInterrupt(), 128 + signal.SIGINT, "")):
        out, err = Text(), Text()

        def fails(*_, error=error):
            raise error
        with mock.patch.object(MODULES["list"], "run", fails), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            ended = command_line.main(["list"])
        check(f"{type(error).__name__} ends with {code}", (ended, err.getvalue()) == (code, said), f"{ended} {err.getvalue()}")


def main():
    all_cases, lines = [(words, settings) for words, settings in cases()], []
    succeeded, failed = set(), set()
    for words, settings in all_cases:
        did = outcome(words, **dict(settings))
        shown = {name: value for name, value in settings.items() if name != "files"}
        lines.append(f"$ ./course {shlex.join(words)}{f'   {shown}' if shown else ''}".replace(str(ROOT), "ROOT").replace(os.environ["PATH"], "PATH"))
        lines += [f"    {line}" for line in did]
        name = next((word for word in words if word in MODULES), "")
        (failed if did[0] == "exit code 2" else succeeded).add(name)
        if did[0] == "exit code 2" and name and settings.get("code") is None:
            said = [line for line in did if line.startswith("err: ")]
            check(f"./course {shlex.join(words)} is refused in one line", [line.startswith("err: course: ") for line in said[-1:]] == [True], str(said))
    lines += labs()
    check_table(TABLE, lines)
    check("each command fails somewhere", failed >= set(MODULES) - {"lab"}, str(set(MODULES) - failed))
    words_of_programs()
    each_option(all_cases)
    helps()
    exceptions()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
