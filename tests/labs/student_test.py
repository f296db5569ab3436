#!/usr/bin/env python3
"""What ./lab in a hand-out says to a student, against a second one in Python.

    tests/labs/student_test.py [SEEDS]

A seed makes a lab (its cases) and an answer: how each of its runs ends, what it prints, what the checked run finds, what is
counted. Stand-ins for the compiler, the judge and the answer's program play that. Compared are each line of ./lab check and its
exit code, what it keeps in files, how each run was asked for (seed, order of threads, devices), and what submit, hint and debug
do afterwards. The files of each hand-out are compared with what the lab's own files say.
"""

import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
import handout  # noqa: E402
from counting import check, finish  # noqa: E402
from labs import all_labs  # noqa: E402

# Compiles: the "program" reads its case, and plays what plays/PROGRAM/CASE says. A source that says so does not compile.
NVCC = """#!/bin/bash
printf 'nvcc' >>asked; printf ' %s' "$@" >>asked; echo >>asked
source='' output='' kind=program
while (($# > 0)); do
  case $1 in -o) output=$2; shift ;; --check | --branches) kind=checked ;; *.cu) source=$1 ;; esac
  shift
done
[[ ! -e broken ]] || exit 1
[[ $source != ours.cu ]] || ! grep '^//error ' ours.cu | sed 's/^.*error /ours.cu:1:2: error: /; s/QUIET.*/note: nothing/' | grep . || exit 1
[[ $source != ours.cu ]] || ! grep '^//only checked' ours.cu | grep -q $kind || { echo 'ours.cu:7: error: not checked'; exit 1; }
cat >"$output" <<END
#!/bin/bash
read -r seed case
{ printf '%s seed=%s order=%s devices=%s case=%s' $kind "\\$seed" "\\$CPU_DEVICE_ORDER" "\\$CPU_DEVICE_COUNT" "\\$case"
  printf ' %s' "\\${CPU_DEVICE_CHECK_EXIT-}" "\\${CPU_DEVICE_LEAKS-}" "\\${CPU_DEVICE_TIMEOUT-}" "\\${CPU_DEVICE_PROFILE-}"; echo; } >>asked
what=$kind; [[ -z \\${CPU_DEVICE_PROFILE-} ]] || what=counted
source "plays/\\$what/\\${case// /_}"
END
chmod +x "$output"
"""
JUDGE = """#!/bin/bash
mode=$1 seed=$2; shift 2
case="$*"
play=plays/counts/${case// /_}
case $mode in
  input) echo "$seed $*" ;;
  verify) said=$(cat); echo "${said:-c: no result came}"; [[ $said == right ]] ;;
  drawn) echo "drawn-$seed $*" ;;
  counts) printf 'counts seed=%s %s\\n' "$seed" "$*" >>asked; cat >counted; cat "$play"; [[ $(<"$play") == right ]] ;;
esac
"""
COMPILER = """#!/bin/bash
if [[ $1 == -fpreprocessed ]]; then PATH=${PATH#*:} exec g++ "$@"; fi
printf 'g++' >>asked; printf ' %s' "$@" >>asked; echo >>asked
cp plays/judge "${@: -1}"
"""
DEBUGGER = """#!/bin/bash
printf '%s\\n' "$@" >debugged
cat machinery/built/debug_input >>debugged
"""
HIDDEN_WORDS = re.compile(r"(checked|stages)=|(most|least)_")
CHECK = "CPU device: checked run: "


class Run:
    """How a run of the program ends: its exit code, what it prints, and its result for the judge (None: none)."""

    def __init__(self, code, text, result):
        self.code, self.text, self.result = code, text, result

    def script(self):
        said = f"printf '%s' {shlex.quote(self.text)}\n"
        return said + ("" if self.result is None else f"printf '%s' {shlex.quote(self.result)} >&3\n") + f"exit {self.code}\n"

    def verdict(self, seconds):
        if self.code in (124, 137):
            return f"it did not end within {seconds} seconds and was stopped"
        if self.code not in (0, 41):
            first = next((line for line in self.text.split("\n") if line), "")
            return f"it ended with code {self.code}: {first[:300]}"
        return "it ended without a result: does it call exit()?" if self.result is None else self.result


class Lab:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.kernels = int(rng.random() < 0.8)
        self.cases = []  # (kind, [words])
        for number in range(rng.randrange(1, 6)):
            words = [f"n={number}", *rng.choice([[], [], ["devices=3"], ["checked=no"], ["m=1..7", "devices=2"]])]
            self.cases.append((rng.choice(["given", "given", "given", "fresh"]), words))
        if rng.random() < 0.5:
            for number in range(rng.randrange(1, 3)):
                self.cases.append(("counts", [f"n=10{number}", "most_global_reads=5", "least_overlapping=7"][:rng.randrange(2, 4)]))
        if rng.random() < 0.3:
            self.cases.append(("mistakes", ["n=3", "stages=a.b"]))
        if rng.random() < 0.5:
            rng.shuffle(self.cases)
        good = rng.random() < 0.3
        self.plain, self.checked, self.counted, self.counts = {}, {}, {}, {}
        for kind, words in self.cases:
            key = " ".join(words)
            self.plain[key] = self.run(good)
            self.checked[key] = self.checked_run(good)
            self.counted[key] = Run(0, "", "right") if good or rng.random() < 0.7 else self.run(False)
            self.counts[key] = "right" if good or rng.random() < 0.6 else "elements read: 9, but this lab allows 5 at most"
        self.error = rng.choice(["compiles"] * 8 + ["error", "only checked"])
        self.unwanted = rng.random() < 0.1

    def run(self, good):
        rng = self.rng
        text = rng.choice(["", "", "mine\n", "\n\nfirst is blank\n  second\n", "".join(f"line {i}\n" for i in range(rng.choice([24, 25, 26, 40]))),
                           "x" * 310 + "\nrest\n"])
        if good or rng.random() < 0.4:
            return Run(rng.choice([0, 0, 0, 41]), text, "right")
        return rng.choice([Run(0, text, f"c[{rng.randrange(9)}] is {rng.choice(['2', '-3.5e-7', '0xff'])}, expected 4"),
                           Run(0, text, "elements of 4 bytes came"),
                           Run(0, text, None), Run(rng.choice([1, 3, 134, 139]), text, "right"), Run(rng.choice([124, 137]), text, "right")])

    def checked_run(self, good):
        rng = self.rng
        if good or rng.random() < 0.5:
            return Run(0, f"{CHECK}no findings: 1 launch\n", "right")
        return rng.choice([
            Run(0, f"{CHECK}no findings: no kernel was launched\n", "right"),
            Run(0, f"{CHECK}no findings\n", "c[3] is right, but no kernel wrote it: the work"),
            Run(0, f"{CHECK}no findings\n", "c[1] is 3, expected 4"), Run(137, "x\n", None), Run(1, "killed\n", None),
            Run(41, "ours.cu:12: CPU device: race in kernel add\n    12 | c[i] = 1;\n  hint: a barrier\n" + f"{CHECK}1 finding\n", "right"),
            Run(41, "/a/machinery/harness.cu:7: CPU device: out of bounds\n      7 | call(a);\n  x.cu:3 | kept\n"
                "ours.cu:2: CPU device: two\n      2 | own line\n  in machinery/judge.h\n  not covered, line 3\n" + "".join(f"many {i}\n" for i in range(30)) + f"{CHECK}2 findings\n", "right")])

    def text(self):
        text = "// My answer.\nint x;\n"
        if self.error == "error":
            text += "".join(f"//error wrong {i}\n" for i in range(10)) + "//error QUIET\n"
        elif self.error == "only checked":
            text += "//only checked\n"
        return text + ("__asm__ x;\n" if self.unwanted else "")

    def files(self, folder):
        (folder / "ours.cu").write_text(self.text())
        machinery = folder / "machinery"
        for kind, runs in (("program", self.plain), ("checked", self.checked), ("counted", self.counted), ("counts", self.counts)):
            shutil.rmtree(folder / "plays" / kind, ignore_errors=True)
            (folder / "plays" / kind).mkdir(parents=True)
            for key, run in runs.items():
                text = run if kind == "counts" else ("echo '{}' >machinery/built/counts.json\n" if kind == "counted" else "") + run.script()
                (folder / "plays" / kind / key.replace(" ", "_")).write_text(text)
        (machinery / "lab.txt").write_text(f"name ch05_ours\nfile ours.cu\nkernels {self.kernels}\ngiven 30\n")
        (machinery / "cases.txt").write_text("".join(f"{kind} {' '.join(words)}\n" for kind, words in self.cases))


class Model:
    """Of ./lab check: its lines, its exit code, which runs it asks for, and what it keeps."""

    def __init__(self, lab, seed):
        self.lab, self.seed, self.lines, self.result, self.asked, self.failures, self.first = lab, seed, ["ch05_ours:"], [], [], "", None
        self.right = self.tried = 0
        self.code = self.check()

    def report(self, good, text):
        self.lines.append(f"  {'ok' if good else '--'}  {text}")
        self.result.append(self.lines[-1])

    def name(self, kind, words):
        """(seed, order, how the case is called)"""
        shown = " ".join(word for word in words if not HIDDEN_WORDS.match(word))
        if kind != "fresh":
            return 1, "forward", shown
        return self.seed, f"shuffle:{self.seed}", f"drawn-{self.seed} {shown} (random data; to repeat it: SEED={self.seed} ./lab check)"

    def asks(self, program, kind, words, more="   "):
        seed, order, shown = self.name(kind, words)
        devices = next((word[8:] for word in words if word.startswith("devices=")), "1")
        self.asked.append(f"{program} seed={seed} order={order} devices={devices} case={' '.join(words)} {more}")
        return shown

    def show(self, text, indent, where):
        lines = text.splitlines()
        self.lines += [indent + line for line in lines[:24]]
        if len(lines) > 24:
            self.lines.append(f"{indent}... (all of it: {where})")

    def check(self):
        lab = self.lab
        if lab.error == "error":
            self.report(False, "compiles")
            self.lines += [f"        ours.cu:1:2: error: wrong {i}" for i in range(8)]
            return 1
        self.report(True, "compiles")
        if lab.unwanted:
            self.report(False, "the grader will not accept: __asm__ (no lab needs processes, signals, assembler, or what changes how it is compiled)")
            return 1
        self.cases()
        if self.failures:
            self.lines.append("        (the output of failed cases is in last_failures.txt)")
        clean = self.checked_run()
        if clean is not None:
            self.count()
        if self.right == self.tried and clean:
            self.report(True, "all right; your teacher has further cases (hidden). ./lab submit")
            return 0
        self.lines.append(f"  {self.right} of {self.tried} cases right{', but see above' if self.right == self.tried else ''}; ./lab hint helps")
        return 1

    def tries(self):
        return [(kind, words) for kind, words in self.lab.cases if kind in ("given", "fresh")]

    def cases(self):
        said, again, stopped = set(), [], None
        for number, (kind, words) in enumerate(self.tries(), 1):
            self.tried = number
            if stopped:
                continue
            shown, run = self.asks("program", kind, words), self.lab.plain[" ".join(words)]
            verdict = run.verdict(20)
            if verdict == "right":
                self.right += 1
                self.report(True, f"right: {shown}")
                continue
            self.first = self.first or number
            self.failures += f"== {shown}: {verdict}\n{run.text}"
            alike = re.sub(r"0x[0-9a-f]+|-?[0-9.]+(e[-+][0-9]+)?", "#", verdict)
            if alike in said:
                again.append(shown)
                continue
            said.add(alike)
            self.report(False, f"{shown}: {verdict}")
            rest = run.text.splitlines()
            if verdict.startswith("it ended with code"):  # whose first line of text is in the verdict
                while rest and not rest.pop(0):
                    pass
            self.show("\n".join(rest), "        | ", "machinery/built/rest.txt")
            stopped = number if verdict.endswith("was stopped") else None
        if again:
            self.report(False, f"and so in {len(again)} more: {', '.join(again)}")
        if stopped and stopped < self.tried:
            self.report(False, f"{self.tried - stopped} more not tried, because that one was stopped")

    def checked_run(self):
        """Whether nothing was found; None if it could not be compiled."""
        if self.lab.error == "only checked":
            self.report(False, "compiles")
            self.lines.append("        ours.cu:7: error: not checked")
            return None
        launched = not self.lab.kernels
        for kind, words in self.tries():
            if "checked=no" in words:
                continue
            shown, run = self.asks("checked", kind, words, "41 none 10 "), self.lab.checked[" ".join(words)]
            launched |= "no kernel was launched" not in run.text
            verdict = run.verdict(60)
            if verdict.endswith("was stopped"):
                self.report(False, f"the checked run, {shown}: {verdict}; nothing is known of the rest")
                return False
            if "checked run: no findings" in run.text:
                if "no kernel wrote it" not in verdict:
                    continue
                self.report(False, f"the checked run, {shown}: {verdict}")
                return False
            self.report(False, f"the checked run, {shown}:")
            self.show(self.of_student(run.text), "        ", "machinery/built/findings.txt")
            return False
        if not launched:
            self.report(False, "no kernel was launched; the work belongs on the device")
            return False
        self.report(True, "no finding in the checked run")
        return True

    @staticmethod
    def of_student(text):
        """Without the machinery's lines, and their code."""
        kept, theirs = [], False
        for line in text.splitlines():
            if line.startswith((CHECK.strip(), "  not covered, ")):
                continue
            if not line.startswith(" "):
                found = re.match(r"\S*machinery/\S*:\d+: CPU device:", line)
                theirs = found is not None
                line = "in the code that calls your function:" + line[found.end():] if found else line
            if (theirs and re.match(r" *\d+ \| ", line)) or "machinery/" in line:
                continue
            kept.append(line)
        return "\n".join(kept)

    def count(self):
        for kind, words in self.lab.cases:
            if kind != "counts":
                continue
            self.tried += 1
            key = " ".join(words)
            shown, verdict = self.asks("checked", kind, words, "   FOLDER/machinery/built/counts.json"), self.lab.counted[key].verdict(60)
            if verdict == "right":
                self.asked.append(f"counts seed=1 {key}")
                verdict = self.lab.counts[key]
            if verdict == "right":
                self.right += 1
                self.report(True, f"counts within the limits: {shown}")
            else:
                self.report(False, f"counts, {shown}: {verdict}")


class HandOut:
    def __init__(self, folder):
        self.folder = folder
        machinery = folder / "machinery"
        (machinery / "built").mkdir(parents=True)
        (machinery / "common/cpu_device/bin").mkdir(parents=True)
        for name, text in ((folder / "lab", (ROOT / "tools/lab/student.sh").read_text()), (machinery / "common/cpu_device/nvcc", NVCC),
                           (machinery / "common/cpu_device/bin/cuda-debug", DEBUGGER),
                           (folder / "bin/nm", "#!/bin/sh\necho '                 U cudaMalloc'\n"), (folder / "bin/gdb", "#!/bin/sh\n"),
                           (folder / "bin/g++", COMPILER), (folder / "plays/judge", JUDGE),
                           (machinery / "built/judge", JUDGE)):
            name.parent.mkdir(exist_ok=True)
            name.write_text(text)
            name.chmod(0o755)
        for name in ("judge.cpp", "harness.cu"):
            (machinery / name).write_text("")
            os.utime(machinery / name, (1, 1))
        for name in ("harness.o", "harness-checked.o"):
            (machinery / "built" / name).write_text("")
        (machinery / "names.txt").write_text("malloc\n")
        (machinery / "words.txt").write_text("(__)?asm(__)?\nused\n unroll.*\n")
        (folder / "hints").mkdir()
        for i in range(1, 4):
            (folder / f"hints/{i}.md").write_text(f"Hint {i} of 3\n")

    def call(self, *words, seed=None):
        """(exit code, lines of stdout, stderr)"""
        environment = {key: value for key, value in os.environ.items() if key not in ("SEED", "NVCC", "LAB_APART") and not key.startswith("CPU_DEVICE")}
        environment |= {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        if seed is not None:
            environment["SEED"] = str(seed)
        done = subprocess.run(["./lab", *words], cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def read(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else None


def one_seed(hand_out, seed):
    lab, fresh = Lab(seed), 100 + seed
    for name in ("asked", "last_failures.txt", "machinery/built/first_failure"):
        (hand_out.folder / name).unlink(missing_ok=True)
    lab.files(hand_out.folder)
    model = Model(lab, fresh)
    code, said, err = hand_out.call("check", seed=fresh)
    what = f"seed {seed}, ./lab check"
    check(f"{what}: the lines", said == model.lines, "\n  ".join(["said:", *said, "", "wanted:", *model.lines]))
    check(f"{what}: the exit code", code == model.code, code)
    check(f"{what}: nothing on stderr", err == "", err)
    check(f"{what}: the result that is kept", hand_out.read("machinery/built/result.txt") == "".join(line + "\n" for line in model.result))
    compiled = lab.error != "error" and not lab.unwanted
    check(f"{what}: the output of failed cases", (hand_out.read("last_failures.txt") or "") == model.failures, hand_out.read("last_failures.txt"))
    check(f"{what}: the case that failed first", (hand_out.read("machinery/built/first_failure") or "").strip() == str(model.first or ""))
    asked = [line.replace(str(hand_out.folder), "FOLDER") for line in (hand_out.read("asked") or "").splitlines()]
    runs = [line for line in asked if not line.startswith("nvcc")]
    check(f"{what}: the runs", runs == model.asked, "\n  ".join(["asked:", *runs, "", "wanted:", *model.asked]))
    options = {word for line in asked if line.startswith("nvcc") for word in line.split() if word.startswith("--")}
    wanted = set() if not compiled else {"--branches"} if any(kind == "counts" for kind, _ in lab.cases) else {"--check"}
    check(f"{what}: how the checked run is compiled", options == wanted, options)
    return lab, model


def debugged(hand_out, model, wanted):
    """./lab debug starts the case, with its input."""
    (hand_out.folder / "debugged").unlink(missing_ok=True)
    tries = model.tries()
    number = wanted or model.first or 1
    code, _, err = hand_out.call("debug", *([str(wanted)] if wanted else []), seed=77)
    if number > len(tries):
        check(f"./lab debug {number} of {len(tries)}", code == 2 and err == f"lab: there is no case {number}\n", err)
        return
    kind, words = tries[number - 1]
    model.seed = 77
    seed, _, shown = model.name(kind, words)
    check(f"./lab debug {wanted}: which case", f"lab: case {number}, {shown}. Set a breakpoint, then: run" in err, err)
    said = (hand_out.read("debugged") or "").splitlines()
    place = hand_out.folder / "machinery/built"
    check(f"./lab debug {wanted}: what is started", said == ["-ex", f"set args < '{place}/debug_input' 3> /dev/null", "machinery/built/debugged",
                                                             f"{seed} {' '.join(words)}"], said)


def other_commands(hand_out):
    """submit, hint, debug, and what is refused."""
    for seed in (3, 8, 21, 30):
        lab, model = one_seed(hand_out, seed)
        if lab.error == "error":
            continue
        for number in (None, 1, 2, 9):
            debugged(hand_out, model, number)
        hand_out.folder.joinpath("ours.cu").write_text(lab.text() + "/* Checked with ./lab: old\n*/\n")
        code, said, _ = hand_out.call("submit", seed=100 + seed)
        text = hand_out.read("ch05_ours_submission.cu")
        stamp = r"/\* Checked with \./lab: ch05_ours, \d{4}-\d\d-\d\d \d\d:\d\d UTC\n"
        shown = "".join(line + "\n" for line in said if line.startswith(("  ok", "  --")))
        wanted = re.escape(lab.text()) + stamp + re.escape(shown.replace("*/", " /")) + r"hints used: 0 of 3\n\*/\n"
        check(f"seed {seed}: what is handed in", re.fullmatch(wanted, text), text)
        check(f"seed {seed}: where it is", code == 0 and said[-1] == f"lab: hand in {hand_out.folder}/ch05_ours_submission.cu", said[-1:])
    for words, wanted in (([], "1"), ([], "2"), (["1"], "1"), ([], "3"), ([], "3"), (["2"], "2")):
        code, said, _ = hand_out.call("hint", *words)
        check(f"./lab hint {words}: hint {wanted}", code == 0 and said == [f"Hint {wanted} of 3"], said)
    check("the most that was shown is kept", hand_out.read("machinery/built/hints_shown") == "3\n")
    hand_out.call("submit")
    check("how many hints", "hints used: 3 of 3\n*/\n" in hand_out.read("ch05_ours_submission.cu"))
    for words, wanted in ((["hint", "4"], "there is no hint '4'; there are 3"), (["hint", "0"], "there is no hint '0'; there are 3"),
                          (["hint", "x"], "there is no hint 'x'; there are 3"), (["debug", "x"], "debug takes the number of a case, not 'x'"),
                          (["check", "x"], "check takes nothing more; try ./lab --help"), (["frob"], "there is no command 'frob'; try ./lab --help")):
        code, said, err = hand_out.call(*words)
        check(f"./lab {words}: {wanted}", code == 2 and said == [] and err == f"lab: {wanted}\n", err)
    code, said, err = hand_out.call("--help")
    check("./lab --help", code == 0 and not err and {word for line in said for word in re.findall(r"\./lab (\w+)", line)} ==
          {"check", "watch", "debug", "hint", "submit"}, said)
    check("./lab alone says the same, as an error", hand_out.call() == (2, [], "\n".join(said) + "\n"))
    (hand_out.folder / "ours.cu").write_bytes(b"int x;\0")
    check("zero bytes", hand_out.call("check")[::2] == (2, "lab: ours.cu: it contains zero bytes; save it as plain text\n"))
    (hand_out.folder / "ours.cu").unlink()
    check("no answer", hand_out.call("check")[::2] == (2, "lab: there is no ours.cu here; it is the file for your answer\n"))


def building(hand_out):
    """What is missing or old is built, in its order, and the rest is not."""
    built, machinery = hand_out.folder / "machinery/built", hand_out.folder / "machinery"
    first = "lab: the first check of the first lab builds the CPU device: one to four minutes. The next ones take seconds.\n"
    device, flags = "nvcc", "-O1 -std=c++17 -I machinery/common -I machinery"
    parts = (("judge", "judge.cpp", "lab: building part 1 of 3, the comparison of results ...\n",
              "g++ -std=c++17 -O1 -I machinery -I machinery/common machinery/judge.cpp -o machinery/built/judge"),
             ("harness-checked.o", "harness.cu", "lab: building part 2 of 3, the checked run ...\n",
              f"{device} {flags} --check -c machinery/harness.cu -o machinery/built/harness-checked.o"),
             ("harness.o", "harness.cu", "lab: building part 3 of 3, the plain run ...\n", f"{device} {flags} -c machinery/harness.cu -o machinery/built/harness.o"))
    lab = Lab(4)
    lab.files(hand_out.folder)
    for absent in ((), (0,), (1,), (2,), (0, 2), (0, 1, 2)):
        for old in (False, True):
            for number, (target, source, _, _) in enumerate(parts):
                os.utime(machinery / source, (1, 1))
                if number not in absent:
                    continue
                if old:
                    os.utime(built / target, (0, 0))
                else:
                    (built / target).unlink()
            (hand_out.folder / "asked").unlink(missing_ok=True)
            _, _, err = hand_out.call("check", seed=1)
            said = [line for line in hand_out.read("asked").splitlines() if "machinery/built/harness" in line and " -c " in line or line.startswith("g++")]
            wanted = (first if 1 in absent and not old else "") + "".join(parts[number][2] for number in absent)
            check(f"parts {absent} are {'old' if old else 'missing'}: what is built", said == [parts[number][3] for number in absent], said)
            check(f"parts {absent} are {'old' if old else 'missing'}: what is said", err == wanted, err)
    (hand_out.folder / "broken").write_text("")
    (built / "harness.o").unlink()
    code, said, err = hand_out.call("check")
    check("a part that does not compile", code == 2 and said == [] and err ==
          parts[2][2] + "lab: machinery/harness.cu does not compile; unpack the lab again, or tell your teacher\n", err)
    (hand_out.folder / "broken").unlink()
    (machinery / "lab.txt").rename(machinery / "lab.old")
    check("no machinery", hand_out.call("check")[::2] == (2, "lab: the folder machinery/ is missing; unpack the lab again\n"))
    (machinery / "lab.old").rename(machinery / "lab.txt")


def hints_of(lab):
    """[(where, hint)], read from the solution's marks: in the order in which they are met."""
    regions = []
    for line in (lab.folder / "solution.cu").read_text().splitlines():
        begins = re.match(r"\s*// SOLUTION BEGIN(, unmarked)?(?:, met (\d+))?: (.*)", line)
        if begins:
            where = "where to look" if begins[1] else f"TODO {len(regions) + 1}"
            regions.append((int(begins[2] or len(regions) + 1), [(where, begins[3])]))
        elif line.lstrip().startswith("//? "):
            regions[-1][1].append((regions[-1][1][0][0], line.lstrip()[4:]))
    return [hint for _, some in sorted(regions, key=lambda one: one[0]) for hint in some]


def handed_out(folder):
    """The files of each lab's folder, without the CPU device."""
    handout.build_kit.copy_machinery, handout.editor_settings = (lambda to: None), (lambda folder: None)
    for lab in all_labs():
        home = handout.hand_out(lab, folder)

        def text(name, home=home):
            return (home / name).read_text()

        def told(what, good, more="", lab=lab):
            check(f"{lab.name}, handed out: {what}", good, more)

        rows = [line.split("#")[0].split() for line in (lab.folder / "cases").read_text().splitlines()]
        rows = [row for row in rows if row and row[0] != "points"]
        told("all cases but the hidden ones", [line.split() for line in text("machinery/cases.txt").splitlines()] == [row for row in rows if row[0] != "hidden"])
        told("there are hidden ones", sum(row[0] == "hidden" for row in rows) >= 1 and sum(row[0] == "given" for row in rows) >= 2 and
             sum(row[0] == "fresh" for row in rows) >= 1)
        words = dict(line.split(" ") for line in text("machinery/lab.txt").splitlines())
        solution = lab.folder.joinpath("solution.cu").read_text()
        told("its name and file", (words["name"], words["file"], words["kernels"]) == (lab.name, lab.file, str(int("__global__" in solution))), words)
        told("points", sum(int(value) for key, value in words.items() if key not in ("name", "file", "kernels")) == 100, words)
        hints = hints_of(lab)
        told("hints", [text(f"hints/{i}.md") for i in range(1, len(hints) + 1)] ==
             [f"Hint {i} of {len(hints)} ({where}): {hint}\n" for i, (where, hint) in enumerate(hints, 1)] and
             len(list((home / "hints").iterdir())) == len(hints) >= 1, hints)
        task = lab.folder.joinpath("task.md").read_text().rstrip()
        told("the task, and links to the hints", text("task.md").startswith(task + "\n\n## Hints\n") and
             re.findall(r"^- \[hint (\d+): (.*)\]\(hints/(\d+)\.md\)$", text("task.md")[len(task):], re.M) ==
             [(str(i), where, str(i)) for i, (where, _) in enumerate(hints, 1)])
        told("a page with its name", text("README.md").startswith(f"# {lab.name}: {task.splitlines()[0][2:]}\n") and "@" not in text("README.md") and
             f"[{lab.file}]({lab.file})" in text("README.md"))
        told("the files", {path.name for path in home.iterdir()} == {"README.md", "task.md", "hints", "lab", "machinery", lab.file} and
             {path.name for path in (home / "machinery").iterdir()} ==
             {"harness.cu", "judge.cpp", "judge.h", "counts.h", "lab.txt", "cases.txt", "names.txt", "words.txt"})
        told("copies of the machinery", text("machinery/judge.cpp") == (lab.folder / "judge.cpp").read_text() and
             text("machinery/harness.cu") == (lab.folder / "harness.cu").read_text() and os.access(home / "lab", os.X_OK))
    names, patterns = text("machinery/names.txt").splitlines(), text("machinery/words.txt").splitlines()
    check("names are sorted", names == sorted(set(names)) and {"malloc", "printf", "sqrt", "memcpy"} <= set(names) and not {"system", "fork", "kill"} & set(names))
    check("grep knows the three patterns", len(patterns) == 3 and all(
        subprocess.run(["grep", "-qE", one], input="", text=True, check=False).returncode == 1 for one in patterns), patterns)
    check("nothing that stands in for another function is refused", {"getenv", "fopen"} <= set(names))
    for pattern, begin, end, yes, no in ((patterns[0], "", "", ["asm", "__asm__", "_Pragma"], ["assembly", "pragma", "int"]),
                                         (patterns[1], "_*(", ")_*", ["used", "__used__", "constructor", "weak"], ["aligned", "device", "user"]),
                                         (patterns[2], r"^\s*#\s*pragma", ".*", ["#pragma unroll", " # pragma once", "#pragma GCC unroll 4", "#pragma omp parallel"],
                                          ["#pragma GCC optimize", "#pragma weak f", "#pragma push_macro"])):
        found = subprocess.run(["grep", "-xE", begin + pattern + end], input="\n".join(yes + no) + "\n", text=True, check=False, stdout=subprocess.PIPE)
        check(f"grep -xE '{begin}{pattern}{end}'", found.stdout.splitlines() == yes, found.stdout)
    try:
        handout.hand_out(all_labs()[0], folder)
        check("not over another one", False)
    except handout.LabError as error:
        check("not over another one", "there is a " in str(error))


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory() as folder:
        hand_out = HandOut(pathlib.Path(folder).resolve() / "my lab")
        for seed in range(seeds):
            one_seed(hand_out, seed)
        other_commands(hand_out)
        building(hand_out)
        handed_out(pathlib.Path(folder))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
