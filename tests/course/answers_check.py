#!/usr/bin/env python3
"""What functions of the tools answer, for arguments at and around each limit: compared with answers.txt.

    answers_check.py [--update]

Each function here gives the same answer for the same arguments: it rounds, counts, quotes, compares, or says something in
words. A line of the table is one question with its answer, or with the error that was raised. So a boundary that moves by
one, a wrong unit, a sign, a rounding, a missing escape and a plural all change a line.

--update writes the table anew. Read the difference before you commit it: each changed line must be what you meant.
"""

import contextlib
import difflib
import hashlib
import importlib.util
import io
import itertools
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import types
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = HERE / "answers.txt"
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/lab"), str(HERE.parent / "harness")]
# pylint: disable=wrong-import-position
import bench  # noqa: E402
import board  # noqa: E402
import classroom  # noqa: E402
import feedback  # noqa: E402
import formats  # noqa: E402
import grade  # noqa: E402
import limits  # noqa: E402
import measure  # noqa: E402
import ncu  # noqa: E402
import profile_page  # noqa: E402
import roster  # noqa: E402
import similarity  # noqa: E402
import untrusted  # noqa: E402
import vetting  # noqa: E402
import watch  # noqa: E402
from counting import check_table, finish  # noqa: E402
from course import devices, own_bench, packages, printable, programs, snippets, story  # noqa: E402
from course.commands import doctor, export, tour  # noqa: E402
from course.commands import list as list_command  # noqa: E402
from course.commands import watch as watch_command  # noqa: E402
from course.repairs import atomics, barriers, candidates, claims, guards, streams  # noqa: E402
from course.repairs.program import Change, Program  # noqa: E402
from course.site import markdown, report, search  # noqa: E402

# Python has a module of this name.
_about = importlib.util.spec_from_file_location("course_profile", ROOT / "tools/profile.py")
profile = importlib.util.module_from_spec(_about)
_about.loader.exec_module(profile)

STRANGE = ["", "plain", "a b", 'say "no"', "it's", "<b>&amp;</b>", "=1+1", "+1", "-1", "@x", "\t1", "a,b;c", "]]>", "--|>", "a\\b", "50 % | $x #y",
           "\x1b[1mbold\x1b[0m", "\x07\x1f", "a\nb", "ä ß 漢 😀", "\udce9", "x" * 499, "x" * 500, "x" * 501]
lines = []


def question(name, function, *arguments):
    """Notes what the function answers."""
    try:
        answer = function(*arguments)
        answer = repr(dict(sorted(answer.items())) if isinstance(answer, dict) else answer)
    except Exception as error:  # an answer, too
        answer = f"raises {type(error).__name__}: {error}"
    asked = ", ".join(f"{one[:1]!r} * {len(one)}" if isinstance(one, str) and len(one) > 200 and one == one[:1] * len(one) else
                      repr(one) for one in arguments)
    answer = re.sub(r"(x|y)\1{99,}", lambda run: f"[{run[1]} * {len(run[0])}]", answer)
    lines.append(f"{name}({asked}) = {answer}".replace(str(ROOT), "ROOT").encode("utf-8", "backslashreplace").decode())


def each(name, function, values):
    for value in values:
        question(name, function, value)


def product(name, function, *values):
    for arguments in itertools.product(*values):
        question(name, function, *arguments)


# ---- numbers in words ----

NUMBERS = [0, 0.04, 0.05, 0.0501, 0.4, 0.94, 0.951, 1, 1.04, 1.05, 1.06, 2, 2.5, 9.9994, 9.9996, 10, 99.95, 999.5, 1000, 1234.5, 9999, 9999.5,
           10000, 12345.6, 99999.5, 1e6, 1e9, 123456789012]


def figures():
    each("profile.number", profile.number, NUMBERS)
    product("profile.per_request", profile.per_request, [0, 0.96, 1, 1.04, 1.06, 2, 2.5], ["sector", "address", "bank conflict"])
    product("profile.percent", profile.percent, [0, 1, 2, 3], [3, 8, 1000])
    product("profile.difference", profile.difference, [0, 0.4, 0.5, 1, 9, 10, 11, 100, 101, 1000, 1001], [0, 0.5, 1, 10, 100])
    each("profile.size_in_words", profile.size_in_words, [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2], [3, 2, 1], [3, 1, 2], (7, 8, 9)])
    each("own_bench.number", own_bench.number, NUMBERS)
    each("watch.number", watch.number, NUMBERS + [-1.5, float("nan"), float("inf"), -float("inf"), (1 << 53) - 1, 1 << 53, -(1 << 53), 1e-7, 0.1 + 0.2])
    each("bench.rate_in_words", bench.rate_in_words, NUMBERS)
    product("bench.ratio_in_words", bench.ratio_in_words, [0.004, 0.009999, 0.01, 0.5, 0.999, 1, 1.005, 99.5], [0, 2])
    each("report.in_seconds", report.in_seconds, NUMBERS[:14])
    each("tour.in_seconds", tour.in_seconds, NUMBERS[:14])
    product("report.speed", report.speed, ["copy"], ["1.5 GB/s", "99 GB/s", "0.01 GB/s"], ["15 GB/s", "100 GB/s", "1 GB/s"], ["x"])
    likes = ["1", "20", "300", "4,000", "5.0", "0.25", "1,234.5", "1200", "12000"]
    product("measure.rounded", measure.rounded, [0.25, 1, 4.96, 27, 349, 1234.5, 4499, 12345], likes)
    product("measure.close", measure.close, [0.25, 0.255, 1, 1.5, 1.51, 4.96, 20.5, 3995, 4005, 4006, 1234.5, 12049, 12051], likes)
    product("measure.scaled", measure.scaled, [{"value": 12}],
            [{"over": over, "factor": factor} for over, factor in (("", ""), ("", "* 4"), ("", "/ 4"), ("", "* 0.5"), ("6 / ", ""))])
    each("ncu.number", ncu.number, ["", None, "0", "1,632", "1,632.5", "n/a", "nan", "inf", "-3"])
    each("ncu.kernel_name", ncu.kernel_name, ["k", "k(int)", "void k<int>(T *)", "void a::b::k<(bool)1>(int *)", "(anonymous namespace)::k(int)",
                                              "<unnamed>::k", "void n::k<a::b<c>>(d)"])
    each("ncu.mean", ncu.mean, [[{"a": 1, "b": None}, {"a": 2}], [{"a": 1}], [{"a": 1}, {"b": 4}, {}]])


def access(kind, requests, more):
    one = {"kind": kind, "requests": requests, "sectors": requests * 4, "fewest_sectors": requests * 4, "bytes_used": requests * 128,
           "access_bytes": 4, "bank_conflicts": 0, "addresses": requests, "most_lanes_on_one_address": 1, "lanes": 32 * requests}
    return {**one, **more}


def profiles():
    for kind, more in itertools.product(["global_load", "global_store"],
                                        [{}, {"sectors": 41, "lane_distance_bytes": 4}, {"sectors": 40}, {"sectors": 50, "bytes_used": 1200},
                                         {"sectors": 50, "bytes_used": 1199}, {"sectors": 51, "bytes_used": 1300},
                                         {"sectors": 80, "lane_distance_bytes": 8}, {"sectors": 80, "lane_distance_bytes": -8},
                                         {"sectors": 50, "lane_distance_bytes": -4}, {"sectors": 320}]):
        question("profile.judge", profile.judge, access(kind, 10, more))
    for more in ({}, {"most_lanes_on_one_address": 2}, {"sectors": 80}, {"sectors": 40.4}, {"sectors": 40.6}):
        question("profile.judge", profile.judge, access("global_atomic", 10, more))
        question("profile.judge", profile.judge, access("global_reduction", 10, more))
    for more in ({}, {"bank_conflicts": 310, "lane_distance_bytes": 128}, {"bank_conflicts": 10, "lane_distance_bytes": -8}, {"bank_conflicts": 5},
                 {"most_lanes_on_one_address": 32}):
        question("profile.judge", profile.judge, access("shared_load", 10, more))
        question("profile.judge", profile.judge, access("shared_atomic", 10, more))
    for addresses in (10, 10.5, 10.6, 320):
        question("profile.judge", profile.judge, access("constant_load", 10, {"addresses": addresses}))
    device = {"threads_per_multiprocessor": 2048, "blocks_per_multiprocessor": 32, "shared_bytes_per_multiprocessor": 233472,
              "reserved_shared_bytes_per_block": 1024}
    for block, shared in itertools.product([[1, 1, 1], [32, 1, 1], [33, 1, 1], [64, 1, 1], [8, 8, 4], [1024, 1, 1], [1000, 1, 1]],
                                           [0, 1, 128, 129, 6272, 6273, 49152, 57344, 57345, 232448]):
        question("profile.occupancy", profile.occupancy, {"block": block, "shared_bytes_per_block": shared}, device)
    product("profile_page.anchor", profile_page.anchor, [0, 3], ["a/b.cu", "c.h"], [1, 20])
    each("profile_page.escaped", profile_page.escaped, STRANGE[:9])
    product("watch.sectors_of", watch.sectors_of, [[0], [0, 4, 8], [28, 32], [30], [0, 31, 32], [64, 0]], [1, 2, 4, 8, 16])
    offsets = [[4 * i for i in range(32)], [8 * i for i in range(32)], [128 * i for i in range(32)], [0] * 32, [132 * i for i in range(32)],
               [16 * i for i in range(32)], [0, 128], [0, 124], [4]]
    product("watch.conflicts_of", watch.conflicts_of, offsets, [1, 4, 8, 16])
    each("watch.looks_like_float", watch.looks_like_float, [b"", b"\0" * 8, b"\0\0\x80\x3f" * 2, b"\0\0\x80\x3f\1\0\0\0", b"\1\0\0\0" * 3,
                                                            b"\0\0\x80\x3f" * 2 + b"\1\0\0\0", b"\xfb\x7f\xfb\x7f\0\0\x80\xbf"])
    each("watch.words_of", watch.words_of, ["", "a\nb\n", "a\nCPU device: checked run: no findings\n", "checked run", "\n \n"])
    launches = [{"cut": True, "grid": (10, 1, 1)}, {"cut": False, "grid": (99, 1, 1)}, {"cut": True, "grid": (2, 3, 2)}]
    with mock.patch.object(watch, "smaller", lambda program: "--size 64" if program.name == "dot" else ""):
        for blocks in ("", "0-3", "0-4", "2-2", "0-99", "11-20", "5-8"):
            question("watch.how_to_see_more", watch.how_to_see_more, pathlib.PurePath("hw"), "my hw.cu", ["-n", "5 5"], blocks, launches)
        question("watch.how_to_see_more", watch.how_to_see_more, pathlib.PurePath("dot"), "", [], "", launches)
        question("watch.how_to_see_more", watch.how_to_see_more, pathlib.PurePath("x"), "", [], "", launches[:1])


def printed(name, function, *arguments):
    """Notes what the function prints, line by line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    lines.append(f"{name} prints")
    lines.extend("  " + line.replace(str(ROOT), "ROOT") for line in out.getvalue().splitlines())


SOURCE = """\
first line
  a[i] = b[i];
  // a comment that is so long that it does not fit into what a table shows of a line, which is ninety characters in all
"""


def made_up_kernel(file, name, launches, grid, block, shared, more=(), branches=()):
    return {"kernel": name, "launched_at": f"{file}:1", "grid": grid, "block": block, "launches": launches, "threads": 1,
            "warps": 1, "barriers_per_thread": launches - 1, "shared_bytes_per_block": shared, "divergent_branches": [
                {"file": file, "line": line, "count": count} for line, count in branches],
            "accesses": [{"file": file, "line": line, **access(kind, requests, facts)} for kind, line, requests, facts in more]}


def printed_profiles():
    """./course profile as a person reads it, and next to what ncu counts."""
    device = {"threads_per_multiprocessor": 2048, "blocks_per_multiprocessor": 32, "shared_bytes_per_multiprocessor": 233472,
              "reserved_shared_bytes_per_block": 1024}
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder, "made up.cu"))
        pathlib.Path(file).write_text(SOURCE)
        kernels = [
            made_up_kernel(file, "one", 1, [1, 1, 1], [32, 1, 1], 0, [
                ("global_load", 2, 10, {}), ("global_store", 3, 1, {"sectors": 8, "lanes": 20})]),
            made_up_kernel(file, "many", 2, [3, 2, 1], [1000, 1, 1], 6272, [
                ("shared_load", 2, 20, {"bank_conflicts": 310, "lane_distance_bytes": 128}),
                ("constant_load", 2, 4, {"addresses": 8}), ("global_atomic", 0, 6, {"most_lanes_on_one_address": 32}),
                ("global_load", 99, 7, {"sectors": 200})], [(2, 3), (1, 4)]),
            made_up_kernel(file, "many", 1, [9, 1, 1], [64, 1, 1], 0, [("global_load", 2, 1, {})]),
            made_up_kernel(file, "sizes", 1, [1, 1, 2], [33, 1, 1], 57345, [
                ("global_load", 2, 2, {}), ("global_load", 3, 2, {"sectors": 64})]),
            made_up_kernel(file, "sizes", 4, [1, 1, 1], [33, 1, 1], 0, [("global_load", 2, 9, {})]),
            made_up_kernel(file, "sizes", 1, [2, 1, 1], [33, 1, 1], 0, [("global_load", 2, 1, {})])]
        printed("profile.print_table", profile.print_table, {"device": device, "kernels": kernels})
        printed("profile.print_table of one that does nothing", profile.print_table, {"device": device, "kernels": kernels[2:3]})
        metrics = {metric: 10.0 + 3 * number for number, (metric, _, _) in enumerate(profile.ncu.METRICS.values())}
        name = pathlib.Path(file).name
        by_line = {(name, 2, "loads, sectors"): 40.0, (name, 3, "stores, sectors"): 2.0,
                   ("atomics.h", 7, "divergent branches"): 4.0, ("atomics.h", 9, "shared loads, bank conflicts"): 5.0}
        for place, counted in ((("one", (1, 1, 1), (32, 1, 1)), (metrics, by_line)),
                               (("many", (9, 9, 9), (1, 1, 1)), (metrics, by_line)),
                               (("other", (1, 1, 1), (1, 1, 1)), (metrics, {})), (("sizes", (1, 1, 1), (33, 1, 1)), ({}, {}))):
            compared = profile.compare({"kernels": kernels}, {place: counted})
            printed(f"profile.print_comparison of {place}", profile.print_comparison, compared)
        question("profile.configurations", lambda: sorted(profile.configurations(kernels)))


HELPS = ["", "  --size N   elements (0 to 1000)\n", "  --size N  elements (100 to 1000)\n  --threads N  threads (64 to 1024)\n",
         "  --size N  elements (64 to 64)\n  --blocks N  blocks (1 to 1)\n", "  --threads N  threads (1 to 31)\n  --frames N  frames (0 to 10)\n",
         "  --size-of-all N  (0 to 9)\n  --steps N  steps (2 to 9)\n", "  --size WORD  (1 to 2)\n"]


def smallest():
    """Options by which a watched program becomes small: of programs that print such a --help."""
    for text in HELPS:
        with mock.patch.object(watch.subprocess, "run", lambda *_, text=text, **__: types.SimpleNamespace(stdout=text)):
            lines.append(f"watch.smaller of {text!r} = {watch.smaller('program')!r}")


def said_of_pages():
    """What ./course watch says of a page: none, one and several launches, accesses and findings, whole and cut."""
    for launches, events, found, cut, blocks in itertools.product((0, 1, 2), (0, 1, 2), (0, 1, 2), (False, True), ("", "3-3")):
        if found and (cut or blocks or events != found):
            continue
        data = {"launches": [{"events": events if number == 0 else 0, "cut": cut, "grid": (9, 1, 1)} for number in range(launches)],
                "findings": [None] * found}
        if launches == 0 and (events or found or cut):
            continue
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(watch, "record", lambda *_, launches=launches: (0, "one\nlast", [None] * launches,
                [])), \
                mock.patch.object(watch, "page_data", lambda *_, data=data: data), mock.patch.object(watch, "page_of", lambda _: "page"), \
                mock.patch.object(watch, "smaller", lambda _: ""), contextlib.redirect_stdout(io.StringIO()) as out:
            page = pathlib.Path(folder, "p.html")
            page.write_text("")
            try:
                watch.write_page(pathlib.Path("hw"), page, ["5"], "hw.cu", blocks)
            except watch.Problem as problem:
                print(f"Problem: {problem}")
            lines.append(f"watch.write_page of {launches} launches, {events} accesses, {found} findings, cut {cut}, blocks {blocks!r}; the page is "
                         f"{'there' if page.exists() else 'gone'}: {out.getvalue().replace(folder, 'FOLDER')!r}")
    for code, output, blocks in itertools.product((0, 1, 2, None), ("", "bad\nworse\n", "x\nCPU device: checked run: no findings\n"), ("", "4-4", "1-3")):
        question("watch.why_nothing", watch.why_nothing, "hw", code, output, blocks)


# ---- texts ----

def texts():
    each("formats.printable", formats.printable, STRANGE)
    each("formats.cell_of", formats.cell_of, STRANGE + [None, 0, 5, "\r1", " =1", "a=1"])
    each("untrusted.shown", untrusted.shown, STRANGE + ["y" * 200, "y" * 201])
    each("untrusted.shown_name", untrusted.shown_name, STRANGE[:20] + ["y" * 200, "y" * 201])
    each("feedback.escaped", feedback.escaped, STRANGE[:15] + ["`x` *y* _z_ [a](b) ~c~ {d} #1. 2! |3"])
    each("printable.printable", printable.printable, STRANGE[:20] + ["\x1b[1;31mred\x1b[K", "a\tb\r\n", "\x0b\x0c"])
    each("printable.without_paths", printable.without_paths, [f"{ROOT}/a.cu:1", f"in {ROOT}", "elsewhere"])
    each("markdown.plain", markdown.plain, ["<p>a &lt; b</p>", " <i>x</i> ", "a<br>b", "&amp;amp;"])
    each("markdown.with_ids", markdown.with_ids, ["<h1>A</h1><h2>A</h2><h3>A</h3><h4>a</h4>", "<h2>What is it? (1)</h2>",
                                                  "<h2><code>a_b</code> &amp; c-d</h2>",
                                                  "<h2>A</h2><h2>B</h2><h2>A</h2><h2>B</h2>"])
    converted()
    each("search.words", search.words, ["<p>a</p><p>b</p>", "<td>1</td><td>2</td>", "a\n  b"])
    each("snippets.anchor", snippets.anchor, ["One", "Two Words", "a-b_c", "What? (1)", "C++"])
    each("story.sentence", story.sentence, ["thread 1 reads x", "X"])
    product("list.wrapped", list_command.wrapped, ["  dot "], ["", "one", "one two three", "a b c d e f"], [10, 12, 13, 14, 80])
    each("watch.blocks", watch_command.blocks, ["0", "5", "0-3", "3-3", "3-2", "-", "-3", "3-", "a", "1-2-3", "٣", "00-01", str((1 << 62) - 1), str(1 << 62)])
    each("export.in_make", export.in_make, ["a", "a b", "a:b", "$a", "a#b", "a*?[b"])
    each("vetting.without_comments", vetting.without_comments, ["a//b\nc", "a/*b*/c", '"//x"', "a/\\\n/b\nc", "'/*' d"])
    each("vetting.plain", vetting.plain, ["system", "_exit", "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1Ev", "a.b"])
    each("programs.plain_name", programs.plain_name, ["dot", "ch05_threads/dot", "ch05_threads/", "/", ""])
    product("programs.edit_distance", programs.edit_distance, ["", "dot", "dots", "tod"], ["", "dot", "dit", "d", "dotted"])
    product("programs.nearest", programs.nearest, ["dto", "DOT", "julia", "xyzzy", "do"], [["dot", "dot_fast", "julia_cpu", "tod", "do_it"]])
    each("doctor.version_number", doctor.version_number, ["12.9", "12.10", "13", "x"])
    product("doctor.first_line", doctor.first_line, ["", "one\nTwo\nthree"], ["", "t", "e$", "4"])
    each("packages.is_old_cmake", packages.is_old_cmake, ["2.8", "3.18", "3.19.9", "3.20", "3.21.1", "3.22", "3.25", "4.0"])
    product("tour.why", tour.why, [0, 1, 2, 77, 124, 128, 129, 130, 134, 137, 139, 149, 150, 152, 255], ["", "last words"], [60])
    each("similarity.tokens", similarity.tokens, ["a+b//c\nd", "/*x*/y", "/* open", '"a // b" c', '"open\nc', "1.5f 0x1F", "a->b"])
    for share in (similarity.NEARLY - 0.01, similarity.NEARLY, 1):
        question("similarity.alike", similarity.alike, [(["ada", "bob"], share), (["a", "b", "c"], share)])
    each("classroom.changes", lambda results: list(classroom.changes({"results": results})),
         [[{"student": "a", "score": 5, "before": before}] for before in (None, 0, 4, 5, 6)] + [[{"student": "a", "name": "A", "score": 5}]])
    each("feedback.head", feedback.head, [{"lab": "l", "score": 1, "max_score": 2, **more} for more in (
        {}, {"late_days": 0}, {"late_days": 1}, {"late_days": 2}, {"attempts": 1}, {"attempts": 2}, {"before": 0}, {"before": 1}, {"before": None})])


def converted():
    """What becomes of the HTML that cmark-gfm makes of a page: each kind of tag, with links that must be escaped."""
    bodies = ['<p><a href="a.md?x=1&amp;y=2">a &amp; b</a></p>', '<p><a href="say%20&quot;no&quot;">x</a> href="plain&quot;"</p>',
              '<p><img src="a&amp;b.png" alt="it" /></p>', '<picture><source srcset="x&lt;1.svg" /><img src="y.svg" /></picture>',
              "<p><code>nvcc --check -o x</code></p><pre><code>nvcc --check</code></pre>", "<table><td>12 MB</td><td>" + "word " * 7 + "</td></table>",
              "<!-- one\ntwo -->\n<p>left</p>"]
    for body in bodies:
        with mock.patch.object(markdown.subprocess, "run", lambda *_, body=body, **__: types.SimpleNamespace(stdout=body)):
            answer = markdown.converted("page", lambda link: f"to?<{link}>", lambda tag: f"[{tag}]")
        lines.append(f"markdown.converted of {body!r} = {answer!r}")


# ---- grading ----

def moments():
    os.environ["TZ"] = "UTC"
    time.tzset()
    each("roster.moment", roster.moment, ["2026-12-01", "2026-12-31", " 2026-12-01 ", "2026-12-01 23:59", "2026-12-01 00:00", "2026-12-01T00:00",
                                          "2026-12-01T24:00", "2026-02-29", "2028-02-29", "1.12.2026", "", "2026-12-01 12:00:00"])
    students = [roster.Student(number, "", None) for number in ("1234", "12345", "ada", "ada_b", "x.y")]
    for path in ("/t/1234/a.cu", "/t/12345/a.cu", "/t/ada_b/a.cu", "/t/ada/a.cu", "/t/adam/a.cu", "/t/ADA/a.cu", "/t/x.y.cu", "/t/xzy.cu",
                 "/t/late_1234_file.cu"):
        found = roster.student_of(path, students)
        lines.append(f"roster.student_of({path!r}) = {found and found.id!r}")


def reports():
    """A checked run's report against its last line and its exit code, in every combination."""
    finding = {"ruleId": "race", "level": "error", "message": {"text": "m"}, "locations": [
        {"physicalLocation": {"artifactLocation": {"uri": "a%20b/dot.cu"}, "region": {"startLine": 7}}}]}
    note = {**finding, "level": "note"}
    elsewhere = {**finding, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "x.h"}, "region": {"startLine": 7}}}]}
    said = {"nothing": "", "none": "CPU device: checked run: no findings: 1 launch", "one": "CPU device: checked run: 1 finding: 1 race",
            "two": "CPU device: checked run: 2 findings: 2 races"}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report")
        for results, (words, text), (ended, code) in itertools.product(
                ([], [note], [finding], [finding, elsewhere], None), [*said.items(), ("one twice", said["one"] + "\n" + said["one"])],
                [("exit", 0), ("exit", grade.FOUND), ("exit", 1), ("exit", 134), ("signal", 11), ("time", 0)]):
            path.write_text("{" if results is None else json.dumps({"runs": [{"results": results}]}))
            answer = grade.read_report(path, {"ended": ended, "code": code, "text": text, "seconds": 5}, "dot.cu")
            kinds = "broken" if results is None else [one["level"] for one in results]
            lines.append(f"grade.read_report of {kinds}, said {words}, {ended} {code} = {answer!r}")


def grades():
    reports()
    done = {"ended": "exit", "code": 3, "text": "", "seconds": 4.6}
    for more in ({}, {"text": "one\ntwo"}, {"text": "one\nCPU device: why\n"}, {"text": "CPU device: checked run: no findings"}, {"text": "y" * 301},
                 {"ended": "signal", "code": 11}, *({"ended": why} for why in grade.ENDINGS)):
        question("grade.ending", grade.ending, {**done, **more}, {"memory": 512 << 20, "tasks": 32, "text": 2 << 20, "data": 3 << 20})
    for said in ([("a", "1 of 2"), ("b", "3 of 4"), ("c", "other")], [("a", "x")], [("a", "at 0x1f"), ("b", "at 0x2e"), ("c", "at 0x3"), ("d", "at 0x4")],
                 [("a", "-1.5e+3"), ("b", "2")]):
        question("grade.said_once", lambda said: list(grade.said_once(said)), said)
    lab = types.SimpleNamespace(file="dot.cu", name="ch05_dot")
    for path in ("/t/ada/dot.cu", "/t/ada/ch05_dot_submission.cu", "/t/ada/other.cu", "/t/ada/dot.txt"):
        lines.append(f"grade.student({path!r}) = {grade.student(path, lab)!r}")
    both = [{"student": name, "board": counts} for name, counts in (("b", {"sectors": 1, "conflicts": 0, "instructions": 2}),
            ("a", {"sectors": 1, "conflicts": 0, "instructions": 2}), ("c", {"sectors": 1, "conflicts": 1, "instructions": 0}), ("d", None),
            ("e", {"sectors": 0, "conflicts": 9, "instructions": 9}))]
    question("board.ranked", lambda rows: [(place, one["student"]) for place, one in board.ranked(rows)], both)
    each("board.totals", board.totals, [b"", b'{"kind": "global_load", "requests": 3, "sectors": 12}',
                                        b'{"kind": "shared_load", "requests": 2, "sectors": 9, '
                                        b'"bank_conflicts": 5}\n{"kind": "global_store", "requests": 1.0, "sectors": 4}', b"no kind"])


def folders():
    """Levels of folders: what counts as too much, and whether a file counts."""
    with tempfile.TemporaryDirectory() as top:
        for depth in (1, limits.DEEPEST - 1, limits.DEEPEST, limits.DEEPEST + 1, limits.DEEPEST + 2):
            place = pathlib.Path(top, str(depth), *["d"] * (depth - 1))
            place.mkdir(parents=True)
            lines.append(f"limits.folder_bytes, {depth} levels: too much: {limits.folder_bytes(os.path.join(top, str(depth))) == sys.maxsize}")
        place = pathlib.Path(top, "files")
        place.mkdir()
        empty = limits.folder_bytes(place)
        with open(place / "a", "wb") as file:
            file.write(b"x" * 100000)
            file.flush()
            os.fsync(file.fileno())  # until then, a file system may not have given it blocks
        more = limits.folder_bytes(place) - empty
        (place / "link").symlink_to("/usr/bin/python3")
        lines.append(f"limits.folder_bytes: empty {empty}, 100000 bytes count {100000 <= more < 120000}, "
                     f"a link counts as a file {limits.folder_bytes(place) - empty - more < 5000}")


# ---- machines ----

def toolkits():
    """Which nvcc is taken, of those that are there."""
    each("devices.version_key", devices.version_key, ["cuda-9.2", "cuda-12.9", "cuda-12.10", ""])
    versions = [f"/usr/local/cuda-{version}/bin/nvcc" for version in ("9.2", "12.10", "12.9", "13.0")]
    link, mine = "/usr/local/cuda/bin/nvcc", "/home/me/bin/nvcc"
    cases = [versions, versions[:3], [versions[0], versions[2]], versions + [link], versions + [link, mine], versions[:1] + [mine], []]
    for there, settings in itertools.product(cases, ({}, {"CUDACXX": mine}, {"CUDA_HOME": "/usr/local/cuda-9.2"}, {"CUDA_PATH": "/usr/local/cuda-12.9"})):
        environment = {"PATH": "/bin:/home/me/bin" if mine in there and "CUDACXX" not in settings else "/bin", **settings}
        with mock.patch.dict(os.environ, environment, clear=True), mock.patch.object(devices, "FOLDER", pathlib.Path("/none")), \
                mock.patch.object(devices.glob, "glob", lambda _, there=there: [one for one in there if "cuda-" in one]), \
                mock.patch.object(devices.os.path, "isfile", lambda path, there=there: path in there), \
                mock.patch.object(devices.os, "access", lambda *_: True):
            lines.append(f"devices.find_toolkit of {there}, {settings} = {devices.find_toolkit()!r}")


class Noted:
    """A report of ./course doctor that keeps what it is told."""

    def __init__(self, runs_on=""):
        self.said, self.runs_on = [], runs_on

    def ok(self, text):
        self.said.append(f"ok: {text}")

    def note(self, text):
        self.said.append(f"note: {text}")

    def problem(self, what, remedy):
        self.said.append(f"problem: {what}; fix: {remedy}")


def sick_machines():
    """What ./course doctor says of drivers, architectures and displays: older than what they meet, the same, and newer."""
    for supported, version in itertools.product(("", "11.8", "12.7", "12.8", "12.9", "12.10", "13.0"), ("", "12.8", "12.10", "13.0")):
        report_to = Noted()
        said = f"| Driver Version: 570.1   CUDA Version: {supported} |" if supported else "no\nmatch"
        with mock.patch.object(doctor, "nvidia_smi", lambda said=said: said), mock.patch.object(doctor, "has", lambda _: True), \
                mock.patch.object(doctor, "read_file", lambda _: "NVRM version: x  580.65.06  y"):
            doctor.look_at_driver(report_to, version)
        lines.append(f"doctor.look_at_driver for CUDA {supported}, Toolkit {version}: {report_to.said}")
    for has, module, elsewhere in itertools.product((False, True), (False, True), (False, True)):
        report_to = Noted()
        with mock.patch.object(doctor, "nvidia_smi", lambda: "Driver Version: 570.1 CUDA Version: 12.8"), mock.patch.object(doctor, "read_file",
                lambda _: ""), \
                mock.patch.object(doctor, "has", lambda _, has=has: has), mock.patch.object(doctor, "in_wsl_or_tegra",
                        lambda elsewhere=elsewhere: elsewhere), \
                mock.patch.object(doctor.os.path, "isdir", lambda _, module=module: module):
            found = doctor.look_at_driver(report_to, "12.8")
        lines.append(f"doctor.look_at_driver, nvidia-smi {has}, nouveau {module}, WSL {elsewhere}: {found}, {report_to.said}")
    for known, of_gpu, built in itertools.product(("50 75 90",), (49, 50, 60, 75, 90, 91), ("", "75 90")):
        report_to = Noted()
        listed = "".join(f"compute_{one}\n" for one in known.split())
        with mock.patch.object(doctor, "run_quietly", lambda *_, listed=listed: (0, listed)), mock.patch.object(doctor, "read", lambda _, built=built: built):
            doctor.look_at_architecture(report_to, "nvcc", "12.8", of_gpu)
        lines.append(f"doctor.look_at_architecture of {of_gpu}, known {known}, built {built}: {report_to.said}")
    for display, version, renderer, runs_on, kernel in itertools.product((":0", "far:0"), ("1.9", "2.0", "2.1", "10.0"), ("llvmpipe (x)", "NVIDIA H200",
            "Mesa Intel"),
                                                                         ("the GPU, x", "the CPU device"), ("Linux", "Linux-Microsoft-WSL2")):
        report_to = Noted(runs_on)
        with mock.patch.object(doctor, "read_file", lambda _, kernel=kernel: kernel):
            doctor.look_at_sharing(report_to, display, version, renderer)
        lines.append(f"doctor.look_at_sharing on {display}, OpenGL {version}, {renderer}, {runs_on}, {kernel}: {report_to.said}")


def machines_looked_at():
    """The rest of ./course doctor: each part, with each thing that may be missing, and the last lines."""
    def told(name, function, *arguments, runs_on="", **replaced):
        report_to = Noted(runs_on)
        with contextlib.ExitStack() as stack:
            for what, new in replaced.items():
                stack.enter_context(mock.patch.object(doctor, what, new))
            answer = function(report_to, *arguments)
        lines.append(f"doctor.{name}: {answer!r}, {report_to.said}, runs on {report_to.runs_on!r}".replace(str(ROOT), "ROOT"))

    missing = types.SimpleNamespace(tools=["cmake"], libraries=["libpng-dev", "libwebp-dev"])
    nothing = types.SimpleNamespace(tools=[], libraries=[])
    for here, works, version, what in (("", 0, "3.25", missing), ("g++ cmake ninja", 0, "3.25", nothing), ("g++ cmake ninja", 1, "3.21", nothing), ("g++", 0,
            "", missing)):
        told(f"look_at_tools with {here!r}, g++ ends with {works}, CMake {version}", doctor.look_at_tools, has=lambda name, here=here: name in here.split(),
             run_quietly=lambda *words, works=works, **_: (works, f"version of {words[0]}"), cmake_version=lambda version=version: version,
             Missing=lambda what=what: what,
             install_command=lambda *packages: f"install {' '.join(packages)}")
    for free, may in ((0, True), (999, True), (1000, True), (1024, True), (2047, True), (2048, True), (5000, False)):
        told(f"look_at_build_folder with {free} MB, writable {may}", doctor.look_at_build_folder, writable=lambda _, may=may: may, run_quietly=lambda *_: (0,
                "ada"),
             shutil=types.SimpleNamespace(disk_usage=lambda _, free=free: types.SimpleNamespace(free=free << 20)))
    for has, may, built, ran, text in ((False, True, 0, 0, ""), (True, False, 0, 0, ""), (True, True, 1, 0, "a\nx.cu: Error: no\nb"), (True, True, None, 0,
            ""), (True, True, 0, 1, "bad"),
                                       (True, True, 0, None, ""), (True, True, 0, 0, "")):
        told(f"look_at_cpu_device, g++ {has}, writable {may}, compiled {built}, ran {ran}, {text!r}", doctor.look_at_cpu_device, has=lambda _, has=has: has,
             writable=lambda _, may=may: may,
             run_quietly=lambda *words, built=built, ran=ran, text=text, **_: (built if len(words) > 1 else ran, text), cpu_threads=lambda: 7)
    for nvcc, said, on_path in (("", "", None), ("/cuda/bin/nvcc", "x\nrelease 13.0, V13", None), ("/cuda/bin/nvcc", "release 13.0, V13", "/cuda/bin/nvcc"),
                                ("/cuda/bin/nvcc", "no", "/other")):
        told(f"toolkit {nvcc!r}, {said!r}, on PATH {on_path}", doctor.toolkit, find_toolkit=lambda nvcc=nvcc: nvcc, run_quietly=lambda *_, said=said: (0,
                said),
             shutil=types.SimpleNamespace(which=lambda _, on_path=on_path: on_path))
    for (gpu, files, container), version, driver, probe in itertools.product(((False, [], ""), (False, [], "podman"), (True, [], ""), (False,
            ["/dev/nvidia0"], "")), ("", "13.0"), (False, True),
                                                                             ((True, "H200\t13.0\t13.0"), (False, "bad"), (False,
                                                                                     "unsupported GNU version! 15"))):
        if not (gpu or files) and (driver or version or not probe[0]) or not driver and not probe[0]:
            continue
        with mock.patch.dict(os.environ, {"container": container}), mock.patch.object(os.path, "exists", lambda _: False):
            told(f"look_at_gpu, GPU {gpu}, {files}, Toolkit {version!r}, driver {driver}, {probe}, container {container!r}", doctor.look_at_gpu,
                 toolkit=lambda _, version=version: ("nvcc" if version else "", version), is_nvidia_gpu=lambda _, gpu=gpu: gpu,
                 glob=types.SimpleNamespace(glob=lambda _: ["one"]),
                 in_wsl_or_tegra=lambda: False, device_files=lambda files=files: files, look_at_driver=lambda *_, driver=driver: driver,
                 capability=lambda: "90",
                 look_at_architecture=lambda report_to, *words: report_to.note(f"architecture {words}"),
                 look_at_permissions=lambda report_to: report_to.note("permissions"),
                 probe_gpu=lambda _, probe=probe: probe)
    for there, may, elsewhere in itertools.product(([], ["/dev/nvidiactl"], ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"]), (False, True), (False,
            True)):
        told(f"look_at_permissions, there {there}, may {may}, WSL {elsewhere}", doctor.look_at_permissions, device_files=lambda: ["/dev/nvidia0"],
             in_wsl_or_tegra=lambda elsewhere=elsewhere: elsewhere,
             run_quietly=lambda *words: (0, "video" if words[0] == "stat" else "ada"),
             os=types.SimpleNamespace(path=types.SimpleNamespace(exists=lambda path, there=there: path in there), access=lambda *_, may=may: may, R_OK=4,
                                      W_OK=2))
    for display, ssh, may, built, code in (("", "", True, 0, 0), ("", "x", True, 0, 0), (":0", "", False, 0, 0), (":0", "", True, 1, 0), *((":0", "", True, 0,
            code) for code in (0, 1, 2, 3, None))):
        with mock.patch.dict(os.environ, {"DISPLAY": display, "SSH_CONNECTION": ssh}):
            told(f"look_at_display {display!r}, ssh {ssh!r}, writable {may}, compiled {built}, ended with {code}", doctor.look_at_display, writable=lambda _,
                 may=may: may,
                 run_quietly=lambda *words, built=built, **_: (built, "ada"), subprocess=types.SimpleNamespace(
                     run=lambda *_, code=code, **__: types.SimpleNamespace(returncode=code, stdout="4.6 (x)\tNVIDIA H200\n"), PIPE=1, DEVNULL=2,
                             TimeoutExpired=OSError),
                 look_at_sharing=lambda report_to, *words: report_to.note(f"sharing {words}"))
    parts = ("look_at_tools", "look_at_build_folder", "look_at_cpu_device", "look_at_gpu", "look_at_display")
    for problems in (0, 1, 2, 5):
        with contextlib.ExitStack() as stack:
            for number, part in enumerate(parts):
                stack.enter_context(mock.patch.object(doctor, part, lambda report_to, number=number, part=part, problems=problems:
                                                      report_to.problem(f"{part} <x>",
                                                              "do & be") if number < problems else report_to.ok(part) or report_to.note("a note")))
            printed(f"doctor.run with {problems} problems, ends with {doctor_ends()}", doctor.run)


def doctor_ends():
    with contextlib.redirect_stdout(io.StringIO()):
        return doctor.run()


class MadeUp:
    """A version of a user's program, as own_bench.Version: times of its runs."""

    def __init__(self, name, *times, failed=""):
        self.name, self.failed = name, failed
        self.runs = [{(own_bench.WHOLE, "ms"): 10 * time, ("kernel", "ms"): time} for time in times]

    values = own_bench.Version.values


def benches():
    outputs = ["kernel 1.5 ms, copies 0.2 ms", "12 GB/s", "1e3 GFLOPS; 5 MB/s", "kernel 1 ms, kernel 2 ms", "v1.2 ms", "3 sec", "2 Gi", "4 µs and 5us.",
               "a: 7 fps\nb = 8 M keys/s", "1 GiB/s", "time (s): 3 s"]
    each("own_bench.figures", own_bench.figures, outputs)
    for versions in ([MadeUp("one", 1, 2, 9)], [MadeUp("one", 1, 2, 9, 10)], [MadeUp("a", 5), MadeUp("b", 1, 1, 100)],
                     [MadeUp("a", 3, 1, 2), MadeUp("b", 4, failed="x")]):
        lines.append(f"own_bench.table of {[(one.name, len(one.runs)) for one in versions]} =")
        lines.extend("  " + row for row in own_bench.table(versions))
    row = {}
    bench.add_time(row, None, 600.0, [3, 1, 2, 100])
    lines.append(f"bench.add_time of 600 in 3, 1, 2 and 100 ms = {row}")
    each("bench.size_of", bench.size_of, ["--size 100", "--m 5 --n 6", "--threads 7 --size 8"])
    topic = types.SimpleNamespace(printed=1e9)
    for name, code, out in itertools.product(("ms", "us", "rate"), (0, 1), ("t 2.5", "t 0", "no", "")):
        result = types.SimpleNamespace(stdout=out, stderr="bad\nworse\n" if code else "", returncode=code)
        lines.append(f"bench.find_time of {name}, {code}, {out!r} = {bench.find_time(result, rf't (?P<{name}>[0-9.]+)', topic, 5e9)}")
    for limit in (("copy", 2, ""), ("copy", -6, ""), ("none", 1, "")):
        question("bench.limit_of", lambda limit: bench.limit_of(types.SimpleNamespace(limit=limit), {"copy": 3, "none": 0}), limit)


# ---- repairs ----

KERNEL = """\
__global__ void k(int* a, int n) {
  __shared__ int s[64];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = a[i];
    // a comment

    if (i > 0) {
      a[i] = s[63 - threadIdx.x];
    }
    a[0] += 2;
    a[1]--;
    ++a[2];
    *a = *a - n;
    a[3] = true;
    __threadfence_block();
    atomicAdd_block(a, 1);
  }
}
""".splitlines(keepends=True)


# A program for each class of claims, and what a change of it must look like.
CLAIMS = """\
const int x = atomicAdd(&n, 0);
atomicAdd(&n, 1);
--
y[i] = atomicAdd(&head, 0);
atomicExch(&head, i);
--
const bool mine = atomicAdd(&full, 0) == 1;
if (mine) atomicSub(&full, 1);
--
atomicSub(&left, 1);
const bool last = atomicAdd(&left, 0) == 0;
--
if (atomicAdd(&state, 0) == 0) {
  table = 1;
  atomicExch(&state, 1);
}
--
if (atomicAdd(&owner[i], 0) == 0) {
  atomicExch(&owner[i], me);
}
--
while (atomicAdd(&lock, 0) != 0) {
}
atomicExch(&lock, 1);
--
if (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
--
while (atomicCAS(&lock, 1, 0) == 1) {
}
atomicExch(&lock, 0);
--
if (mine < atomicAdd(&best, 0)) atomicExch(&best, mine);
--
const unsigned int slot = atomicAdd(&next, 1);
if (slot == 3) atomicExch(&next, 0);
--
const int top = atomicAdd(&head, 0);
atomicExch(&head, below[top]);
--
  next[i] = old;
  do {
    assumed = old;
    old = atomicCAS(&head, assumed, i);
  } while (old != assumed);
--
const int bit = __ffs(~atomicOr(&used, 0u)) - 1;
atomicOr(&used, 1u << bit);
--
const bool mine = atomicCAS(&lock, 0, 1) == 0;
if (mine) total++;
atomicExch(&lock, 0);
--
atomicExch(&lock, 0);
atomicExch(&lock, 0);
--
atomicExch(&turn, other);
__threadfence();
atomicExch(&wants[me], 1);
--
message = i;
__threadfence();
atomicExch(&full, 1);
atomicExch(&full, 0);
""".split("--\n")

STREAMS = """\
int main() {
  cudaStream_t s, t;
  cudaEvent_t e;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  first<<<1, 32, 0, s>>>(a);
  cudaEventRecord(e, s);
  second<<<1, 32, 0, t>>>(a);
  cudaMemcpyAsync(b, a, 128, cudaMemcpyDeviceToHost);
  cudaGraphAddKernelNode(&one, graph, nullptr, 0, &x);
  cudaGraphAddKernelNode(&two, graph, nullptr, 0, &y);
}
""".splitlines(keepends=True)


def changes(found):
    return [(one.before, one.replaced) if isinstance(one, Change) else one for one in found]


def texts_of(found, of_lines):
    return ["".join(change.applied(of_lines)) for change in found]


MISTAKES = ROOT / "tests/mistakes"


def repairs_of_mistakes():
    """What is tried for each finding of tests/mistakes, in which order: the first changes, how many, and a number for all of them.
    A pair that is not in the table yet is left out."""
    known = set(re.findall(r"^repairs of (\w+), ", TABLE.read_text(encoding="utf-8"), re.M)) if "--update" not in sys.argv else None
    for part in re.split(r"^## ", (MISTAKES / "words.txt").read_text(), flags=re.M)[1:]:
        name, *findings = part.splitlines()
        if known is not None and name not in known:
            continue
        of_lines = (MISTAKES / f"{name}.cu").read_text().splitlines(keepends=True)
        for finding in findings:
            kind, _, text = finding.partition(": ")
            places = list(dict.fromkeys(int(line) for line in re.findall(r"line (\d+):", text) if int(line) <= len(of_lines)))
            found = candidates({"ruleId": kind, "message": {"text": text}}, places, of_lines)
            if not found:
                continue
            told = []
            for change in found[:2]:
                differences = [line for line in difflib.ndiff(of_lines, change.applied(of_lines)) if line[:1] == "+"]
                told.append(" / ".join(line[2:].strip() for line in differences)[:160])
            every = hashlib.sha256("\0".join("".join(change.applied(of_lines)) for change in found).encode()).hexdigest()[:8]
            lines.append(f"repairs of {name}, {kind} in {places}: {len(found)}, {every}: " + " | ".join(told))


def repairs():
    count, kernel = len(KERNEL), Program(KERNEL)
    for first, last in ((4, 8), (4, 4), (8, 10), (3, 4), (10, 13)):
        question("barriers.between", lambda first, last: changes(barriers.between(kernel, first, last, barriers.BLOCK)), first, last)
        question("barriers.loop_ends", lambda first, last: barriers.loop_ends(kernel, first, last, barriers.BLOCK), first, last)
        question("barriers.barriers", lambda first, last: changes(barriers.barriers(kernel, [last, first], barriers.BLOCK)), first, last)
        question("atomics.fences", lambda first, last: changes(atomics.fences(kernel, [last, first], atomics.FENCE)), first, last)
    for number in range(1, count + 1):
        question("atomics.updates", lambda number: changes(atomics.updates(kernel, [number])), number)
        question("atomics.writes", lambda number: changes(atomics.writes(kernel, [number])), number)
        question("guards.guards", lambda number: changes(guards.guards(kernel, [number])), number)
    question("atomics.wider", lambda: changes(atomics.wider(kernel)))
    for operator in "+-|&^*":
        statement = [f"  a[i] {operator}= x + 1;\n"]
        question("atomics.updates", lambda statement: changes(atomics.updates(Program(statement), [1])), statement)
    for operator in ("", *"+-*/%|&^", "<<", ">>"):
        statement = [f"  a[i] {operator}= a[j] + 1;\n"]
        question("barriers.splits", lambda statement: texts_of(barriers.splits(Program(statement), [1], barriers.BLOCK), statement), statement)
    for value in ("x", "x | y", "f(x | y)", "x * y", "x - y", "a[j + 1]", "p->x", "x ? y : z", "x << 1", "(x) / (y)"):
        question("barriers.is_operand", barriers.is_operand, value, "+")
        question("barriers.is_operand", barriers.is_operand, value, "&")
    for statement in ("if (m > best) best = m;\n", "if (t == 0 && m < *p) *p = m;\n", "best = max(best, m);\n", "x = min(3, x);\n", "x[i].y += 2;  // x++\n"):
        question("atomics.updates", lambda statement: changes(atomics.updates(Program([statement]), [1])), statement)
    for text in CLAIMS:
        of_lines = text.splitlines(keepends=True)
        question("claims.claims", lambda text: texts_of(claims.claims(Program(of_lines), [1]), of_lines), text)
    for one, other in ((5, 7), (7, 8), (5, 8), (9, 10)):
        found = streams.orders(Program(STREAMS), f"queued in line {one} and in line {other}, in no defined order")
        question("streams.orders", lambda one, other: changes(found), one, other)
    question("candidates", lambda places: len(candidates({"ruleId": "race-block", "message": {"text": ""}}, places, KERNEL)), [99])


def main():
    for part in (figures, profiles, printed_profiles, smallest, said_of_pages, texts, moments, grades, folders, toolkits, sick_machines, machines_looked_at,
                 benches,
                 repairs, repairs_of_mistakes):
        lines.append(f"# {part.__name__}")
        part()
    check_table(TABLE, lines, context=0)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
