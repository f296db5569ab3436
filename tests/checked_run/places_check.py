#!/usr/bin/env python3
"""Where a finding is: blocks, threads and clusters of one to three dimensions, each coordinate another number.

    tests/checked_run/places_check.py NVCC FOLDER

One kernel for each kind of mistake, made in a chosen block by chosen threads. Each block and thread that a message names must
be one of those. Two blocks race in clusters of many shapes: the message is about the cluster if they share one, by our own
division. And a source with the line ends of Windows must give the same messages, byte for byte, as one with those of Unix.
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


def run(program, *words):
    """(exit code, stderr, SARIF report)"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    report = program.parent / "report.sarif"
    report.unlink(missing_ok=True)
    done = subprocess.run([f"./{program.name}", *map(str, words)], cwd=program.parent, capture_output=True, check=False, timeout=120,
                          env={**environment, "CPU_DEVICE_LEAKS": "none", "CPU_DEVICE_UNREAD": "none", "CPU_DEVICE_REPORT": str(report)})
    return done.returncode, done.stderr.decode(), report.read_bytes() if report.exists() else b""


def compiled(nvcc, folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.cu").write_bytes(text.encode())
    subprocess.run([nvcc, "--check", f"{name}.cu", "-o", name], cwd=folder, check=True)
    return folder / name


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


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    mistakes(compiled(nvcc, folder / "unix", "places", SOURCE), compiled(nvcc, folder / "windows", "places", SOURCE.replace("\n", "\r\n")))
    cases = "\n".join(f"    case {i}: race<{x}, {y}, {z}><<<grid, 1>>>(number(5), number(6), a); break;" for i, (x, y, z) in enumerate(SHAPES))
    clusters(compiled(nvcc, folder, "clusters", CLUSTERS.replace("@", cases)))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
