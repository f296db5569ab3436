#!/usr/bin/env python3
"""Numbers in the report of a checked run: how many of what, at and around each limit, against a count of our own.

    tests/checked_run/report_numbers_check.py NVCC FOLDER

The programs are written here, so it is known what they do: so many launches, accesses, findings, repetitions, objects that
are never released, kernels that are never launched. Each number is tried at 0, 1, 2 and next to every limit, and the whole
words are compared, on stderr and in the SARIF file.
"""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

MOST_FINDINGS, MOST_LEAKS, MOST_NAMES = 20, 8, 4  # that are listed


def plural(count, one, many=None):
    return f"{count} {one if count == 1 else many or one + 's'}"


class Program:
    """Compiled with --check; `body(words...)` is its main(), whose arguments are numbers."""

    def __init__(self, nvcc, folder, name, lines):
        self.path, self.lines = folder / name, lines
        source = self.path.with_suffix(".cu")
        source.write_text("\n".join(lines) + "\n")
        subprocess.run([nvcc, "--check", source.name, "-o", name], cwd=folder, check=True)

    def line(self, text):
        return next(n for n, line in enumerate(self.lines, 1) if text in line)

    def run(self, *words, **environment):
        """(exit code, stderr, results of the SARIF file)"""
        report = self.path.with_suffix(".sarif")
        report.unlink(missing_ok=True)
        whole = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_") or k == "CPU_DEVICE_CACHE"}
        whole.update({"CPU_DEVICE_LEAKS": "none", "CPU_DEVICE_UNREAD": "none", "CPU_DEVICE_REPORT": str(report)}, **environment)
        done = subprocess.run([self.path, *map(str, words)], env=whole, cwd=self.path.parent, capture_output=True, text=True,
                              timeout=120, check=False)
        results = json.loads(report.read_text())["runs"][0]["results"] if report.exists() else []
        return done.returncode, done.stderr, results


def summary_of(errors):
    return re.search(r"^CPU device: checked run: (.*)$", errors, re.M)[1]


def accesses_in_words(n):
    if n == 1:
        return "1 access checked"
    if n < 1e3:
        return f"{n} accesses checked"
    return f"{n / 1e3:.1f} thousand accesses checked" if n < 1e6 else f"{n / 1e6:.1f} million accesses checked"


def launches_and_accesses(nvcc, folder):
    program = Program(nvcc, folder, "counted", [
        "#include <cstdlib>",
        "__global__ void fill(int* a, int n) {",
        "  for (int i = 0; i < n; i++) a[i] = i;",
        "}",
        "int main(int, char** words) {",
        "  const int launches = atoi(words[1]), n = atoi(words[2]);",
        "  int* a;",
        "  cudaMalloc(&a, 4 * (n + 1));",
        "  for (int i = 0; i < launches; i++) fill<<<1, 1>>>(a, n);",
        "  cudaDeviceSynchronize();",
        "}"])
    for launches, each in ((1, 1), (1, 2), (2, 1), (1, 999), (1, 1000), (1, 1001), (1, 1024), (2, 1024), (1, 1990), (1, 99999),
                           (1, 999900), (1, 999999), (1, 1000000), (1, 1024 * 1024), (3, 1024 * 1024)):
        code, errors, results = program.run(launches, each)
        wanted = f"no findings: {plural(launches, 'launch', 'launches')}, {accesses_in_words(launches * each)}"
        check(f"{launches} launches of {each} accesses: {wanted}", code == 0 and summary_of(errors) == wanted and results == [], errors)


KERNELS = MOST_FINDINGS + 5


def findings(nvcc, folder):
    """So many kernels with a race in each of so many blocks. The first ones are printed, all are in the file."""
    lines = ["#include <cstdlib>"]
    lines += [f"__global__ void race{i}(int* a) {{ a[blockIdx.x] = threadIdx.x; }}" for i in range(KERNELS)]
    lines += ["int main(int, char** words) {", "  const int kernels = atoi(words[1]), times = atoi(words[2]);", "  int* a;"]
    for i in range(KERNELS):
        lines.append(f"  if (kernels > {i}) cudaMalloc(&a, 4 * times), race{i}<<<times, 2>>>(a);")
    program = Program(nvcc, folder, "races", lines + ["  cudaDeviceSynchronize();", "}"])
    for count in (1, 2, 3, MOST_FINDINGS - 1, MOST_FINDINGS, MOST_FINDINGS + 1, MOST_FINDINGS + 2, KERNELS):
        for times in (1, 2, 3):
            code, errors, results = program.run(count, times)
            wanted = f"{plural(count, 'finding')}: {plural(count, 'race')}; {plural(count, 'launch', 'launches')}"
            check(f"{count} findings, {times} times: {wanted}", code == 1 and summary_of(errors).startswith(wanted + ", "), errors)
            hidden = re.findall(r"^CPU device: (\d+) more findings are not printed$", errors, re.M)
            check(f"{count} findings: how many are not printed", hidden == [str(count - MOST_FINDINGS)] * (count > MOST_FINDINGS), errors)
            shown = re.findall(r"^races.cu:(\d+): CPU device: ", errors, re.M)
            first = [str(program.line(f"race{i}(")) for i in range(min(count, MOST_FINDINGS))]
            check(f"{count} findings: which are printed", shown == first, errors)
            lines_of_file = sorted(one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results)
            check(f"{count} findings in the file", lines_of_file == [program.line(f"race{i}(") for i in range(count)], str(results))
            check(f"{times} times each, in the file", {one["occurrenceCount"] for one in results} == {times}, str(results))
            told = re.findall(r"^    (\d+) times in all$", errors, re.M)
            check(f"{times} times in all", told == [str(times)] * (min(count, MOST_FINDINGS) if times > 1 else 0), errors)
    for wanted in (0, 1, 2, 42, 255):
        code, _, _ = program.run(2, 1, CPU_DEVICE_CHECK_EXIT=str(wanted))
        check(f"CPU_DEVICE_CHECK_EXIT={wanted} gives {code}", code == wanted)


def exit_codes(nvcc, folder):
    """Each kind of finding alone and with the others, and both settings of the exit code: unset, empty and set."""
    program = Program(nvcc, folder, "codes", [
        "#include <cstdlib>",
        "__global__ void other(int* a) { *a = threadIdx.x; }",
        "__global__ void same(int* a) { *a = 3; }",
        "int main(int, char** words) {",
        "  int* a;",
        "  cudaMalloc(&a, 4), cudaMemset(a, 3, 4);",
        "  if (atoi(words[1])) other<<<1, 2>>>(a);",
        "  if (atoi(words[2])) same<<<1, 2>>>(a);",
        "  cudaDeviceSynchronize();",
        "}"])
    settings = (None, "", "0", "1", "41", "255")
    for other, same, general, of_same in itertools.product((0, 1), (0, 1), settings, settings[:-1]):
        names = {"CPU_DEVICE_CHECK_EXIT": general, "CPU_DEVICE_SAME_VALUE_EXIT": of_same}
        given = {name: value for name, value in names.items() if value is not None}
        code, errors, _ = program.run(other, same, **given)
        wanted = int(general or 1) if other else int(of_same or general or 1) if same else 0
        check(f"other values {other}, same values {same}, {given}: exit code {code}, expected {wanted}", code == wanted, errors)


def partial_copies(nvcc, folder):
    """A copy of so many bytes to that offset of a block, and a kernel that reads what it did not write."""
    program = Program(nvcc, folder, "partial", [
        "#include <cstdlib>",
        "__global__ void read(const char* a, int at, char* out) { *out = a[at]; }",
        "int main(int, char** words) {",
        "  const int total = atoi(words[1]), offset = atoi(words[2]), bytes = atoi(words[3]), at = atoi(words[4]);",
        "  char *a, *out, *host = static_cast<char*>(calloc(total, 1));",
        "  cudaMalloc(&a, total), cudaMalloc(&out, 1);",
        "  cudaMemcpy(a + offset, host, bytes, cudaMemcpyHostToDevice);",
        "  read<<<1, 1>>>(a, at, out);",
        "  cudaDeviceSynchronize();",
        "  free(host);",
        "}"])
    for total, offset, size in ((1024, 0, 256), (1024, 0, 1), (1024, 0, 1023), (1024, 1, 1023), (1024, 512, 512), (1024, 7, 8), (16, 0, 1), (16, 15, 1),
                                (96, 8, 48)):
        for at in sorted({0, offset - 1, offset, offset + size - 1, offset + size, total - 1}):
            if not 0 <= at < total:
                continue
            code, errors, _ = program.run(total, offset, size, at)
            words = f"the copy in line {program.line('cudaMemcpy(')} wrote only bytes {offset} to {offset + size - 1} of {total}"
            told = re.findall(r"the copy in line \d+ wrote only bytes \d+ to \d+ of \d+", errors)
            missing = not offset <= at < offset + size
            check(f"bytes {offset} to {offset + size - 1} of {total} are copied, byte {at} is read", told == [words] * missing and code == missing,
                  errors)


OBJECTS = MOST_LEAKS + 3


def leaks(nvcc, folder):
    """Objects of two kinds, made in so many lines, so many times each."""
    made = ["cudaMalloc(&memory, {0})" if i % 2 == 0 else "cudaMallocHost(&memory, {0})" for i in range(OBJECTS)]
    lines = ["#include <cstdlib>", "int main(int, char** words) {", "  const int lines = atoi(words[1]), times = atoi(words[2]);",
             "  void* memory;"]
    lines += [f"  if (lines > {i}) for (int t = 0; t < times; t++) {call.format(f'100 * (t + {i + 1})')};" for i, call in enumerate(made)]
    program = Program(nvcc, folder, "leaks", lines + ["}"])
    for count in (0, 1, 2, MOST_LEAKS - 1, MOST_LEAKS, MOST_LEAKS + 1, MOST_LEAKS + 2, OBJECTS):
        for times in (1, 2, 3):
            rows = sorted(("device memory" if i % 2 == 0 else "pinned memory", program.line(f"lines > {i})"),
                           sum(100 * (t + i + 1) for t in range(times))) for i in range(count))
            words = [f"    {what}{f' ({times} times)' if times > 1 else ''}, {total} bytes: line {line}" for what, line, total in rows]
            words = words[:MOST_LEAKS] + [f"    and {count - MOST_LEAKS} more"] * (count > MOST_LEAKS)
            for setting in ("none", "note", "error"):
                code, errors, results = program.run(count, times, CPU_DEVICE_LEAKS=setting)
                found = bool(count) and setting != "none"
                listed = re.findall(r"^    (?:device memory|pinned memory|and \d).*$", errors, re.M)
                check(f"{count} lines that leak {times} times, {setting}: {words}", listed == (words if found else []), errors)
                check(f"leaks, {setting}: exit code {code}", code == (1 if found and setting == "error" else 0) and len(results) == found,
                      errors)


# What it is called, a handle, calls that make one, and the call that releases it.
OBJECT_KINDS = [
    ("managed memory", "int*", ["cudaMallocManaged(&handle, 40)"], "cudaFree(handle)"),
    ("stream", "cudaStream_t", ["cudaStreamCreate(&handle)", "cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)",
                                "cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking, 0)"], "cudaStreamDestroy(handle)"),
    ("event", "cudaEvent_t", ["cudaEventCreate(&handle)", "cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)"], "cudaEventDestroy(handle)"),
    ("executable graph", "cudaGraphExec_t", ["cudaGraphInstantiate(&handle, graph, 0)"], "cudaGraphExecDestroy(handle)"),
    ("texture object", "cudaTextureObject_t", ["cudaCreateTextureObject(&handle, &what, &how, nullptr)"], "cudaDestroyTextureObject(handle)")]


def objects(nvcc, folder):
    """Objects of each kind, made so many times in one line, of which some are released: the others are told."""
    lines = ["#include <cstdlib>", "#include <vector>", "int main(int, char** words) {",
             "  const int which = atoi(words[1]), times = atoi(words[2]), released = atoi(words[3]);", "  cudaGraph_t graph;", "  cudaGraphCreate(&graph, 0);",
             "  static int* memory;", "  cudaMalloc(&memory, 256);", "  cudaResourceDesc what = {};", "  what.resType = cudaResourceTypeLinear;",
             "  what.res.linear.devPtr = memory, what.res.linear.sizeInBytes = 256, what.res.linear.desc = cudaCreateChannelDesc<int>();",
             "  cudaTextureDesc how = {};"]
    ways = [(name, handle, call, release) for name, handle, calls, release in OBJECT_KINDS for call in calls]
    for number, (_, handle, call, release) in enumerate(ways):
        lines += [f"  std::vector<{handle}> all{number};", f"  for (int i = 0; which == {number} && i < times; i++) {{", f"    {handle} handle;",
                  f"    {call};", f"    all{number}.push_back(handle);", "  }",
                  f"  for (int i = 0; which == {number} && i < released; i++) {{", f"    const auto handle = all{number}[i];", f"    {release};", "  }"]
    program = Program(nvcc, folder, "objects", lines + ["  cudaFree(memory), cudaGraphDestroy(graph);", "}"])
    for (number, (name, _, call, _)), times in itertools.product(enumerate(ways), range(4)):
        for released in range(times + 1):
            left = times - released
            size = f", {40 * left} bytes" if name == "managed memory" else ""
            wanted = [f"    {name}{f' ({left} times)' if left > 1 else ''}{size}: line {program.line(call)}"] if left else []
            code, errors, results = program.run(number, times, released, CPU_DEVICE_LEAKS="error")
            told = re.findall(r"^    \w.*: line \d+$", errors, re.M)
            check(f"{call}, {times} times, {released} released: {wanted}", told == wanted and code == bool(left) and len(results) == bool(left), errors)


def unchecked_errors(nvcc, folder):
    """Launches that fail, and calls that ask for errors or do not: told is the first launch that failed after the last question."""
    lines = ["__global__ void work(int* a) { *a = 1; }", "int main(int, char** words) {", "  int* a;", "  cudaMalloc(&a, 4);", "  bool all = true;",
             "  for (const char* at = words[1]; *at != 0; at++) switch (*at) {"]
    failing = {"1": 1025, "2": 2048, "3": 4096}
    lines += [f"    case '{letter}': work<<<1, {threads}>>>(a); break;" for letter, threads in failing.items()]
    questions = {"g": "cudaGetLastError()", "p": "cudaPeekAtLastError()"}
    lines += [f"    case '{letter}': all &= {call} == cudaSuccess; break;" for letter, call in questions.items()]
    others = {"w": "work<<<1, 1>>>(a)", "m": "cudaMemset(a, 0, 4)", "s": "cudaStreamSynchronize(0)"}
    lines += [f"    case '{letter}': {call}; break;" for letter, call in others.items()]
    program = Program(nvcc, folder, "unchecked", lines + ["  }", "  return all ? 0 : 3;", "}"])
    letters = [*failing, *questions, *others]
    scripts = ["".join(script) for length in (1, 2) for script in itertools.product(letters, repeat=length)]
    scripts += ["".join(letters[seed * factor // 7 % len(letters)] for factor in (3, 11, 29, 47, 71, 101)) for seed in range(1, 60)]
    for script in scripts:
        since = re.split("[gp]", script)[-1]
        first = next((letter for letter in since if letter in failing), None)
        code, errors, _ = program.run(script)
        told = re.findall(r"^unchecked.cu:(\d+): CPU device: a launch failed, and the program did not check for errors: a block of \((\d+),1,1\)", errors, re.M)
        wanted = [(str(program.line(f"case '{first}'")), str(failing[first]))] if first else []
        check(f"calls {script}: {wanted}", told == wanted and (code == 1 or not wanted), errors)


def vain_waits(nvcc, folder):
    """Waits for events of which some were never recorded, each line so many times: told are lines at which none was."""
    lines = ["int main(int, char** words) {", "  cudaEvent_t fresh, recorded;", "  cudaEventCreate(&fresh), cudaEventCreate(&recorded);",
             "  cudaEventRecord(recorded);", "  for (const char* at = words[1]; *at != 0; at++) {", "    const cudaEvent_t event = *at == 'n' ? fresh : recorded;",
             "    if (at == words[1] || words[2][0] == '1') cudaStreamWaitEvent(0, event);",
             "    if (words[2][0] == '2') cudaEventSynchronize(event);", "  }", "}"]
    program = Program(nvcc, folder, "waits", lines)
    for length, way in itertools.product((1, 2, 3), "12"):
        for script in map("".join, itertools.product("nr", repeat=length)):
            code, errors, _ = program.run(script, way)
            told = re.findall(r"^waits.cu:(\d+): CPU device: (the \w+) waits for an event that was never recorded, so it does not wait$", errors, re.M)
            stream = script if way == "1" else script[0]
            wanted = [(str(program.line("cudaStreamWaitEvent")), "the stream")] * ("r" not in stream)
            wanted += [(str(program.line("cudaEventSynchronize")), "the host")] * (way == "2" and "r" not in script)
            check(f"waits for events {script}, way {way}: {wanted}", sorted(told) == sorted(wanted) and code == bool(wanted), errors)


def unread_results(nvcc, folder):
    """Memory that is allocated in so many lines, so many times each, and written by a kernel that is launched in that line."""
    lines = ["#include <cstdio>", "#include <cstdlib>", "__global__ void fill(char* memory) { *memory = 1; }",
             "int main(int, char** words) {", "  const int lines = atoi(words[1]), times = atoi(words[2]);",
             "  char* memory;", '  printf("%d\\n", lines);']
    lines += [f"  if (lines > {i}) for (int t = 0; t < times; t++) cudaMalloc(&memory, 100 * (t + {i + 1})), fill<<<1, 1>>>(memory);"
              for i in range(OBJECTS)]
    program = Program(nvcc, folder, "unread", lines + ["  cudaDeviceSynchronize();", "}"])
    for count in (0, 1, 2, MOST_LEAKS - 1, MOST_LEAKS, MOST_LEAKS + 1, OBJECTS):
        for times in (1, 2, 3):
            words = [f"    {sum(100 * (t + i + 1) for t in range(times))} bytes allocated in line {program.line(f'lines > {i})')}"
                     f"{f' ({times} times)' if times > 1 else ''}: kernel fill writes there, launched in line "
                     f"{program.line(f'lines > {i})')}" for i in range(count)]
            words = words[:MOST_LEAKS] + [f"    and {count - MOST_LEAKS} more"] * (count > MOST_LEAKS)
            for setting in ("none", "note", "error"):
                code, errors, results = program.run(count, times, CPU_DEVICE_UNREAD=setting)
                found = bool(count) and setting != "none"
                listed = re.findall(r"^    (?:\d+ bytes|and \d).*$", errors, re.M)
                check(f"{count} unread results {times} times, {setting}: {words}", listed == (words if found else []), errors)
                check(f"unread results, {setting}: exit code {code}",
                      code == (1 if found and setting == "error" else 0) and len(results) == found, errors)


def children(nvcc, folder):
    """Findings of a program and of processes that it forks, with different numbers of findings, launches and processes."""
    lines = ["#include <cstdlib>", "#include <sys/wait.h>", "#include <unistd.h>"]
    lines += [f"__global__ void race{i}(int* a) {{ a[blockIdx.x] = threadIdx.x; }}" for i in range(4)]
    lines += ["__global__ void right(int* a) { *a = 1; }", "void run(int wrong, int good, int first) {", "  int* a;", "  cudaMalloc(&a, 4);",
              "  void (*all[])(int*) = {race0, race1, race2, race3};", "  for (int i = 0; i < wrong; i++) all[first + i]<<<1, 2>>>(a);",
              "  for (int i = 0; i < good; i++) right<<<1, 1>>>(a);", "  cudaDeviceSynchronize();", "}",
              "void refuse(int times) {  // asked for and refused: a note, not a finding", "  int* a;", "  cudaMalloc(&a, 4);",
              "  for (int i = 0; i < times; i++) right<<<1, 2000>>>(a), cudaGetLastError();", "}", "int main(int, char** words) {",
              "  for (int i = 0; i < atoi(words[1]); i++)", "    if (fork() == 0) {", "      run(atoi(words[2]), atoi(words[3]), 2);",
              "      refuse(atoi(words[6]));", "      exit(0);", "    }", "  while (wait(nullptr) > 0) {", "  }", "  run(atoi(words[4]), atoi(words[5]), 0);",
              "  refuse(atoi(words[7]));", "}"]
    program = Program(nvcc, folder, "children", lines)
    for forked, wrong, good, own_wrong, own_good, refused, own_refused in (
            (1, 0, 3, 0, 1, 0, 0), (1, 0, 1, 0, 0, 1, 0), (2, 0, 1, 0, 1, 2, 1), (1, 1, 0, 0, 0, 0, 1), (1, 2, 3, 0, 2, 1, 1), (2, 1, 4, 1, 0, 0, 0), (3, 2, 0, 2, 5, 1, 0),
            (0, 1, 1, 1, 2, 1, 2)):
        code, errors, results = program.run(forked, wrong, good, own_wrong, own_good, refused, own_refused)
        results = [one for one in results if one.get("level") != "note"]
        theirs, launched = forked * wrong, forked * (wrong + good) + own_wrong + own_good
        told = re.sub(r", [^,]* checked$", "", summary_of(errors))
        launches = plural(launched, "launch", "launches")
        if own_wrong:
            more = f" (and {theirs} in child processes)" if theirs else ""
            wanted = f"{plural(own_wrong, 'finding')}: {plural(own_wrong, 'race')}{more}; {launches}"
        else:
            wanted = (f"{plural(theirs, 'finding')} in child processes: " if theirs else "no findings: ") + launches
        what = (f"{forked} processes with {wrong} races, {good} right and {refused} refused launches each, {own_wrong}, {own_good} and {own_refused} "
                f"of its own: {wanted}")
        check(what, told == wanted and len(results) == theirs + own_wrong and code == (1 if theirs + own_wrong else 0), errors)


# What a type is called in messages, its bits, and whether it has a sign.
INTEGERS = {"int": ("int", 32, True), "long long": ("long long int", 64, True), "unsigned": ("unsigned int", 32, False),
            "unsigned long long": ("long long unsigned int", 64, False)}
OPERATIONS = ["+", "-", "*", "/", "%", "<<", ">>", "negate"]


def arithmetic(nvcc, folder):
    """Each operation on each type, with operands next to each limit: what has no result is told with its numbers, and no other."""
    lines = ["#include <cstdlib>", "template <typename T> __global__ void compute(int operation, T a, T b, T* out) {",
             "  switch (operation) {"]
    lines += [f"    case {i}: *out = {'-a' if op == 'negate' else f'a {op} b'}; break;" for i, op in enumerate(OPERATIONS)]
    lines += ["  }", "}", "template <typename T> void run(char** words) {", "  T* out;", "  cudaMalloc(&out, sizeof(T));",
              "  const auto number = [&](const char* word) {",
              "    return word[0] == '-' ? T(strtoll(word, nullptr, 10)) : T(strtoull(word, nullptr, 10));", "  };",
              "  compute<<<1, 1>>>(atoi(words[2]), number(words[3]), number(words[4]), out);", "  cudaDeviceSynchronize();", "}",
              "int main(int, char** words) {", "  switch (atoi(words[1])) {"]
    lines += [f"    case {i}: run<{name}>(words); break;" for i, name in enumerate(INTEGERS)] + ["  }", "}"]
    program = Program(nvcc, folder, "arithmetic", lines)
    for (number, (name, bits, signed)), (code, operation) in itertools.product(enumerate(INTEGERS.values()), enumerate(OPERATIONS)):
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2 ** bits - 1)
        half = 2 ** (bits // 2)
        pairs = {"+": [(high, 0), (high, 1), (high - 1, 1), (low, -1), (low + 1, -1), (high, high), (low, low), (5, -7)],
                 "-": [(low, 0), (low, 1), (low + 1, 1), (high, -1), (high - 1, -1), (0, low), (-1, low), (3, 5)],
                 "*": [(half, half // 2), (half, half // 2 - 1), (-half, half // 2), (-half, half), (low, -1), (high, 2), (high, 1),
                       (-3, 5)],
                 "/": [(low, -1), (low, 1), (low + 1, -1), (7, 0), (-7, 0), (0, 0), (7, 2), (high, -1)],
                 "%": [(low, -1), (low + 1, -1), (9, 0), (-9, 0), (9, 4)],
                 "<<": [(1, bits - 1), (1, bits), (3, bits - 1), (-1, 1), (1, bits + 1), (5, -1), (-5, bits), (high, 1)],
                 ">>": [(1, bits - 1), (1, bits), (-1, bits), (-1, bits - 1), (high, -1), (7, 100)],
                 "negate": [(low, 0), (low + 1, 0), (high, 0), (0, 0)]}[operation]
        for a, b in pairs:
            a, b = (a, b) if signed else (abs(a) % 2 ** bits, abs(b) % 2 ** bits)
            ended, errors, _ = program.run(number, code, a, b)
            told = re.findall(r"^arithmetic.cu:(\d+): CPU device: (.*) in kernel compute", errors, re.M)
            wanted = no_result(name, bits, signed, operation, a, b, range(low, high + 1))
            expected = [(str(program.line(f"case {code}: *out")), wanted)] if wanted else []
            check(f"{a} {operation} {b} as {name}: {wanted}", told == expected and ended == bool(wanted), f"{ended}: {errors}")


def no_result(name, bits, signed, operation, a, b, valid):
    """What is told of such an operation, or ""."""
    if operation in ("/", "%") and b == 0:
        return f"division of {a} by zero"
    if operation in ("<<", ">>"):
        return "" if 0 <= b < bits else f"shift too large: {a} is shifted by {b} bits, but its type {name} has only {bits}"
    if operation == "negate":
        return "" if -a in valid or not signed else f"integer overflow: -({a}) is outside the range of {name}"
    result = {"+": a + b, "-": a - b, "*": a * b, "/": -a if b == -1 else 0, "%": -a if b == -1 else 0}[operation]
    sign = operation.replace("%", "/")  # the quotient is what does not exist
    return "" if result in valid or not signed else f"integer overflow: {a} {sign} {b} is outside the range of {name}"


# A type, its bytes, and how an access to it is written.
ACCESSES = [(name, size, verb) for name, size in (("char", 1), ("short", 2), ("int", 4), ("double", 8), ("int4", 16), ("Pair", 8))
            for verb in ("reads", "writes", "atomically updates") if (verb != "atomically updates" or name == "int")]


def misaligned(nvcc, folder):
    """Each type at each offset from an aligned address, read, written and updated."""
    lines = ["#include <cstdlib>", "struct alignas(8) Pair { int first, second; };"]
    for number, (name, _, verb) in enumerate(ACCESSES):
        at = f"reinterpret_cast<{name}*>(bytes + offset)"
        member = ".second" if name == "Pair" else ".y" if name == "int4" else ""
        value = f"{name}{{}}" if name != "Pair" else "Pair{1, 2}"
        access = {"reads": f"const {name} value = *{at}; *out = int(value{member});", "writes": f"*{at} = {value};",
                  "atomically updates": f"atomicAdd({at}, 1);"}[verb]
        lines.append(f"__global__ void access{number}(char* bytes, int offset, int* out) {{ {access} }}")
    kernels = ", ".join(f"access{i}" for i in range(len(ACCESSES)))
    lines += ["int main(int, char** words) {", "  char* bytes;", "  int* out;", "  cudaMalloc(&bytes, 64), cudaMalloc(&out, 4);",
              "  cudaMemset(bytes, 0, 64);", f"  void (*all[])(char*, int, int*) = {{{kernels}}};",
              "  all[atoi(words[1])]<<<1, 1>>>(bytes, atoi(words[2]), out);", "  cudaDeviceSynchronize();", "}"]
    program = Program(nvcc, folder, "misaligned", lines)
    for number, (name, size, verb) in enumerate(ACCESSES):
        for offset in range(17):
            code, errors, _ = program.run(number, offset)
            told = re.findall(r"^misaligned.cu:(\d+): CPU device: misaligned access in kernel (\w+): thread \(0,0,0\) of block "
                              r"\(0,0,0\) (.*)$", errors, re.M)
            wanted = [(str(program.line(f"access{number}(")), f"access{number}", f"{verb} {size} bytes at bytes[{offset}]")]
            check(f"{name}, {verb} at {offset}", told == (wanted if offset % size else []) and code == bool(offset % size), errors)
            multiple = re.findall(r"is not a multiple of (\d+)", errors)
            check(f"{name}, {verb} at {offset}: a multiple of {size}", multiple == [str(size)] * bool(offset % size), errors)


NAMES = MOST_NAMES + 3


def coverage(nvcc, folder):
    """So many kernels that are never launched, so many functions that no thread comes to."""
    lines = ["#include <cstdlib>"]
    # A body in the first line of a kernel, in its last one, and between them: none is listed if the kernel itself is.
    for i in range(NAMES):
        lines += [[f"__global__ void idle{i}(int* a) {{ if (a != nullptr) {{ *a = {i}; }} }}"],
                  [f"__global__ void idle{i}(int* a) {{ if (a != nullptr) {{", f"    *a = {i};", "  }", "}"],
                  [f"__global__ void idle{i}(int* a) {{", "  if (a != nullptr) {", f"    *a = {i}; }} }}"]][i % 3]
    for i in range(NAMES):
        lines += [f"__global__ void half{i}(int* a, int n) {{", f"  if (n > {i}) {{", f"    *a = {i};", "  }", "}"]
    lines += ["int main(int, char** words) {", "  const int launched = atoi(words[1]), reached = atoi(words[2]);", "  int* a;",
              "  cudaMalloc(&a, 4);"]
    for i in range(NAMES):
        lines += [f"  if (launched > {i}) idle{i}<<<1, 1>>>(a);", f"  half{i}<<<1, 1>>>(a, reached);"]
    program = Program(nvcc, folder, "covered", lines + ["  cudaDeviceSynchronize();", "}"])

    def listed(names):
        return ", ".join(names[:MOST_NAMES]) + f" and {len(names) - MOST_NAMES} more" * (len(names) > MOST_NAMES)

    for left in range(NAMES + 1):
        done = NAMES - left
        launched = [f"idle{i} (covered.cu:{program.line(f'idle{i}(')})" for i in range(done, NAMES)]
        body = [program.line(f"if (n > {i})") + 1 for i in range(NAMES)]
        reached = [f"line {body[i]} of half{i} (covered.cu)" for i in range(done, NAMES)]
        for what, words, names in (("never launched", (done, NAMES), launched), ("never reached", (NAMES, done), reached)):
            _, errors, _ = program.run(*words)
            told = re.findall(rf"^  not covered, {what}: (.*)$", errors, re.M)
            check(f"{left} that are {what}: {listed(names)}", told == ([listed(names)] if names else []), errors)
            check(f"{left} that are {what}, and nothing else", errors.count("not covered") == bool(names), errors)


def coverage_of_files(nvcc, folder):
    """Places that no thread comes to in three files, whose kernels begin at such lines of each: all are told."""
    for number, begins in enumerate(itertools.permutations((3, 20, 60))):
        wanted, files = set(), ("covered_a.h", "covered_b.h", f"covered_in_files{number}.cu")
        texts = []
        for i, (file, begin) in enumerate(zip(files, begins)):
            texts.append([""] * (begin - 1) + [f"__global__ void in{i}(int* a, int n) {{", "  if (n > 0) {", "    *a = 1;", "  }", "}"])
            wanted.add(f"line {begin + 2} of in{i} ({file})")
        for file, text in zip(files, texts[:2]):
            (folder / file).write_text("\n".join(text) + "\n")
        texts[2][:2] = ['#include "covered_a.h"', '#include "covered_b.h"']
        program = Program(nvcc, folder, f"covered_in_files{number}", texts[2] + [
            "int main() {", "  int* a;", "  cudaMalloc(&a, 4);", *(f"  in{i}<<<1, 1>>>(a, 0);" for i in range(3)), "  cudaDeviceSynchronize();", "}"])
        _, errors, _ = program.run()
        told = re.findall(r"^  not covered, never reached: (.*)$", errors, re.M)
        check(f"in three files, in lines {begins}", len(told) == 1 and set(told[0].split(", ")) == wanted, f"{sorted(wanted)}\n{errors}")


LEVELS = 3


def nested(number, shape):
    """A kernel of conditions within each other, and of each body the first and the last line, counted from the kernel's. At each
    level: a statement before the next level, one behind it, braces; the innermost body is a statement."""
    lines, bodies = [f"__global__ void nest{number}(int* a, int n) {{"], [None] * LEVELS

    def level(depth):
        before, behind, braces = shape[depth]
        lines.append(f"if (n > {depth})" + (" {" if braces else ""))
        first = len(lines)
        if before:
            lines.append(f"*a += {depth};")
        if depth + 1 < LEVELS:
            level(depth + 1)
        else:
            lines.append("*a += 100;")
        if behind:
            lines.append("*a += 200;")
        bodies[depth] = first, len(lines) - 1
        if braces == 1:
            lines.append("}")
        elif braces == 2:
            lines[-1] += " }"

    level(0)
    return lines + ["}"], bodies


def nested_bodies(nvcc, folder):
    """Of bodies within each other that no thread comes to, only the outermost is told, wherever the others end."""
    kinds = [(0, 0, 0), *itertools.product((0, 1), (0, 1), (1, 2))]
    shapes = [shape for number, shape in enumerate(itertools.product(kinds, repeat=LEVELS)) if number % 11 == 0]
    lines, bodies = ["#include <cstdlib>"], []
    for number, shape in enumerate(shapes):
        text, own = nested(number, shape)
        bodies.append([(first + len(lines) + 1, last + len(lines) + 1) for first, last in own])
        lines += text
    lines += ["int main(int, char** words) {", "  int* a;", "  cudaMalloc(&a, 4), cudaMemset(a, 0, 4);",
              f"  void (*all[])(int*, int) = {{{', '.join(f'nest{i}' for i in range(len(shapes)))}}};",
              "  for (int i = 0; i < atoi(words[1]); i++) all[i]<<<1, 1>>>(a, 9);",
              f"  for (int i = atoi(words[1]) + 1; i < {len(shapes)}; i++) all[i]<<<1, 1>>>(a, 9);",
              "  all[atoi(words[1])]<<<1, 1>>>(a, atoi(words[2]));", "  cudaDeviceSynchronize();", "}"]
    program = Program(nvcc, folder, "nested", lines)
    for number, shape in enumerate(shapes):
        for reached in range(LEVELS + 1):
            _, errors, _ = program.run(number, reached)
            told = re.findall(r"^  not covered, never reached: (.*)$", errors, re.M)
            wanted = []
            if reached < LEVELS:
                first, last = bodies[number][reached]
                wanted = [(f"line {first}" if first == last else f"lines {first} to {last}") + f" of nest{number} (nested.cu)"]
            check(f"conditions {shape}, reached {reached}: {wanted}", told == wanted, errors)


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    for part in (launches_and_accesses, findings, exit_codes, partial_copies, leaks, objects, unchecked_errors, vain_waits, unread_results, coverage, coverage_of_files,
                 nested_bodies, children, arithmetic, misaligned):
        part(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
