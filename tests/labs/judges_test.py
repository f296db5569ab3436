#!/usr/bin/env python3
"""The judge of each lab, against a second one that is written from the lab's task.

    tests/labs/judges_test.py [NVCC]

A judge gives the input of a case, and says of results whether they are right, or which element is wrong, and what it should
be. Here each input is compared with what the case says. Then the judge gets results that a model computed, and the same with
one element off by less than the tolerance, by more, with several wrong elements, too few, too many, of another size, cut
short, and not written by a kernel. Each verdict is compared word for word. With NVCC, an answer that does nothing must be
wrong in every element: what the harness puts into the results beforehand may never be right.
"""

import bisect
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tests/harness")]
# pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402
from labs import all_labs  # noqa: E402

NO_KERNEL = " is right, but no kernel wrote it: the work belongs in the kernel"
FORMAT = {"float": "f", "int": "i", "long": "q", "byte": "B", "unsigned": "I"}
END = b"LAB END\0"


def single(number):
    """Rounded to a float."""
    return struct.unpack("f", struct.pack("f", number))[0]


# ---- blocks, as protocol.h describes them ----

class Result:
    """One result that the judge expects. width: elements are named by row and column; 0: by their index."""

    def __init__(self, name, kind, values, tolerance=0.0, width=0):
        self.name, self.kind, self.values, self.tolerance, self.width = name, kind, list(values), tolerance, width

    def changed(self, changes):
        values = list(self.values)
        for i, value in changes.items():
            values[i] = value
        return Result(self.name, self.kind, values, self.tolerance, self.width)

    def bytes(self, foreign=0, first=0):
        head = struct.pack("8sQQQQ", b"LABDATA", struct.calcsize(FORMAT[self.kind]), len(self.values), foreign, first)
        return head + struct.pack(f"{len(self.values)}{FORMAT[self.kind]}", *self.values)

    def place(self, i, width=None):
        width = self.width if width is None else width
        if len(self.values) == 1:
            return self.name
        return f"{self.name}, row {i // width}, column {i % width}" if width else f"{self.name}[{i}]"

    def words(self, value):
        return f"{value:.8g}" if self.kind == "float" else str(value)


def packed(results):
    return b"".join(one.bytes() for one in results) + END


def read_blocks(data, kinds):
    """The input's blocks: lists, one for each kind; None if they are not so."""
    blocks, at = [], 0
    for kind in kinds:
        mark, size, count, foreign, first = struct.unpack_from("8sQQQQ", data, at)
        if mark != b"LABDATA\0" or size != struct.calcsize(FORMAT[kind]) or foreign or first:
            return None
        blocks.append(list(struct.unpack_from(f"{count}{FORMAT[kind]}", data, at + 40)))
        at += 40 + count * size
    return blocks if at == len(data) else None


# ---- the models ----

MODELS = {}


def model(*kinds):
    """Of a lab: what its input consists of. The function gets the case's numbers and the blocks, yields what is wrong with
    the input, and returns the results."""
    def keep(function):
        MODELS[function.__name__] = kinds, function
        return function
    return keep


def within(what, values, count, low, high):
    """Says that there are so many, from low to high; many of them come close to both ends. Floats do not reach `high`."""
    check(f"{what}: {count} numbers", len(values) == count, len(values))
    check(f"{what}: from {low} to {high}", all(low <= one <= high for one in values), (min(values, default=0), max(values, default=0)))
    near = 10 * (high - low) / len(values) if values else 0  # missed once in e^10 data sets; the seeds are fixed
    if len(values) >= 20 and low < high:
        check(f"{what}: close to both ends", min(values) <= low + near and max(values) >= high - near, (min(values), max(values)))


@model("long", "int")
def appA_insert(p, buckets, keys):
    within("keys", keys, p["n"], 0, 1000000)
    buckets = buckets[0]
    head, following = [-1] * buckets, []
    for i, key in enumerate(keys):
        following.append(head[key % buckets])
        head[key % buckets] = i
    return [Result("head", "int", head), Result("next", "int", following)]


@model("long")
def appA_lock(p, blocks):
    check("the blocks", blocks == [p["blocks"]])
    return [Result("the length", "int", blocks), Result("the list", "int", reversed(range(blocks[0])))]


@model("int", "int")
def appA_transfer(p, accounts, numbers):
    check("ten rich accounts, ten poor ones, ten others", accounts == [1000000] * 10 + [0] * 20)
    transfers = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
    check("as many transfers", len(transfers) == p["transfers"])
    check("who pays, who gets, how much", all(0 <= a < 20 <= b < 30 and 1 <= much <= 500 for a, b, much in transfers))
    if len(transfers) >= 20:
        poor, many = sum(a >= 10 for a, _, _ in transfers), len(transfers)
        spread = 3 * math.sqrt(many * p["poor"] / 100 * (1 - p["poor"] / 100))
        check("so many are by poor accounts", abs(poor - many * p["poor"] / 100) <= spread, (poor, many))
        check("by all accounts", {b for _, b, _ in transfers} <= set(range(20, 30)) and len({b for _, b, _ in transfers}) > 7)
    done = 0
    for a, b, much in transfers:
        if accounts[a] >= much:
            done += 1
            accounts[a] -= much
            accounts[b] += much
    return [Result("the number of transfers that were carried out", "int", [done]), Result("account", "int", accounts)]


@model("long", "int")
def ch03_best_device(p, table, asked):
    devices = [table[i:i + 3] for i in range(0, len(table), 3)]
    check("as many devices", len(devices) == p["devices_listed"])
    within("major", [one[0] for one in devices], p["devices_listed"], 5, 10)
    within("minor", [one[1] for one in devices], p["devices_listed"], 0, 9)
    memory = {one[2] for one in devices}
    check("4, 8 or 12 GB, or 64 KB more", all((size - (size >> 32 << 32)) in (0, 65536) and 1 <= size >> 32 <= 3 for size in memory))
    if len(devices) >= 12:
        check("some differ by less than a megabyte, some not at all", len(memory) < len(devices) and
              any(abs(a - b) == 65536 for a in memory for b in memory))
    questions = [tuple(asked[i:i + 2]) for i in range(0, len(asked), 2)]
    check("questions below, between and above", {one[0] for one in questions} == set(range(4, 12)) and
          {one[1] for one in questions} == {0, 3, 6, 9} and len(questions) == 32)
    chosen = []
    for question in questions:
        new = [(-size, i) for i, (major, minor, size) in enumerate(devices) if (major, minor) >= question]
        chosen.append(min(new)[1] if new else -1)
    return [Result("the device for question", "int", chosen)]


@model("int")
def ch03_first_kernel(p, asked):
    within("numbers", asked, 4 * p["times"], -p["limit"], p["limit"])
    return [Result("value", "int", [a * x * x + b * x + c for a, b, c, x in zip(*[iter(asked)] * 4)])]


@model("float", "float")
def ch04_crash(p, given, factor):
    within("in", given, p["n"], -10, 10)
    check("one factor from 1 to 2", len(factor) == 1 and 1 < factor[0] < 2, factor)
    return [Result("out", "float", [single(factor[0] * one + before) for one, before in zip(given, [0, *given])], 1e-5)]


@model("long", "long", "float")
def ch04_julia(p, width, height, c):
    width, height = width[0], height[0]
    check("the sizes", [width, height] == [p["width"], p["height"]])
    check("c", len(c) == 2 and -0.6 <= c[0] < -0.44 and 0.25 <= c[1] < 0.41, c)
    inside = []
    for y in range(height):
        for x in range(width):
            real = single(single(1.5 * single(width / 2 - x)) / (width / 2))
            imaginary = single(single(1.5 * single(height / 2 - y)) / (height / 2))
            for _ in range(200):
                a, b = single(real * real), single(imaginary * imaginary)
                real, imaginary = single(single(a - b) + c[0]), single(single(single(2 * real) * imaginary) + c[1])
                if single(single(real * real) + single(imaginary * imaginary)) > 1000:
                    break
            else:
                inside.append(1)
                continue
            inside.append(0)
    if width * height > 1000:
        check("a part of the picture belongs to the set", 0.05 < sum(inside) / len(inside) < 0.6, sum(inside) / len(inside))
    return [Result("inside", "byte", inside)]


@model("float", "float")
def ch04_vector_add(p, a, b):
    within("a", a, p["n"], -100, 100)
    within("b", b, p["n"], -100, 100)
    return [Result("c", "float", [single(one + other) for one, other in zip(a, b)])]


@model("float", "float")
def ch05_dot(p, a, b):
    within("a", a, p["n"], 0.5, 8.5)
    within("b", b, p["n"], -2.5, 3.5)
    check("halves", all(2 * one == int(2 * one) for one in a + b))
    return [Result("the dot product", "float", [sum(one * other for one, other in zip(a, b))])]


@model("long", "long", "long", "float", "float")
def ch05_matmul(p, rows, depth, columns, a, b):
    check("the sizes", rows + depth + columns == [p["rows"], p["depth"], p["columns"]])
    rows, depth, columns = p["rows"], p["depth"], p["columns"]
    within("a", a, rows * depth, -1, 1)
    within("b", b, depth * columns, -1, 1)
    by_columns = [b[x::columns] for x in range(columns)]
    return [Result("c", "float", [single(sum(one * other for one, other in zip(a[y * depth:(y + 1) * depth], column)))
                                  for y in range(rows) for column in by_columns], 1e-5 * (depth + 10), columns)]


@model("long", "long", "float")
def ch05_picture(p, width, height, given):
    check("the sizes", width + height == [p["width"], p["height"]])
    within("in", given, p["width"] * p["height"], 0, 1)
    return [Result("out", "float", [single(1 - (1 - one) ** 2) for one in given], 1e-6, p["width"])]


@model("int", "int")
def ch05_search(p, table, keys):
    within("table", table, p["count"], 0, p["count"] * p["step"])
    check("the table is sorted", table == sorted(table))
    check("as many keys", len(keys) == p["n"])
    equal, beyond = (sum(test(one) for one in keys) for test in (set(table).__contains__, lambda one: one > table[-1]))
    for what, count, share in (("in the table", equal, p["equal"]), ("beyond it", beyond, p["beyond"])):
        low = p["n"] * share / 10 - 3 * math.sqrt(p["n"] * share / 10 * (1 - share / 10))
        check(f"{share} of 10 keys are {what}", (count == 0) if share == 0 else count >= low, count)
    return [Result("found", "int", [bisect.bisect_left(table, one) for one in keys])]


@model("long", "long")
def ch05_spots(p, columns, rows):
    check("the sizes", columns + rows == [p["columns"], p["rows"]])
    mirror = [i // 16 * 16 + 15 - i % 16 for i in range(16 * max(p["columns"], p["rows"]))]  # within each block
    return [Result("the picture", "int", [(mirror[x] ** 2 + 7 * mirror[y]) % 251 + 1
                                          for y in range(16 * p["rows"]) for x in range(16 * p["columns"])], 0, 16 * p["columns"])]


@model("float", "float")
def ch05_stride(p, x, y):
    within("x", x, p["n"], -10, 10)
    within("y", y, p["n"], -10, 10)
    return [Result("y", "float", [single(3 * one + other) for one, other in zip(x, y)], 1e-5)]


@model("long", "long", "float")
def ch05_transpose(p, rows, columns, given):
    check("the sizes", rows + columns == [p["rows"], p["columns"]])
    within("in", given, p["rows"] * p["columns"], -1, 1)
    return [Result("out", "float", [one for x in range(p["columns"]) for one in given[x::p["columns"]]], 0, p["rows"])]


@model("float", "float")
def ch06_batches(p, places, sources):
    within("places", places, p["n"], 0, 10)
    within("sources", sources, 2 * p["sources"], 0, 10)
    pairs = list(zip(sources[::2], sources[1::2]))
    return [Result("total", "float", [single(sum(strength / (1 + abs(place - at)) for at, strength in pairs)) for place in places],
                   0.05 + 2e-5 * p["sources"])]


@model("float", "float")
def ch06_polynomial(p, x, c):
    within("x", x, p["n"], -1, 1)
    within("c", c, p["coefficients"], 1, 3)
    return [Result("y", "float", [single(sum(factor * at ** i for i, factor in enumerate(c))) for at in x], 2e-4)]


def clamped(given, width, height):
    return lambda x, y: given[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]


@model("long", "long", "float")
def ch07_halo(p, width, height, given):
    check("the sizes", width + height == [p["width"], p["height"]])
    width, height = p["width"], p["height"]
    within("in", given, width * height, 0, 1)
    at = clamped(given, width, height)
    return [Result("the plate", "float", [single(at(x, y) + 0.2 * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y) - 4 * at(x, y)))
                                          for y in range(height) for x in range(width)], 1e-5, width)]


@model("long", "float")
def ch07_resize(p, sizes, given):
    width, height, to_width = p["width"], p["height"], p["to_width"]
    to_height = to_width // 2 + 1
    check("the sizes", sizes == [width, height, to_width, to_height], sizes)
    within("in", given, width * height, 0, 1)
    at, out = clamped(given, width, height), []
    for row in range(to_height):
        down, y = math.modf((row + 0.5) * height / to_height + 0.5)  # between pixels y - 1 and y
        for column in range(to_width):
            right, x = math.modf((column + 0.5) * width / to_width + 0.5)
            upper, lower = ((1 - right) * at(int(x) - 1, line) + right * at(int(x), line) for line in (int(y) - 1, int(y)))
            out.append(single((1 - down) * upper + down * lower))
    return [Result("the picture", "float", out, 0.02, to_width)]


@model("long", "long", "long")
def ch08_ripple(p, width, height, times):
    check("the sizes", width + height == [p["width"], p["height"]])
    check("two times", len(times) == 2 and times[0] == 0 and 5 <= times[1] < 95, times)
    results = []
    for time in times:
        frame = []
        for y in range(p["height"]):
            for x in range(p["width"]):
                distance = math.hypot(x - p["width"] / 2, y - p["height"] / 2) / 10
                frame += [int(127 + 126 * math.cos(distance - time / 7) / (distance + 1))] * 3 + [255]
        results.append(Result(f"frame {time} (bytes)", "byte", frame, 1, 4 * p["width"]))
    return results


@model("long", "long", "float")
def ch08_rows(p, width, height, field):
    check("the sizes", width + height == [p["width"], p["height"]])
    width, height = p["width"], p["height"]
    within("field", field, width * height, -2, 2)
    check("nothing is halfway between two levels", all(abs((255 * one) % 1 - 0.5) > 0.005 for one in field))
    frame = []
    for y in reversed(range(height)):
        for number in field[y * width:(y + 1) * width]:
            red, blue = (int(255 * min(max(one, 0), 1) + 0.5) for one in (number, -number))
            frame += [red, 0, blue, 255]
    return [Result("the pixels (bytes)", "byte", frame, 0, 4 * width)]


@model("byte")
def ch09_histogram(p, data):
    within("data", data, p["n"], 0, p["largest"])
    return [Result("bin", "unsigned", [data.count(value) for value in range(256)])]


@model("long", "float")
def ch09_maximum(p, parts, data):
    check("the parts", parts == [p["parts"]])
    scale = single(10 ** p["scale"])
    within("data", [one / scale for one in data], p["n"], -1000.0001, p["below"])
    each = p["n"] // p["parts"]
    pieces = [data[i * each:(i + 1) * each] for i in range(p["parts"])]
    if p["parts"] > 1:  # the largest first, and in every second part beginning in the middle
        for i, piece in enumerate(pieces):
            falling = sorted(piece, reverse=True)
            check(f"part {i} is in its order", piece == (falling if i % 2 else falling[each // 2:] + falling[:each // 2]))
    return [Result("the largest", "float", [max(piece) for piece in pieces])]


@model("int")
def ch10_dependency(p, data):
    within("data", data, p["n"], -1000, 1000)
    return [Result("out", "int", [2 * one + 1 for one in data])]


@model("float")
def ch10_overlap(p, data):
    within("data", data, p["n"], 2, 100)
    return [Result("out", "float", [single(math.sqrt(one)) for one in data], 1e-5)]


@model("int", "int")
def ch11_two_devices(p, a, b):
    within("a", a, p["n"], -9, 9)
    within("b", b, p["n"], -9, 10)
    shares = [p["n"] * (d + 1) // p["devices"] - p["n"] * d // p["devices"] for d in range(p["devices"])]
    return [Result("the dot product", "int", [sum(one * other for one, other in zip(a, b))]),
            Result("shares", "int", shares + [0] * (16 - p["devices"])), Result("devices", "int", [p["devices"]])]


@model("float", "float")
def ch11_zero_copy(p, a, b):
    within("a", a, p["n"], -5, 5)
    within("b", b, p["n"], -5, 5)
    return [Result("c", "float", [single(one + other) for one, other in zip(a, b)])]


def pulls(p, numbers):
    bodies = [numbers[i:i + 4] for i in range(0, len(numbers), 4)]
    for i in range(3):
        within("xyz"[i], [body[i] for body in bodies], p["n"], -1, 1)
    within("mass times n", [body[3] * p["n"] for body in bodies], p["n"], 0.4999, 1.5001)
    out = []
    for x, y, z, _ in bodies:
        sums = [0.0, 0.0, 0.0]
        for their_x, their_y, their_z, mass in bodies:
            dx, dy, dz = their_x - x, their_y - y, their_z - z
            pull = mass * (dx * dx + dy * dy + dz * dz + single(0.01)) ** -1.5
            sums[0] += pull * dx
            sums[1] += pull * dy
            sums[2] += pull * dz
        out += map(single, sums)
    return [Result("acceleration (row: body; column: x, y, z)", "float", out, 1e-4, 3)]


@model("float")
def nbody_forces(p, numbers):
    return pulls(p, numbers)


@model("float")
def nbody_tiles(p, numbers):
    return pulls(p, numbers)


@model("long", "float")
def nbody_update(p, steps, numbers):
    check("the steps", steps == [p["steps"]])
    within("bodies", numbers, 2 * p["n"], -5, 5)
    places, speeds = numbers[::2], numbers[1::2]
    for _ in range(p["steps"]):
        speeds = [speed + single(0.01) * sum((other - place) / (1 + (other - place) ** 2) for other in places)
                  for place, speed in zip(places, speeds)]
        places = [place + single(0.01) * speed for place, speed in zip(places, speeds)]
    return [Result("the bodies (row: body; column: place, velocity)", "float",
                   [single(one) for pair in zip(places, speeds) for one in pair], 2e-5, 2)]


# Those whose results have more than one right answer, or whose verdicts are not about single elements.
OWN_VERDICTS = {"appA_insert": (), "appA_lock": (0,), "ch04_julia": (), "ch11_two_devices": (0,)}


# ---- the judges ----

def all_in_one(labs, headers, file, arguments="", more=lambda lab: ""):
    """The text of a program with a file of all labs, whose first argument names the lab: compiled once."""
    text = "".join(f"#include {one}\n" for one in headers)
    for lab in labs:
        text += (f'#define main main_of_{lab.name}\nnamespace of_{lab.name} {{\n#include "{lab.folder / file}"\n{more(lab)}}}\n#undef main\n')
    text += "int main(int argc, char** argv) {\n  const std::string lab = argv[1];\n"
    for lab in labs:
        text += f'  if (lab == "{lab.name}") return of_{lab.name}::main_of_{lab.name}({arguments});\n'
    return text + "  return 3;\n}\n"


def all_judges(labs, folder):
    (folder / "judges.cpp").write_text(all_in_one(labs, ("<algorithm>", "<functional>", '"judge.h"'), "judge.cpp", arguments="argc - 1, argv + 1"))
    subprocess.run(["g++", "-std=c++17", "-O1", "-ffp-contract=off", "-I", ROOT / "tools/lab", "-I", ROOT / "common", folder / "judges.cpp",
                    "-o", folder / "judges"], check=True)
    return folder / "judges"


class Judge:
    """Of one case of a lab."""

    def __init__(self, program, lab, case, seed):
        self.command = [str(program), lab.name]
        self.lab, self.case, self.seed = lab, case, seed
        self.what = f"{lab.name}, {case.kind} {case}, seed {seed}"

    def run(self, mode, data=b""):
        return subprocess.run([*self.command, mode, str(self.seed), *self.case.parameters], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)

    def numbers(self):
        """The case's parameters, drawn where it gives a range."""
        said = self.run("drawn").stdout.decode().split()
        drawn = {key: int(value) for key, value in (one.split("=") for one in said)
                 if re.fullmatch(r"-?\d+", value)}
        for word in self.case.parameters:
            key, value = word.split("=")
            low, _, high = value.partition("..")
            if key in drawn:
                check(f"{self.what}: {key} is drawn as the case says", int(low) <= drawn[key] <= int(high or low), drawn[key])
        return drawn

    def verdict(self, what, data, wanted, hidden=None):
        """The judge's words, and its exit code. hidden: the words without values, where they differ."""
        for mode, words in (("verify", wanted), ("verify-hidden", wanted if hidden is None else hidden)):
            done = self.run(mode, data)
            said = done.stdout.decode(errors="replace")
            good = same_words(said, words + "\n") and done.returncode == (words != "right")
            check(f"{self.what}: {mode}, {what}", good, f"said:   {said}  wanted: {words}, exit code {done.returncode}")


def same_words(said, wanted):
    """The last digits of a number that was computed may differ."""
    pattern = r"(?<![\w.])-?\d+\.\d+(?:e[-+]\d+)?|-?\d+e[-+]\d+"
    numbers = [re.findall(pattern, text) for text in (said, wanted)]
    return (re.sub(pattern, "#", said) == re.sub(pattern, "#", wanted)
            and all(math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(*numbers))) or said == wanted


def wrong_by(result, i, much):
    """Another value of element i: farther by `much` tolerances, or for whole numbers by one more than they allow."""
    value = result.values[i]
    if result.kind == "float" and result.tolerance > 0:
        return single(value + much * result.tolerance)
    if result.kind == "float":
        return single(value * (1 + 2.0 ** -22) + 1e-30)
    step = int(result.tolerance) + (much > 1)
    return value - step if result.kind == "byte" and value + step > 255 else value + step


def elements_are_judged(judge, results, which):
    """Of one result: each kind of wrong element, with the verdict word for word."""
    result, count = results[which], len(results[which].values)

    def sent(changes):
        return packed([one.changed(changes) if one is result else one for one in results])

    def wanted(changes):
        first = min(changes)
        several = f" ({len(changes)} of {count} {'is' if len(changes) == 1 else 'are'} wrong, this is the first)" if count > 1 else ""
        place = result.place(first)
        return (f"{place} is {result.words(changes[first])}, expected {result.words(result.values[first])}{several}",
                f"{place} is wrong{several}")

    def compared(changes):
        judge.verdict(f"{result.name}: wrong at {sorted(changes)}", sent(changes), *wanted(changes))

    places = sorted({0, count - 1, count // 2, count // 3, result.width or 0, max(0, result.width - 1)} & set(range(count)))
    for i in places:
        compared({i: wrong_by(result, i, 1.5)})
    if result.tolerance > 0 and count:
        inside = {i: wrong_by(result, i, 0.6) for i in places}
        judge.verdict(f"{result.name}: within the tolerance", sent(inside), "right")
        compared({places[-1]: single(result.values[places[-1]] - 1.5 * result.tolerance) if result.kind == "float"
                  else wrong_by(result, places[-1], 2)})
    if len(places) > 1:
        compared({i: wrong_by(result, i, 1.5) for i in places})
        compared({i: wrong_by(result, i, 1.5) for i in places[-2:]})
    if result.kind == "float" and count:
        compared({places[-1]: math.nan})
        compared({places[0]: math.inf})


def shapes_are_judged(judge, results):
    """What comes is no result, or has another size; and what no kernel wrote."""
    judge.verdict("nothing came", b"", f"{results[0].name}: no result came")
    judge.verdict("no mark", b"x" * 99, f"{results[0].name}: what came is no result")
    judge.verdict("half of a head", packed(results)[:39], f"{results[0].name}: what came is no result")
    judge.verdict("no end", packed(results)[:-len(END)], "something stands behind the results")
    judge.verdict("more than the results", packed(results) + b"x", "something stands behind the results")
    judge.verdict("a result too many", packed([*results, results[-1]]), "something stands behind the results")
    for i, result in enumerate(results):
        before, behind = b"".join(one.bytes() for one in results[:i]), packed(results[i + 1:])
        count, size = len(result.values), struct.calcsize(FORMAT[result.kind])
        judge.verdict(f"{result.name} is missing", before, f"{result.name}: no result came")
        for values in (result.values[:-1], result.values + [0]):
            if len(values) != count:
                judge.verdict(f"{result.name} of {len(values)} elements", before + Result("", result.kind, values).bytes() + behind,
                              f"{result.name}: {len(values)} elements came, not {count}")
        other = "long" if size < 8 else "int"
        judge.verdict(f"{result.name} of another size", before + Result("", other, [0] * count).bytes() + behind,
                      f"{result.name}: elements of {12 - size if size == 8 else 8} bytes came, not of {size}")
        if count:
            judge.verdict(f"{result.name} is cut", before + result.bytes()[:-1], f"{result.name}: the result ends in its middle")
            first = count // 2
            judge.verdict(f"{result.name} is not a kernel's", before + result.bytes(1, first) + behind, result.place(first, 0) + NO_KERNEL)


def own_verdicts(judge, results, p):
    """Words of four labs that compare more than elements."""
    name = judge.lab.name

    def verdict(what, changes, words, which=0):
        judge.verdict(what, packed([one.changed(changes) if i == which else one for i, one in enumerate(results)]), words)

    if name == "appA_insert":
        head, following = (one.values for one in results)
        n, where = p["n"], "the list of bucket {}".format
        used = next(i for i, entry in enumerate(head) if entry >= 0)
        for entry in (n, -2):
            verdict(f"entry {entry}", {used: entry}, f"{where(used)} leads to entry {entry}")
        verdict("a circle", {head[used]: head[used]}, f"{where(used)} comes to entry {head[used]} again", 1)
        others = [i for i, entry in enumerate(head) if entry >= 0 and i > used]
        if others:
            verdict("two lists exchanged", {used: head[others[0]]}, f"{where(used)} holds entry {head[others[0]]} of another bucket")
            verdict("a list with another's rest", {head[used]: head[others[0]]}, f"{where(used)} holds entry {head[others[0]]} of another bucket", 1)
        lost, entry = 0, head[used]
        while entry >= 0:
            lost, entry = lost + 1, following[entry]
        verdict("a list is empty", {used: -1}, f"{lost} of {n} entries are lost")
        verdict("a list of one", {head[used]: -1}, f"{lost - 1} of {n} entries are lost" if lost > 1 else "right", 1)
    elif name == "appA_lock":
        blocks = p["blocks"]
        verdict("a number that is no block's", {0: blocks}, f"block {blocks - 1} is not in the list exactly once", 1)
        if blocks > 1:
            verdict("one block twice", {blocks - 1: 1}, "block 0 is not in the list exactly once", 1)
            middle = blocks // 2  # stands at blocks - 1 - middle
            verdict("one block lost", {blocks - 1 - middle: 0}, f"block {1 if middle > 1 or blocks > 2 else middle} is not in the list exactly once", 1)
            verdict("in another order", {0: 0, blocks - 1: blocks - 1}, "right", 1)
    elif name == "ch04_julia":
        width, inside = p["width"], results[0].values
        most, first = len(inside) // 200, len(inside) // 3
        flipped = {i: 1 - inside[i] for i in range(first, first + most + 1)}
        words = (f"{most + 1} of {len(inside)} pixels are wrong, the first in row {first // width}, column {first % width} "
                 f"is {1 - inside[first]}")
        verdict("one pixel more than may differ", flipped, words)
        verdict("as many as may differ", {i: value for i, value in flipped.items() if i > first}, "right")
    else:
        shares = results[1].values
        for d in range(p["devices"]):
            for much in (-1, 1):
                verdict(f"device {d} gets {much} more", {d: shares[d] + much},
                        f"device {d} of {p['devices']} got {shares[d] + much} of {p['n']} elements, expected {shares[d]}", 1)
        verdict("what is no device's is not looked at", {p["devices"]: 5}, "right", 1)


def one_case(program, lab, case, seed, whole):
    """whole: with wrong results, too."""
    kinds, function = MODELS[lab.name]
    judge = Judge(program, lab, case, seed)
    p, done = judge.numbers(), judge.run("input")
    blocks = read_blocks(done.stdout, kinds)
    check(f"{judge.what}: the input consists of {kinds}", done.returncode == 0 and blocks is not None, done.stdout[:100])
    if blocks is None:
        return
    try:
        results = function(p, *blocks)
    except (ArithmeticError, LookupError, ValueError) as error:
        check(f"{judge.what}: the model can compute it", False, repr(error))
        return
    judge.verdict("right results", packed(results), "right")
    elements = OWN_VERDICTS.get(lab.name, range(len(results)))
    if whole:
        shapes_are_judged(judge, results)
        for which in elements:
            elements_are_judged(judge, results, which)
    elif 0 in elements and results[0].values:
        last = results[-1] if len(results) - 1 in elements else results[0]
        i = len(last.values) - 1
        value = wrong_by(last, i, 1.5)
        several = f" (1 of {i + 1} is wrong, this is the first)" if i else ""
        judge.verdict("the last element", packed([one.changed({i: value}) if one is last else one for one in results]),
                      f"{last.place(i)} is {last.words(value)}, expected {last.words(last.values[i])}{several}", f"{last.place(i)} is wrong{several}")
    if lab.name in OWN_VERDICTS:
        own_verdicts(judge, results, p)


# ---- the harnesses ----

ALLOCATES = "{ float* p; HANDLE_ERROR(cudaHostAlloc(&p, (n > 0 ? n : 1) * sizeof(float), cudaHostAllocMapped)); return p; }"
# By chance or by the task, it is right in some elements to do nothing; and where it is right altogether.
PARTLY = {"ch03_best_device", "ch03_first_kernel", "ch05_stride", "ch08_ripple", "ch08_rows", "nbody_update"}
ALTOGETHER = {("appA_transfer", "transfers=1 poor=100")}


def does_nothing(lab):
    """The functions that the harness calls, as an answer that does nothing; zero_copy's must allocate."""
    text = (lab.folder / "harness.cu").read_text()
    found = re.findall(r"^(\w[\w *]*?[ *]\w+\([^;{]*\));", text, re.M)
    check(f"{lab.name}: the harness declares a function", found)
    return "".join(one + (ALLOCATES if "allocate" in one else "{}" if one.startswith("void") else "{ return 0; }") + "\n" for one in found)


def harnesses(nvcc, labs, judges, folder):
    (folder / "harnesses.cu").write_text(all_in_one(labs, ("<algorithm>", "<string>", '"book.h"', '"harness.h"'), "harness.cu", more=does_nothing))
    subprocess.run([nvcc, "-O0", "-std=c++17", "-w", "-I", ROOT / "tools/lab", "-I", ROOT / "common", folder / "harnesses.cu", "-o", folder / "harnesses"],
                   check=True)
    for lab in labs:
        for case in lab.cases:
            judge = Judge(judges, lab, case, 1)
            results = []
            for apart in ({}, {"LAB_APART": "1"}):
                (folder / "given").write_bytes(judge.run("input").stdout)
                with open(folder / "given", "rb") as given:
                    done = subprocess.run(["bash", "-c", 'exec "$0" "$1" 3>"$2"', folder / "harnesses", lab.name, folder / "results"], stdin=given,
                                          env={"PATH": "/usr/bin:/bin", "CPU_DEVICE_COUNT": case.value("devices") or "1", **apart},
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                check(f"{judge.what}: the harness ends well", done.returncode == 0 and done.stdout == b"", done.stdout[:200])
                results.append((folder / "results").read_bytes())
            check(f"{judge.what}: results are the same in a process of their own", results[0] == results[1] and results[0].endswith(END))
            said = judge.run("verify", results[0]).stdout.decode()
            if "n=0" in case.parameters or (lab.name, str(case)) in ALTOGETHER:
                check(f"{judge.what}: there is nothing to do", said == "right\n", said)
                continue
            check(f"{judge.what}: to do nothing is wrong", said.strip() not in ("", "right"), said)
            found = re.search(r"\((\d+) of (\d+) (?:is|are) wrong, this is the first\)", said)
            if found and lab.name not in PARTLY:
                check(f"{judge.what}: in every element", found[1] == found[2], said)


def main():
    labs = all_labs()
    check("each lab has a model", {lab.name for lab in labs} == set(MODELS), {lab.name for lab in labs} ^ set(MODELS))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = all_judges(labs, folder)
        if len(sys.argv) > 1:
            harnesses(sys.argv[1], labs, program, folder)
        for lab in labs:
            cases = [case for case in lab.cases if case.kind in ("given", "hidden", "fresh")]
            check(f"{lab.name}: no case twice", len({str(case) for case in cases}) == len(cases))
            whole = [case for case in cases if case.kind == "given"][1]
            for case in cases:
                for seed in (1,) if case.kind == "given" else (6,):
                    one_case(program, lab, case, seed, case is whole)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
