#!/usr/bin/env python3
"""The modules of ./course (tools/course), one by one; course_script_test.sh tries the whole."""

import ast
import contextlib
import importlib
import importlib.util
import io
import itertools
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import urllib.parse
from concurrent import futures
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
from course import background, building, command_line, compiling, devices, fixes, one_file, own_bench, own_files  # noqa: E402
from course import packages, page_programs, printable, programs, snippets, story  # noqa: E402
from course.commands import check, completion, doctor, tour  # noqa: E402
from course.commands import list as list_command  # noqa: E402
from course.messages import Problem  # noqa: E402
from course.repairs import claims  # noqa: E402
from course.repairs.program import Program  # noqa: E402
from course.site import report, writing  # noqa: E402


def course(*words):
    """Exit code, stdout and stderr of ./course."""
    done = subprocess.run([ROOT / "course", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class CommandLine(unittest.TestCase):
    def test_every_command_has_a_help_of_its_own_and_a_place_in_the_long_one(self):
        usage = command_line.usage()
        for name in command_line.commands():
            self.assertRegex(usage, rf"(?m)^  {name}\b", name)
            module = importlib.import_module(f"course.commands.{name}")
            self.assertTrue(module.USAGE.startswith(name) and module.ABOUT, name)
            self.assertTrue(hasattr(module, "run") or hasattr(module, "run_raw"), name)
        for name in ("list", "run", "test"):
            code, out, _ = course(name, "--help")
            self.assertEqual((code, out.split("\n")[0].split()[:3]), (0, ["usage:", "./course", name]))

    def test_options_end_at_a_programs_name(self):
        split = command_line.split
        self.assertEqual(split(["--cpu", "dot", "--size", "9"], True, ()), (["--cpu"], ["dot", "--size", "9"]))
        self.assertEqual(split(["dot", "--all", "ch05"], False, ()), (["--all"], ["dot", "ch05"]))
        self.assertEqual(split(["--blocks", "0-3", "dot"], True, ("--blocks",)), (["--blocks", "0-3"], ["dot"]))

    @staticmethod
    def is_hidden(call):
        """An option that no help names: it is taken so that it may stand anywhere, and changes nothing."""
        return any(word.arg == "help" and getattr(word.value, "attr", "") == "SUPPRESS" for word in call.keywords)

    def test_every_option_is_used(self):
        """What a parser takes, the code beside it reads: an option that does nothing is worse than none."""
        reads, options = {}, []
        for path in sorted((ROOT / "tools").rglob("*.py")):
            where = path if path.parent.name == "commands" else path.parent
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                    reads.setdefault(where, set()).add(node.attr)
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument" and not self.is_hidden(node):
                    named = [word.value.value for word in node.keywords if word.arg == "dest"] or [word.value for word in node.args]
                    options.append((path, where, {name.lstrip("-").replace("-", "_") for name in named}))
        for path, where, names in options:
            with self.subTest(file=str(path.relative_to(ROOT)), option=names):
                self.assertTrue(names & reads[where])
        self.assertGreater(len(options), 50)

    def test_starts_without_what_it_does_not_need(self):
        done = subprocess.run([sys.executable, "-X", "importtime", ROOT / "tools/course", "list", "dot"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
        self.assertIn("course.packages", loaded)
        self.assertFalse(loaded & {"jinja2", "json", "course.devices", "course.site.report", "email"})


class ExitCodes(unittest.TestCase):
    """Of commands that run a program and end like it: its own code, and what a shell would say of a signal."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def programs(self):
        """(a program, its exit code, or the number of its signal below 0)"""
        for code in (0, 1, 2, 3, 77, 127, 128, 255, -signal.SIGTERM, -signal.SIGSEGV, -signal.SIGABRT):
            path = pathlib.Path(self.folder.name) / f"ends_{code}"
            path.write_text(f"#!/bin/sh\nulimit -c 0\n{f'exit {code}' if code >= 0 else f'kill -{-code} $$'}\n# CPU_DEVICE_PROFILE\n", encoding="utf-8")
            path.chmod(0o755)
            yield path, code

    def ending(self, function, *arguments):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            try:
                return function(*arguments)
            except SystemExit as end:
                return end.code

    def test_of_profile(self):
        about = importlib.util.spec_from_file_location("course_profile", ROOT / "tools/profile.py")  # Python has a module of this name
        profile = importlib.util.module_from_spec(about)
        about.loader.exec_module(profile)
        for path, code in self.programs():
            with self.subTest(code):  # nothing to count is an error, too
                self.assertEqual(self.ending(profile.count, path, []), 2 if code == 0 else code if code > 0 else 1)

    def test_of_a_checked_run_with_a_story(self):
        with mock.patch.object(check, "races", lambda report: [()]), mock.patch.object(check, "tell", lambda: []), \
                mock.patch.object(pathlib.Path, "is_file", lambda path: True):
            for path, code in self.programs():
                with self.subTest(code):
                    self.assertEqual(self.ending(check.tell_story, path, [], 1), code if code >= 0 else 128 - code)

    def test_of_the_notebooks_checked_run(self):
        sys.path.append(str(ROOT / "tools/notebook"))
        from cuda_cpu import commands  # pylint: disable=import-outside-toplevel
        for path, code in self.programs():
            with self.subTest(code), mock.patch.object(commands, "source_of", lambda *_: (None, [])), \
                    mock.patch.object(commands, "compile_checked", lambda *_, path=path: path):
                self.assertEqual(self.ending(commands.check), code if code >= 0 else 128 - code)


class Toolkits(unittest.TestCase):
    """Which nvcc of the Toolkit is used, where there are several."""

    def found(self, there, environment):
        with mock.patch.dict(os.environ, {"CUDACXX": "", "PATH": "/bin", **environment}), \
                mock.patch.object(devices.os.path, "isfile", lambda path: path in there), \
                mock.patch.object(devices.os, "access", lambda path, mode: True), \
                mock.patch.object(devices.glob, "glob", lambda pattern: [path for path in there if path.startswith("/usr/local/cuda-")]):
            for name in ("CUDA_HOME", "CUDA_PATH"):
                if name not in environment:
                    os.environ.pop(name, None)
            return devices.find_toolkit()

    def test_the_newest_of_several(self):
        rng = random.Random(4)
        for _ in range(300):
            versions = [(rng.randint(8, 13), rng.randint(0, 12)) for _ in range(rng.randint(1, 5))]
            there = [f"/usr/local/cuda-{major}.{minor}/bin/nvcc" for major, minor in versions]
            self.assertEqual(self.found(there, {}), "/usr/local/cuda-%d.%d/bin/nvcc" % max(versions))

    def test_what_is_named_comes_first(self):
        there = ["/usr/local/cuda-13.0/bin/nvcc", "/usr/local/cuda/bin/nvcc", "/home/bin/nvcc", "/path/bin/nvcc", "/own/nvcc"]
        for environment, first in (({}, there[1]), ({"CUDA_PATH": "/path"}, there[3]), ({"CUDA_HOME": "/home", "CUDA_PATH": "/path"}, there[2]),
                                   ({"PATH": "/bin:/path/bin", "CUDA_HOME": "/home"}, there[3]), ({"CUDACXX": "/own/nvcc", "PATH": "/path/bin"}, there[4])):
            self.assertEqual(self.found(there, environment), first, environment)
        self.assertEqual(self.found([], {}), "")


class Repairs(unittest.TestCase):
    """The candidates of ./course check --fix; tests/checked_run/fixes_check.py tries them on programs."""

    def changed(self, kind, places, *lines):
        lines = [f"{line}\n" for line in lines]
        return ["".join(change.applied(lines)) for change in fixes.candidates({"ruleId": kind, "message": {"text": ""}}, places, lines)]

    def test_an_update_becomes_an_atomic(self):
        for update, atomic in (("x[i]++;", "atomicAdd(&x[i], 1);"), ("*sum += a * b;", "atomicAdd(sum, a * b);"),
                               ("bits = bits | 4;", "atomicOr(&bits, 4);"), ("--n;", "atomicSub(&n, 1);")):
            self.assertEqual(self.changed("race-grid", [1, 1], f"  {update}"), [f"  {atomic}\n"])
        self.assertEqual(self.changed("race-grid", [1, 1], "  y = x + 1;"), [])

    def test_a_barrier_comes_between_the_lines_or_to_the_end_of_the_loop(self):
        lines = ("  for (int i = 0; i < n; i++) {", "    s[t] = i;", "    sum += s[u];", "  }")
        first, second = self.changed("race-block", [3, 2], *lines)[:2]
        self.assertEqual(first.splitlines()[2:], ["    sum += s[u];", "    __syncthreads();", "  }"])
        self.assertEqual(second.splitlines()[1:3], ["    s[t] = i;", "    __syncthreads();"])

    def test_a_guard_compares_an_index_with_a_parameter(self):
        found = self.changed("out-of-bounds", [3], "__global__ void k(int* a, int n) {", "  int i = threadIdx.x;", "  a[i] = 1;", "}")
        self.assertIn("  if (i < n) a[i] = 1;\n", found[0])

    def test_a_finding_of_another_file_has_no_candidates(self):
        place = {"physicalLocation": {"artifactLocation": {"uri": "a/far%20off.h"}, "region": {"startLine": 61}}}
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.sarif"
            report.write_text(json.dumps({"runs": [{"results": [{"ruleId": "out-of-bounds", "locations": [place]}]}]}))
            for source, lines in (("near.cu", []), ("far off.h", [61])):
                (result, places), = fixes.findings_of(report, source)
                self.assertEqual(places, lines)
            self.assertEqual(fixes.candidates(result, [], ["one line\n"]), [])

    def test_the_fix_of_a_report_makes_of_the_file_what_was_proven(self):
        rng = random.Random(3)
        for _ in range(300):
            before = [f"line {rng.randint(0, 5)}\n" for _ in range(rng.randint(1, 9))]
            after = [line for line in before if rng.random() < 0.8]
            for _ in range(rng.randint(0, 3)):
                after.insert(rng.randint(0, len(after)), "new\n")
            name = rng.choice(["a.cu", "far off/100 %.cu", "ä\"b.cu"])
            change, = fixes.sarif_fix(name, before, after)["artifactChanges"]
            self.assertEqual(urllib.parse.unquote(change["artifactLocation"]["uri"]), name)
            self.assertEqual(self.applied("".join(before), change["replacements"]), "".join(after))

    @staticmethod
    def applied(text, replacements):
        """As SARIF has it: a region begins at a line and column and ends in front of another; regions do not overlap."""
        lines = text.splitlines(keepends=True)

        def at(region, side):
            return sum(map(len, lines[:region[f"{side}Line"] - 1])) + region[f"{side}Column"] - 1

        for one in sorted(replacements, key=lambda one: at(one["deletedRegion"], "start"), reverse=True):
            region = one["deletedRegion"]
            text = text[:at(region, "start")] + one["insertedContent"]["text"] + text[at(region, "end"):]
        return text

    def test_a_program_that_does_not_compile_is_not_one_without_findings(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "bad.cu"
            source.write_bytes(b"// caf\xe9\nint main() { nothing(); }\n")
            with self.assertRaises(Problem):
                fixes.Repair(source, lambda path, report, seconds: None).repaired()

    def test_the_story_of_a_race_has_both_threads_and_both_orders(self):
        text = ("missing barrier: race in kernel k, in block (0,0,0)\n"
                "    thread (1,0,0) reads s[0]    line 7:  sum += s[0];\n"
                "    thread (0,0,0) wrote s[0]    line 6:  s[0] = 1;\n"
                "    no barrier between them since the __syncthreads() in line 4\nhint: Put a __syncthreads() there.")
        steps = [story.Step(match) for match in map(story.ACCESS.match, text.splitlines()) if match]
        told = "\n".join(story.tell(text.splitlines()[0], steps, text))
        self.assertIn("have passed the __syncthreads() in line 4", told)
        self.assertIn("In this order: thread (1,0,0) reads the new value of s[0].", told)
        self.assertIn("In the other order: thread (1,0,0) reads the old value of s[0].", told)

    def test_the_story_of_a_copy_and_the_host(self):
        text = ("the host and the device may access the same memory at the same time\n"
                "    host code reads byte 4 of the memory allocated at a.cu:3    line 9:  printf(\"%d\", data[1]);\n"
                "    kernel fill wrote byte 4 of the memory allocated at a.cu:3    line 5:  data[i] = i;\n")
        steps = [story.Step(match) for match in map(story.ACCESS.match, text.splitlines()) if match]
        told = "\n".join(story.tell(text.splitlines()[0], steps, text))
        self.assertIn("1. Kernel fill and host code can run at the same time. Nothing orders them.", told)
        self.assertIn("In this order: host code reads the new value of this memory.", told)

    LOST = "lost update in kernel add<int, 3>: thread (2,0,0) of block (1,0,0) {}\n    it read 5{}    line 8:  f(&head);\n"

    def test_the_story_of_an_update_that_is_lost(self):
        for title, body, wanted in (
                ("loses its update of head", ", then another thread wrote 7, so its atomicCAS() to 6 changes nothing",
                 "It expects 5 and finds 7, so it does not write 6."),
                ("overwrites another thread's update of head", ", then another thread wrote 7, and now it writes 6",
                 "3. Thread (2,0,0) of block (1,0,0) writes 6 in line 8:  f(&head);\n\nIn this order: the value 7 is gone."),
                ("replaces head, but next[3] holds an older value of it",
                 " and wrote that to next[3]; another thread changed head to 7; its second atomicCAS() replaces that with 6",
                 "In this order: the value 7 is gone, and next[3] still holds 5.")):
            told = "\n".join(story.tell("title", [], self.LOST.format(title, body)))
            self.assertIn("2. Another thread changes head to 7.", told)
            self.assertIn(wanted, told)

    def test_the_story_of_a_block_that_ends_too_early(self):
        text = ("missing cluster.sync() at the end of kernel k: block (0,0,0) may have ended, and its shared memory is gone\n"
                "    thread (1,0,0) of block (1,0,0) reads tile[0] of block (0,0,0)    line 5:  x = other[0];\n")
        steps = [story.Step(match) for match in map(story.ACCESS.match, text.splitlines()) if match]
        told = "\n".join(story.tell("title", steps, text))
        self.assertIn("1. Block (0,0,0) ends. Its shared memory is freed.\n2. Thread (1,0,0) of block (1,0,0) reads tile[0]", told)


class Programs(unittest.TestCase):
    def purpose(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
            file.write(text)
            file.flush()
            return programs.purpose(file.name)

    def test_purpose(self):
        self.assertEqual(self.purpose("// Says <hello>. And more.\n"), "Says <hello>.")
        self.assertEqual(self.purpose("/*\n * Adds 2.5 and 7 on\n * the device.\n */\nint x;\n"),
                         "Adds 2.5 and 7 on the device.")
        self.assertEqual(self.purpose("// Draws\n// a set\n//\n// Not this.\n"), "Draws a set")
        self.assertEqual(self.purpose("/* Short */ int x;\n// no\n"), "Short")
        self.assertEqual(self.purpose("int x;  // no\n"), "")
        self.assertEqual(self.purpose("//\n"), "")
        self.assertEqual(programs.purpose("/nowhere/at/all.cu"), "")

    def test_names(self):
        self.assertEqual(programs.choose(["ch05_threads/dot.cu"])[0].source, "ch05_threads/dot.cu")
        self.assertEqual({p.chapter for p in programs.choose(["ch05", "nbody/"])}, {"ch05_threads", "nbody"})
        with self.assertRaises(KeyError):
            programs.choose(["ch05", "nothing_like_it"])
        self.assertEqual(programs.edit_distance("kitten", "sitting"), 3)
        self.assertIn("dot_broken", programs.nearest("dot_brken"))
        self.assertEqual(programs.nearest("nothing_like_it_at_all"), [])

    def test_libraries_of_a_program(self):
        one = programs.Program("ch05_threads", "x", ["LIBRARIES", "glut", "png", "glut"])
        self.assertEqual(one.link_options(), "-lglut -lGL -lpng")
        self.assertEqual(programs.Program("ch05_threads", "x", []).link_options(), "")

    def test_needed_files(self):
        files = programs.needed_files("ch05_threads/dot.cu")
        self.assertEqual(files[0], "ch05_threads/dot.cu")
        self.assertIn("common/program/timing.h", files)
        self.assertEqual(len(files), len(set(files)))


class OwnFiles(unittest.TestCase):
    def test_keys_differ_by_folder(self):
        one, two = (own_files.OwnFile(pathlib.Path(folder, "hw.cu")) for folder in ("/p1", "/p2"))
        self.assertNotEqual(one.key, two.key)
        self.assertTrue(one.key.startswith("hw-"))

    def test_names(self):
        self.assertEqual(own_files.find("dot").name, "dot")
        self.assertEqual(own_files.find(f"{ROOT}/ch05_threads/dot.cu").source, "ch05_threads/dot.cu")
        self.assertEqual(own_files.find("elsewhere/ch05_threads/dot.cu").source, "ch05_threads/dot.cu")
        for word in ("hw/dot.cu", "dto", "/dev/null/x.cu"):
            with self.assertRaises(Problem):
                own_files.find(word)

    def test_prerequisites(self):
        with tempfile.TemporaryDirectory() as folder:
            rule = pathlib.Path(folder) / "x.d"
            rule.write_text("x.o: /a\\ b/x.cu \\\n /a\\ b/it's.h /usr/c.h\n")
            self.assertEqual(compiling.prerequisites(rule), ["/a b/x.cu", "/a b/it's.h", "/usr/c.h"])

    def test_figures(self):
        self.assertEqual(own_bench.figures("100 blocks; kernel 1.5 ms, copies 2e-1 ms\n3 GB/s\n3.5 GB/s x\n1024 floats"),
                         {("kernel", "ms"): 1.5, ("copies", "ms"): 0.2, ("-", "GB/s"): 3.0, ("- (2)", "GB/s"): 3.5})

    def test_units(self):
        """Each unit of a time or a rate in which programs print, with and without a space, and nothing that is none."""
        units = ["ns", "us", "\u00b5s", "ms", "s", "fps"]
        units += [f"{prefix}B/s" for prefix in ("k", "M", "G", "T", "ki", "Mi", "Gi", "Ti")]
        units += [f"{prefix}{unit}" for prefix in "MGT" for unit in ("FLOP", "FLOPS", "FLOP/s", "FLOPS/s")]
        units += [f"{prefix} {what}/s" for prefix in "kMG" for what in ("keys", "cells", "pixels")]
        for unit in units:
            for number, value in (("7", 7), ("7.", 7), ("0.25", 0.25), ("1e3", 1000), ("2.5e-06", 2.5e-6)):
                for text in (f"kernel: {number} {unit}", f"kernel = {number}{unit}, then", f"kernel {number} {unit}.", f"kernel ({number} {unit})"):
                    self.assertEqual(own_bench.figures(text), {("kernel", unit): value}, text)
        for text in ("7 blocks", "7 sm", "7 msec", "7 GB", "x7 ms", "7 m", "7 GB/sec", "version 1.2.3 ms", "7 s/step"):
            self.assertEqual(own_bench.figures(text), {}, text)

    def test_table(self):
        """Medians, and of a single version the range."""
        one, two = (types.SimpleNamespace(name=name, runs=[{("kernel", "ms"): value} for value in values],
                                          values=lambda key, values=values: values)
                    for name, values in (("one", [3.0, 1.0, 2.0]), ("two", [12347.0, 12345.0])))
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in own_bench.table([one])]
        self.assertEqual([cells[0], cells[2]], [["", "one", "unit", "from", "to"], ["kernel", "2", "ms", "1", "3"]])
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in own_bench.table([one, two])]
        self.assertEqual([cells[0], cells[2]], [["", "one", "two", "unit"], ["kernel", "2", "12346", "ms"]])


HEADER = """\
#pragma once
#include <cstdio>
#define BEFORE 1
#include <vector>
#define USED_MACRO(x) used_by_macro(x)
#define UNUSED_MACRO 3

namespace course {
// Not used: } "
inline int unused(int x) { return x; }
constexpr int kUsed = 3;  // at its line's end
constexpr char kUnused[] = "{";
/* Says } */ inline void used_by_macro(int) { puts("} // no comment"); }
template <typename T, int N = (3 > 2)>
[[nodiscard]] T twice(T x) { return kUsed * x; }
class Used;
enum Color { red, green };
enum class Other { blue };
class Box {
 public:
  Box() : size_{1} {}
  int size() const;
  virtual int area() const;
  Box operator+(const Box&) const;

 private:
  int size_;
};
inline int Box::size() const { return size_; }
inline int Box::area() const { return size_ * size_; }
struct Alone {
  int x;
} alone;
}  // namespace course
#if BEFORE
inline int in_a_branch() { return 1; }
#endif
"""


class OneFile(unittest.TestCase):
    def stays(self, program):
        """What stays of HEADER in the file made of a program."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "ch").mkdir()
            (root / "common").mkdir()
            (root / "common/a.h").write_text(HEADER)
            (root / "common/b.h").write_text('#pragma once\n#include "a.h"\n')
            (root / "ch/x.cu").write_text(f'// What.\n#include "../common/b.h"\n#include "../common/a.h"\n{program}\n')
            with mock.patch.object(one_file, "ROOT", root):
                return one_file.one_file("ch/x.cu")

    def test_what_is_used_stays_once(self):
        text = self.stays("int main() { USED_MACRO(twice(course::red)); return course::alone.x; }")
        for words in ("USED_MACRO(x)", "void used_by_macro", "T twice(T x)", "template <typename T", "kUsed = 3;  // at",
                      "enum Color", "in_a_branch", "#define BEFORE", "#include <vector>", "} alone;"):
            self.assertEqual(text.count(words), 1, words)
        for words in ("UNUSED_MACRO", "unused", "kUnused", "enum class Other", "class Box", "Box::size", "pragma",
                      '#include "', "Not used"):
            self.assertNotIn(words, text)
        self.assertTrue(text.startswith("// What.\n"))
        self.assertEqual(text.count("{"), text.count("}") - 2)  # in a string and a comment

    def test_members_outside_of_their_class(self):
        text = self.stays("int main() { return course::Box().size(); }")
        self.assertIn("class Box {", text)
        self.assertIn("int Box::size() const", text)
        self.assertIn("int Box::area() const", text)  # virtual: needed, though nobody names it
        self.assertNotIn("T twice", text)

    def test_an_include_in_each_spelling(self):
        """Blanks and tabs may stand before and behind the #, and after the word; and a comment or nothing behind the name."""
        blanks = ("", " ", "\t", "  \t")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "helper.h").write_text("#pragma once\ninline int helper() { return 7; }\n")
            source = root / "own.cu"
            for before, inside, after, end in itertools.product(blanks, blanks, blanks, ("", " ", "  // why", " /* why */")):
                line = f'{before}#{inside}include{after}"helper.h"{end}'
                source.write_text(f"{line}\nint main() {{ return helper(); }}\n")
                text = one_file.one_file(str(source))
                self.assertEqual(text.count("inline int helper()"), 1, repr(line))
                self.assertNotRegex(text, r'(?m)^[ \t]*#[ \t]*include[ \t]*"', repr(line))

    def test_every_program(self):
        for program in programs.all_programs():
            text = one_file.one_file(program.source)
            self.assertNotRegex(text, r'(?m)^[ \t]*#[ \t]*(include[ \t]*"|pragma once)', program.name)
            self.assertIn("main(", text)


class Snippets(unittest.TestCase):
    def test_each_has_its_sentence_and_its_code(self):
        names = [snippet.name for snippet in snippets.all_snippets()]
        self.assertEqual(len(names), len(set(names)))
        for snippet in snippets.all_snippets():
            self.assertTrue(snippet.about.endswith((".", ":")), snippet.name)
            self.assertNotRegex(snippet.code(), r'// Topic:|#include "', snippet.name)
            self.assertTrue(snippet.code().startswith("// "), snippet.name)

    def test_the_command(self):
        code, out, err = course("snippet", "dot_product")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("__global__", out)
        code, out, err = course("snippet", "dot_prodct")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean dot_product?", err)
        self.assertIn("  dot_product ", course("snippet")[1])

    def test_the_page_is_up_to_date(self):
        self.assertEqual(snippets.PAGE.read_text(encoding="utf-8"), snippets.page(),
                         "run tools/snippets.py, and commit SNIPPETS.md")


class Packages(unittest.TestCase):
    def command(self, *managers, user="1000"):
        with mock.patch.object(packages, "has", lambda name: name in managers), \
                mock.patch.object(packages, "user_id", lambda: user):
            return packages.install_command("g++", "libpng-dev", "ninja-build")

    def test_what_a_person_types(self):
        self.assertEqual(self.command("apt-get", user="0"),
                         "apt-get update && apt-get install -y --no-install-recommends g++ libpng-dev ninja-build")
        self.assertTrue(self.command("apt-get", "sudo").startswith("sudo sh -c 'apt-get update && "))
        self.assertEqual(self.command("dnf"), "sudo dnf install gcc-c++ libpng-devel ninja-build")
        self.assertEqual(self.command("pacman"), "sudo pacman -S gcc libpng ninja")
        self.assertIn("Debian's names", self.command())

    def test_cmake(self):
        self.assertTrue(packages.is_old_cmake("3.16.3"))
        self.assertFalse(packages.is_old_cmake("3.22.1"))
        self.assertFalse(packages.is_old_cmake("4.0.0-rc1"))

    def test_a_library_that_is_missing(self):
        with mock.patch.object(packages, "LIBRARIES", (("no/such.h", "no-dev", "x"), ("stdio.h", "libc-dev", "y"))):
            self.assertEqual(packages.missing_libraries(), [("no-dev", "x")])


class Building(unittest.TestCase):
    def test_what_failed(self):
        log = ["[1/2] Compiling x", "FAILED: x", "the command", "x.cu:3: error: no", "[2/2] y", "y: warning",
               "ninja: build stopped: subcommand failed."]
        self.assertEqual(list(building.what_failed(log)), ["x.cu:3: error: no"])

    def test_jobs(self):
        self.assertTrue(1 <= building.jobs() <= os.cpu_count())

    def test_a_claim_of_a_large_number_gets_a_free_one(self):
        lines = ["__global__ void k(int* p) {\n", "  if (atomicAdd(p, 0) == 1000) {\n", "  }\n", "}\n"]
        changes = [change.applied(lines)[1] for change in claims.looks(Program(lines))]
        self.assertEqual(changes, ["  if (atomicCAS(p, 1000, 1001) == 1000) {\n"])

    def test_a_disk_without_space_is_named(self):
        for free, needed, words in ((20 << 20, 300 << 20, "21 MB left"), (4 << 30, 5 << 30, "4.3 GB left"), (6 << 30, 5 << 30, "")):
            said = io.StringIO()
            with mock.patch("shutil.disk_usage", return_value=types.SimpleNamespace(free=free)), contextlib.redirect_stderr(said):
                building.say_if_space_is_short(needed)
            self.assertEqual(len(said.getvalue().splitlines()), 1 if words else 0, said.getvalue())
            self.assertIn(words, said.getvalue())


class Tour(unittest.TestCase):
    def test_why_a_program_failed(self):
        self.assertEqual(tour.why(1, "worst at 3", 9), "wrong result: worst at 3")
        self.assertEqual(tour.why(139, "", 9), "ended by the signal SIGSEGV")
        self.assertEqual(tour.why(124, "x", 9), "no end within 9 seconds")
        self.assertEqual(tour.why(3, "", 9), "exit code 3: no message")

    def test_a_program_that_does_not_end(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "endless"
            program.write_text("#!/bin/sh\necho begun\nexec sleep 100\n")
            program.chmod(0o755)
            running = set()
            self.assertEqual(tour.run_in(pathlib.Path(folder), program, 0.5, running), tour.NO_END)
            self.assertEqual((pathlib.Path(folder) / "output.txt").read_text(), "begun\n")
            self.assertFalse(running)

    def test_several_runners_take_each_program_once_and_stop_together(self):
        class Build:
            """Of a real one: the second program is ready at once, the others when the build has ended."""
            def __init__(self):
                self.ended, self.stops = threading.Event(), 0

            def next_of(self, names):
                if "second" in names:
                    return "second", False
                self.ended.wait()
                return names[0], True

            def stop(self):
                self.stops += 1
                self.ended.set()

        build = Build()
        queue = background.ProgramQueue(build, ["first", "second", "third"])
        self.assertEqual(next(queue), ("second", False))
        queue.again.append("second")
        build.ended.set()
        self.assertEqual([next(queue), next(queue)], [("first", True), ("third", True)])
        queue.left.append("fourth")  # before what runs once more
        with futures.ThreadPoolExecutor(4) as pool:
            taken = [one.result() for one in [pool.submit(list, queue) for _ in range(4)]]
        self.assertEqual(sorted(sum(taken, [])), [("fourth", True), ("second", False)])

        build = Build()
        queue = background.ProgramQueue(build, ["first", "third"])
        with futures.ThreadPoolExecutor(2) as pool:
            runners = [pool.submit(list, queue) for _ in range(2)]
            queue.stop()
            self.assertEqual([one.result() for one in runners], [[], []])
        self.assertEqual(build.stops, 1)

    def test_compilers_on_idle_cores_end_with_the_tour(self):
        dot = next(program for program in programs.all_programs() if program.name == "dot")
        pages = page_programs.PagePrograms([dot])
        pages.compile = lambda: pages.run_when_idle("sleep", "100")
        pages.thread = threading.Thread(target=pages.compile)
        with pages:
            pages.start()
            while not pages.running:
                time.sleep(0.01)
            process, = pages.running
            while os.getpriority(os.PRIO_PROCESS, process.pid) != 19:  # at first it is `nice` itself
                time.sleep(0.01)
        self.assertFalse(pages.thread.is_alive())
        self.assertLess(process.returncode, 0)
        pages.run_when_idle("sleep", "100")  # no longer begun

    def test_a_page_is_made_while_others_are_compiled(self):
        dot, constant = (next(p for p in programs.all_programs() if p.name == name) for name in ("dot", "ray_constant"))
        pages = page_programs.PagePrograms([dot, constant])
        with tempfile.TemporaryDirectory() as name:
            folder, made, first = pathlib.Path(name), [], threading.Event()
            pages.device = types.SimpleNamespace(build=folder / "build")
            for program in (dot, constant):
                (folder / program.name).mkdir()
                (folder / "build" / program.chapter).mkdir(parents=True)
            built = folder / "build" / dot.chapter / dot.name
            built.touch(0o755)

            def compile_them():
                pages.compiled.put((dot, True))
                made.append("in time" if first.wait(20) else "late")
                pages.compiled.put((constant, True))  # it was not built
                pages.compiled.put((constant, False))
                pages.compiled.put(None)
            pages.thread = threading.Thread(target=compile_them)

            def watch_page(*words):
                made.append(words)
                first.set()
            with mock.patch("course.site.writing.write_watch_page", watch_page), \
                 mock.patch("course.site.writing.write_profile_page", lambda _, page: made.append(page)), pages:
                pages.start()
                pages.write_pages(folder)
        self.assertEqual(made, [(built, folder / "dot/watch.html", pages.arguments["dot"]), "in time",
                                folder / "ray_constant/profile.html"])

    def test_a_build_for_pages_ends_with_the_tour(self):
        pages = page_programs.PagePrograms([next(p for p in programs.all_programs() if p.name == "dot")])
        stopped = []
        pages.programs_built = types.SimpleNamespace(stop=lambda: stopped.append(True))
        with pages:
            pass
        self.assertEqual(stopped, [True])

    def test_a_profile_page_uses_the_program_that_was_compiled_before(self):
        program = next(program for program in programs.all_programs() if program.name == "ray_constant")
        pages = page_programs.PagePrograms([program])
        before, after = pages.profile(program, "--compile"), pages.profile(program, "--page", "p.html")
        self.assertEqual(before[before.index("--with"):], after[after.index("--with"):])

    def test_without_programs_worth_a_page(self):
        with page_programs.PagePrograms([]) as pages:
            pages.start()
            pages.write_pages(pathlib.Path("nowhere"))
        self.assertFalse(pages.thread.is_alive())

    def test_the_first_page_shows_a_watch_page_at_the_end(self):
        with tempfile.TemporaryDirectory() as name:
            site, results = writing.Site(pathlib.Path(name), []), report.Results("a device", 0)
            one = tour.Tour(devices.Device("cpu"), programs.all_programs()[:1], [], site, results)
            site.write_results(results)

            def write_pages(folder):
                (folder / "dot_broken").mkdir()
                (folder / "dot_broken/watch.html").touch()
            one.make_pages_to_watch(types.SimpleNamespace(write_pages=write_pages))
            self.assertIn('src="dot_broken/watch.html#story"', (site.folder / "index.html").read_text())

    def test_speeds(self):
        one, = report.speeds("the kernel reads 20 GB/s; a copy within the device's memory moves 80 GB/s")
        self.assertEqual((one["label"], one["percent"], one["width"]), ("kernel", "25", "25.0"))
        two = report.speeds("naive: rows  5 GB/s\ntiled: 40 GB/s\na copy within the device's memory  50 GB/s")
        self.assertEqual([(s["label"], s["percent"]) for s in two], [("naive", "10"), ("tiled", "80")])
        self.assertEqual(report.speeds("kernel 20 GB/s; a copy within the device's memory moves 0 GB/s"), [])

    def test_text_for_a_browser(self):
        self.assertEqual(printable.printable("\x1b[31mred\x1b[0m\x07\ttab"), "red\ttab")

    def test_lines_of_the_list(self):
        self.assertEqual(list_command.wrapped("  dot ", "a few words more", 14), ["  dot  a few", "       words", "       more"])


class Devices(unittest.TestCase):
    def test_the_oldest_gpu_decides_what_is_compiled_for(self):
        for said, capability in (("9.0\n", "90"), ("9.0\n10.0\n", "90"), ("12.0\n9.0\n10.3\n", "90"), ("8.6\n8.9\n", "86"),
                                 ("10.0\n12.1\n", "100"), ("", ""), ("no devices were found\n", "")):
            with mock.patch.object(devices, "has", return_value=True), mock.patch.object(devices, "nvidia_smi", return_value=said):
                self.assertEqual(devices.capability(), capability, said)


class Doctor(unittest.TestCase):
    def test_versions(self):
        self.assertLess(doctor.version_number("12.4"), doctor.version_number("12.10"))

    def test_first_line(self):
        self.assertEqual(doctor.first_line("a\nan Error here\nlast", "error"), "an Error here")
        self.assertEqual(doctor.first_line("a\nlast", "error"), "last")


class Completion(unittest.TestCase):
    def words(self, *typed):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            completion.run(None, ["words", str(len(typed)), *typed])
        return out.getvalue().split()

    def test_words(self):
        self.assertIn("profile", self.words("pro"))
        self.assertIn("dot_broken", self.words("run", "dot_b"))
        self.assertIn("ch05_threads", self.words("test", "ch05"))
        self.assertIn("--thorough", self.words("test", "--"))
        self.assertIn("histogram", self.words("bench", "h"))
        self.assertIn("ch05_dot", self.words("lab", "grade", "ch05"))
        self.assertEqual(self.words("frobnicate", ""), [])

    def test_in_bash(self):
        script = f"source <('{ROOT}/course' completion bash); COMP_WORDS=('{ROOT}/course' run dot_brok); " \
                 "COMP_CWORD=2; _course; echo ${COMPREPLY[@]}"
        done = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "dot_broken\n")

    def test_other_shells(self):
        with self.assertRaises(Problem):
            completion.run(None, ["fish"])


if __name__ == "__main__":
    unittest.main()
