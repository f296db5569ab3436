"""Grades one submission, or many at the same time."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import queue
import re
import shutil
import stat
import sys
import tempfile
import time
import urllib.parse

import build_kit
from board import totals
from sandbox import CHECKED, COMPILE, RUN, Sandbox
from similarity import tokens
from untrusted import read_file, remove_folder, shown, shown_name
from vetting import STAND_INS, Forbidden, pasting_macros, up_to_last_include, vet_macros, vet_object, vet_text

VETTING = True  # tests turn it off, to see that the sandbox holds without it

MOST_BYTES = 1 << 20  # of an answer
MOST_OBJECT = 64 << 20
MOST_REPORT = 16 << 20  # of a checked run's report
FOUND = 41  # exit code of a checked run with findings
NO_KERNEL = "no kernel was launched"  # what it says then
NOT_OF_KERNEL = "no kernel wrote it: the work belongs in the kernel"  # judge.h
TITLES = {"compiles": "compiles", "given": "right results, cases that you know",
          "hidden": "right results, hidden cases", "fresh": "right results, fresh random data",
          "checked": "no finding in the checked run",
          "counts": "what the CPU device counts", "mistakes": "mistakes found"}
# Findings of which a GPU stops, or reads what happens to be there.
FATAL = {"out-of-bounds", "wrong-side", "misaligned", "use-after-free"}
ENDINGS = {"time": "it did not end within {seconds:.0f} seconds and was stopped",
           "memory": "it used more than {memory} MB of memory and was stopped",
           "tasks": "it started more than {tasks} processes and threads and was stopped",
           "text": "it printed more than {text} MB and was stopped",
           "data": "it wrote more than {data} MB and was stopped"}
HINTS = re.compile(r"^hints used: (\d{1,3}) of \d+$", re.M)
LAUNCH = re.compile(r"<<<|cudaLaunch")
# What answers to these labs have no need of: no proof of anything, but a person should look.
CURIOUS = re.compile(r"\b(asm|__asm__|constructor|dlopen|dlsym|system|popen|fork|execl?[vpe]*|"
                     r"socket|ptrace|atexit|_exit|getenv|setenv|unlink|incbin|u?intptr_t|_fileno|CPU_DEVICE_\w+)\b"
                     r"|\(\s*\*\s*\w*\s*\)\s*\(|/proc|/etc|SARIF|#\s*pragma\s+(?!unroll|once)")


class Refused(Exception):
    """No answer that could be compiled; the words for it."""


def read_answer(path):
    """The text of a submission, if it is one."""
    try:
        about = os.lstat(path)
        if stat.S_ISLNK(about.st_mode):
            raise Refused("it is a link, not a file; hand in the file itself")
        if stat.S_ISDIR(about.st_mode):
            raise Refused("it is a folder, not a file; hand in the .cu file in it")
        if not stat.S_ISREG(about.st_mode):
            raise Refused("it is not an ordinary file")
        if about.st_size > MOST_BYTES:
            raise Refused(f"it has {about.st_size / 1e6:.0f} MB, but an answer may have at most 1 MB")
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from error
    if not data.strip():
        raise Refused("it is empty")
    if b"\0" in data:
        raise Refused("it contains zero bytes; save it as plain text")  # ./lab check says the same
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # the compiler takes that, too
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*(?:include|import)\w*\s*["<]((?:/|.*\.\.)[^">]*)', line)
        if found:
            raise Refused(f"line {number} includes {found[1]}, which is not part of the lab; "
                          "use the lab's headers and those of C++ and CUDA")
    return text


class Line:
    """A line of the result: what it is for, its points, and what was tried, expected and came."""

    def __init__(self, name, most):
        self.name, self.max_score = name, most
        self.score, self.texts = 0, []

    def as_data(self):
        return {"name": self.name, "title": TITLES[self.name], "score": self.score,
                "max_score": self.max_score, "passed": self.score == self.max_score,
                "text": "\n".join(shown(text) for text in self.texts)}


class Grading:
    """Of one submission, or with no path of the starter, in one sandbox."""

    def __init__(self, kit, box, path):
        self.kit, self.box, self.path, self.lab = kit, box, path, kit.lab
        self.lines = {name: Line(name, most) for name, most in self.lab.points.items()
                      if name in ("compiles", "checked") or self.cases(name)}
        self.curious, self.hints = [], None
        self.of_host = ""  # a right result that no kernel wrote, in words
        self.board = None  # what was counted
        self.wrong, self.found = {}, set()  # cases, and (case, rule) of findings

    def cases(self, kind):
        return [case for case in self.lab.cases if case.kind == kind]

    def run(self):
        self.programs, self.folders = {}, []
        self.results = pathlib.Path(tempfile.mkdtemp(dir=self.kit.private))
        try:
            self.try_all()
        except Refused as refusal:
            self.fail_all(str(refusal))
        except Exception as error:  # ours, and no reason to end the others' grading
            self.fail_all(f"the grading itself failed, please tell your teacher: {error!r}")
        finally:
            for folder in self.folders:
                remove_folder(folder)
            remove_folder(self.results)
        return self.result()

    def result(self):
        lines = [line.as_data() for line in self.lines.values()]
        return {"lab": self.lab.name, "student": student(self.path or "starter", self.lab), "file": shown_name(self.path),
                "score": sum(line["score"] for line in lines),
                "max_score": sum(line["max_score"] for line in lines), "seed": self.kit.seed,
                "lines": lines, "hints": self.hints, "board": self.board, "look_at": [shown_name(line) for line in self.curious]}

    def fail_all(self, words):
        for line in self.lines.values():
            line.score, line.texts = 0, []
        self.lines["compiles"].texts = [words]

    def take_all(self, words):
        """No points, although it compiles."""
        for line in self.lines.values():
            line.score = 0
        self.lines["compiles"].texts.append(words)

    def try_all(self):
        text = self.lab.starter() if self.path is None else read_answer(self.path)
        if self.path is not None and tokens(text) == tokens(self.lab.starter()):
            raise Refused("it is the starter: only comments have changed")
        self.curious = [f"line {number}: {line.strip()[:100]}"
                        for number, line in enumerate(text.splitlines(), 1)
                        if CURIOUS.search(line.split("//")[0])][:5]
        self.text = text
        told = HINTS.search(text)  # by ./lab submit, and so by the student
        self.hints = int(told[1]) if told else None
        try:
            if VETTING:
                vet_text(text)
        except Forbidden as error:
            raise Refused(str(error)) from error
        self.run_cases(self.compile(checked=False))
        if any(case not in self.wrong for case in self.cases("given")):
            self.check_cases()
        self.score_cases()
        if self.of_host:
            self.take_all(f"no points, because a result is not a kernel's: {self.of_host}")
        elif all(case in self.wrong for case in self.cases("given")):
            # Others can be right by doing nothing.
            self.take_all("it compiles; points need at least one right result in a case that you know")
            if not self.lines["checked"].texts:
                # What the checked run says of kernels helps to fix it.
                self.lines["checked"].texts += (self.findings(self.cases("given")[:1])
                                                if LAUNCH.search(text) else ["it launches no kernel"])
        else:
            self.lines["compiles"].score = self.lines["compiles"].max_score
            self.count_cases()
        self.count_mistakes()
        if self.kit.board:
            self.count_for_board()
        if self.path is not None and 0 < sum(line.score for line in self.lines.values()) < 100:
            if self.behavior() == self.kit.of_starter(self.grade_starter):
                self.take_all("no points: it gives the same results and has the same findings as the starter")

    def behavior(self):
        """What can be seen of it, to tell it from the starter."""
        return [(line.name, line.score) for line in self.lines.values()], set(self.wrong), self.found

    def grade_starter(self):
        starter = Grading(self.kit, self.box, None)
        starter.run()
        return starter.behavior()

    def compile(self, checked):
        """The program; Refused with the compiler's words if there is none. Compiled in a folder of its own, in
        which nothing of the answer has run yet, and looked at before it is linked."""
        if checked in self.programs:
            return self.programs[checked]
        folder = self.box.scratch()
        self.folders.append(folder)
        (folder / self.lab.file).write_text(self.text)
        options = self.kit.checked_option() if checked else []
        self.run_compiler([*options, "-MD", "-MF", "answer.d", "-c", self.lab.file, "-o", "answer.o"], folder)
        included = self.refuse_strange_files(folder)
        if VETTING and not checked:  # which the preprocessor does not show to an answer
            self.vet_headers(folder, included)
        parts = self.vet_compiled(folder, checked) if VETTING else []
        self.run_compiler([*options, "answer.o", *parts, self.kit.harness(checked), "-o", "program"], folder)
        self.programs[checked] = folder / "program"
        return self.programs[checked]

    def vet_headers(self, folder, included):
        """Looks at the macros of headers. They are the same where another answer included the same in the same way."""
        known = self.kit.pasting_macros
        key = up_to_last_include(self.text), included
        try:
            if key not in known:
                self.run_compiler(["-E", "-Xcompiler", "-dD", self.lab.file, "-o", "answer.i"], folder)
                text = read_file(folder / "answer.i", MOST_OBJECT).decode(errors="replace")
                known[key] = pasting_macros(text, self.lab.file)
            vet_macros(self.text, known[key])
        except (OSError, Forbidden) as error:
            raise Refused(str(error)) from error

    def vet_compiled(self, folder, checked):
        """Looks at the object file; the objects that it also needs."""
        try:
            needed = vet_object(read_file(folder / "answer.o", MOST_OBJECT), self.kit.allowed[checked])
        except (OSError, Forbidden) as error:
            raise Refused(str(error)) from error
        if not needed:
            return []
        renamed = [word for name in needed for word in ("--redefine-sym", f"{name}={STAND_INS[name]}")]
        done = self.box.run(["objcopy", *renamed, "answer.o"], folder, COMPILE)
        if done["ended"] != "exit" or done["code"] != 0:
            raise Refused("the linker's objcopy: " + ending(done, COMPILE))
        return [self.kit.stand_ins()]

    def run_compiler(self, words, folder):
        done = self.box.run([*self.kit.nvcc(), *words], folder, COMPILE)
        if done["ended"] != "exit":
            raise Refused("the compiler: " + ending(done, COMPILE))
        if done["code"] != 0:
            raise Refused("it does not compile: " + self.compiler_words(done["text"]))

    def refuse_strange_files(self, folder):
        """The files that the answer includes, if all are the lab's or the system's."""
        try:
            text = read_file(folder / "answer.d", MOST_BYTES).decode(errors="replace")
        except OSError as error:
            raise Refused(f"its includes cannot be read: {error.strerror}") from error
        words = text.replace("\\\n", " ").split()[1:]
        allowed = (str(self.kit.folder) + "/", str(folder) + "/", "/usr/")
        for word in words:
            place = os.path.normpath(os.path.join(folder, word))
            if not place.startswith(allowed):
                raise Refused(f"it includes {word}, which is not part of the lab")
        return " ".join(words)

    def compiler_words(self, text):
        """The messages that are about the answer, without lines of other files."""
        kept = [line[:200] for line in text.splitlines()
                if re.match(rf"{re.escape(self.lab.file)}:\d+(:\d+)?: (fatal )?error", line)
                or "multiple definition" in line or "undefined reference" in line
                or line.startswith("nvcc")]
        kept = [re.sub(r"(?<![\w.])/\S*/", "", line) for line in kept]  # no folders of ours
        return "\n".join(kept[:8]) or "the compiler does not say where; try ./lab check"

    def run_cases(self, program):
        """Tries every case; self.wrong says what is wrong with some of them."""
        stopped = False
        for kind in ("given", "hidden", "fresh"):
            for case in self.cases(kind):
                good, words, ended = ((False, "not tried, because a case before it was stopped", None)
                                      if stopped else self.run_case(program, case))
                if not good:
                    self.wrong[case] = words
                stopped |= ended in ENDINGS

    def score_cases(self):
        """Points for right results, evenly for the cases of a line."""
        for kind in ("given", "hidden", "fresh"):
            cases = self.cases(kind)
            said = [(self.words(case), self.wrong[case]) for case in cases if case in self.wrong]
            if cases:
                right = len(cases) - len(said)
                self.lines[kind].score = self.lines[kind].max_score * right // len(cases)
                self.lines[kind].texts += list(said_once(said)) or [f"{right} of {right} cases right"]

    def words(self, case):
        if case.kind == "hidden":
            return f"hidden case {self.cases('hidden').index(case) + 1}"
        if case.kind == "fresh":
            return f"{self.kit.words(case)} (to repeat it: SEED={self.kit.seed} ./lab check)"
        return str(case)

    def environment(self, case):
        order = {"hidden": "reverse", "fresh": f"shuffle:{self.kit.seed}"}
        return {"LAB_APART": "1", "CPU_DEVICE_ORDER": order.get(case.kind, "forward"),
                "CPU_DEVICE_COUNT": case.value("devices") or "1"}

    def run_case(self, program, case):
        """(whether it was right, in words, how it ended)"""
        results = self.results / "results"
        done = self.box.run([program], program.parent, RUN, self.kit.input(case), results,
                            self.environment(case))
        if case.kind == "hidden":
            done["text"] = ""  # the answer could print its input there
        if done["ended"] != "exit" or done["code"] != 0:
            return False, ending(done, RUN), done["ended"]
        good, words = self.kit.verify(case, results)
        if not good and words.endswith("no result came"):
            words = "it ended without a result: does it call exit()?"
        return good, words, done["ended"]

    def check_cases(self):
        """The checked run of the cases that are small enough."""
        line = self.lines["checked"]
        findings = self.findings([case for kind in ("given", "hidden", "fresh") for case in self.cases(kind)
                                  if case.value("checked") != "no"])
        if findings:
            line.texts += findings
        else:
            line.score = line.max_score
            line.texts.append("no finding")

    def count_cases(self):
        """What the CPU device counts in a case with limits, where its result is right."""
        for case in self.cases("counts"):
            line = self.lines["counts"]
            words, counts = self.counted_run(case)
            words = words or self.kit.verdict_of_counts(case, counts, self.text)
            if words == "right":
                words = "within the limits"
                line.score = line.max_score
            line.texts.append(f"{case}: {words}")

    def counted_run(self, case):
        """(what is wrong with it, or None, the file with what was counted)"""
        program = self.compile(checked=True)
        counts, results = program.parent / "counts.json", self.results / "results"
        with contextlib.suppress(OSError):
            os.unlink(counts)
        done = self.box.run([program], program.parent, CHECKED, self.kit.input(case), results,
                            {**self.environment(case), "CPU_DEVICE_PROFILE": str(counts)})
        if done["ended"] != "exit" or done["code"] != 0:
            return ending(done, CHECKED), counts
        return None if self.kit.verify(case, results)[0] else "its result is not right", counts

    def count_for_board(self):
        """For a board, an answer must be right: limits on counts may be exceeded."""
        lines = self.lines.values()
        if any(line.score < line.max_score for line in lines if line.name != "counts"):
            return
        case = (self.cases("counts") or self.cases("given"))[-1]
        words, counts = self.counted_run(case)
        if words is None:
            self.board = totals(read_file(counts, MOST_REPORT))

    def findings(self, cases):
        """The checked run's findings in these cases, or why they are not known. A right result does not count
        where a GPU would have stopped."""
        found, launched = {}, not self.lab.needs_kernels()
        for case in cases:
            done, own = self.checked_run(case)
            launched |= NO_KERNEL not in done["text"]
            for rule, words in own:
                self.found.add((case, rule))
                if rule != "ended" or not found:  # what is stopped after a finding, the finding explains
                    found.setdefault(rule + words, words)
                if rule in FATAL:
                    self.wrong.setdefault(case, f"right here, but a GPU would stop or return random values: "
                                         + words.splitlines()[0])
            good, words = (True, "") if own else self.kit.verify(case, self.results / "results")
            if words.endswith(NOT_OF_KERNEL):
                self.of_host = f"{self.words(case)}: {words}"
                return [self.of_host]
            if not good and (case.kind != "given" or case not in self.wrong):
                words = f"{self.words(case)}: the checked run gives no right result"
                found[words] = words
            if done["ended"] in ENDINGS:
                break
        if not launched:
            found["kernels"] = "no kernel was launched; the work belongs on the device"
        return list(found.values())[:3]

    def checked_run(self, case):
        """(how it ended, [(rule, words) of each finding])"""
        program = self.compile(checked=True)
        report = program.parent / "report.sarif"
        with contextlib.suppress(OSError):
            os.unlink(report)
        done = self.box.run([program], program.parent, CHECKED, self.kit.input(case), self.results / "results",
                            {**self.environment(case), **self.schedules(case), "CPU_DEVICE_REPORT": str(report),
                             "CPU_DEVICE_CHECK_EXIT": str(FOUND), "CPU_DEVICE_TIMEOUT": "10"})
        return done, read_report(report, done, self.lab.file)

    def schedules(self, case):
        """A case that the student knows runs under the checked run's usual schedules. Of the hidden ones, every other runs
        under the one in which all threads take turns, and the others under one that depends on the seed."""
        if case.kind not in ("hidden", "fresh"):
            return {}
        if case.kind == "hidden" and self.lab.cases.index(case) % 2 == 0:
            return {"CPU_DEVICE_SCHEDULE": "1"}
        return {"CPU_DEVICE_SCHEDULE": str(3 + (self.kit.seed + self.lab.cases.index(case)) % 100000)}

    def count_mistakes(self):
        """Of a program with several mistakes, of which each hides the next: how many no longer stop the checked
        run. The case names the kinds of findings in their order."""
        for case in self.cases("mistakes"):
            line, stages = self.lines["mistakes"], case.value("stages").split(".")
            done, own = self.checked_run(case)
            left = [stages.index(rule) if rule in stages else 0 for rule, _ in own]
            good, words = self.kit.verify(case, self.results / "results")
            fixed = min(left) if left else len(stages) if good and done["ended"] == "exit" else 0
            line.score = line.max_score * fixed // len(stages)
            line.texts.append(f"{fixed} of {len(stages)} mistakes no longer stop the checked run ({case})")

def read_report(path, done, answer):
    """(rule, words) of each finding of one checked run. Its report, its last line
    and its exit code must agree: what runs in the answer's process could have written one of them."""
    if done["ended"] in ENDINGS:
        return [("ended", "the checked run: " + ending(done, CHECKED))]
    said = re.findall(r"CPU device: checked run: (no findings?|\d+ findings?)\b", done["text"])
    try:
        results = json.loads(read_file(path, MOST_REPORT))["runs"][0]["results"]
        errors = []
        for one in results:
            if one["level"] != "note":
                at = place(one["locations"], answer)
                errors.append((str(one["ruleId"]), at + one["message"]["text"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return [("ended", "the checked run ended before it could report: " + ending(done, CHECKED))]
    counted = 0 if said and said[-1].startswith("no") else int((said or ["0"])[-1].split()[0])
    crashed = done["ended"] == "signal" or done["code"] > 128
    if len(said) != 1 or counted != len(errors) or (not crashed and (done["code"] == FOUND) != bool(errors)):
        return [("report",
                 "the checked run's report and its last line disagree: did the answer write one of them?")]
    if not errors and (crashed or done["code"] != 0):
        return [("ended", "the checked run: " + ending(done, CHECKED))]
    return errors


def said_once(said):
    """Lines for [(case, what is wrong)]; what differs in numbers only is said once."""
    alike = {}
    for case, words in said:
        alike.setdefault(re.sub(r"0x[0-9a-f]+|-?[\d.]+(e[-+]\d+)?", "#", words), []).append((case, words))
    for (case, words), *more in alike.values():
        names = ", ".join(case for case, _ in more) if len(more) < 3 else f"{len(more)} more cases"
        yield f"{case}: {words}" + (f" (and so with {names})" if more else "")


def place(locations, answer):
    """"dot.cu:12: ", of the first location in the answer: a student need not look into the machinery."""
    for one in locations:
        location = one["physicalLocation"]
        if os.path.basename(urllib.parse.unquote(location["artifactLocation"]["uri"])) == answer:
            return f"{answer}:{location['region']['startLine']}: "
    return "in the code that calls your function: " if locations else ""


def ending(done, limits):
    """How a run ended, in words."""
    if done["ended"] in ENDINGS:
        return ENDINGS[done["ended"]].format(
            seconds=done["seconds"], tasks=limits["tasks"],
            **{key: limits[key] >> 20 for key in ("memory", "text", "data")})
    said = [line for line in done["text"].strip().splitlines() if line.strip()]
    explained = [line for line in said if "CPU device:" in line and "checked run" not in line]
    words = (explained or said or [""])[0][:300]
    how = f"signal {done['code']}" if done["ended"] == "signal" else f"code {done['code']}"
    return f"it ended with {how}" + (f": {words}" if words else "")


def student(path, lab):
    """Who handed it in: the name of the folder if the file has the name that all have, else the file's."""
    path = pathlib.Path(os.path.abspath(path))
    return shown_name(path.parent.name if path.name in (lab.file, lab.name + "_submission.cu") else path.stem)


def grade_all(kit, paths, jobs, results, isolation, progress=None):
    """Sets results[i] to the result of paths[i] as soon as it is known. progress(done, all) is called after
    each. What is the same to the last letter is graded once. isolation: what sandbox.isolation() says."""
    groups = {}
    for i, path in enumerate(paths):
        groups.setdefault(text_or_path(path), []).append(i)
    jobs = min(jobs, len(groups))
    with contextlib.ExitStack() as stack:
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        stack.callback(pool.shutdown, cancel_futures=True)
        boxes = queue.SimpleQueue()
        for _ in range(jobs):
            boxes.put(stack.enter_context(Sandbox(kit.folder, isolation)))

        def one(path):
            box = boxes.get()
            try:
                return Grading(kit, box, path).run()
            finally:
                boxes.put(box)

        waiting = {pool.submit(one, paths[same[0]]): same for same in groups.values()}
        count = 0
        for done in concurrent.futures.as_completed(waiting):
            for i in waiting[done]:
                results[i] = {**done.result(), "student": student(paths[i], kit.lab),
                              "file": shown_name(paths[i])}
                count += 1
                if progress:
                    progress(count, len(paths))


def text_or_path(path):
    """What tells submissions apart."""
    try:
        return read_answer(path)
    except Refused:
        return path


class Lines:
    """Progress where there is no terminal: a line every ten seconds on stderr."""

    def __init__(self):
        self.said = time.monotonic()

    def __call__(self, done, count):
        if time.monotonic() - self.said >= 10 and done < count:
            self.said = time.monotonic()
            print(f"course lab: {done} of {count} graded", file=sys.stderr, flush=True)


def bar(done, count):
    """A progress bar on a terminal's stderr."""
    width = 30
    full = width * done // count
    sys.stderr.write(f"\r[{'#' * full}{'.' * (width - full)}] {done} of {count}"
                     + ("\n" if done == count else ""))
    sys.stderr.flush()
