#!/usr/bin/env python3
"""What becomes of a trace on the page of ./course watch: made-up traces against a memory of our own.

    tests/pages/watch_trace_test.py [SEEDS]

A seed makes a program's source and a trace: arrays of several types and sizes, in each space, steps of some lanes of a warp, waits,
ends and findings. Compared are the values before and after each step, what a step costs, how much of an array is shown, the lines
of the source, the findings, and the whole page: its title and its data, read back from the HTML by an unpacker of our own. Names
and texts contain tags and quotes.
"""

import html.parser
import json
import pathlib
import random
import struct
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import watch  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

CODES = {"int": "i", "unsigned int": "I", "float": "f", "double": "d", "short": "h", "unsigned char": "B", "long long int": "q",
         "signed char": "b"}
FRESH = bytes.fromhex("fb7ffb7f")  # memory that nobody has written
STRANGE = ['<b>"x" & \'y\'</b>', "</script><script>alert(1)</script>", "<!--", "a\\b", "null /* the data */", "TITLE_OF_THE_PAGE",
           "ä 漢", "plain"]
ROW = 32  # elements, where a kernel has one dimension
SHAPES = [((4, 1, 1), (64, 1, 1))] * 3 + [((4, 1, 1), (16, 4, 1)), ((2, 2, 1), (8, 8, 1)), ((1, 4, 1), (32, 2, 1)), ((1, 4, 1), (1, 64, 1)),
                                          ((2, 2, 1), (2, 32, 1)), ((4, 1, 1), (4, 8, 2))]  # grid and block
MOST_CELLS = 4096  # of an array that is shown whole


VECTORS = {"int2": "ii", "float4": "ffff", "uchar4": "BBBB", "short3": "hhh", "double2": "dd", "uint3": "III"}
# Fields with their places: char, int and double as C++ lays them out.
FIELDS = {name: [("xyzw"[i], i * struct.calcsize(code), code) for i, code in enumerate(codes)] for name, codes in VECTORS.items()}
# What is larger than its members: "Tailed" ends with a gap, so that each element is aligned.
FIELDS["Tailed"] = [("weight", 0, "d"), ("next", 8, "i")]
FIELDS["Mixed"] = [("tag", 0, "b"), ("left", 4, "i"), ("right", 8, "i"), ("weight", 16, "d")]
SIZES = {name: sum(struct.calcsize(code) for code in codes) for name, codes in VECTORS.items()} | {"Mixed": 24, "Tailed": 16}


def random_value(rng, code):
    if code == "P":
        return rng.choice([0, 0x1234, 1 << 40])
    if code in "fd":
        return rng.choice([0.0, 0.25, -1.5, 1e9, 123456.0, rng.randint(-999, 999) / 8])
    bits = 8 * struct.calcsize(code)
    low, high = (0, 2 ** bits - 1) if code.isupper() else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    return rng.choice([low, high, 0, 1, rng.randint(max(low, -300), min(high, 300)), rng.randint(low, high)])


def as_shown(value):
    """Whole numbers as such; what a number of JavaScript cannot hold in hexadecimal, as 64 bits."""
    if isinstance(value, float):
        return int(value) if value == int(value) and abs(value) < 1e9 else value
    return value if -(2 ** 53) < value < 2 ** 53 else hex(value % 2 ** 64)


class Memory:
    """An array as the program has it: numbers, vectors, structures or pointers, in one dimension or two. Of one with more than
    64 KiB the trace has only what is touched."""

    def __init__(self, rng, number, source, across, down):
        self.number, self.kind = number, rng.choice([*CODES, *VECTORS, "Mixed", "Tailed", "int*"])
        self.fields = FIELDS.get(self.kind) or [("", 0, CODES.get(self.kind, "P"))]
        self.size = SIZES.get(self.kind) or struct.calcsize(self.fields[0][2])
        self.space = rng.choice(["global", "global", "shared", "variable"])
        self.count = rng.choice([1, 2, 31, 32, 33, 64, 127, 128, 129, 160, 161, 300])
        self.dimensions, self.known, self.row, self.pixels = [], True, 0, False
        if rng.random() < 0.25 and down > 1:  # one element for each thread: its rows are those of the grid
            self.count, self.space = across * down, rng.choice(["global", "global", "variable"])
        elif rng.random() < 0.2:
            self.dimensions = [self.count, rng.choice([1, 3, 16, 33])]
            self.count *= self.dimensions[1]
        elif rng.random() < 0.1:
            self.count, self.known = 70000, False
        if self.count == across * down and down > 1 and not self.dimensions:
            self.pixels = self.kind == "uchar4"
            self.row = across if self.space == "global" or self.pixels else 0
        if self.pixels:
            self.fields = [("rgba"[i], i, "B") for i in range(4)]
        self.data, self.last, self.place, self.touched, self.seen = bytearray(), 0, 0, set(), {}
        one = b"".join(self.random_element(rng) for _ in range(min(self.count, 400)))
        self.data = bytearray((one * (self.count * self.size // len(one) + 1))[:self.count * self.size])
        self.block = rng.randint(0, 3) if self.space == "shared" else -1
        self.base = 0x7f0000000000 + 0x100000 * number
        self.record = {"array": number, "name": f"a{number}", "space": self.space, "bytes": len(self.data), "element": self.size,
                       "type": f"{self.kind} {''.join(f'[{n}]' for n in self.dimensions)}".strip(), "base": self.base, "origin": 0,
                       "block": self.block, "file": source, "line": 2, "data": self.data.hex() if self.known else ""}
        self.at_first = [self.value(cell) for cell in range(self.count * len(self.fields))] if self.known else []

    def random_element(self, rng):
        data = bytearray(self.size)
        for _, at, code in self.fields:
            size = struct.calcsize(code)
            fresh = size >= 4 and rng.random() < 0.2
            value = struct.pack("<" + code.replace("P", "Q"), random_value(rng, code))
            data[at:at + size] = FRESH * (size // 4) if fresh else value
        return bytes(data)

    def value(self, cell):
        """Cell by cell: the fields of the first element, then those of the second."""
        _, at, code = self.fields[cell % len(self.fields)]
        at += cell // len(self.fields) * self.size
        data = bytes(self.data[at:at + struct.calcsize(code)])
        if len(data) >= 4 and data[:4] == FRESH or len(data) == 2 and data == FRESH[:2]:
            return None
        if len(data) == 1 and bytes(self.data[at // 4 * 4:at // 4 * 4 + 4]) == FRESH:
            return None
        value = struct.unpack("<" + code.replace("P", "Q"), data)[0]
        return as_shown(value) if code != "P" else "null" if value == 0 else f"0x{value:x}"


def cost(space, offsets, size):
    """Sectors of 32 bytes, or passes beyond the first through 32 banks, or different addresses. Of wide elements, a half or a
    quarter of the lanes passes at a time."""
    if space == "global":
        return len({byte // 32 for at in offsets for byte in range(at, at + size)})
    if space == "variable":
        return len(set(offsets))
    more, lanes = 0, {8: 16, 16: 8}.get(size, 32)
    while offsets:
        part, offsets = offsets[:lanes], offsets[lanes:]
        words = {byte // 4 for at in part for byte in range(at, at + size)}
        more += max(sum(other % 32 == word % 32 for other in words) for word in words) - 1
    return more


SOURCE = """\
struct Mixed {
  signed char tag = 0;
  int left, right;  // both
  double weight;
};
// Says what it does.
template <typename T>
__global__ void kernel(T* a0, T* a1) {
  const int i = threadIdx.x;
  if (i < 10) {
    a0[i] = a1[i];  // </script>
  }
  a1[i] = 2;
}

__device__ int other(int x) {
  return x + 1;
}

int main() {
  kernel<<<1, 1>>>(nullptr, nullptr);
}
struct Tailed {
  double weight;
  int next;
};
"""
# A comment over `template` belongs to the kernel.
FUNCTIONS = [range(6, 15), range(16, 19), range(20, 23)]


def made_up(rng, folder):
    """(trace, source, what the page must show)"""
    source = folder / rng.choice(["plain.cu", "a b.cu", "a&b<c>.cu"])
    source.write_text(SOURCE)
    grid, block = rng.choice(SHAPES)
    across, down = grid[0] * block[0], grid[1] * block[1]
    arrays = [Memory(rng, n, str(source), across, down) for n in range(rng.randint(1, 3))]
    name = rng.choice(STRANGE)
    records = [{"launch": name, "grid": list(grid), "block": list(block), "shared": 0, "file": str(source), "line": 21}]
    lines = rng.sample([9, 10, 11, 13, 17], rng.randint(1, 3))
    places = [(n, line, rng.choice(["read", "write", "atomic"])) for n, line in enumerate(lines)]
    records += [{"place": n + 10, "file": str(source), "line": line, "access": access} for n, line, access in places]
    first, steps = [], []
    for _ in range(rng.randint(1, 12)):
        kind = rng.choice(["step", "step", "step", "wait", "exit", "pass"])
        block, threads = rng.randint(0, 3), sorted(rng.sample(range(64), 3))
        if kind == "wait":
            what = rng.choice(["barrier", "warp", "part"])
            records.append({"wait": [block, what, 13, threads]})
            steps.append({"k": what, "b": block, "n": 13, "t": threads})
        elif kind == "exit":
            records.append({"exit": [block, threads]})
            steps.append({"k": "exit", "b": block, "t": threads})
        elif kind == "pass":
            records.append({"pass": [block, 13]})
            steps.append({"k": "pass", "b": block, "n": 13})
        else:
            array = rng.choice(arrays)
            place = rng.randrange(len(places))
            if array not in first:  # a page numbers them in the order in which they are touched
                array.place = len(first)
                first.append(array)
                records.append(array.record)
            steps.append(step_of(rng, array, block, place, records))
    if not first:
        return made_up(rng, folder)
    records.append({"end": 77, "cut": rng.random() < 0.5, "failed": rng.random() < 0.5})
    return records, source, name, first, steps, places


def step_of(rng, array, block, place, records):
    """One access of some lanes: whole elements, or the same field of each."""
    warp, lanes, accesses, count = rng.randint(0, 1), [], [], len(array.fields)
    stride, begin = rng.choice([0, 1, 2, 8, 33]), rng.randrange(array.count)
    writes, field = rng.random() < 0.6, rng.choice([None, None, *range(count)]) if count > 1 else 0
    first, cells = (0, count) if field is None else (field, 1)
    within, size = (0, array.size) if field is None else (array.fields[field][1], struct.calcsize(array.fields[field][2]))
    for lane in sorted(rng.sample(range(32), rng.choice([1, 5, 32]))):
        i = (begin + stride * lane) % array.count
        at = i * array.size + within
        before, after = bytes(array.data[at:at + size]).hex(), ""
        cell = i * count + first
        array.touched.update(range(cell, cell + cells))
        for one in range(cell, cell + cells):
            array.seen.setdefault(one, array.value(one))
        access = [lane, array.place, cell, cells]
        if writes:
            array.data[at:at + size] = array.random_element(rng)[within:within + size]
            after = bytes(array.data[at:at + size]).hex()
            access.append([array.value(one) for one in range(cell, cell + cells)])
        array.last = max(array.last, i)
        lanes.append([lane, array.number, at, size, before, after])
        accesses.append(access)
    spent = cost(array.space, [lane[2] for lane in lanes], size)
    if rng.random() < 0.3:
        rng.shuffle(lanes)
    records.append({"step": [block, warp, place + 10, lanes]})
    return {"k": "do", "b": block, "w": warp, "p": place, "a": accesses, "s": size, "c": spent}


class Page(html.parser.HTMLParser):
    """The title and the text of the scripts."""

    def __init__(self, text):
        super().__init__()
        self.inside, self.texts, self.tags = None, {"title": "", "script": ""}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.tags.append(tag)

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside in self.texts:
            self.texts[self.inside] += data


BEFORE_DATA = (ROOT / "tools/watch_page.html").read_text().partition("null /* the data */")[0].rpartition("\n")[2]
TAGS = Page((ROOT / "tools/watch_page.html").read_text()).tags


def unpacked(pieces):
    text = ""
    for i, piece in enumerate(pieces):
        if i % 3 == 0:
            text += piece
        elif i % 3 == 2:
            for _ in range(piece):
                text += text[-pieces[i - 1]]
    return text


TWO_LINES = "\n    one\n      two\n"
TWO_ACCESSES = """
    thread (1,0,0) of block (2,0,0) reads a[3]    line 11:  b = a[i];
    thread (0,0,0) of block (0,0,0) wrote a[3]    line 13 of b.h:  a[j] = 1;
    no barrier between them since the kernel started
"""
TOLD = [{"words": "Thread (0,0,0) of block (0,0,0) and thread (1,0,0) of block (2,0,0) come from the start of the kernel. "
                  "After that, nothing orders them.", "line": 0},
        {"words": "Thread (0,0,0) of block (0,0,0) writes a[3] in line 13:  a[j] = 1;", "line": 13},
        {"words": "Thread (1,0,0) of block (2,0,0) reads a[3] in line 11:  b = a[i];", "line": 11},
        {"words": "In this order: thread (1,0,0) of block (2,0,0) reads the new value of a[3].", "line": 0},
        {"words": "In the other order: thread (1,0,0) of block (2,0,0) reads the old value of a[3].", "line": 0}]


def check_page(about, data):
    text = watch.page_of(data)
    page = Page(text)
    check(f"{about}: the title", page.texts["title"] == f"{data['program']}: watch its threads work", page.texts["title"])
    script = page.texts["script"]
    pieces, _ = json.JSONDecoder().raw_decode(script[script.index(BEFORE_DATA) + len(BEFORE_DATA):])
    check(f"{about}: the data", json.loads(unpacked(pieces)) == json.loads(json.dumps(data)))
    check(f"{about}: no other tags", page.tags == TAGS, page.tags)


def check_seed(seed, top):
    rng = random.Random(seed)
    folder = top / str(seed)
    folder.mkdir()
    records, source, name, arrays, steps, places = made_up(rng, folder)
    findings = [{"finding": "race-block", "file": str(source), "line": line, "others": [[str(source), other]],
                 "title": f"{rng.choice(STRANGE)}\n  more", "details": rng.choice([TWO_LINES, TWO_ACCESSES]), "hint": rng.choice(STRANGE)}
                for line, other in ((11, 1), (1, 1), (1, 13), (21, 21))]
    trace = folder / "trace"
    trace.write_text("\n".join(map(json.dumps, records + findings)) + '\n{"missed": "x"}\n{"step": [0')
    about = f"seed {seed}"
    (launch,), found = watch.read_trace(trace, str(folder / "program"), shared=True)
    program = rng.choice(STRANGE).replace("/", "_")
    data = watch.page_data(str(folder / program), ["a b", "<c>"], [launch], found)
    (page,) = data["launches"]
    end = records[-1]
    facts = [page[key] for key in ("name", "grid", "block", "line", "file", "events", "cut", "failed")]
    check(f"{about}: the launch", facts == [name, records[0]["grid"], records[0]["block"], 21, source.name, 77, end["cut"], end["failed"]], facts)
    check(f"{about}: steps", page["steps"] == steps, f"{page['steps']}\n{steps}")
    check(f"{about}: places", page["places"] == [[source.name, line, access] for _, line, access in places], page["places"])
    shown = {int(one["name"][1:]): one for one in page["arrays"]}
    check(f"{about}: which arrays", list(shown) == [array.number for array in arrays], page["arrays"])
    for array in arrays:
        check_array(about, array, shown[array.number])
    wanted = {line for _, line, _ in places} | {13 for step in steps if step["k"] in ("barrier", "warp", "part", "pass")}
    lines = sorted({line for one in FUNCTIONS for line in one if set(one) & wanted})
    (file,) = page["files"]
    rows = [row for row in file["rows"] if row]
    check(f"{about}: lines of the source", rows == [[line, SOURCE.splitlines()[line - 1]] for line in lines], file)
    gaps = [i for i, row in enumerate(file["rows"]) if row is None]
    check(f"{about}: gaps", len(gaps) == sum(b > a + 1 for a, b in zip(lines, lines[1:])), file)
    check(f"{about}: a gap is between lines", all(0 < i < len(file["rows"]) - 1 for i in gaps), file)
    kept = [f for f in findings if {f["line"], f["others"][0][1]} & set(lines)]
    check(f"{about}: findings", data["findings"] == [
        {"kind": "race-block", "file": source.name, "line": f["line"], "others": [[source.name, f["others"][0][1]]],
         "title": f["title"].split("\n")[0], "hint": f["hint"],
         "details": "more\n" + textwrap.indent(textwrap.dedent(f["details"]).strip("\n"), "  "),
         "told": TOLD if f["details"] == TWO_ACCESSES else []} for f in kept], data["findings"])
    check(f"{about}: how it was called", (data["program"], data["arguments"]) == (program, "'a b' '<c>'"), data["arguments"])
    check_page(about, data)


def check_array(about, array, shown):
    """All of an array is shown up to the last row with an access; of a large one, the rows with one."""
    about, fields = f"{about}: array {array.number} of {array.count} {array.kind} {array.dimensions}", len(array.fields)
    facts = [shown[key] for key in ("space", "block", "type", "count", "bytes", "stride", "origin", "dimensions")]
    wanted = [array.space, array.block, "rgba" if array.pixels else array.kind, array.count, len(array.data), array.size, 0, array.dimensions]
    check(about, facts == wanted, facts)
    names, places, _ = zip(*array.fields)
    check(f"{about}: fields", [shown["fields"], shown["offsets"]] == [list(names), list(places)])
    structures, everything = fields > 1 and not array.pixels, array.count * fields
    columns = array.dimensions[-1] if array.dimensions else array.row
    if everything > MOST_CELLS or not array.known:
        row = fields if structures else columns or ROW
        rows = sorted({cell // row for cell in array.touched})
        check(f"{about}: rows", shown["rows"] == rows and shown["visible"] == everything, shown)
        check(f"{about}: values of touched cells", dict(zip(shown["cells"] or [], shown["values"])) == array.seen, shown)
        check(f"{about}: columns", shown["columns"] == (0 if structures else columns or ROW), shown)
        return
    row = fields if structures else (columns or ROW) * fields
    visible = everything if everything <= 128 else min(everything, (max(array.touched) // row + 1) * row)
    check(f"{about}: how much of it, the last that is touched is {max(array.touched)}", shown["visible"] == visible, shown)
    check(f"{about}: values at the beginning", shown["values"] == array.at_first[:visible], f"{shown['values']}\n{array.at_first}")
    check(f"{about}: columns", shown["columns"] == columns and shown["rows"] is None, shown)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as name:
        for seed in range(seeds):
            check_seed(seed, pathlib.Path(name))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
