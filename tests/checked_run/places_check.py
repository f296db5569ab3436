#!/usr/bin/env python3
"""Where a finding is: blocks, threads and clusters of one to three dimensions, each coordinate another number.

    tests/checked_run/places_check.py NVCC FOLDER

One kernel for each kind of mistake, made in a chosen block by chosen threads. Each block and thread that a message names must
be one of those. Two blocks race in clusters of many shapes: the message is about the cluster if they share one, by our own
division. And a source with the line ends of Windows must give the same messages, byte for byte, as one with those of Unix.

Then the arrays, calls and lanes that messages name: each index in front of an array, each way to write an index in a line, calls in
either order, and lanes at the end of blocks of many sizes. Arrays in dynamic shared memory, after launches of other kernels. And the
chains of calls under an access, through functions of three files.
"""

import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

SOURCE = """\
#include <cstdlib>
struct Place { unsigned block, first, second; };
__device__ unsigned block_number() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__device__ unsigned thread_number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ bool chosen(Place at) { return block_number() == at.block && (thread_number() == at.first || thread_number() == at.second); }
__global__ void race(Place at, int* a, int*) {
  __shared__ int shared;
  if (chosen(at)) shared = thread_number();
  __syncthreads();
  if (chosen(at)) *a = shared;
}
__global__ void beyond(Place at, int* a, int*) {
  if (chosen(at) && thread_number() == at.first) a[1 << 20] = 1;
}
__global__ void unset(Place at, int* a, int* unset) {
  if (chosen(at) && thread_number() == at.first) *a = *unset;
}
__global__ void unset_here(Place at, int* a, int*) {
  __shared__ int shared[4];
  if (chosen(at) && thread_number() == at.first) *a = shared[3];
}
__global__ void barrier(Place at, int*, int*) {
  if (block_number() == at.block && thread_number() == at.first) return;
  if (block_number() == at.block && thread_number() == at.second) __syncthreads();
  __syncthreads();
}
__global__ void misaligned(Place at, int* a, int*) {
  if (chosen(at) && thread_number() == at.first) *reinterpret_cast<int*>(reinterpret_cast<char*>(a) + 2) = 1;
}
int main(int, char** words) {
  const auto number = [&](int i) { return static_cast<unsigned>(atoi(words[i])); };
  const dim3 grid(number(2), number(3), number(4)), block(number(5), number(6), number(7));
  const Place at = {number(8), number(9), number(10)};
  void (*kernels[])(Place, int*, int*) = {race, beyond, unset, unset_here, barrier, misaligned};
  int *a, *unset;
  cudaMalloc(&a, 64), cudaMemset(a, 0, 64), cudaMalloc(&unset, 4);
  kernels[number(1)]<<<grid, block>>>(at, a, unset);
  cudaDeviceSynchronize();
}
"""
KINDS = ["race", "beyond", "unset", "unset_here", "barrier", "misaligned"]

CLUSTERS = """\
#include <cstdlib>
__device__ unsigned block_number() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
template <int X, int Y, int Z>
__global__ void __cluster_dims__(X, Y, Z) race(unsigned one, unsigned other, unsigned* a) {
  if (block_number() == one) a[0] = 1;
  if (block_number() == other) a[1] = a[0];
}
int main(int, char** words) {
  const auto number = [&](int i) { return static_cast<unsigned>(atoi(words[i])); };
  unsigned* a;
  cudaMalloc(&a, 8);
  cudaMemset(a, 0, 8);
  const dim3 grid(number(2), number(3), number(4));
  switch (number(1)) {
@
  }
  cudaDeviceSynchronize();
}
"""
SHAPES = [(2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (2, 1, 3), (1, 3, 2), (2, 2, 2), (1, 1, 1)]


def place(number, size):
    """The coordinates of block or thread number so and so."""
    return number % size[0], number // size[0] % size[1], number // size[0] // size[1]


def run(program, *words, order="forward"):
    """(exit code, stderr, SARIF report)"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    report = program.parent / "report.sarif"
    report.unlink(missing_ok=True)
    done = subprocess.run([f"./{program.name}", *map(str, words)], cwd=program.parent, capture_output=True, check=False, timeout=120,
                          env={**environment, "CPU_DEVICE_ORDER": order, "CPU_DEVICE_LEAKS": "none", "CPU_DEVICE_UNREAD": "none", "CPU_DEVICE_REPORT": str(report)})
    return done.returncode, done.stderr.decode(), report.read_bytes() if report.exists() else b""


def compiled(nvcc, folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.cu").write_bytes(text.encode())
    subprocess.run([nvcc, "--check", f"{name}.cu", "-o", name], cwd=folder, check=True)
    return folder / name


FRONT = """\
#include <cstdlib>
__global__ void reach(@* array, int i) { array[i] = 1; }
int main(int, char** words) {
  @* array;
  cudaMalloc(&array, 256);
  reach<<<1, 1>>>(array, atoi(words[1]));
  cudaDeviceSynchronize();
}
"""
NEAR = 256  # bytes before an array in which an access is told as one to that array

# A line in which an index is 8, of the array `s` of 8 elements, and the array that the message names.
INDEXED = [("*a = s[i + 1];", "s"), ("s[i + 1] = i;", "s"), ("s[i] = s[i + 1];", "s"), ("s[i] = s[i + 1] + s[i - 1];", "s"),
           ("a[0] = s[i + 1];", "an array"), ("s[i] = t[i] + s[i + 1];", "an array"), ("s[i] = s[ i + 1 ];", "s")]
# Two functions that a kernel calls, with nothing between the calls.
CALLS = """\
__device__ void put(int* s) { s[threadIdx.x] = threadIdx.x; }
__device__ void get(int* s, int* a) { a[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x]; }
__global__ void put_then_get(int* a) {
  __shared__ int s[64];
  put(s);
  get(s, a);
}
__global__ void get_then_put(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  get(s, a);
  put(s);
}
int main(int count, char**) {
  int* a;
  cudaMalloc(&a, 64 * sizeof(int));
  (count > 1 ? put_then_get : get_then_put)<<<1, 64>>>(a);
  cudaDeviceSynchronize();
}
"""
# Two parameters that point into the same array, of which nothing was set.
NAMED = """\
#include <cstdlib>
__global__ void look(int* a, int* b, int k, int* out) { *out = a[k] + 0 * (b == nullptr); }
int main(int, char** words) {
  const int at_a = atoi(words[1]), at_b = atoi(words[2]), element = atoi(words[3]);
  int *array, *out;
  cudaMalloc(&array, 160), cudaMalloc(&out, 4);
  look<<<1, 1>>>(array + at_a, array + at_b, element - at_a, out);
  cudaDeviceSynchronize();
}
"""
# Of the last warp the lanes `first` to `last` take part.
LANES = """\
#include <cstdlib>
__global__ void shuffle(int first, int last, int down, int up, int* a) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp != (blockDim.x - 1) / 32 || lane < first || lane > last) return;
  const unsigned mask = static_cast<unsigned>((1ull << (last + 1)) - (1ull << first));
  *a = down > 0 ? __shfl_down_sync(mask, lane, down) : __shfl_up_sync(mask, lane, up);
}
int main(int, char** words) {
  int* a;
  cudaMalloc(&a, sizeof(int));
  shuffle<<<1, atoi(words[1])>>>(atoi(words[2]), atoi(words[3]), atoi(words[4]), atoi(words[5]), a);
  cudaDeviceSynchronize();
}
"""
# Dynamic shared memory, which has another name and type in each kernel.
DYNAMIC = [("first", "int", 4), ("second", "double", 8), ("third", "short", 2), ("fourth", "int", 4), ("fifth", "float4", 16)]
DYNAMIC_BYTES = 64


def words_of(match):
    return tuple(map(int, match))


def mistakes(unix, windows):
    # (grid, block, number of the block, of the first thread, of the second)
    cases = [((3, 4, 5), (4, 8, 3), 2 + 3 * (1 + 4 * 3), 1 + 4 * 5, 3 + 4 * (2 + 8 * 2)),
             ((7, 1, 1), (96, 1, 1), 5, 2, 71), ((1, 6, 2), (2, 3, 16), 4 + 6, 5, 1 + 2 * (2 + 3 * 11)), ((2, 1, 4), (1, 64, 1), 1 + 2 * 2, 3, 62)]
    for (kind, name), (grid, block, chosen, first, second) in itertools.product(enumerate(KINDS), cases):
        words = (kind, *grid, *block, chosen, first, second)
        code, errors, report = run(unix, *words)
        what = f"{name}, grid {grid}, blocks of {block}"
        triple = r"\((\d+),(\d+),(\d+)\)"
        blocks = {words_of(m) for m in re.findall(rf"block {triple}", errors)}
        threads = {words_of(m) for m in re.findall(rf"thread {triple}", errors)}
        check(f"{what}: a finding in block {place(chosen, grid)}", code == 1 and blocks == {place(chosen, grid)}, errors)
        check(f"{what}: by threads {place(first, block)} and {place(second, block)}",
              threads <= {place(first, block), place(second, block)} and (threads or name == "barrier"), errors)
        other = run(windows, *words)
        check(f"{what}: the same with the line ends of Windows", other == (code, errors, report), other[1])
        texts = json.dumps(json.loads(report or "{}"))
        check(f"{what}: no carriage return in the report", "\\r" not in texts and "\r" not in errors, errors)


def clusters(program):
    for number, shape in enumerate(SHAPES):
        grid = tuple(2 * n for n in shape)
        count = grid[0] * grid[1] * grid[2]
        for one, other in itertools.combinations(range(count), 2):
            if count > 8 and (one + 3 * other) % 7:  # of many pairs some
                continue
            code, errors, _ = run(program, number, *grid, one, other)
            at = [place(n, grid) for n in (one, other)]
            together = shape != (1, 1, 1) and [n // s for n, s in zip(at[0], shape)] == [n // s for n, s in zip(at[1], shape)]
            title = re.search(r"^.*CPU device: (.*)$", errors, re.M)[1]
            check(f"cluster of {shape}, blocks {at}: {'one cluster' if together else 'two'}",
                  code == 1 and ("cluster" in title) == together, errors)
            named = {words_of(m) for m in re.findall(r"block \((\d+),(\d+),(\d+)\)", errors)}
            check(f"cluster of {shape}, blocks {at}: both are named", named == set(at), errors)


def front_of_arrays(nvcc, folder):
    for kind, size in (("int", 4), ("double", 8)):
        program = compiled(nvcc, folder, f"front_{kind}", FRONT.replace("@", kind))
        for i in (0, -1, -2, *(-NEAR // size + more for more in (1, 0, -1, -2))):
            _, errors, _ = run(program, i)
            told = re.search(r"out of bounds in kernel reach: thread \(0,0,0\) of block \(0,0,0\) writes (.*)$", errors, re.M)
            near = -NEAR <= size * i < 0
            wanted = None if i == 0 else f"array[{i}]" if near else "memory outside all arrays"
            check(f"{kind}, index {i}: {wanted}", (told and told[1]) == wanted, errors)
            check(f"{kind}, index {i}: with its allocation", ("the array has" in errors) == near, errors)


def indexed_arrays(nvcc, folder):
    lines = ["#include <cstdlib>"]
    kernels = []
    for number, (where, (line, _)) in enumerate(itertools.product(("", "__shared__ "), INDEXED)):
        kernels.append(f"work{number}")
        lines += [f"__global__ void work{number}(int* a, int i) {{", f"  {where}int s[8], t[8];",
                  "  for (int k = 0; k < 8; k++) s[k] = k, t[k] = k;", f"  {line}", "  *a = s[i] + t[i];", "}"]
    lines += ["int main(int, char** words) {", "  int* a;", "  cudaMalloc(&a, 64);",
              f"  void (*all[])(int*, int) = {{{', '.join(kernels)}}};", "  all[atoi(words[1])]<<<1, 1>>>(a, 7);", "  cudaDeviceSynchronize();", "}"]
    program = compiled(nvcc, folder, "indexed", "\n".join(lines) + "\n")
    for number, (where, (line, name)) in enumerate(itertools.product(("", "__shared__ "), INDEXED)):
        _, errors, _ = run(program, number)
        told = re.findall(r"out of bounds: index 8 of (.*) \(int \[8\]\) in kernel work", errors)
        check(f"{where}{line} reaches beyond {name}", set(told) == {name}, errors)


def calls(nvcc, folder):
    program, lines = compiled(nvcc, folder, "calls", CALLS), CALLS.splitlines()
    for number, order in itertools.product((0, 1), ("forward", "reverse")):
        _, errors, _ = run(program, *[1] * number, order=order)
        both = [n for n, line in enumerate(lines, 1) if line in ("  put(s);", "  get(s, a);")]
        first, second = both[:2] if number == 1 else both[2:]
        told = {words_of(m) for m in re.findall(r"between the calls in line (\d+) and line (\d+)", errors)}
        check(f"calls in line {first} and line {second}, {order}", told == {(first, second)}, errors)


def named_parameters(nvcc, folder):
    """Of two parameters that point into an array, the nearer one before an element gives it its name; the first one if none is before it."""
    program = compiled(nvcc, folder, "named", NAMED)
    for a, b, at in itertools.product((0, 5, 10), (0, 5, 10, 11), (0, 1, 4, 5, 6, 9, 10, 11, 12, 39)):
        _, errors, _ = run(program, a, b, at)
        wanted = f"b[{at - b}]" if b <= at and (b > a or a > at) else f"a[{at - a}]"
        told = re.findall(r"reads (\w+\[-?\d+\])", errors)
        check(f"a begins at {a}, b at {b}: element {at} is {wanted}", told == [wanted], errors)


def absent_lanes(nvcc, folder):
    program = compiled(nvcc, folder, "lanes", LANES)
    for threads, last, step in itertools.product((33, 36, 40, 63, 64), (0, 3, 7, 30), (1, 3, 4, 7, 8, 30, 31)):
        there = threads - 32
        if last >= there:
            continue
        # Lane 0 is where all values go; what lanes after it get is not used.
        _, errors, _ = run(program, threads, 0, last, step, 0)
        told = re.findall(r"shuffle reads from (lane \d+, which .*), in kernel", errors)
        reason = f"does not exist in a block of {threads} threads" if step >= there else f"does not take part (mask {(2 << last) - 1:#010x})"
        check(f"{threads} threads, lanes 0 to {last}, {step} down", told == [f"lane {step}, which {reason}"] * (step > last), errors)
    for first, step in itertools.product((1, 15, 31), (1, 15, 16, 17, 31)):
        _, errors, _ = run(program, 64, first, 31, 0, step)
        told = re.findall(r"shuffle reads from (lane \d+, which .*), in kernel", errors)
        reason = f"does not take part (mask {(1 << 32) - (1 << first):#010x})"
        check(f"lanes {first} to 31, {step} up", told == [f"lane {31 - step}, which {reason}"] * (31 - step < first), errors)


def dynamic_arrays(nvcc, folder):
    """Kernels in any order: each finding names the array of its own kernel."""
    lines = ["#include <cstdlib>"]
    for name, kind, size in DYNAMIC:
        member = ".x" if kind == "float4" else ""
        lines += [f"__global__ void of_{name}(int mistake, int i) {{", f"  extern __shared__ {kind} {name}[];",
                  f"  if (mistake == 0) {name}[0]{member} = threadIdx.x;",
                  f"  if (mistake == 1 && threadIdx.x == 1) {name}[{DYNAMIC_BYTES // size} + i]{member} = 1;",
                  f"  if (mistake == 2 && threadIdx.x == 1) {name}[0]{member} = {name}[i]{member};", "}"]
    kernels = ", ".join(f"of_{name}" for name, _, _ in DYNAMIC)
    lines += ["int main(int count, char** words) {", f"  void (*all[])(int, int) = {{{kernels}}};", "  for (int i = 1; i < count; i += 3) {",
              f"    all[atoi(words[i])]<<<1, 2, {DYNAMIC_BYTES}>>>(atoi(words[i + 1]), atoi(words[i + 2]));", "    cudaDeviceSynchronize();", "  }", "}"]
    program = compiled(nvcc, folder, "dynamic", "\n".join(lines) + "\n")
    chance = random.Random(41)
    for _ in range(25):
        launches = [(number, chance.randrange(4), chance.randrange(1, 4)) for number in chance.sample(range(len(DYNAMIC)), 4)]
        _, errors, _ = run(program, *itertools.chain(*launches))
        told = set(re.findall(r"(?:reads|writes|wrote) (\w+\[\d+\])\S*(?= |$)", errors, re.M))
        wanted = {f"{DYNAMIC[number][0]}[{(0, DYNAMIC_BYTES // DYNAMIC[number][2] + i, i)[mistake]}]" for number, mistake, i in launches if mistake < 3}
        check(f"launches (kernel, mistake, index) {launches}: {wanted}", told == wanted, errors)
        for number, mistake, i in launches:
            own = [line for line in errors.splitlines() if f"kernel of_{DYNAMIC[number][0]}" in line]
            check(f"{launches}: a finding in of_{DYNAMIC[number][0]}", bool(own) == (mistake < 3), errors)


def chains_of_calls(nvcc, folder):
    """Two accesses race, each through functions of any files. Every line that the finding names must be in the file that it names,
    which is that of its first line if it names none."""
    files = ("chains.cu", "one.h", "other.h")
    chance = random.Random(47)
    texts = {file: [f"// line {n + 1} of {file}" for n in range(7 * i)] for i, file in enumerate(files)}  # no two files have the same line numbers
    texts["chains.cu"] += ["#include <cstdlib>"]
    bodies, chains = [], []
    for number in range(24):
        halves = []
        for side, index in (("put", "threadIdx.x"), ("get", "63 - threadIdx.x")):
            # From the access outward. A header that is included first cannot call what comes after it.
            depth = chance.choice((0, 1, 1, 2, 2))
            where = sorted(chance.choices(range(3), k=depth), key=lambda i: (2, 1, 0).index(i))
            call = f"s[{index}] = {number};" if side == "put" else f"out[threadIdx.x] = s[{index}];"
            chain = []
            for level, file in enumerate(files[i] for i in where):
                name = f"{side}{number}_{level}"
                texts[file] += [f"__device__ inline void {name}(int* s, int* out) {{", f"  {call}  // {name}", "}"]
                chain.append((file, f"{call}  // {name}"))
                call = f"{name}(s, out);"
            chain.append(("chains.cu", f"{call}  // {side} in work{number}"))
            halves.append((f"  {call}  // {side} in work{number}", chain))
        bodies += [f"__global__ void work{number}(int* out) {{", "  __shared__ int s[64];", halves[0][0], halves[1][0], "}"]
        chains.append([chain for _, chain in halves])
    kernels = ", ".join(f"work{number}" for number in range(len(chains)))
    texts["chains.cu"][:0] = ['#include "other.h"', '#include "one.h"']
    texts["chains.cu"] += bodies + ["int main(int, char** words) {", "  int* out;", "  cudaMalloc(&out, 256);", f"  void (*all[])(int*) = {{{kernels}}};",
                                    "  all[atoi(words[1])]<<<1, 64>>>(out);", "  cudaDeviceSynchronize();", "}"]
    for file in files[1:]:
        (folder / file).write_text("\n".join(texts[file]) + "\n")
    program = compiled(nvcc, folder, "chains", "\n".join(texts["chains.cu"]) + "\n")
    for number, both in enumerate(chains):
        for order in ("forward", "reverse"):
            _, errors, _ = run(program, number, order=order)
            begins = re.search(r"^(\S+?):\d+: CPU device: .*race in kernel", errors, re.M)
            told = re.findall(r"^ +(?:thread .* |called in )line (\d+)(?: of (\S+))?:  (.*)$", errors, re.M)
            wanted = [place for chain in both for place in chain]
            check(f"chains {both}, {order}: the lines", sorted(words for _, _, words in told) == sorted(words for _, words in wanted), errors)
            for line, file, words in told:
                mine = file or (begins and begins[1])
                check(f"{words}: line {line} of {mine}", mine in texts and texts[mine][int(line) - 1:int(line)] in ([words], ["  " + words]), errors)
                check(f"{words}: no file is named if it is the one of the first line", not file or (begins and file != begins[1]), errors)


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    mistakes(compiled(nvcc, folder / "unix", "places", SOURCE), compiled(nvcc, folder / "windows", "places", SOURCE.replace("\n", "\r\n")))
    cases = "\n".join(f"    case {i}: race<{x}, {y}, {z}><<<grid, 1>>>(number(5), number(6), a); break;" for i, (x, y, z) in enumerate(SHAPES))
    clusters(compiled(nvcc, folder, "clusters", CLUSTERS.replace("@", cases)))
    for part in (front_of_arrays, indexed_arrays, calls, named_parameters, absent_lanes, dynamic_arrays, chains_of_calls):
        part(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
