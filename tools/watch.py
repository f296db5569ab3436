#!/usr/bin/env python3
"""Runs a checked program and writes a page on which one watches its threads work.

    tools/watch.py [--blocks A-B] [--called WORD] PROGRAM PAGE [ARGS...]    PROGRAM: built with nvcc --check

--blocks: only these blocks of each launch. WORD: what the user called the program, for messages.
The program records its first launches (CPU_DEVICE_WATCH, see runtime/watch/recorder.cpp); this makes
of the trace what tools/watch_page.html shows, and puts both into one file.
"""

import html
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import textwrap

from course import story

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 120          # that a program may take
MOST_EVENTS = 20000    # accesses that the recorder takes of all launches
FEWEST_EVENTS = 500    # of a launch that has to share them
MOST_CELLS = 4096      # of an array that is shown whole
MOST_ROWS = 400        # of what was touched of a larger one
WORD = 8               # characters by which a page's data is searched for repetitions
SHORTEST = 14          # repetition that is worth to be named
FRESH = bytes.fromhex("fb7ffb7f")  # what memory holds that nobody has written (runtime/memory/uninitialized_memory.cpp)

SCALARS = {"char": "b", "signed char": "b", "unsigned char": "B", "bool": "B", "short": "h",
           "short int": "h", "short unsigned int": "H", "unsigned short": "H", "int": "i",
           "unsigned int": "I", "unsigned": "I", "float": "f", "double": "d", "long int": "q",
           "long": "q", "long unsigned int": "Q", "unsigned long": "Q", "long long int": "q",
           "long long unsigned int": "Q", "size_t": "Q", "uint32_t": "I", "uint64_t": "Q"}
VECTORS = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
           "float": "f", "double": "d"}


def size_of(code):
    return struct.calcsize(code)  # "P": a pointer


class Problem(Exception):
    """What is said in one line."""


# ---- the program's run ----

def run(program, arguments, trace, settings=None):
    """Exit code and output. `settings`: more of the environment."""
    program = pathlib.Path(program).absolute()
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("DISPLAY", "WAYLAND_DISPLAY") and not k.startswith("CPU_DEVICE_WATCH")}
    environment.update({"CPU_DEVICE_WATCH": str(trace), **(settings or {})})
    # In a folder of its own, where it may leave its picture.
    arguments = [str(pathlib.Path(a).resolve()) if os.path.isfile(a) else a for a in arguments]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([str(program), *arguments], stdin=subprocess.DEVNULL, cwd=folder,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=SECONDS, errors="replace")
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode(errors="replace")


def smaller(program):
    """Options that make the program small, as far as it has them: "--size 64 --threads 32"."""
    text = subprocess.run([str(program), "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, errors="replace", timeout=SECONDS).stdout
    wanted = []
    for name, value in (("size", 64), ("threads", 32), ("blocks", 2), ("frames", 1), ("steps", 1)):
        option = re.search(rf"^\s*--{name} N\s.*?\((\d+) to (\d+)", text, re.M)
        if option:
            wanted.append(f"--{name} {min(max(value, int(option.group(1))), int(option.group(2)))}")
    return " ".join(wanted)


# ---- source ----

class Files:
    """Where source files are that the program names as its compiler did, such as "hw.cu" or "../p1/hw.cu"."""

    def __init__(self, program):
        folder = pathlib.Path(program).absolute().parent
        self.folders = [pathlib.Path.cwd(), folder, *folder.parents[:2]]
        self.known = {}

    def path(self, name):
        if name not in self.known:
            there = [folder / name for folder in self.folders if name and (folder / name).is_file()]
            self.known[name] = str(there[0].resolve()) if there else name
        return self.known[name]


class Sources:
    """The files that a launch runs through, and what of them is shown."""

    def __init__(self):
        self.lines = {}

    def text(self, file):
        if file not in self.lines:
            try:
                self.lines[file] = pathlib.Path(file).read_text(errors="replace").splitlines()
            except OSError:
                self.lines[file] = []
        return self.lines[file]

    def function_around(self, file, line):
        """First and last line of the function that the line is in, with the comment above."""
        lines = self.text(file)
        indent = lambda n: len(lines[n - 1]) - len(lines[n - 1].lstrip())
        begins = r"\s*(?!if|for|while|switch|else|do|namespace|struct|class|union|enum|case|return)\w.*[({,]"
        first = line
        while first > 1 and not (re.match(begins, lines[first - 1]) and
                                 (indent(first) < indent(line) or first == line) and
                                 re.search(r"\)[^;]*\{|\)\s*(:.*)?$|[(,]$", lines[first - 1]) and
                                 not re.match(r"\s*\S+\(", lines[first - 1]) and indent(first) <= 2):
            first -= 1
        last, edge = line, indent(first)
        while last < len(lines) and not (lines[last - 1].strip().startswith("}") and indent(last) == edge):
            if last == first and lines[last - 1].rstrip().split("  //")[0].endswith("}"):
                break
            last += 1
        while first > 1 and re.match(r"\s*(//|template)", lines[first - 2]) and indent(first - 1) == edge:
            first -= 1
        return first, last

    def excerpt(self, file, wanted):
        """[[number, text], ... with null for what is left out] around the lines wanted."""
        lines = self.text(file)
        shown = set()
        for line in wanted:
            if 0 < line <= len(lines):
                first, last = self.function_around(file, line)
                shown.update(range(first, last + 1) if last - first < 200 else
                             range(max(1, line - 20), min(len(lines), line + 20) + 1))
        rows = []
        for number in sorted(shown):
            if rows and rows[-1] and number > rows[-1][0] + 1:
                rows.append(None)
            rows.append([number, lines[number - 1]])
        return rows

    def search(self, pattern):
        for lines in self.lines.values():
            match = re.search(pattern, "\n".join(lines), re.M)
            if match:
                return match
        return None


# ---- arrays ----

def fields_of(type_name, sources, files):
    """The scalars of a type: [(name, offset, code)], and its size; None if it is not known."""
    type_name = re.sub(r"\b(const|volatile) ?", "", type_name).strip()
    if type_name.endswith("*"):
        return [("", 0, "P")], 8
    if type_name in SCALARS:
        return [("", 0, SCALARS[type_name])], struct.calcsize(SCALARS[type_name])
    vector = re.fullmatch(r"(u?char|u?short|u?int|float|double)([2-4])", type_name)
    if vector:
        code = VECTORS[vector.group(1)]
        size = size_of(code)
        return ([("xyzw"[i], i * size, code) for i in range(int(vector.group(2)))],
                size * int(vector.group(2)))
    if not re.fullmatch(r"[A-Za-z_][\w:]*", type_name):
        return None
    for file in files:
        sources.text(file)
    body = sources.search(rf"^struct {re.escape(type_name.split('::')[-1])} \{{((?:.|\n)*?)^\}};")
    if not body:
        return None
    fields, offset, alignment = [], 0, 1
    for line in body.group(1).splitlines():
        if re.match(r"   ", line):
            continue  # within a function
        line = line.split("//")[0].strip()
        match = re.fullmatch(r"(?:const )?([\w ]+?)\s+((?:\w+(?: = [^,;]*)?)(?:, \w+(?: = [^,;]*)?)*);", line)
        pointer = re.fullmatch(r"(?:const )?[\w ]+\*\s*(\w+)(?: = \w+)?;", line)
        if pointer:
            code, names = "P", [pointer.group(1)]
        elif match and match.group(1) in SCALARS:
            code, names = SCALARS[match.group(1)], [n.split()[0] for n in match.group(2).split(", ")]
        elif not line or "(" in line or not fields:
            continue
        else:
            break
        for name in names:
            size = size_of(code)
            offset = -(-offset // size) * size
            fields.append((name, offset, code))
            offset += size
            alignment = max(alignment, size)
    return (fields, -(-offset // alignment) * alignment) if fields else None


def looks_like_float(data):
    """Whether the words of an array whose type is not known are floats rather than integers."""
    words = [w for (w,) in struct.iter_unpack("<I", data[:len(data) // 4 * 4])]
    words = [w for w in words if w not in (0, 0x7ffb7ffb)]
    return sum(0x30000000 < (w & 0x7fffffff) < 0x4f000000 for w in words) * 2 > len(words)


class Array:
    """An array with its bytes, as far as they are known."""

    def __init__(self, record, number):
        self.number = number
        self.name, self.space, self.block = record["name"], record["space"], record["block"]
        self.base, self.allocated = record["base"], (record["file"], record["line"])
        self.bytes, self.origin, self.type = record["bytes"], record["origin"], record["type"]
        self.data = bytearray.fromhex(record["data"])
        self.known = bool(self.data) or self.bytes == 0
        self.memory = {}    # offset: byte, where the array was too large to be recorded whole
        self.touched = set()

    def settle_type(self, sources, files, threads):
        """Decides what its cells are and how many stand in a row."""
        if not self.name:  # the call that allocated it names the pointer: cudaMalloc(&table.pool, ...)
            lines = sources.text(self.allocated[0])[self.allocated[1] - 1:self.allocated[1]]
            named = re.search(r"&(?:\w+(?:\.|->))*(\w+)", lines[0]) if lines else None
            self.name = named.group(1) if named else f"memory of line {self.allocated[1]}"
            pointer = named and sources.search(rf"(?:^|[\s(,])(?!return\b)([\w:]+)\s*(\*+)\s*{self.name}\b")
            if pointer:
                self.type = pointer.group(1) + pointer.group(2)[1:]
        self.dimensions = [int(n) for n in re.findall(r"\[(\d+)\]", self.type)]
        element = re.sub(r"\s*(\[\d+\])+$", "", self.type)
        declared = sources.search(rf"__(?:constant|device|managed)__\s+(?:const )?(\w[\w ]*?)\s+\*?{re.escape(self.name)}"
                                  r"\s*[\[;={]")
        if self.space == "variable" and declared:
            element = declared.group(1)
        if self.name == "dynamic shared memory":
            dynamic = sources.search(r"extern __shared__ (?:alignas\(\w+\) )?([\w ]+?) (\w+)\[\]")
            if dynamic:
                element, self.name = dynamic.group(1), dynamic.group(2)
        if self.space == "variable" and sources.search(rf"__constant__[^;]*\b{re.escape(self.name)}\b"):
            self.space = "constant"
        known = fields_of(element, sources, files)
        if known is None:
            element = "float" if looks_like_float(self.data) else "int"
            known = fields_of(element, sources, files)
        self.element = element
        self.fields, self.stride = known
        if element in ("unsigned char", "uchar4") and threads[1] > 1 and \
                self.bytes == 4 * threads[0] * threads[1]:
            self.fields, self.stride = [(c, i, "B") for i, c in enumerate("rgba")], 4
            self.element = "rgba"
        self.count = max(1, -(-self.bytes // self.stride))
        if self.element == "rgba":
            self.columns = threads[0]
        elif len(self.dimensions) > 1 and self.dimensions[-1] <= 256:
            self.columns = self.dimensions[-1]
        elif self.space == "global" and threads[1] > 1 and self.count == threads[0] * threads[1]:
            self.columns = threads[0]
        else:
            self.columns = 0  # as many as fit
        return self

    def cells(self, offset, size):
        """First cell and number of cells that an access touches; a cell is a field of an element."""
        element, inside = divmod(offset - self.origin, self.stride)
        first = max([0] + [i for i, f in enumerate(self.fields) if f[1] <= inside])
        end, cell = offset - self.origin + size, element * len(self.fields) + first
        count = 1
        while self.offset_of(cell + count) < end and count < 64:
            count += 1
        return cell, count

    def offset_of(self, cell):
        element, field = divmod(cell, len(self.fields))
        return element * self.stride + self.fields[field][1]

    def put(self, offset, data):
        if self.known:
            self.data[offset:offset + len(data)] = data
        else:
            for i, byte in enumerate(data):
                self.memory[offset + i] = byte

    def value(self, cell):
        """The cell as a number; None if nobody has written it or it is unknown."""
        code = self.fields[cell % len(self.fields)][2]
        size = size_of(code)
        offset = self.offset_of(cell) + self.origin
        if self.known:
            data = bytes(self.data[offset:offset + size]) if offset >= 0 else b""
        else:
            data = bytes(self.memory.get(offset + i, 0) for i in range(size)) \
                if offset in self.memory else b""
        if len(data) < size:
            return None
        if size >= 4 and data[:4] == FRESH or size == 2 and data == FRESH[:2]:
            return None
        if size == 1 and self.known and bytes(self.data[offset & ~3:(offset & ~3) + 4]) == FRESH:
            return None
        if code == "P":
            return self.pointer(struct.unpack("P", data)[0])
        return number(struct.unpack("<" + code, data)[0])

    def pointer(self, address):
        """"pool[3]" for an address in an array of the launch."""
        for array in self.others:
            if array.space != "shared" and 0 <= address - array.base < max(array.bytes, 1):
                return f"{array.name}[{(address - array.base - array.origin) // array.stride}]"
        return "null" if address == 0 else f"0x{address:x}"


def number(value):
    """For JSON, and short."""
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        short = float(f"{value:.7g}")
        return int(short) if short == int(short) and abs(short) < 1e9 else short
    return value if abs(value) < 1 << 53 else f"0x{value & (1 << 64) - 1:x}"


# ---- what a step costs ----

def conflicts_of(offsets, size):
    """Extra passes of a warp's request to shared memory: 32 banks of 4 bytes."""
    lanes = {8: 16, 16: 8}.get(size, 32)
    passes = parts = 0
    for start in range(0, len(offsets), lanes):
        banks = {}
        for offset in offsets[start:start + lanes]:
            for word in range(offset // 4, (offset + size - 1) // 4 + 1):
                banks.setdefault(word % 32, set()).add(word)
        passes += max(len(words) for words in banks.values())
        parts += 1
    return max(0, passes - parts)


def sectors_of(offsets, size):
    return len({s for o in offsets for s in range(o // 32, (o + size - 1) // 32 + 1)})


# ---- from the trace to the page's data ----

class Launch:
    def __init__(self, record):
        self.record = record
        self.arrays, self.places, self.raw = {}, {}, []
        self.end = {"end": 0, "cut": True, "failed": True}  # if the program did not come so far

    def page_data(self, sources, partly):
        r = self.record
        threads = [r["grid"][0] * r["block"][0], r["grid"][1] * r["block"][1]]
        files = []
        for place in self.places.values():
            if place["file"] not in files:
                files.append(place["file"])
        files.sort(key=lambda f: f != r["file"])
        for file in [r["file"], *files]:
            sources.text(file)
            # What structures are made of may stand in a header.
            for header in re.findall(r'#include "([^"]+)"', "\n".join(sources.text(file))):
                sources.text(str(pathlib.Path(file).parent / header))
        arrays = {n: Array(a, i).settle_type(sources, files, threads)
                  for i, (n, a) in enumerate(self.arrays.items())}
        for array in arrays.values():
            array.others = list(arrays.values())
        initial = {}
        for array in arrays.values():  # before the first step changes them
            if array.known and array.count * len(array.fields) <= MOST_CELLS:
                cells = array.count * len(array.fields)
                initial[array.number] = {c: array.value(c) for c in range(cells)}
            else:
                initial[array.number] = {}
        places = {n: i for i, n in enumerate(self.places)}
        steps = [self.step(entry, arrays, places, initial, partly) for entry in self.raw]
        lines = {}
        for place in self.places.values():
            lines.setdefault(place["file"], set()).add(place["line"])
        for entry in self.raw:
            line = entry["wait"][2] if "wait" in entry else entry["pass"][1] if "pass" in entry else 0
            if line:
                lines.setdefault(r["file"], set()).add(line)
        if not lines:
            lines[r["file"]] = {r["line"]}
        return {
            "name": r["launch"], "grid": r["grid"], "block": r["block"], "line": r["line"],
            "file": os.path.basename(r["file"]),
            "events": self.end["end"], "cut": self.end["cut"], "failed": self.end["failed"],
            "files": [{"name": os.path.basename(f), "rows": sources.excerpt(f, ls)}
                      for f, ls in sorted(lines.items(), key=lambda item: item[0] != r["file"])],
            "places": [[os.path.basename(p["file"]), p["line"], p["access"]] for p in self.places.values()],
            "arrays": [self.shown(a, initial[a.number]) for a in arrays.values()],
            "steps": steps,
        }

    @staticmethod
    def step(entry, arrays, places, initial, partly):
        if "wait" in entry:
            block, what, line, threads = entry["wait"]
            return {"k": what, "b": block, "n": line, "t": threads}
        if "exit" in entry:
            return {"k": "exit", "b": entry["exit"][0], "t": entry["exit"][1]}
        if "pass" in entry:
            return {"k": "pass", "b": entry["pass"][0], "n": entry["pass"][1]}
        block, warp, place, lanes = entry["step"]
        lanes.sort()
        accesses, by_others = [], []
        for lane, which, offset, size, before, after in lanes:
            array = arrays[which]
            first, count = array.cells(offset, size)
            if partly and array.known and before and array.data[offset:offset + len(before) // 2].hex() != before:
                array.put(offset, bytes.fromhex(before))  # a block that is not watched wrote it
                by_others += [[array.number, cell, array.value(cell)] for cell in range(first, first + count)]
            for cell in range(first, first + count):
                array.touched.add(cell)
            if not array.known and before:
                for i, byte in enumerate(bytes.fromhex(before)):
                    array.memory.setdefault(offset + i, byte)
            for cell in range(first, first + count):
                if cell not in initial[array.number]:
                    initial[array.number][cell] = array.value(cell)
            access = [lane, array.number, first, count]
            if after:
                array.put(offset, bytes.fromhex(after))
                access.append([array.value(c) for c in range(first, first + count)])
            accesses.append(access)
        array = arrays[lanes[0][1]]
        offsets, size = [l[2] for l in lanes], lanes[0][3]
        cost = (conflicts_of(offsets, size) if array.space == "shared" else
                sectors_of(offsets, size) if array.space == "global" else len(set(offsets)))
        step = {"k": "do", "b": block, "w": warp, "p": places[place], "a": accesses, "s": size, "c": cost}
        return {**step, "o": by_others} if by_others else step

    @staticmethod
    def shown(array, values):
        fields = len(array.fields)
        everything = array.count * fields
        beyond = sorted(c for c in array.touched if c < 0 or c >= everything)
        structures = fields > 1 and array.element != "rgba"  # stand one below the other
        per_row = fields if structures else (array.columns or 32) * fields
        rows = None
        if everything > MOST_CELLS or not array.known:
            # Only the rows that were touched.
            rows = sorted({c // per_row for c in array.touched if 0 <= c < everything})[:MOST_ROWS]
            array.columns = 0 if structures else array.columns or 32
        # Of a large array whose end nobody touches, as much as is touched.
        visible = everything
        if rows is None and everything > 128:
            last = max((c for c in array.touched if c < everything), default=0)
            visible = min(everything, -(-(last + 1) // per_row) * per_row)
        kept = sorted(c for c in values if c < visible) if rows is None else [c for c in sorted(values) if c // per_row in set(rows)]
        return {"name": array.name, "space": array.space, "block": array.block, "type": array.element,
                "fields": [f[0] for f in array.fields], "stride": array.stride, "origin": array.origin,
                "offsets": [f[1] for f in array.fields], "count": array.count, "bytes": array.bytes,
                "columns": array.columns, "dimensions": array.dimensions, "rows": rows,
                "beyond": beyond[:32], "visible": visible, "cells": kept if rows is not None else None,
                "values": [values[c] for c in kept]}


def read_trace(path, program="", shared=False):
    """Launches and findings, in the order in which they came. `shared`: each launch has its share of what is
    recorded, so that also those that are cut are worth it."""
    launches, findings, files = [], [], Files(program)
    for text in pathlib.Path(path).read_text(errors="replace").splitlines():
        try:
            record = json.loads(text)
        except ValueError:
            continue  # the last line of a program that was killed
        if "file" in record:
            record["file"] = files.path(record["file"])
        if "launch" in record:
            launches.append(Launch(record))
        elif "array" in record:
            launches[-1].arrays[record["array"]] = record
        elif "place" in record:
            launches[-1].places[record["place"]] = record
        elif "end" in record:
            launches[-1].end = record
        elif "finding" in record:
            record["others"] = [[files.path(file), line] for file, line in record["others"]]
            findings.append(record)
        elif "missed" in record:
            pass  # see missed()
        else:
            launches[-1].raw.append(record)
    launches = [launch for launch in launches if launch.raw]
    # A launch that is there in part is worth it only if there is nothing better.
    return [l for l in launches if shared or not l.end["cut"] or l is launches[0]], findings


def missed(trace):
    """How many launches found nothing left to be recorded with."""
    return sum(line.startswith('{"missed"') for line in trace.read_text(errors="replace").splitlines())


def record(program, arguments, settings):
    """Exit code, output, launches and findings of a run; of a second one, with a share for each launch, if
    the first launches have used up what may be recorded."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        code, output = run(program, arguments, trace, settings)
        if not trace.exists():
            return code, output, [], []
        launches, findings = read_trace(trace, program, shared=True)
        count = len(launches) + missed(trace)
        if count > 1 and (missed(trace) or launches[-1].end["cut"]):
            share = max(FEWEST_EVENTS, MOST_EVENTS // count)
            again = run(program, arguments, trace, {**settings, "CPU_DEVICE_WATCH_EVENTS": str(share)})
            if trace.exists() and read_trace(trace, program, shared=True)[0]:
                launches, findings = read_trace(trace, program, shared=True)
                code, output = again
        return code, output, launches, findings


def page_data(program, arguments, launches, findings, partly=False):
    """`partly`: not all blocks were watched."""
    sources = Sources()
    pages = [launch.page_data(sources, partly) for launch in launches]
    rows = {(file["name"], row[0]) for page in pages for file in page["files"] for row in file["rows"] if row}
    # Those of host code alone are what `./course check` is for.
    findings = [f for f in findings if any((os.path.basename(file), line) in rows
                                           for file, line in [[f["file"], f["line"]], *f["others"]])]
    return {
        "program": os.path.basename(program), "arguments": shlex.join(arguments),
        "launches": pages,
        "findings": [{"kind": f["finding"], "file": os.path.basename(f["file"]), "line": f["line"],
                      "others": [[os.path.basename(file), line] for file, line in f["others"]],
                      "title": f["title"].split("\n")[0],
                      "details": textwrap.dedent("\n".join([*f["title"].split("\n")[1:],
                                                            f["details"].strip("\n")])).strip("\n"),
                      "hint": f["hint"],
                      "told": story.parts(f"{f['title']}\n{f['details'].strip(chr(10))}")}
                     for f in findings],
    }


def packed(text):
    """The text in pieces, much shorter: [new text, how far back, how many characters from there, new text, ...]. The page's
    unpacked() puts it together."""
    known, pieces, begin, at = {}, [], 0, 0  # known: where the last occurrence of WORD characters is
    while at + WORD <= len(text):
        word = text[at:at + WORD]
        before, known[word] = known.get(word), at
        length = 0
        if before is not None:
            length = WORD
            while at + length < len(text) and text[before + length] == text[at + length]:
                length += 1
        if length < SHORTEST:
            at += 1
            continue
        pieces += [text[begin:at], at - before, length]
        for inside in range(at + 1, at + length - WORD):
            known[text[inside:inside + WORD]] = inside
        at += length
        begin = at
    return [*pieces, text[begin:]]


def page_of(data):
    template = (ROOT / "tools/watch_page.html").read_text()
    text = json.dumps(packed(json.dumps(data, separators=(",", ":"))), separators=(",", ":")).replace("</", "<\\/")
    title = html.escape(f"{data['program']}: watch its threads work", quote=False)
    return template.replace("TITLE_OF_THE_PAGE", title).replace("null /* the data */", text)


def words_of(output):
    """The last line of what a program said, but for the checked run's."""
    lines = output.strip().splitlines() or ["it said nothing"]
    return ([line for line in lines if "checked run" not in line and line.strip()] or lines)


def why_nothing(name, code, output, blocks):
    words = words_of(output)
    if code == 2:
        return words[0]
    if code is None:
        why = f"launched no kernel within {SECONDS} s"
    elif blocks:
        first, last = blocks.split("-")
        why = "launched no kernel with " + (f"block {first}" if first == last else f"blocks {blocks}")
    else:
        why = "launched no kernel"
    return f"{name} {why}, so there is nothing to watch (its last line: {words[-1]})"


def how_to_see_more(program, called, arguments, blocks, launches):
    """What makes a launch small enough to be watched whole. `called`: what a program that is not the course's,
    whose options are not known, is called."""
    options = "" if called else smaller(program)
    if options and options != shlex.join(arguments):
        return f"smaller: ./course watch {program.name} {options}"
    most = max(x * y * z for x, y, z in (launch["grid"] for launch in launches if launch["cut"]))
    first, last = map(int, blocks.split("-")) if blocks else (0, most - 1)
    last = min(last, most - 1)
    if last == first:
        return "use fewer threads per block, or less work per thread"
    few = f"{first}-{first + 3}" if last - first > 3 else str(first)
    return f"fewer blocks: {shlex.join(['./course', 'watch', '--blocks', few, called or program.name, *arguments])}"


def write_page(program, page, arguments, called, blocks):
    settings = {"CPU_DEVICE_WATCH_BLOCKS": blocks} if blocks else {}
    code, output, launches, findings = record(program, arguments, settings)
    if not launches:
        if page.is_file():  # and not /dev/null, say
            page.unlink()
        raise Problem(why_nothing(program.name, code, output, blocks))
    data = page_data(program, arguments, launches, findings, bool(blocks))
    page.write_text(page_of(data))
    found = len(data["findings"])
    events = sum(launch["events"] for launch in data["launches"])
    print(f"{len(launches)} launch{'' if len(launches) == 1 else 'es'}, {events} access{'' if events == 1 else 'es'}"
          f"{f', {found} finding' + ('' if found == 1 else 's') if found else ''}: "
          f"open {page} in a browser")
    if any(launch["cut"] for launch in data["launches"]):
        first = "first accesses of each launch" if len(launches) > 1 else f"first {events} accesses" if events != 1 else "first access"
        print(f"too large to watch whole: the page has the {first}; "
              + how_to_see_more(program, called, arguments, blocks, data["launches"]))


def main():
    words, options = sys.argv[1:], {"--blocks": "", "--called": ""}
    while len(words) > 1 and words[0] in options:
        options[words[0]] = words[1]
        words = words[2:]
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program, page = pathlib.Path(words[0]).absolute(), pathlib.Path(words[1])
    try:
        try:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text("")
        except OSError as error:
            raise Problem(f"the page cannot be written: {page}: {error.strerror}") from None
        write_page(program, page, words[2:], options["--called"], options["--blocks"])
        return 0
    except Problem as problem:
        print(f"course: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
