#!/usr/bin/env python3
"""Random command lines of the CPU device's nvcc, against a model of the commands that it runs.

    nvcc_orders_test.py NVCC [SEEDS]

A seed makes a list of options and files. The model says from it, written from nvcc --help and the Toolkit's manual, which
commands are run with which words in which order. --dryrun shows those of nvcc. Each list is given in several ways that must do
the same: with other spellings, the files elsewhere among the options, and parts in files of options, which may name further
ones, and in NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS.

Then calls that find their output there already: what they make must be what they make in an empty folder.
"""

import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "harness")]
# pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402
from nvcc_options_test import Driver  # noqa: E402

FIXED = ["-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math"]
TRAPS = ["-fsanitize=unreachable", "-fsanitize-undefined-trap-on-error"]
CUDA = ["-include", "ROOT/include/cuda_runtime.h", "-D__CUDACC__"]
FILES = ["a.cu", "b.o", "c.cpp", "d.c", "sub/e.cu", "libf.a", "g.cc", "my h.cu"]
KINDS = {"cu": "cu", "cpp": "c++", "cc": "c++", "c": "c", "o": "object", "a": "object"}
# (long name, short one, values): what comes last counts, or all in their order.
VALUES = {"define-macro": ("D", ["A", "A=1", "A=2", "B=x y", "C='\"q\"'"]), "undefine-macro": ("U", ["A", "B"]),
          "include-path": ("I", ["sub", "my headers", "../x", "/abs"]), "system-include": ("isystem", ["sub", "my headers"]),
          "pre-include": ("include", ["a.h", "sub/b.h"]), "library-path": ("L", ["sub", "my libraries", "."]),
          "library": ("l", ["m", "z", "cudart", "png", "cuda", "rt"]), "optimize": ("O", ["0", "1", "2", "3"]),
          "std": ("std", ["c++11", "c++14", "c++17", "c++20", "c++23"]),
          "compiler-options": ("Xcompiler", ["-Wall", "-Wextra,-fopenmp", "-DQ=1\\,2", "-O0", "-march=native"]),
          "linker-options": ("Xlinker", ["-z,now", "--as-needed", "-rpath,/x"]), "fmad": ("fmad", ["true", "false"]),
          "default-stream": ("default-stream", ["legacy", "null", "per-thread"]),
          "gpu-architecture": ("arch", ["sm_90", "native", "compute_75"]), "generate-code": ("gencode", ["arch=compute_90,code=sm_90"]),
          "maxrregcount": ("maxrregcount", ["32"]), "ptxas-options": ("Xptxas", ["-v", "-O3"]), "relocatable-device-code": ("rdc", ["true"]),
          "threads": ("t", ["0", "4"]), "cudart": ("cudart", ["static"])}
SWITCHES = {"debug": "g", "device-debug": "G", "profile": "pg", "disable-warnings": "w", "use_fast_math": "use_fast_math", "no-loops": None, "loops": None,
            "generate-line-info": "lineinfo", "extended-lambda": None, "restrict": None, "shared": "shared", "forward-unknown-to-host-compiler": None}


class Model:
    """What nvcc does with these (name, value); files have no name."""

    def __init__(self, options, folder):
        self.folder, self.phase, self.output, self.into, self.language = folder, "link", "", "", ""
        self.files = [value for name, value in options if name is None]
        self.before, self.of_compiler, self.of_linker, self.libraries, self.common = [], [], [], [], []
        self.optimize, self.debug, self.standard, self.loops, self.shared = "", "-g1", "c++17", True, False
        self.depend, self.depend_file, self.target, self.phony = "", "", "", False
        device = False
        for name, value in options:
            device |= name == "device-debug"
            if name is not None:
                self.take(name, value)
        self.optimize = "-O0" if device else self.optimize
        if self.debug == "-g" and self.optimize == "-O0":
            self.common.append("-BROOT/debugger/lines/")  # the stand-in is an older g++
        if device or any(word in ("-O0", "-pg") for word in [*self.of_compiler, *self.common, self.optimize]):
            self.loops = False
        if not any(word.startswith("-ffp-contract") for word in self.common):
            self.common.append("-ffp-contract=off")
        if self.loops:
            self.common.insert(0, "-DCPU_DEVICE_LANES_LEVEL=N")

    def take(self, name, value):
        joined = {"define-macro": "-D", "undefine-macro": "-U", "include-path": "-I"}
        if name in joined:
            self.before.append(joined[name] + value)
        elif name in ("system-include", "pre-include"):
            self.before += ["-" + VALUES[name][0], value]
        elif name == "library-path":
            self.of_linker.append("-L" + value)
        elif name == "library":
            self.libraries += [] if value.startswith("cuda") else ["-l" + value]
        elif name == "linker-options":
            self.of_linker += [word for one in value.split(",") for word in ("-Xlinker", one)]
        elif name == "compiler-options":
            self.of_compiler += [one.replace("\1", ",") for one in value.replace("\\,", "\1").split(",")]
        elif name == "unknown":
            self.of_compiler.append(value)
        elif name == "optimize":
            self.optimize = "-O" + value
        elif name == "std":
            self.standard = value if value in ("c++20", "c++23") else "c++17"
        elif name == "fmad":
            self.common.append("-ffp-contract=" + ("fast" if value == "true" else "off"))
        elif name == "default-stream":
            self.before += ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"] * (value == "per-thread")
        elif name in ("debug", "device-debug"):
            self.debug = "-g"
        elif name == "profile":
            self.common.append("-pg")
            self.of_linker.append("-pg")
        elif name == "disable-warnings":
            self.common.append("-w")
        elif name == "use_fast_math":
            self.common.append("-freciprocal-math")
        elif name in ("loops", "no-loops"):
            self.loops = name == "loops"
        elif name == "shared":
            self.shared = True
        elif name in ("compile", "lib", "preprocess", "link", "cuda", "generate-dependencies"):
            self.phase = name
            self.depend = "-M" if name == "generate-dependencies" else self.depend
        elif name == "output-file":
            self.output = value
        elif name == "output-directory":
            self.into = value + "/"
        elif name == "x":
            self.language = value
        elif name.endswith("with-compile"):
            self.depend = "-MMD" if "nonsystem" in name else "-MD"
        elif name == "dependency-output":
            self.depend_file = value
        elif name == "dependency-target-name":
            self.target = value
        elif name == "generate-dependency-targets":
            self.phony = True

    def kind(self, file):
        kind = KINDS[file.rpartition(".")[2]]
        return self.language if self.language and kind != "object" else kind

    def flags(self, kind):
        return [self.optimize or "-O2", *([] if self.debug == "-g" else ["-gdwarf-4"]), self.debug, *FIXED, *self.common, *self.of_compiler, *TRAPS,
                *([] if kind == "c" else ["-std=" + self.standard])]

    def default(self, file, suffix):
        return self.into + file.rpartition("/")[2].rpartition(".")[0] + suffix

    def commands(self):
        """[words of a command], or the words of the error."""
        sources = [file for file in self.files if self.kind(file) != "object"]
        if not self.files:
            return "No input files specified; use option --help for more information"
        if self.phase in ("preprocess", "generate-dependencies"):
            return [self.preprocessed(file) for file in sources]
        if self.phase in ("compile", "cuda"):
            if not sources:
                return "No source files: only objects and libraries were given"
            if len(sources) > 1 and self.output:
                return "With -o, only one file can be compiled at a time"
            suffix = ".o" if self.phase == "compile" else ".cu.cpp.ii"
            return [one for file in sources for one in self.compiled(file, self.output or self.default(file, suffix))]
        found, objects, number = [], [], 0
        for file in self.files:
            if self.kind(file) == "object":
                objects.append(file)
            else:
                number += 1
                objects.append(f"/tmp/nvcc/{number}.o")
                found += self.compiled(file, objects[-1])
        if self.phase == "lib":
            return [*found, ["ar", "rcs", self.output or "a.a", *objects]]
        return [*found, ["g++", "-pthread", *self.of_compiler, *self.of_linker, *(["-shared"] if self.shared else []), *objects, *self.libraries,
                         "FOLDER/cache/runtime-KEY/libcpu_device.a", "-LROOT/lib", "-Wl,--as-needed", "-ldl", "-o", self.output or "a.out"]]

    def dependencies(self, file, output):
        if not self.depend:
            return []
        name, target = str(pathlib.PurePath(output).with_suffix(".d")), output
        if self.phase == "link":
            name, target = self.default(file, ".d"), self.output or "a.out"
        return [self.depend, "-MF", self.depend_file or name, "-MT", self.target or target, *(["-MP"] if self.phony else [])]

    def compiled(self, file, output):
        kind = self.kind(file)
        flags, before = self.flags(kind), ["-D__NVCC__", "-IROOT/include", *self.before]
        if kind != "cu":
            return [["g++", *flags, *before, *self.dependencies(file, output), "-x", kind, "-c", file, "-o", output]]
        name = "/tmp/nvcc/" + file.rpartition("/")[2]
        rewritten = output if self.phase == "cuda" else name + ".ii"
        return [["g++", *flags, *CUDA, *before, *self.dependencies(file, output), "-E", "-x", "c++", file, "-o", name + ".i"],
                ["rewriter", "<", name + ".i", ">", rewritten],
                *([["g++", *flags, "-x", "c++-cpp-output", "-c", rewritten, "-o", output]] if self.phase != "cuda" else [])]

    def preprocessed(self, file):
        kind = self.kind(file)
        *flags, standard = self.flags("cu")
        output = self.output or self.depend_file
        depends = [self.depend, *(["-MT", self.target] if self.target else []), *(["-MP"] if self.phony else [])]
        return ["g++", *flags, "-D__NVCC__", "-IROOT/include", *self.before, *(CUDA if kind == "cu" else []), *([] if kind == "c" else [standard]),
                *(["-E"] if self.phase == "preprocess" else depends), *(["-o", output] if output else []), "-x", "c++" if kind == "cu" else kind, file]


class Lines:
    """Random options, and ways to write them."""

    def __init__(self, seed, driver):
        self.rng, self.driver, self.files = random.Random(seed), driver, 0

    def options(self):
        rng, chosen = self.rng, []
        twice = rng.choice([name for name in VALUES if len(VALUES[name][1]) > 1])  # which of them counts?
        chosen += [(twice, value) for value in rng.sample(VALUES[twice][1], 2)]
        for _ in range(rng.randrange(1, 7)):
            if rng.random() < 0.1:
                chosen.append(("device-debug", None))
            elif rng.random() < 0.8:
                name = rng.choice(list(VALUES))
                chosen.append((name, rng.choice(VALUES[name][1])))
            else:
                chosen.append((rng.choice(list(SWITCHES)), None))
        phase = rng.choice(["link", "link", "compile", "compile", "preprocess", "lib", "cuda", "generate-dependencies"])
        chosen += [] if phase == "link" and rng.random() < 0.7 else [(phase, None)]
        files = rng.sample(FILES, rng.choice([1, 1, 2, 3]))
        if phase in ("compile", "cuda") and rng.random() < 0.3:
            files = files[:1]
        if rng.random() < 0.4:
            chosen.append(("output-file", rng.choice(["out.x", "sub/out.x", "my out", "sub.x/out", "sub.x/out"])))
        elif rng.random() < 0.3:
            chosen.append(("output-directory", rng.choice(["sub", "sub.x"])))
        if rng.random() < 0.15:
            chosen.append(("x", rng.choice(["cu", "c++", "c"])))
        if phase in ("link", "compile") and rng.random() < 0.6:
            chosen.append((rng.choice(["generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile"]), None))
        if phase == "generate-dependencies" or chosen[-1][0].endswith("with-compile"):
            chosen += [one for one in (("dependency-output", "my.d"), ("dependency-target-name", "the target"), ("generate-dependency-targets", None))
                       if rng.random() < 0.4]
        rng.shuffle(chosen)
        if ("forward-unknown-to-host-compiler", None) in chosen:
            chosen += [("unknown", "-funroll-loops")]
        return chosen, files

    def mixed(self, options, files):
        """The files at random places among the options, in their order."""
        places = sorted(self.rng.randrange(len(options) + 1) for _ in files)
        mixed = list(options)
        for place, file in reversed(list(zip(places, files))):
            mixed.insert(place, (None, file))
        return mixed

    def words(self, name, value):
        """One of the spellings."""
        rng = self.rng
        if name is None or name == "unknown":
            return [value]
        if name in SWITCHES and value is None:
            short = SWITCHES[name]
            return [rng.choice(["--" + name] + ([] if short is None else ["-" + short, "--" + short]))]
        short = VALUES[name][0] if name in VALUES else {
            "compile": "c", "lib": "lib", "preprocess": "E", "link": "link", "cuda": "cuda", "generate-dependencies": "M", "output-file": "o",
            "output-directory": "odir", "x": "x", "generate-dependencies-with-compile": "MD", "generate-nonsystem-dependencies-with-compile": "MMD",
            "dependency-output": "MF", "dependency-target-name": "MT", "generate-dependency-targets": "MP"}[name]
        dashes = rng.choice(["--" + name, "--" + name, "-" + short, "-" + short, "-" + short])
        if value is None:
            return [dashes]
        if len(short) == 1 and short in "DUILlO" and dashes == "-" + short:
            return rng.choice([[dashes, value], [dashes + value], [dashes + value]] + [[dashes + "=" + value]] * (short not in "DO"))
        return rng.choice([[dashes, value], [dashes + "=" + value]])

    def file(self, words):
        """A file of options, with quotes as in a shell, in several lines. Its name."""
        self.files += 1
        name = f"options {self.files}" if self.rng.random() < 0.3 else f"options{self.files}"
        quoted = ['"' + word + '"' if self.rng.random() < 0.5 and not set(word) & set('"\\$`') else shlex.quote(word) for word in words]
        text = "".join(word + self.rng.choice([" ", "\n", "  ", "\t"]) for word in quoted)
        (self.driver.folder / name).write_text(self.rng.choice(["", "\n", " "]) + text + self.rng.choice(["", "\n"]))
        return self.rng.choice([["@" + name], ["--options-file", name], ["-optf", name], ["--options-file=" + name]])

    def written(self, mixed):
        """(words, NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS)"""
        pieces, rng = [self.words(name, value) for name, value in mixed], self.rng
        before, behind = [], []
        while pieces and rng.random() < 0.3 and not any(set(word) & set(" '\"\t") for word in pieces[0]):
            before += pieces.pop(0)
        while pieces and rng.random() < 0.3 and not any(set(word) & set(" '\"\t") for word in pieces[-1]):
            behind[:0] = pieces.pop()
        for _ in range(rng.randrange(3)):  # those of a file may be in a further file
            first = rng.randrange(len(pieces) + 1)
            last = rng.randrange(first, len(pieces) + 1)
            pieces[first:last] = [self.file([word for piece in pieces[first:last] for word in piece])]
        return [word for piece in pieces for word in piece], " ".join(before), " ".join(behind)


def commands_of(driver, words, before="", behind=""):
    """As the model says it."""
    environment = {**driver.environment, "NVCC_PREPEND_FLAGS": before + " --dryrun", "NVCC_APPEND_FLAGS": behind}
    done = subprocess.run([driver.nvcc, *words], cwd=driver.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    lines = done.stderr.splitlines()
    if done.returncode != 0:
        return " ".join(lines[-1].partition(":")[2].split()) if lines else f"exit code {done.returncode}"
    found = [driver.words(line) for line in lines if not line.startswith(("#$ TOP=", "#$ INCLUDES=", "#$ ARCHITECTURE=", "#$ LIBRARIES="))]
    return [[one[0].rpartition("/")[2], *(word for word in one[1:])] for one in found]


def difference(found, wanted):
    if isinstance(found, str) or isinstance(wanted, str) or len(found) != len(wanted):
        return f"{found}\n  wanted: {wanted}"
    return "\n  ".join(f"{shlex.join(one)}\n  wanted: {shlex.join(other)}" for one, other in zip(found, wanted) if one != other)


def small_cases(driver):
    """Files of options with little in them, and what is missing."""
    base = commands_of(driver, ["a.cu"])
    for text in ("", "\n", " \n\t\n"):
        (driver.folder / "empty").write_text(text)
        for words in (["@empty", "a.cu"], ["a.cu", "--options-file", "empty"]):
            found = commands_of(driver, words)
            check(f"{words} with {text!r}: as without", found == base, difference(found, base))
    for output in ("sub.x/out", "result", "sub/out.y.x"):
        wanted = Model([("compile", None), ("generate-dependencies-with-compile", None), ("output-file", output), (None, "a.cu")], driver.folder).commands()
        found = commands_of(driver, ["-c", "-MD", "-o", output, "a.cu"])
        check(f"-c -MD -o {output}: the list is beside it", found == wanted, difference(found, wanted))
    for first, last in (("c++20", "c++17"), ("c++17", "c++23"), ("c++23", "c++11"), ("c++20", "c++23")):
        wanted = Model([("compile", None), ("std", first), ("std", last), (None, "a.cu")], driver.folder).commands()
        found = commands_of(driver, ["-c", "-std=" + first, "a.cu", "-std", last])
        check(f"-std={first} -std {last}: the last counts", found == wanted, difference(found, wanted))
    (driver.folder / "one").write_text("-o")
    for words, wanted in ((["@nothing", "a.cu"], "Could not open options file 'nothing'"), (["a.cu", "@one"], "Missing value for option '-o'"),
                          (["a.cu", "nothing.cu"], "Could not open input file 'nothing.cu'"), (["a.cu", "-o", "sub"], "The output 'sub' is a folder"),
                          (["-c", "sub/e.cu", "-o", "sub/e.cu"], "The output would overwrite the input file 'sub/e.cu'"),
                          (["a.cu", "-odir", "none", "-c"], "The output folder 'none' does not exist"),
                          (["-c"], "No input files specified; use option --help for more information")):
        found = commands_of(driver, words)
        check(f"{words}: {wanted}", found == wanted, found)


# Like COMPILER, but what it makes has in it what it was made of.
JOINER = """#!/bin/sh
case " $* " in
  *' --version '*) echo 'g++ (stand-in) 12.2.0'; exit ;;
  *' -dumpmachine '*) echo x86_64-linux-gnu; exit ;;
  *' -dumpversion '*) echo 12; exit ;;
  *' -print-'*) exit 1 ;;
esac
output=/dev/stdout list='' target='' dependencies=''
for word; do
  shift
  case $before in
    -o) output=$word ;;
    -MF) list=$word ;;
    -MT) target=$word ;;
    -x | -include | -isystem | -Xlinker) ;;
    *) case $word in -M | -MM) dependencies=1 ;; -*) ;; *) set -- "$@" "$word" ;; esac ;;
  esac
  before=$word
done
[ -z "$list" ] || printf '%s: %s\\n' "$target" "$*" >"$list" || exit
case $output in */cache/*) printf '#!/bin/sh\\ncat\\n' >"$output"; chmod +x "$output"; exit ;; esac
if [ -n "$dependencies" ]; then echo "dependencies: $*" >"$output"; else cat -- "$@" >"$output"; fi
"""
# What a call makes, its words, and the input files of an earlier call with the same words.
AGAIN = [
    ("lib.a", "-lib b.o -o lib.a", "a.cu c.c b.o d.o"), ("lib.a", "-lib a.cu d.o c.c -o lib.a", "b.o"), ("a.a", "-lib a.cu b.o", "a.cu b.o c.c"),
    ("a.o", "-c a.cu", "a.cu"), ("x.o", "-c c.c -o x.o", "a.cu"), ("x.o", "-dc a.cu -o x.o", "c.c"), ("a.cu.cpp.ii", "-cuda a.cu", "a.cu"),
    ("a.ptx", "-ptx a.cu", "a.cu"), ("x.cubin", "-cubin a.cu -o x.cubin", "sub/a.cu"), ("a.fatbin", "-fatbin a.cu", "a.cu"),
    ("x.i", "-E a.cu -o x.i", "c.c"), ("x.d", "-M a.cu -o x.d", "c.c"), ("a.d", "-c -MD a.cu", "a.cu"), ("my.d", "-c -MMD -MF my.d a.cu", "c.c"),
    ("a.d", "-MD a.cu b.o", "a.cu"), ("a.out", "a.cu b.o", "a.cu b.o d.o c.c"), ("program", "b.o -o program", "a.cu d.o"),
    ("x.so", "-shared a.cu -o x.so", "b.o c.c d.o"), ("a_dlink.o", "-dlink b.o d.o", "d.o"), ("x.o", "-dlink b.o -o x.o", "d.o"),
    ("a.cu.cpp.ii", "-keep -c a.cu", "a.cu"), ("a.cu.cpp.ii", "-keep a.cu b.o -o program", "a.cu")]
INPUTS = {"a.cu": "of a.cu\n", "sub/a.cu": "of the other a.cu\n", "b.o": "of b.o\n", "c.c": "of c.c\n", "d.o": "of d.o\n"}


class Again:
    """Calls in new folders, with the tools of one driver; ar is the real one."""

    def __init__(self, driver):
        (driver.folder / "bin/g++").write_text(JOINER)
        (driver.folder / "bin/ar").unlink()
        self.driver, self.number = driver, 0

    def folder(self, inputs=None):
        self.number += 1
        folder = self.driver.folder / f"again {self.number}"
        self.write(folder, INPUTS if inputs is None else inputs)
        return folder

    @staticmethod
    def write(folder, inputs):
        for name, text in inputs.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def call(self, folder, words):
        """(exit code, what it says)"""
        done = subprocess.run([self.driver.nvcc, *words], cwd=folder, env=self.driver.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    @staticmethod
    def made(folder):
        """{name: contents} of all files in it; links count as what they lead to."""
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# What may be where the output is to be; each makes it.
def is_older(output):
    output.write_text("of yesterday\n" * 1000)
    os.utime(output, (1, 1))


def is_newer(output):
    output.write_text("")
    os.utime(output, (1 << 32, 1 << 32))


def is_read_only(output):
    output.write_text("nobody writes here\n")
    output.chmod(0o444)


def is_dangling(output):
    output.symlink_to("there_is_none")


def is_link(output):
    (output.parent / "elsewhere").write_text("text behind a link\n")
    output.symlink_to("elsewhere")


def outputs_again(driver):
    again = Again(driver)
    outputs_over_inputs(again)
    for output, line, before in AGAIN:
        words = line.split()
        folder = again.folder()
        code, said = again.call(folder, words)
        fresh = again.made(folder)
        check(f"nvcc {line}: makes {output}", code == 0 and fresh.get(output, b"") != b"" or "-dlink" in words and output in fresh, f"{code} {said}")
        # After a call with other inputs.
        other = [word for word in words if word not in INPUTS]
        folder = again.folder({name: "before: " + text * 9 for name, text in INPUTS.items()})
        code, said = again.call(folder, other + before.split())
        check(f"nvcc {' '.join(other)} {before}: makes {output}", code == 0 and (folder / output).exists(), said)
        again.write(folder, INPUTS)
        code, said = again.call(folder, words)
        now = {name: data for name, data in again.made(folder).items() if name in fresh}
        check(f"nvcc {line} after the same with {before}: as in an empty folder", code == 0 and now == fresh, f"{code} {said}\n  {now}\n  wanted: {fresh}")
        for state in (is_older, is_newer, is_read_only, is_dangling, is_link):
            folder = again.folder()
            state(folder / output)
            kept = again.made(folder)
            code, said = again.call(folder, words)
            now = {name: data for name, data in again.made(folder).items() if name in fresh}
            wanted = fresh if code == 0 else {name: data for name, data in kept.items() if name in now}
            check(f"nvcc {line}, where {output} {state.__name__}: {code}", now == wanted and (code == 0 or state is is_read_only),
                  f"{said}\n  {now}\n  wanted: {wanted}")
            shutil.rmtree(folder)
        folder = again.folder()
        (folder / output).mkdir()
        (folder / output / "mine").write_text("mine\n")
        code, said = again.call(folder, words)
        check(f"nvcc {line}, where {output} is a folder: is refused", code != 0 and output in said and again.made(folder).get(output + "/mine") == b"mine\n",
              f"{code} {said}")


def outputs_over_inputs(again):
    """A default name, or that of a list of dependencies, may be an input file's: it stays as it was."""
    for line, name in (("-lib a.a b.o", "a.a"), ("-lib b.o a.a -o a.a", "a.a"), ("-lib b.o a.a -o a_link.a", "a.a"), ("-x cu a.out", "a.out"),
                       ("-x cu -ptx a.ptx", "a.ptx"), ("-x cu -c -MD a.d", "a.d"), ("-c -MMD -MF a.cu a.cu", "a.cu"), ("-M -MF a.cu a.cu", "a.cu"),
                       ("-E c.c a.cu -o c.c", "c.c")):
        folder = again.folder({**INPUTS, **{one: "of a file with a default name\n" for one in ("a.a", "a.out", "a.ptx", "a.d")}})
        (folder / "a_link.a").symlink_to("a.a")
        before = again.made(folder)
        code, said = again.call(folder, line.split())
        check(f"nvcc {line}: is refused", code != 0 and said.splitlines()[-1].endswith(f"The output would overwrite the input file '{name}'"), said)
        check(f"nvcc {line}: changes no file", again.made(folder) == before, again.made(folder))


def main():
    nvcc, seeds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 120
    with tempfile.TemporaryDirectory() as scratch:
        driver = Driver(nvcc, pathlib.Path(scratch).resolve())
        for name in ("sub", "sub.x"):
            (driver.folder / name).mkdir()
        for name in FILES:
            (driver.folder / name).write_text("")
        commands_of(driver, ["a.cu"])  # builds what it needs, from the stand-in
        small_cases(driver)
        for seed in range(seeds):
            lines = Lines(seed, driver)
            options, files = lines.options()
            wanted = Model(lines.mixed(options, files), driver.folder).commands()
            for way in range(3):
                mixed = lines.mixed(options, files)
                words, before, behind = lines.written(mixed)
                found = commands_of(driver, words, before, behind)
                check(f"seed {seed}, way {way}: NVCC_PREPEND_FLAGS='{before}' nvcc {shlex.join(words)}, NVCC_APPEND_FLAGS='{behind}'", found == wanted,
                      f"options: {mixed}\n  " + difference(found, wanted))
        outputs_again(driver)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
