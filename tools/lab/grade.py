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

import build_kit
from sandbox import CHECKED, COMPILE, RUN, Sandbox, bubblewrap_works
from similarity import tokens
from untrusted import read_file, remove_folder, shown, shown_name

MOST_BYTES = 1 << 20  # of an answer
MOST_REPORT = 16 << 20  # of a checked run's report
FOUND = 41  # exit code of a checked run with findings
NO_KERNEL = "no kernel was launched"  # what it says then
TITLES = {"compiles": "compiles", "given": "right results, cases that you know",
          "hidden": "right results, hidden cases", "fresh": "right results, fresh random data",
          "checked": "no finding in the checked run",
          "counts": "what the CPU device counts"}
ENDINGS = {"time": "it did not end within {seconds:.0f} seconds and was stopped",
           "memory": "it took more than {memory} MB of memory and was stopped",
           "tasks": "it started more than {tasks} processes and threads and was stopped",
           "text": "it printed more than {text} MB and was stopped",
           "data": "it wrote more than {data} MB and was stopped"}
LAUNCH = re.compile(r"<<<|cudaLaunch")
# What answers to these labs have no need of: no proof of anything, but a person should look.
CURIOUS = re.compile(r"\b(asm|__asm__|constructor|dlopen|dlsym|system|popen|fork|execl?[vpe]*|"
                     r"socket|ptrace|atexit|_exit|getenv|setenv|unlink|incbin|CPU_DEVICE_\w+)\b"
                     r"|/proc|/etc|SARIF|#\s*pragma\s+(?!unroll|once)")


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
            raise Refused(f"it has {about.st_size / 1e6:.0f} MB; an answer has 1 MB at most")
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from error
    if not data.strip():
        raise Refused("it is empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise Refused(f"it is no text in UTF-8 (line {line}); save it as UTF-8") from error
    if "\0" in text:
        raise Refused("it is no text: there are zero bytes in it")
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*(?:include|import)\w*\s*["<]((?:/|.*\.\.)[^">]*)', line)
        if found:
            raise Refused(f"line {number} includes {found[1]}, which is not the lab's; "
                          "take its own headers and those of C++ and CUDA")
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
    """Of one submission, in one sandbox."""

    def __init__(self, kit, box, path):
        self.kit, self.box, self.path, self.lab = kit, box, path, kit.lab
        self.lines = {name: Line(name, most) for name, most in self.lab.points.items()
                      if name in ("compiles", "checked") or self.cases(name)}
        self.curious = []

    def cases(self, kind):
        return [case for case in self.lab.cases if case.kind == kind]

    def run(self):
        self.scratch = self.box.scratch()
        self.results = pathlib.Path(tempfile.mkdtemp(dir=self.kit.private))
        try:
            self.try_all()
        except Refused as refusal:
            self.fail_all(str(refusal))
        except Exception as error:  # ours, and no reason to end the others' grading
            self.fail_all(f"the grading itself failed, please tell your teacher: {error!r}")
        finally:
            remove_folder(self.scratch)
            shutil.rmtree(self.results, ignore_errors=True)
        return self.result()

    def result(self):
        lines = [line.as_data() for line in self.lines.values()]
        return {"lab": self.lab.name, "student": student(self.path, self.lab), "file": shown_name(self.path),
                "score": sum(line["score"] for line in lines),
                "max_score": sum(line["max_score"] for line in lines), "seed": self.kit.seed,
                "lines": lines, "look_at": [shown_name(line) for line in self.curious]}

    def fail_all(self, words):
        for line in self.lines.values():
            line.score, line.texts = 0, []
        self.lines["compiles"].texts = [words]

    def try_all(self):
        text = read_answer(self.path)
        if tokens(text) == tokens(self.lab.starter()):
            raise Refused("it is the starter: nothing but comments has changed")
        self.curious = [f"line {number}: {line.strip()[:100]}"
                        for number, line in enumerate(text.splitlines(), 1)
                        if CURIOUS.search(line.split("//")[0])][:5]
        self.text = text
        program = self.compile(checked=False)
        if not self.run_cases(program):
            for line in self.lines.values():
                line.score = 0
            self.lines["compiles"].texts.append(
                "it compiles; points need at least one right result in a case that you know")
            # No points any more; but what the checked run says of kernels helps the one who has to mend it.
            self.lines["checked"].texts += (self.findings(self.cases("given")[:1])
                                            if LAUNCH.search(text) else ["it launches no kernel"])
            return
        self.lines["compiles"].score = self.lines["compiles"].max_score
        self.check_cases()
        self.count_cases()

    def compile(self, checked):
        """The program; Refused with the compiler's words if there is none."""
        program = "checked" if checked else "program"
        answer = self.scratch / self.lab.file
        with contextlib.suppress(OSError):
            answer.unlink()  # a run before may have put something else there, such as a link
        answer.write_text(self.text)
        command = [*self.kit.nvcc(), *(self.kit.checked_option() if checked else []), "-MD", "-MF", program + ".d",
                   self.lab.file, self.kit.harness(checked), "-o", program]
        done = self.box.run(command, self.scratch, COMPILE)
        if done["ended"] != "exit":
            raise Refused("the compiler: " + ending(done, COMPILE))
        if done["code"] != 0:
            raise Refused("it does not compile:\n" + self.compiler_words(done["text"]))
        self.refuse_strange_files(self.scratch / (program + ".d"))
        return self.scratch / program

    def refuse_strange_files(self, dependencies):
        try:
            text = read_file(dependencies, MOST_BYTES).decode(errors="replace")
        except OSError as error:
            raise Refused(f"what it includes is not known: {error.strerror}") from error
        words = text.replace("\\\n", " ").split()[1:]
        allowed = (str(self.kit.folder) + "/", str(self.scratch) + "/", "/usr/")
        for word in words:
            place = os.path.normpath(os.path.join(self.scratch, word))
            if not place.startswith(allowed):
                raise Refused(f"it includes {word}, which is not the lab's")

    def compiler_words(self, text):
        """The messages that are about the answer, without lines of other files."""
        kept = [line[:200] for line in text.splitlines()
                if re.match(rf"{re.escape(self.lab.file)}:\d+(:\d+)?: (fatal )?error", line)
                or "multiple definition" in line or "undefined reference" in line
                or line.startswith("nvcc")]
        kept = [re.sub(r"(?<![\w.])/\S*/", "", line) for line in kept]  # no folders of ours
        return "\n".join(kept[:8]) or "the compiler does not say where; try ./lab check"

    def run_cases(self, program):
        """Tries every case; whether one of those that the student knows was right: others can be right
        by doing nothing."""
        stopped, self.wrong = False, []
        for kind in ("given", "hidden", "fresh"):
            cases, said = self.cases(kind), []
            for case in cases:
                good, words, ended = ((False, "not tried, because a case before it was stopped", None)
                                      if stopped else self.run_case(program, case))
                if not good:
                    self.wrong.append(case)
                    said.append((self.words(case), words))
                stopped |= ended in ENDINGS
            if cases:
                right = len(cases) - len(said)
                self.lines[kind].score = self.lines[kind].max_score * right // len(cases)
                self.lines[kind].texts += list(said_once(said)) or [f"{right} of {right} cases right"]
        return any(case not in self.wrong for case in self.cases("given"))

    def words(self, case):
        if case.kind == "hidden":
            return f"hidden case {self.cases('hidden').index(case) + 1}"
        if case.kind == "fresh":
            return f"{self.kit.words(case)} (to repeat it: SEED={self.kit.seed} ./lab check)"
        return str(case)

    def environment(self, case):
        order = {"hidden": "reverse", "fresh": f"shuffle:{self.kit.seed}"}
        return {"CPU_DEVICE_ORDER": order.get(case.kind, "forward"),
                "CPU_DEVICE_COUNT": case.value("devices") or "1"}

    def run_case(self, program, case):
        """(whether it was right, in words, how it ended)"""
        results = self.results / "results"
        done = self.box.run([program], self.scratch, RUN, self.kit.input(case), results,
                            self.environment(case))
        if done["ended"] in ENDINGS:
            return False, ending(done, RUN), done["ended"]
        if done["ended"] == "signal" or done["code"] != 0:
            return False, ending(done, RUN), done["ended"]
        good, words = self.kit.verify(case, results)
        if not good and words.endswith("no result came"):
            words = "it ended without a result: does it call exit()?"
        return good, words, done["ended"]

    def check_cases(self):
        """The checked run of the cases that are small enough."""
        line = self.lines["checked"]
        findings = self.findings([case for case in self.lab.cases if case.kind != "counts" and case.value("checked") != "no"])
        if findings:
            line.texts += findings
        else:
            line.score = line.max_score
            line.texts.append("no finding")

    def count_cases(self):
        """What the CPU device counts in a case with limits, where its result is right."""
        for case in self.cases("counts"):
            line = self.lines["counts"]
            program = self.compile(checked=True)
            counts, results = self.scratch / "counts.json", self.results / "results"
            with contextlib.suppress(OSError):
                os.unlink(counts)
            done = self.box.run([program], self.scratch, CHECKED, self.kit.input(case), results,
                                {**self.environment(case), "CPU_DEVICE_PROFILE": str(counts)})
            if done["ended"] != "exit" or done["code"] != 0:
                words = ending(done, CHECKED)
            elif not self.kit.verify(case, results)[0]:
                words = "its result is not right"
            else:
                words = self.kit.verdict_of_counts(case, counts)
            if words == "right":
                words = "within the limits"
                line.score = line.max_score
            line.texts.append(f"{case}: {words}")

    def findings(self, cases):
        """The checked run's findings in these cases, or why they are not known."""
        program = self.compile(checked=True)
        found, launched = {}, not self.lab.needs_kernels()
        for case in cases:
            report, results = self.scratch / "report.sarif", self.results / "results"
            with contextlib.suppress(OSError):
                os.unlink(report)
            done = self.box.run([program], self.scratch, CHECKED, self.kit.input(case), results,
                                {**self.environment(case), "CPU_DEVICE_REPORT": str(report),
                                 "CPU_DEVICE_CHECK_EXIT": str(FOUND), "CPU_DEVICE_TIMEOUT": "10"})
            for key, words in read_report(report, done):
                found.setdefault(key, words)
            launched |= NO_KERNEL not in done["text"]
            if not found and not self.kit.verify(case, results)[0]:
                if case.kind != "given" or case not in self.wrong:
                    words = f"{self.words(case)}: the checked run gives no right result"
                    found[words] = words
            if len(found) >= 3:
                break
        if not launched:
            found["kernels"] = "no kernel was launched; the work belongs on the device"
        return list(found.values())[:3]


def read_report(path, done):
    """(what tells it from others, words) of each finding of one checked run. Its report, its last line
    and its exit code must agree: what runs in the answer's process could have written one of them."""
    if done["ended"] in ENDINGS:
        return [("ended", "the checked run: " + ending(done, CHECKED))]
    said = re.findall(r"CPU device: checked run: (no findings?|\d+ findings?)\b", done["text"])
    try:
        results = json.loads(read_file(path, MOST_REPORT))["runs"][0]["results"]
        errors = []
        for one in results:
            if one["level"] == "error":
                at = place(one["locations"][0]["physicalLocation"]) if one["locations"] else ""
                errors.append((at + one["ruleId"], at + one["message"]["text"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return [("ended", "the checked run ended before it could report: " + ending(done, CHECKED))]
    counted = 0 if said and said[-1].startswith("no") else int((said or ["0"])[-1].split()[0])
    code = done["code"] if done["ended"] == "exit" else 1
    agree = code != 0 if errors else code != FOUND
    if len(said) != 1 or counted != len(errors) or not agree:
        return [("report",
                 "the checked run's report and its last line disagree: has the answer written one?")]
    return errors


def said_once(said):
    """Lines for [(case, what is wrong)]; what differs in numbers only is said once."""
    alike = {}
    for case, words in said:
        alike.setdefault(re.sub(r"0x[0-9a-f]+|-?[\d.]+(e[-+]\d+)?", "#", words), []).append((case, words))
    for (case, words), *more in alike.values():
        names = ", ".join(case for case, _ in more) if len(more) < 3 else f"{len(more)} more cases"
        yield f"{case}: {words}" + (f" (and so with {names})" if more else "")


def place(location):
    name = os.path.basename(location["artifactLocation"]["uri"])
    return f"{name}:{location['region']['startLine']}: "


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


def grade_all(kit, paths, jobs, results, progress=None):
    """Sets results[i] to the result of paths[i] as soon as it is known; what to say of the sandbox.
    progress(done, all) is called after each. What is the same to the last letter is graded once."""
    bubblewrap, sandbox = bubblewrap_works()
    groups = {}
    for i, path in enumerate(paths):
        groups.setdefault(text_or_path(path), []).append(i)
    jobs = min(jobs, len(groups))
    with contextlib.ExitStack() as stack:
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        stack.callback(pool.shutdown, cancel_futures=True)
        boxes = queue.SimpleQueue()
        for _ in range(jobs):
            boxes.put(stack.enter_context(Sandbox(kit.folder, bubblewrap)))

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
    return sandbox


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
