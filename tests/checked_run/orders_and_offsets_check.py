#!/usr/bin/env python3
"""What a checked run finds for each memory order, each pair of accesses, and each offset of an access.

    tests/checked_run/orders_and_offsets_check.py NVCC FOLDER

A hand-over through a flag is right if the writer's operation releases and the reader's acquires. Two blocks that use a word
race unless all that they do are atomics, or reads. An access is misaligned unless its address is a multiple of its size. Each is
tried with each operation that CUDA has for it, one program and one run for each case. And the names of arrays in messages about
their bounds.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position
from report_numbers_check import Program  # noqa: E402  pylint: disable=wrong-import-position

ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
RELEASES, ACQUIRES = {"release", "acq_rel", "seq_cst"}, {"acquire", "acq_rel", "seq_cst"}
WRITES = [("store(1, {})", order) for order in ("relaxed", "release", "seq_cst")] + \
         [(write, order) for write in ("fetch_add(1, {})", "fetch_or(1, {})", "exchange(1, {})", "compare_exchange_strong(zero, 1, {})")
          for order in ORDERS]
READS = [("load({})", order) for order in ("relaxed", "acquire", "seq_cst")] + \
        [(read, order) for read in ("fetch_add(0, {})", "fetch_and(1, {})", "exchange(1, {})") for order in ORDERS]


def hand_over(nvcc, folder):
    def cases(operations, assign):
        for n, (operation, order) in enumerate(operations):
            call = operation.format(f"cuda::memory_order_{order}")
            yield f"    case {n}: {assign}flag.{call}; break;"

    program = Program(nvcc, folder, "hand_over", [
        "#include <cuda/atomic>",
        "#include <cstdlib>",
        "__device__ int word, data;",
        "__device__ void write(int way) {",
        "  cuda::atomic_ref<int, cuda::thread_scope_device> flag(word);",
        "  int zero = 0;",
        "  (void)zero;",
        "  switch (way) {", *cases(WRITES, ""), "  }", "}",
        "__device__ int read(int way) {",
        "  cuda::atomic_ref<int, cuda::thread_scope_device> flag(word);",
        "  int seen = 0;",
        "  switch (way) {", *cases(READS, "seen = "), "  }",
        "  return seen;", "}",
        "__global__ void pass(int writer, int reader, int* out) {",
        "  if (blockIdx.x == 0) {",
        "    data = 42;",
        "    write(writer);",
        "  } else {",
        "    while (read(reader) == 0) {}",
        "    *out = data;",
        "  }",
        "}",
        "int main(int, char** words) {",
        "  int *out, seen = 0;",
        "  cudaMalloc(&out, 4);",
        "  pass<<<2, 1>>>(atoi(words[1]), atoi(words[2]), out);",
        "  cudaMemcpy(&seen, out, 4, cudaMemcpyDeviceToHost);",
        "  return seen != 42;",
        "}"])
    release, acquire = WRITES.index(("store(1, {})", "release")), READS.index(("load({})", "acquire"))
    pairs = [(w, acquire) for w in range(len(WRITES))] + [(release, r) for r in range(len(READS))]
    for w, r in pairs:
        code, errors, results = program.run(w, r, CPU_DEVICE_SCHEDULE="0")
        right = WRITES[w][1] in RELEASES and READS[r][1] in ACQUIRES
        found = [result["ruleId"] for result in results if result["level"] != "note"]
        check(f"{WRITES[w]}, then {READS[r]}: {'right' if right else 'a race'}", code == (0 if right else 1) and
              (not found if right else len(found) == 1 and found[0].startswith("race-")), f"{code}, {found}: {errors[:300]}")


def pairs_of_accesses(nvcc, folder):
    program = Program(nvcc, folder, "accesses", [
        "#include <cstdlib>",
        "__device__ int variable = 1, sink[4];",
        "__device__ void access(int* word, int way, int n) {",
        "  if (way == 0) sink[n] = *word;",
        "  if (way == 1) *word = n + 5;",
        "  if (way == 2) atomicAdd(word, 1);",
        "}",
        "__global__ void both(int* word, int first, int second, int others, int later) {",
        "  if (blockIdx.x == later) {",
        "    access(word, others, 2);",
        "  } else {",
        "    access(word, first, 0);",
        "    access(word, second, 1);",
        "  }",
        "}",
        "int main(int, char** words) {",
        "  int *word, one = 1;",
        "  cudaMalloc(&word, 4);",
        "  cudaMemcpy(word, &one, 4, cudaMemcpyHostToDevice);",
        "  if (atoi(words[5]) == 0) cudaGetSymbolAddress((void**)&word, variable);",
        "  both<<<2, 1>>>(word, atoi(words[1]), atoi(words[2]), atoi(words[3]), atoi(words[4]));",
        "  return cudaDeviceSynchronize() != cudaSuccess;",
        "}"])
    names = ["reads", "writes", "adds with an atomic"]
    for first, second, others, later, place in itertools.product(range(3), range(3), range(3), (0, 1), (0, 1)):
        _, _, results = program.run(first, second, others, later, place, CPU_DEVICE_SCHEDULE="0")
        races = any(one != others or one == 1 for one in (first, second))
        check(f"a thread {names[first]}, then {names[second]}; one of {'an earlier' if later == 0 else 'a later'} block {names[others]}; "
              + ("a variable", "memory")[place],
              any(result["ruleId"].startswith("race-") for result in results) == races, [result["ruleId"] for result in results])


KINDS = [(4, "atomicAdd(reinterpret_cast<int*>(at), 1);"), (4, "atomicExch(reinterpret_cast<float*>(at), 1.0f);"),
         (4, "atomicCAS(reinterpret_cast<unsigned*>(at), 0u, 1u);"), (4, "atomicMax(reinterpret_cast<int*>(at), 1);"),
         (8, "atomicAdd(reinterpret_cast<unsigned long long*>(at), 1ull);"), (8, "atomicAdd(reinterpret_cast<double*>(at), 1.0);"),
         (8, "atomicCAS(reinterpret_cast<unsigned long long*>(at), 0ull, 1ull);"),
         (8, "atomicExch(reinterpret_cast<unsigned long long*>(at), 1ull);"), (8, "atomicOr(reinterpret_cast<unsigned long long*>(at), 1ull);"),
         (2, "atomicCAS(reinterpret_cast<unsigned short*>(at), (unsigned short)0, (unsigned short)1);"),
         (2, "*reinterpret_cast<volatile short*>(at) = 1;"), (4, "*reinterpret_cast<volatile int*>(at) = 1;"),
         (8, "*reinterpret_cast<volatile long long*>(at) = 1;"), (2, "*reinterpret_cast<short*>(at) = 1;"),
         (4, "*reinterpret_cast<float*>(at) = 1.0f;"), (8, "*reinterpret_cast<double*>(at) = 1.0;"),
         (8, "*reinterpret_cast<float2*>(at) = make_float2(1.0f, 2.0f);"), (16, "*reinterpret_cast<int4*>(at) = make_int4(1, 2, 3, 4);")]


def offsets(nvcc, folder):
    program = Program(nvcc, folder, "offsets", [
        "#include <cstdlib>",
        "__global__ void access(int kind, char* at) {",
        "  switch (kind) {", *[f"    case {n}: {code} break;" for n, (_, code) in enumerate(KINDS)], "  }",
        "}",
        "int main(int, char** words) {",
        "  char* memory;",
        "  cudaMalloc(&memory, 64);",
        "  cudaMemset(memory, 0, 64);",
        "  access<<<1, 1>>>(atoi(words[1]), memory + atoi(words[2]));",
        "  cudaDeviceSynchronize();",
        "}"])
    for (kind, (size, code)), offset in itertools.product(enumerate(KINDS), (0, 1, 2, 3, 4, 6, 8, 12, 16)):
        _, errors, results = program.run(kind, offset, CPU_DEVICE_SCHEDULE="0")
        found = [result["ruleId"] for result in results if result["level"] != "note"]
        check(f"{code} at an offset of {offset}", found == (["misaligned"] if offset % size != 0 else []), f"{found}: {errors[:300]}")


ARRAYS = ["a", "s_data", "_first", "last_", "a1_b2", "A_B_C"]


def names_of_arrays(nvcc, folder):
    program = Program(nvcc, folder, "names", [
        "#include <cstdlib>",
        *[f"__device__ int {name}[4];" for name in ARRAYS],
        "__global__ void beyond(int which, int i) {",
        *[f"  if (which == {n}) {name}[i] = 1;" for n, name in enumerate(ARRAYS)],
        "}",
        "int main(int, char** words) {",
        "  beyond<<<1, 1>>>(atoi(words[1]), atoi(words[2]));",
        "  cudaDeviceSynchronize();",
        "}"])
    for (n, name), index in itertools.product(enumerate(ARRAYS), (3, 4, -1)):
        _, errors, results = program.run(n, index)
        texts = [result["message"]["text"].splitlines()[0] for result in results]
        if index == 3:
            check(f"{name}[3] is inside", not texts, texts)
        else:
            check(f"{name}[{index}] is named", len(texts) == 1 and f"index {index} of {name} (" in texts[0], f"{texts}: {errors[:200]}")


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    hand_over(nvcc, folder)
    pairs_of_accesses(nvcc, folder)
    offsets(nvcc, folder)
    names_of_arrays(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
