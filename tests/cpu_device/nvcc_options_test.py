#!/usr/bin/env python3
"""Each option of the CPU device's nvcc: what it changes in the commands that are run. Compared with nvcc_options.txt.

    nvcc_options_test.py NVCC [--update]

The options are read from nvcc itself. A stand-in for g++ compiles nothing, and --dryrun shows the commands. Beside the table there
are rules: all spellings of an option do the same, an option without effect changes nothing, each other one changes something, each
value that is allowed is accepted and another one is not, and --help names only options that there are.

--update writes the table anew. Read the difference before you commit it.
"""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
from counting import check, check_table, finish  # noqa: E402  pylint: disable=wrong-import-position

TABLE = HERE / "nvcc_options.txt"
COMPILER = """#!/bin/sh
case " $* " in
  *' --version '*) echo 'g++ (stand-in) 12.2.0'; exit ;;
  *' -dumpmachine '*) echo x86_64-linux-gnu; exit ;;
  *' -dumpversion '*) echo 12; exit ;;
  *' -print-'*) exit 1 ;;
esac
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then printf '#!/bin/sh\\ncat\\n' >"$2"; chmod +x "$2"; fi
  shift
done
"""
# Of options whose value cannot be just 1.
VALUES = {"o": "x", "odir": "out", "MF": "a.d", "MT": "target", "I": "my headers", "isystem": "my headers", "include": "a.h", "L": "my libraries", "l": "m",
          "arch": "sm_90",
          "Xcompiler": "-Wextra,-DA=1\\,2", "Xlinker": "--as-needed,-z", "options-file": "options", "D": "A=b c", "U": "A", "run-args": "1,2"}
# What it needs besides to be seen.
BESIDES = {"MF": ["-MD", "-c"], "MT": ["-MD", "-c"], "MP": ["-MD", "-c"], "MD": ["-c"], "MMD": ["-c"], "run-args": ["-run"], "odir": ["-c"],
           "loops": ["--no-loops"], "simt-only": ["--enable-tile"]}
# Seen only where something is compiled, or the same as without: nvcc_driver_test.sh has them.
NOT_SHOWN = {"run", "run-args", "keep", "link", "v", "dryrun", "options-file", "ccbin", "MF", "forward-unknown-to-host-compiler"}
# With one dash, -lNAME is a library, but for these words. The same holds for other letters.
GLUED, WORDS = tuple("DUILl"), {"link", "lib", "lineinfo", "list-gpu-arch", "list-gpu-code", "lto", "ltoir", "loops"}
PRINT = {"V", "h", "list-gpu-arch", "list-gpu-code", "print-link-flags", "print-compile-flags",
         "print-library-folder"}


def clauses(nvcc):
    """[(the spellings of an option, what is done for it)]"""
    text = nvcc.read_text(encoding="utf-8")
    block = text[text.index("      o | output-file)"):text.index("      *)\n        if [[ -n $forward_unknown")].replace("\\\n", " ")
    block = re.sub(r"^ *(?:#.*)?\n", "", block, flags=re.M)
    found = []
    # A clause of the option's value inside of one is indented further.
    for clause in re.split(r"^(?=      [\w-]+(?: +\|| *\)))", block, flags=re.M)[1:]:
        patterns, _, body = clause.partition(")")
        found.append(([word.strip() for word in patterns.split("|")], body.strip()))
    return found


class Driver:
    def __init__(self, nvcc, folder):
        self.nvcc, self.folder = nvcc, folder
        (folder / "bin").mkdir()
        for name, text in (("g++", COMPILER), ("objcopy", "#!/bin/sh\n"), ("nm", "#!/bin/sh\n"), ("ld", COMPILER), ("ar", '#!/bin/sh\n: >"$2"\n')):
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)
        for name, text in (("a.cu", "int main() {}\n"), ("b.o", ""), ("a.h", ""), ("options", "-DFROM_A_FILE -DB='c d'\n")):
            (folder / name).write_text(text)
        (folder / "out").mkdir()
        self.environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "CPU_DEVICE_CACHE": str(folder / "cache"), "HOME": str(folder), "TMPDIR": "/tmp",
                            "LC_ALL": "C",
                            "CCCL_PATH": "/none"}
        self.kept = {}

    def run(self, *words):
        """(exit code, lines of stdout, commands and messages as lists of words)"""
        if words not in self.kept:
            done = subprocess.run([self.nvcc, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE,
                                  text=True, check=False)
            self.kept[words] = done.returncode, self.plain(done.stdout).splitlines(), [self.words(line) for line in done.stderr.splitlines()]
        return self.kept[words]

    def plain(self, text):
        text = re.sub(r"(rewriter|runtime|runtime-checked|libraries|libraries-checked)-\d+-\d+", r"\1-KEY", text)
        return text.replace(str(self.folder), "FOLDER").replace(str(self.nvcc.parent), "ROOT")

    def words(self, line):
        line = re.sub(r"-DCPU_DEVICE_LANES_LEVEL=\d", "-DCPU_DEVICE_LANES_LEVEL=N", self.plain(line))
        if not line.startswith("#$ "):
            return [line]
        words = shlex.split(line[3:])  # without CCCL, which is not on every machine
        return [word for word, after in zip(words, [*words[1:], ""]) if "cccl" not in word.lower() and not (word == "-isystem" and "cccl" in after)]

    def commands(self, *words):
        return self.run("--dryrun", *words, "a.cu", "b.o")

    def changes(self, words, besides):
        """What the options change, as lines: of each command the words that go and come."""
        code, out, said = self.commands(*besides, *words)
        _, out_before, before = self.commands(*besides)
        lines = [f"exit code {code}"] * (code != 0) + [f"prints {line}" for line in out if out != out_before]
        if code != 0:
            return lines + [" ".join(words) for words in said if words[0].startswith("nvcc")]
        names = [[self.name(command) for command in commands] for commands in (before, said)]
        if names[0] != names[1]:
            lines.append(f"runs {', '.join(names[1])} instead of {', '.join(names[0])}")
        same = difflib.SequenceMatcher(None, *names, autojunk=False)
        for tag, first, last, low, high in same.get_opcodes():
            for old, new in zip(before[first:last], said[low:high]) if tag == "equal" else [([], command) for command in said[low:high]]:
                for kind, begin, end, start, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                    if kind != "equal":
                        lines.append(f"{self.name(new)}: {shlex.join(old[begin:end]) or 'nothing'} -> {shlex.join(new[start:stop]) or 'nothing'}")
        return lines

    @staticmethod
    def name(command):
        program = command[0].rpartition("/")[2]
        return program + ("" if program != "g++" else " -E" if "-E" in command else " -c" if "-c" in command else " for a program") if "=" not in program else program.partition("=")[0]


def spelled(name, value):
    """Ways to write an option with its value."""
    long = len(name) > 1 and name.startswith(GLUED) and name not in WORDS
    dashes = "--" if long else "-"
    if value is None:
        yield [dashes + name]
    else:
        yield [dashes + name, value]
        yield [f"{dashes if name != 'D' else '--'}{name}={value}"]
    if name in GLUED or name == "O":
        yield [f"-{name}{value}"]
    if not long:
        yield ["--" + name, *([] if value is None else [value])]


def main():
    nvcc, table = pathlib.Path(sys.argv[1]).resolve(), []
    with tempfile.TemporaryDirectory() as scratch:
        driver = Driver(nvcc, pathlib.Path(scratch).resolve())
        code, _, said = driver.commands()
        check("without options it compiles and links", code == 0 and len(said) >= 7, str(said))
        known = set()
        for spellings, body in clauses(nvcc):
            name = spellings[0]
            known.update(spellings)
            choices = re.search(r'require_choice "\$name" "\$value" ([^;\n]*)', body)
            choices = choices[1].split() if choices else []
            for value in (choices or [VALUES.get(name, str(driver.folder / "bin/g++") if name == "ccbin" else "1")]) if "take_value" in body else [None]:
                besides = BESIDES.get(name, [])
                for spelling in spellings:
                    ways = [driver.changes(tuple(words), besides) for words in list(spelled(spelling, value))[:9 if spelling == name else 1]]
                    first = ways[0] if spelling == name else first
                    for way in ways:
                        # The message of a refusal names the option as it was written.
                        check(f"-{spelling} {value}: as -{name}", way == first or way and way[0] == first[0] == "exit code 1", f"{way} {first}")
                if name in PRINT:
                    first = [line for line in first if "prints" in line][:3]
                table.append(driver.plain(f"-{', -'.join(spellings)}{'' if value is None else ': ' + value}") + (f", with {' '.join(besides)}" if besides else ""))
                table += [f"    {line}" for line in first]
                accepted = body.removesuffix(";;").strip() in ("take_value", "") or body.startswith(("take_value; require_choice \"$name\" \"$value\" 64",
                        ";;"))
                if accepted:
                    check(f"-{name} has no effect", first == [], str(first))
                    break
                check(f"-{name} {value} has an effect", first or name in NOT_SHOWN or len(choices) > 1 or name in ("arch", "Werror"))
            if len(choices) > 1:
                check(f"-{name}: the values differ", len({str(driver.changes((f"--{name}", value), [])) for value in choices}) > 1)
            if choices:
                refused = driver.changes((f"--{name}", "fish"), [])
                check(f"-{name}: another value is refused", refused == ["exit code 1", f"nvcc fatal : Value 'fish' is not defined for option '{name}'"] or
                      " ".join(" ".join(refused).split()) == f"exit code 1 nvcc fatal : Value 'fish' is not defined for option '{name}'", str(refused))
            if "take_value" in body:
                refused = driver.run(f"-{name}")[2]
                check(f"-{name} needs a value",
                      [" ".join(" ".join(words).split()) for words in refused] == [f"nvcc fatal : Missing value for option '-{name}'"], str(refused))
        for one in (["-Werror=all-warnings"], ["-Werror", "all-warnings"], ["-Werror", "reorder"], ["-Werror"], ["-arch=native"], ["-arch=all"],
                    ["-arch=compute_75"], ["-arch=sm_90a"], ["-arch=sm_9"],
                    ["-arch=volta"], ["-O9"], ["-funknown"], ["--forward-unknown-to-host-compiler", "-funknown"], ["--fish"], ["-lcudart"], ["-lcublas"],
                    ["-lcudnn"], ["-lcuda", "-lm"], ["--check", "-shared"], ["--check", "-ptx"],
                    ["--check", "-Xcompiler", "-fsanitize=address"], ["--check", "-G"], ["-G"], ["-g", "-O0"], ["-pg"], ["-Xcompiler", "-march=native"],
                    ["-Xcompiler", "-Wl,-z,now"], ["-Xcompiler", "-fsanitize=address,undefined"], ["--enable-tile", "-std=c++20"], ["-c", "-o", "out"],
                    ["-lib", "-o", "l.a"],
                    ["-dlink", "-o", "d.o"], ["-E", "-o", "a.i"], ["-M", "-MF", "a.d"], ["-ptx", "-o", "m"], ["-cuda", "-o", "a.ii"], ["-o", "a.cu"], ["-o",
                            "none/x"]):
            table.append(shlex.join(one))
            table += [f"    {line}" for line in driver.changes(tuple(one), [])]
        helped = driver.run("--help")[1]
        for option in re.findall(r"(?<![\w-])--?([a-zA-Z][\w-]*)", "\n".join(helped[2:])):
            check(f"--help names -{option}, which there is", option in known or option[:1] in "OIDULl" and option[:1] in known or option in ("lpng",
                    "similar"), option)
    check_table(TABLE, table)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
