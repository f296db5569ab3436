#!/usr/bin/env python3
"""%%cuda and the commands of the package for notebooks, without IPython, a compiler or a browser: what each option starts, what is
shown and said, and each exit code.

    notebook_words_test.py [SEEDS]

In place of nvcc, watch.py and profile.py there are scripts that note their words. Which of them must run, and with what, follows from
the options by rules of our own. Code, messages and counts contain tags and quotes; what is shown is read as a browser reads it.
"""

import contextlib
import html.parser
import io
import itertools
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import types
import zipfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/notebook"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
import backend  # noqa: E402
from counting import check, finish  # noqa: E402
from cuda_cpu import commands, device, listing, magic  # noqa: E402

shown = []  # what the notebook displays
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython.display"] = types.SimpleNamespace(HTML=lambda text: text, display=shown.append)

STRANGE = ["<b>x</b>", "a & b", '"quoted"', "it's", "</pre>", "a\\n", "&lt;", "ä 漢", "  indented", "%d %s", ""]
# What they note: their name, their words, and whether a report is asked for. A program writes the report and ends as it is told.
NVCC = """#!/bin/bash
printf '%s\\n' "nvcc" "$@" >"$NOTES/${EPOCHREALTIME/[.,]/}"
[ -z "$SAID_BY_NVCC" ] || echo "$SAID_BY_NVCC"
while [ "$1" != -o ]; do shift; done
[ "$NVCC_CODE" = 0 ] && cp "$PROGRAM" "$2"
exit $NVCC_CODE
"""
PROGRAM = """#!/bin/bash
printf '%s\\n' "program" "$@" >"$NOTES/${EPOCHREALTIME/[.,]/}"
printf '[%s]\\n' "$@"
head -c "$STDERR_BYTES" /dev/zero | tr '\\0' x >&2
printf '\\nfirst\\nthe last line\\n' >&2
[ -z "$CPU_DEVICE_REPORT" ] || [ ! -e "$REPORT" ] || cp "$REPORT" "$CPU_DEVICE_REPORT"
[ "$PROGRAM_CODE" != signal ] || kill -SEGV $$
exit $PROGRAM_CODE
"""
TOOL = """import os, pathlib, sys, time
name = pathlib.Path(__file__).stem
(pathlib.Path(os.environ["NOTES"]) / str(time.time_ns() // 1000)).write_text("\\n".join([name, *sys.argv[1:]]) + "\\n")
if os.environ["TOOL_CODE"] != "0":
    print(name + " said no", file=sys.stderr)
elif name == "watch":
    pathlib.Path(sys.argv[2]).write_text(os.environ["PAGE"])
else:
    print(os.environ["COUNTS"])
sys.exit(int(os.environ["TOOL_CODE"]))
"""


class Page(html.parser.HTMLParser):
    """The rows and cells of what is shown: [(tag, attributes, text)] of each element without elements of its kind inside."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], []
        self.feed(text)
        self.close()
        check("all is closed", not self.open, str(self.open))

    def handle_starttag(self, tag, attrs):
        self.open.append([tag, dict(attrs), ""])

    def handle_endtag(self, tag):
        check("what is closed was open", bool(self.open) and self.open[-1][0] == tag, f"{tag} {self.open}")
        one = self.open.pop() if self.open else [tag, {}, ""]
        self.found.append(tuple(one))
        if self.open:
            self.open[-1][2] += one[2]

    def handle_data(self, data):
        if self.open:
            self.open[-1][2] += data

    def texts(self, tag):
        return [text for name, _, text in self.found if name == tag]


class World:
    """Stand-ins in a folder, and what they noted."""

    def __init__(self, folder):
        self.root, self.notes = folder / "a root", folder / "notes"
        self.notes.mkdir()
        for name, text in (("common/cpu_device/nvcc", NVCC), ("tools/profile.py", TOOL), ("tools/watch.py", TOOL), ("common/cpu_device/bin/cuda-debug",
                PROGRAM),
                           ("common/cpu_device/.cache/runtime-1", ""), ("common/cpu_device/.cache/runtime-checked-1", ""), ("theirs/nvcc", NVCC)):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        (folder / "program").write_text(PROGRAM)
        (folder / "program").chmod(0o755)
        self.settings = {"NOTES": str(self.notes), "PROGRAM": str(folder / "program"), "SAID_BY_NVCC": "", "NVCC_CODE": "0", "PROGRAM_CODE": "0",
                         "TOOL_CODE": "0",
                         "STDERR_BYTES": "0", "REPORT": str(folder / "report"), "PAGE": "", "COUNTS": '{"kernels": []}'}

    def ran(self):
        """[words] of what ran, in order; then they are forgotten."""
        files = sorted(self.notes.iterdir(), key=lambda path: int(path.name))
        words = [path.read_text().split("\n")[:-1] for path in files]
        for path in files:
            path.unlink()
        return words


def cell(world, line, code, **settings):
    """(what ran, shown, stdout, stderr) of a cell."""
    del shown[:]
    out, err = io.StringIO(), io.StringIO()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CPU_DEVICE_")}
    with mock.patch.dict(os.environ, {**environment, **world.settings, **settings}, clear=True), mock.patch.object(device, "root", lambda: world.root), \
            mock.patch.object(magic, "toolkit", lambda: str(world.root / "theirs/nvcc") if settings.get("GPU") else None), \
            contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        magic.cuda(line, code)
    return world.ran(), list(shown), out.getvalue(), err.getvalue()


def cells(world):
    """Each combination of options, against what must run and be said."""
    code, args, flags = "int main() {}\n", ["37", "a 'b'", "", "$x", "--check"], ["-O3", "-DX=a b"]
    report = {"runs": [{"results": [{"message": {"text": "race <1>"}, "locations": [{"physicalLocation": {"region": {"startLine": 1}}}]}]}]}
    for options in itertools.product(("", "--check"), ("", "--profile"), ("", "--watch"), ("", "--gpu"), (False, True), ("0", "3", "signal"), ("0", "1"),
                                     (True, False)):
        checked, profiled, watched, gpu, more, program_code, other_code, finds = options
        if (program_code != "0") + (other_code == "1") + (not finds) + (not more) > 1:
            continue
        line = " ".join(filter(None, options[:4])) + (f" --args {shlex.quote(shlex.join(args))} --flags {shlex.quote(shlex.join(flags))}" if more else "")
        pathlib.Path(world.settings["REPORT"]).write_text(json.dumps(report if finds else {"runs": [{"results": []}]}))
        ran, pages, out, err = cell(world, line, code, PROGRAM_CODE=program_code, TOOL_CODE=other_code, NVCC_CODE="0", GPU="1", PAGE="<p>page</p>")
        words, options_of_nvcc = (args, flags) if more else ([], [])
        expected, expected_pages, out_words, err_words = [], 0, "", ""
        if gpu and (checked or profiled or watched):
            err_words = "%%cuda: --check, --profile and --watch run on the CPU device: leave --gpu out\n"
        else:
            name = next((word for run in ran for word in run if word.endswith(".cu")), "")
            stem = pathlib.Path(name).stem
            folder = str(pathlib.Path(name).parent)
            with_flags = ["--with", shlex.join(flags)] if more else []
            profile = [["profile", "--json", *with_flags, name if profiled and not checked and not watched else "SOURCE", *words]] * bool(profiled)
            if profiled and not checked and not watched:
                expected = profile
            else:
                expected = [["nvcc", *(["--check"] if checked or watched else []), "-I", str(magic.files_folder()), f"{stem}.cu", "-o", stem,
                             *options_of_nvcc]]
                if watched:
                    expected.append(["watch", "PROGRAM", "PAGE", *words])
                    expected_pages += other_code == "0"
                    err_words += "watch said no\n" * (other_code != "0")
                else:
                    expected.append(["program", *words])
                    out_words += "".join(f"[{word}]\n" for word in words or [""])
                    code_in_words = "139" if program_code == "signal" else program_code
                    if checked:
                        expected_pages += finds
                        out_words += "the last line\n"
                    else:
                        out_words += "\nfirst\nthe last line\n"
                        err_words += f"%%cuda: the program ended with exit code {code_in_words}\n" * (program_code != "0")
                expected += profile
            expected_pages += bool(profiled) and other_code == "0"
            err_words += "profile said no\n" * (bool(profiled) and other_code != "0")
            place = {f"{folder}/{stem}.cu": "SOURCE"} if not (profiled and not checked and not watched) else {}
            ran = [[("SOURCE" if word.endswith(f"{stem}.cu") and "/" in word and place else "PROGRAM" if run[0] == "watch" and i == 1 else "PAGE" if run[0] == "watch" and i == 2 else word)
                    for i, word in enumerate(run)] for run in ran]
        what = f"%%cuda {line}, {program_code}, {other_code}, {finds}"
        check(f"{what}: what runs", ran == expected, f"\n  {ran}\n  {expected}")
        check(f"{what}: what is shown", len(pages) == expected_pages, str(pages))
        check(f"{what}: what is printed", out == out_words, f"\n  {out!r}\n  {out_words!r}")
        check(f"{what}: what is said", err == err_words, f"\n  {err!r}\n  {err_words!r}")


def other_cells(world):
    """What does not run, and what must not wait forever."""
    for line, said in (("--fish", "%%cuda: unrecognized arguments: --fish (%%cuda --help lists the options)\n"), ("--args", "expected one argument"),
                       ("--args 'a", "No closing quotation"),
                       ("--file /a.h", "--file takes a name"), ("--file ../a.h", "--file takes a name"), ("--chec", "unrecognized")):
        ran, pages, out, err = cell(world, line, "")
        check(f"%%cuda {line} is refused in one line", not ran and not pages and not out and said in err and err.count("\n") == 1, f"{ran} {out} {err}")
    check("%%cuda --help", "--flags" in cell(world, "--help", "")[2] and "--file" in cell(world, "-h", "")[2])
    check("without a Toolkit", "there is none here" in cell(world, "--gpu", "")[3] and not cell(world, "--gpu", "")[0])
    ran, _, _, _ = cell(world, "--gpu", "x", GPU="1")
    check("with one", [run[0] for run in ran] == ["nvcc", "program"])
    check("a file that is kept", cell(world, "--file 'sub/my a.h'", "<code>")[2] == "kept as sub/my a.h: other cells may include it\n" and
          (magic.files_folder() / "sub/my a.h").read_text() == "<code>")
    ran, pages, out, err = cell(world, "--profile --check", "x", NVCC_CODE="1", SAID_BY_NVCC="x.cu:3: error <no>")
    check("what does not compile", [run[0] for run in ran] == ["nvcc"] and (pages, out, err) == ([], "", "x.cu:3: error <no>\n"), f"{ran} {out} {err}")
    check("what the compiler says besides", cell(world, "", "x", SAID_BY_NVCC="a warning")[3] == "a warning\n")
    pathlib.Path(world.settings["REPORT"]).unlink()
    _, _, out, err = cell(world, "--check --args 1", "x", STDERR_BYTES="300000", PROGRAM_CODE="2")  # more than a pipe takes
    check("a checked program that says much and has no report",
          out == "[1]\n" and err.endswith("the last line\n%%cuda: the program ended with exit code 2\n") and len(err) > 300000,
          f"{out} {err[-200:]}")
    (world.root / "common/cpu_device/.cache/runtime-checked-1").unlink()
    for line, built in (("", ""), ("--check", " for checked runs"), ("--watch", " for checked runs"), ("--profile", " for checked runs")):
        said = f"Building the CPU device{built}, once, about 30 s ..."
        check(f"%%cuda {line} says what takes long", (said in cell(world, line, "x")[2]) == bool(built))
    left = [path for path in pathlib.Path(tempfile.gettempdir()).glob("cuda_cell_*")]
    check("no folder is left", not left, str(left))


# ---- what is shown ----

def findings_of(rng, count):
    found = []
    for _ in range(rng.randint(0, 3)):
        def place():
            return {"physicalLocation": {"region": {"startLine": rng.randint(1, count)}}}
        found.append({"message": {"text": f"{rng.choice(STRANGE)}\n{rng.choice(STRANGE)}"}, "locations": [place()],
                      "relatedLocations": [rng.choice([place(), {"message": {"text": "no place"}}]) for _ in range(rng.randint(0, 2))]})
    return found


def check_listing(rng, what):
    code = [rng.choice(STRANGE) for _ in range(rng.choice([1, 9, 10, 30, 60]))]
    found = findings_of(rng, len(code))
    main = {one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in found}
    other = {place["physicalLocation"]["region"]["startLine"] for one in found for place in one["relatedLocations"] if "physicalLocation" in place} - main
    page = Page(listing.listing("\n".join(code), found))
    check(f"{what}: the findings", page.texts("p") == [one["message"]["text"] for one in found], str(page.texts("p")))
    expected, before = [], 0
    for number, text in enumerate(code, 1):
        if any(number - 4 <= mark <= number + 4 for mark in main | other):
            if 0 < before < number - 1:
                expected.append((" ...", "opacity"))
            before = number
            expected.append((f"{number:4} {text or ' '}", "#ffd7d5" if number in main else "#fff1c9" if number in other else "inherit"))
    rows = [(text, style["style"]) for tag, style, text in page.found if tag == "span" and "block" in style["style"]]
    check(f"{what}: the lines", [text for text, _ in rows] == [text for text, _ in expected], f"\n  {rows}\n  {expected}")
    check(f"{what}: their colors", all(color in style for (_, style), (_, color) in zip(rows, expected)), f"\n  {rows}\n  {expected}")


def check_table(rng, what):
    kernels, expected = [], []
    for _ in range(rng.randint(0, 3)):
        accesses = [{"line": rng.randint(1, 99), "kind": rng.choice(["global_load", "shared_atomic"]), "requests": rng.randint(0, 9),
                     "now": rng.choice(STRANGE),
                     "possible": rng.choice(STRANGE), "what_to_do": rng.choice(STRANGE), "waste": waste} for waste in rng.sample(range(100), rng.randint(0,
                             3))]
        kernels.append({"kernel": rng.choice(STRANGE), "accesses": accesses})
        for one in sorted(accesses, key=lambda one: one["waste"], reverse=True):
            expected += [kernels[-1]["kernel"], str(one["line"]), one["kind"].replace("_", " "), str(one["requests"]), one["now"], one["possible"],
                         one["what_to_do"]]
    page = Page(listing.table({"kernels": kernels}))
    check(f"{what}: the counts", page.texts("td") == expected, f"\n  {page.texts('td')}\n  {expected}")
    check(f"{what}: the titles", page.texts("th") == ["kernel", "line", "what", "requests", "now", "possible", "what to do"])
    check(f"{what}: rows", len(page.texts("tr")) == 1 + len(expected) // 7)
    whole = "".join(rng.choice(STRANGE) for _ in range(9))
    check(f"{what}: a page in the cell", Page(listing.frame(whole)).found[0][1].get("srcdoc") == whole if whole else True)


# ---- the commands of the package ----

caches = []  # where a command that another process replaces has what is built


class Ended(BaseException):
    pass


class Terminal(io.StringIO):
    def isatty(self):
        return True


def command(world, folder, name, *words, terminal=False, **settings):
    """Exit code, what ran or what the process becomes, and what it said."""
    became, err, out = [], Terminal() if terminal else io.StringIO(), io.StringIO()

    def become(path, given):
        became.append([str(path), *given[1:]])
        caches.append(os.environ.get("CPU_DEVICE_CACHE"))
        raise Ended
    with mock.patch.dict(os.environ, {**world.settings, **settings}), mock.patch.object(device, "root", lambda: world.root), mock.patch.object(sys, "argv",
            [name, *words]), \
            mock.patch.object(os, "execv", become), contextlib.redirect_stderr(err), contextlib.redirect_stdout(out), contextlib.ExitStack() as stack:
        before, kept = os.getcwd(), [(os.dup(stream), stream) for stream in (1, 2)]
        stack.callback(os.chdir, before)
        os.chdir(folder)
        with open(os.devnull, "wb") as nothing:  # what programs print
            for saved, stream in kept:
                os.dup2(nothing.fileno(), stream)
                stack.callback(os.close, saved)
                stack.callback(os.dup2, saved, stream)
        code = None
        try:
            getattr(commands, name)()
        except SystemExit as end:
            code = end.code
        except Ended:
            pass
    return code, became or world.ran(), out.getvalue(), err.getvalue()


def building(world, folder):
    """Without a terminal, the commands say what takes long the first time; on one, nvcc does."""
    cache, said = world.root / "common/cpu_device/.cache", "Building the CPU device%s, once, about 30 s ...\n"
    (folder / "my hw.cu").write_text("int main() {}\n")
    for plain, checked in itertools.product((True, False), repeat=2):
        for name, built in (("runtime-1", plain), ("runtime-checked-1", checked)):
            (cache / name).unlink(missing_ok=True)
            if built:
                (cache / name).touch()
        for name, words, uses_checked in (("check", [], True), ("watch", [], True), ("profile", [], True), ("nvcc", ["-o", "x"], False),
                                          ("nvcc", ["--check"], True)):
            words = ["my hw.cu", *words]
            expected = said % (" for checked runs" if uses_checked else "") if not (checked if uses_checked else plain) else ""
            err = command(world, folder, name, *words)[3]
            check(f"{name} {words} says that it builds the CPU device: {plain}, {checked}", err == expected, err)
        err = command(world, folder, "nvcc", "--version")[3]
        check("nvcc --version builds nothing", err == "", err)
    err = command(world, folder, "check", "my hw.cu", terminal=True)[3]
    check("on a terminal nvcc says it", err == "", err)
    for name in ("runtime-1", "runtime-checked-1"):
        (cache / name).touch()


def package(world, folder):
    (folder / "my hw.cu").write_text("int main() {}\n")
    (folder / "notes.txt").write_text("x")
    given = ["1", "a b", "", "--page", "--json", "-h"]
    for name, path in (("nvcc", "nvcc"), ("debug", "bin/cuda-debug")):
        check(f"{name} passes on its words", command(world, folder, name, "--version", *given)[1] == [[f"{world.root}/common/cpu_device/{path}", "--version",
                *given]])
    for name in ("check", "watch"):
        for words, code, said in (([], 2, "name a .cu file"), (["--fish", "my hw.cu"], 2, "name a .cu file"), (["nix.cu"], 2, "there is no file 'nix.cu'"),
                                  (["notes.txt"], 2, "'notes.txt' is not a .cu file")):
            done = command(world, folder, name, *words)
            check(f"cuda-{name} {words} is refused in one line", (done[0], done[1], done[3].count("\n")) == (code, [],
                    1) and said in done[3] and done[3].startswith(f"cuda-{name}: "), str(done))
        for word in ("-h", "--help"):
            done = command(world, folder, name, word)
            check(f"cuda-{name} {word}", done[0] == 0 and done[2].startswith(f"Usage: cuda-{name} FILE.cu") and not done[1], str(done))
        for code in ("1", "3"):
            done = command(world, folder, name, "my hw.cu", NVCC_CODE=code)
            check(f"cuda-{name}: what does not compile ends with {code}", done[0] == int(code) and len(done[1]) == 1, str(done))
    for code, ended in (("0", 0), ("1", 1), ("77", 77), ("255", 255), ("signal", 139)):
        done = command(world, folder, "check", "my hw.cu", *given, PROGRAM_CODE=code)
        check(f"cuda-check ends with {ended}", done[0] == ended and done[1][1] == ["program", *given] and done[1][0][:3] == ["nvcc", "--check", "my hw.cu"],
              str(done))
    for code in ("0", "2"):
        done = command(world, folder, "watch", "my hw.cu", *given, TOOL_CODE=code)
        check(f"cuda-watch ends with {code}", done[0] == int(code) and done[1][1][0] == "watch" and done[1][1][2:] == ["my hw.watch.html", *given] and
              done[1][1][1].endswith("/my hw") and done[1][0][1] == "--check", str(done))
    tool = [sys.executable, "-B", f"{world.root}/tools/profile.py"]
    for words, expected in (([], []), (["--json"], ["--json"]), (["--page"], ["--page", "my hw.profile.html"]), (["--json", "--page"], ["--json", "--page",
            "my hw.profile.html"])):
        done = command(world, folder, "profile", *words, "my hw.cu", *given)
        check(f"cuda-profile {words}", done[1] == [[*tool, *expected, "my hw.cu", *given]], str(done))
        check(f"cuda-profile {words}: where the CPU device is built", caches[-1] == os.environ.get("CPU_DEVICE_CACHE",
                f"{world.root}/common/cpu_device/.cache"), str(caches))
    for words, code in (([], 2), (["-h"], 0), (["--help"], 0)):
        done = command(world, folder, "profile", *words)
        check(f"cuda-profile {words}", done[0] == code and done[2].startswith("Usage: cuda-profile") and not done[1], str(done))
    for words, said in ((["--json"], "there is no file ''"), (["nix.cu", "1"], "there is no file 'nix.cu'"), (["--page", "."], "there is no file '.'")):
        done = command(world, folder, "profile", *words)
        check(f"cuda-profile {words} is refused", (done[0], done[3]) == (2, f"cuda-profile: {said}\n"), str(done))


def toolkits(folder):
    """Which nvcc is NVIDIA's."""
    for number, (said, is_theirs) in enumerate((("nvcc: NVIDIA (R) Cuda compiler driver", True), ("stands in the place of NVIDIA's; CPU device", False),
                                                ("something else", False))):
        place = folder / f"bin {number}"
        place.mkdir()
        (place / "nvcc").write_text(f"#!/bin/sh\necho '{said.replace(chr(39), '')}'\n")
        (place / "nvcc").chmod(0o755)
        with mock.patch.dict(os.environ, {"PATH": f"{folder}/none:{place}:/bin"}):
            found = magic.toolkit()
        check(f"the Toolkit's nvcc is one that says {said}", (found == str(place / "nvcc")) == is_theirs, str(found))


def registered():
    calls = []
    ipython = types.SimpleNamespace(register_magic_function=lambda *words: calls.append(words))
    magic.register(ipython)
    check("%%cuda is a magic for cells", calls == [(magic.cuda, "cell", "cuda")], str(calls))
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(device, "root", lambda: pathlib.Path(folder)):
        try:
            magic.register(ipython)
            said = ""
        except ImportError as error:
            said = str(error)
    check("without the CPU device it says so", "install the package again" in said, said)


def wheels(folder):
    """By its mark, a notebook knows whether its copy of the CPU device is that of the wheel: each other content has another one."""
    def mark(files):
        place = folder / "carried"
        place.mkdir(exist_ok=True)
        for name, text in files.items():
            (place / name).write_text(text)
        carried = [(name, place / name) for name in files]
        with mock.patch.object(backend, "carried_files", lambda: carried):
            wheel = zipfile.ZipFile(folder / backend.build_wheel(folder))
        found = {name: wheel.read("cuda_cpu/course/" + name).decode() for name in files}
        check(f"a wheel carries {files}", found == files, str(found))
        return wheel.read("cuda_cpu/course/content.txt").decode()

    first = {"a.txt": "one", "b.txt": "two"}
    others = [{"a.txt": "one", "b.txt": "twp"}, {"a.txt": "onf", "b.txt": "two"}, {"a.txt": "two", "b.txt": "one"},
              {"a.txt": "one", "c.txt": "two"}, {"a.txt": "one"}]
    marks = [mark(files) for files in [first, *others]]
    check("each content has its mark", len(set(marks)) == len(marks), str(marks))
    check("the same content has the same mark", mark(first) == marks[0], marks[0])


def main():
    with tempfile.TemporaryDirectory() as scratch:
        # Folders of cells are made here, too.
        with mock.patch.object(tempfile, "tempdir", scratch):
            folder = pathlib.Path(scratch).resolve()
            world = World(folder)
            cells(world)
            other_cells(world)
            building(world, folder)
            package(world, folder)
            toolkits(folder)
            wheels(folder)
    registered()
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        rng = random.Random(seed)
        check_listing(rng, f"seed {seed}")
        check_table(rng, f"seed {seed}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
