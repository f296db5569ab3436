#!/usr/bin/env python3
"""Messages of ordinary runs whose words depend on a setting, on a number or on what else happens: each in all of its forms, word by word.

    conditional_words_check.py NVCC FOLDER

message_words.txt has the same words, but not when each is said. Here is one program, whose arguments say what it does wrong. As in
messages_check.py, «text» in an expected message is the number of the first line with that text, and § is any number.
"""

import os
import pathlib
import platform
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "harness"), str(TESTS / "checked_run")]
# pylint: disable=wrong-import-position
from counting import check, finish, nvcc_and_folder  # noqa: E402
from messages_check import in_full  # noqa: E402

SOURCE = r"""\
#include <cstdio>
#include <cstdlib>

__device__ void add(volatile int* s, int t) {
  s[t] += s[t + 16];
  s[t] += s[t + 8];
}
__global__ void in_step(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
  if (t < 32) add(s, t);
  out[t] = s[t];
}
__global__ void spins(int* lock, int meets) {
  if (static_cast<int>(threadIdx.x) < meets) __syncthreads();
  while (atomicCAS(lock, 1, 2) != 1) {
  }
}
__global__ void compete(int* locks, int count) {
  int* lock = locks + threadIdx.x % count;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  atomicExch(lock, 0);
}
__global__ void in_warp(int come) {
  if (static_cast<int>(threadIdx.x) < come) __syncwarp(0xf);
}
__global__ void in_block(int first, int second) {
  const int t = threadIdx.x;
  if (t < first)
    __syncthreads();
  else if (t < second) __syncthreads();
}
__global__ void in_part(int come) {
  if (static_cast<int>(threadIdx.x) < come) asm volatile("bar.sync 3, 64;" ::: "memory");
}
__global__ void blocks(int* last) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x + 1 == gridDim.x) atomicExch(last, 1);
  while (atomicAdd(last, 0) == 0) {
  }
}
typedef void Function();
__global__ void touches(int what, int* p, Function* f) {
  if (what == 0) *p = 1;
  if (what == 1) printf("%d", *static_cast<volatile int*>(p));
  if (what == 2) f(), *p = 2;
}

int main(int argc, char** argv) {
  const int mode = atoi(argv[1]), a = argc > 2 ? atoi(argv[2]) : 0, b = argc > 3 ? atoi(argv[3]) : 0;
  int* p;
  cudaMallocManaged(&p, 4096);
  for (int i = 0; i < 1024; i++) p[i] = 0;
  int* const far = p + (1l << 50);
  int* const null = nullptr;
  int* const unknown = reinterpret_cast<int*>(0x1234567000);
  Function* volatile f = nullptr;
  switch (mode) {
    case 0: in_step<<<1, 64>>>(p); break;
    case 1: spins<<<1, a>>>(p, b); break;
    case 2: compete<<<1, a>>>(p, b); break;
    case 3: in_warp<<<1, a>>>(b); break;
    case 4: in_block<<<1, a>>>(b, atoi(argv[4])); break;
    case 5: in_part<<<1, a>>>(b); break;
    case 6: blocks<<<a, b>>>(p); break;
    case 7: touches<<<1, 1>>>(a, b == 0 ? null : b == 1 ? far : unknown, f); break;
    case 8: *const_cast<volatile int*>(a == 0 ? null : a == 1 ? far : unknown) = 1; break;
    case 9: return *const_cast<volatile int*>(a == 0 ? null : unknown);
    default: f(), *p = 2;
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""

STEP = """\
words.cu:«t + 8]»: CPU device: warp-synchronous code in kernel in_step, thread (§,0,0) of block (0,0,0): it reads data that other lanes wrote one step before
    «t + 8]» | s[t] += s[t + 8];
  hint: since Volta, the lanes of a warp can run at different times, and volatile does not synchronize them. Call __syncwarp() between a \
read and the write that follows, and again after the write. """
LIVELOCK = """
    «(lock, 0, 1)» | while (atomicCAS(lock, 0, 1) != 0) {
  hint: in lockstep, lanes of one warp that compete for a lock block each other. Let one lane at a time take the lock, or use no lock. On \
GPUs since Volta, lanes do not run in lockstep, and this kernel ends.
"""
IN_WARP = """
    «0xf» | if (static_cast<int>(threadIdx.x) < come) __syncwarp(0xf);
  hint: the mask must name exactly the lanes that reach this line. Correct the mask, or let all of its lanes reach the line.
"""
IN_PART = """
    «bar.sync» | if (static_cast<int>(threadIdx.x) < come) asm volatile("bar.sync 3, 64;" ::: "memory");
  hint: bar.sync waits for as many threads as it names. Let that many reach it, with bar.sync or bar.arrive.
"""
BLOCKS = """
    «(last, 0)» | while (atomicAdd(last, 0) == 0) {
  hint: a GPU also starts a block only when another one has ended, once its multiprocessors are full. Use fewer blocks, each with a loop \
over the data, or split the kernel into two launches. If the threads wait for a lock, check that it is released, and never taken twice.
"""
NOTE = """
    «    __syncthreads();» | __syncthreads();
  hint: GPUs since Volta do not wait for threads that have left, and neither does the CPU device. Older GPUs hang. Let threads without \
work skip the work, not the barrier. A checked run (nvcc --check) reports this as an error.
"""
NULL_HINT = "  hint: check that the memory was allocated, and that the pointer was passed to the kernel.\n"
UNKNOWN_HINT = "  hint: check the pointer and the index. Was one of them never set?\n"
NULL = "(nil)\n    the pointer is NULL, or almost NULL\n"
FAULT = "CPU device: illegal memory access in kernel touches, thread (0,0,0) of block (0,0,0): the "
WRITE = "words.cu:«(what == 0)»: " + FAULT
WRITTEN = "    «(what == 0)» | if (what == 0) *p = 1;\n"
READ = "words.cu:«(what == 1)»: " + FAULT
READ_IT = '    «(what == 1)» | if (what == 1) printf("%d", *static_cast<volatile int*>(p));\n'
HOST_WRITES = "    «case 8» | case 8: *const_cast<volatile int*>(a == 0 ? null : a == 1 ? far : unknown) = 1; break;\n"
HOST_READS = "    «case 9» | case 9: return *const_cast<volatile int*>(a == 0 ? null : unknown);\n"
# (arguments, settings, all that it says)
CASES = [
    ("0", {}, STEP + "This run keeps them in step, as GPUs often do. With CPU_DEVICE_LOCKSTEP=0 it does not.\n"),
    ("0", {"CPU_DEVICE_LOCKSTEP": "0"}, STEP + "Without CPU_DEVICE_LOCKSTEP=0, the run keeps them in step, as GPUs often do.\n"),
    ("0", {"CPU_DEVICE_LOCKSTEP": "1"}, ""),
    ("1 1 0", {}, """\
words.cu:«(lock, 1, 2)»: CPU device: no progress in kernel spins, block (0,0,0): 1 of 1 thread waits for a lock or a flag that never changes
    1 retries an atomic that never succeeds, line «(lock, 1, 2)»: thread 0
    «(lock, 1, 2)» | while (atomicCAS(lock, 1, 2) != 1) {
  hint: check that the lock is released and never taken twice, and that some thread sets the flag.
"""),
    ("1 2 0", {}, """\
words.cu:«(lock, 1, 2)»: CPU device: no progress in kernel spins, block (0,0,0): 2 of 2 threads wait for a lock or a flag that never changes
    2 retry an atomic that never succeeds, line «(lock, 1, 2)»: threads 0-1
    «(lock, 1, 2)» | while (atomicCAS(lock, 1, 2) != 1) {
  hint: check that the lock is released and never taken twice, and that some thread sets the flag.
"""),
    ("1 2 1", {}, """\
words.cu:«< meets»: CPU device: no progress in kernel spins, block (0,0,0): 2 of 2 threads wait for a lock or a flag that never changes
    1 waits at __syncthreads(), line «< meets»: thread 0
    1 retries an atomic that never succeeds, line «(lock, 1, 2)»: thread 1
    «< meets» | if (static_cast<int>(threadIdx.x) < meets) __syncthreads();
  hint: a thread that waits at a barrier cannot release its lock. Release the lock before the barrier.
"""),
    ("1 4 3", {}, """\
words.cu:«< meets»: CPU device: no progress in kernel spins, block (0,0,0): 4 of 4 threads wait for a lock or a flag that never changes
    3 wait at __syncthreads(), line «< meets»: threads 0-2
    1 retries an atomic that never succeeds, line «(lock, 1, 2)»: thread 3
    «< meets» | if (static_cast<int>(threadIdx.x) < meets) __syncthreads();
  hint: a thread that waits at a barrier cannot release its lock. Release the lock before the barrier.
"""),
    ("2 2 1", {"CPU_DEVICE_LOCKSTEP": "1"}, """\
words.cu:«(lock, 0, 1)»: CPU device: livelock of a warp in lockstep in kernel compete, block (0,0,0): 2 of 2 threads wait for each other
    1 retries an atomic that never succeeds, line «(lock, 0, 1)»: thread §
    1 has succeeded, but the warp has not left the loop, line «(lock, 0, 1)»: thread §""" + LIVELOCK),
    ("2 4 2", {"CPU_DEVICE_LOCKSTEP": "1"}, """\
words.cu:«(lock, 0, 1)»: CPU device: livelock of a warp in lockstep in kernel compete, block (0,0,0): 4 of 4 threads wait for each other
    2 retry an atomic that never succeeds, line «(lock, 0, 1)»: threads 1-2
    2 have succeeded, but the warp has not left the loop, line «(lock, 0, 1)»: threads 0, 3""" + LIVELOCK),
    ("2 4 2", {}, ""),
    ("3 4 1", {}, """\
words.cu:«0xf»: CPU device: incomplete warp operation in kernel in_warp, block (0,0,0): 1 of 4 threads waits in a warp operation that not \
all of its lanes reach
    1 waits in a warp operation, line «0xf»: thread 0
    3 have left the kernel: threads 1-3""" + IN_WARP),
    ("3 4 3", {}, """\
words.cu:«0xf»: CPU device: incomplete warp operation in kernel in_warp, block (0,0,0): 3 of 4 threads wait in a warp operation that not \
all of its lanes reach
    3 wait in a warp operation, line «0xf»: threads 0-2
    1 has left the kernel: thread 3""" + IN_WARP),
    ("4 3 2 2", {}, """\
words.cu:«    __syncthreads();»: CPU device: note: 1 of 3 threads of kernel in_block, block (0,0,0), left in line «(t < first)», before a \
__syncthreads() that the others reach""" + NOTE),
    ("4 3 2 2", {"CPU_DEVICE_EXITED_THREADS": "ignore"}, ""),
    ("4 3 3 3", {}, ""),
    ("4 3 1 2", {}, """\
words.cu:«    __syncthreads();»: CPU device: divergent barriers in kernel in_block, block (0,0,0): 2 of 3 threads wait at different barriers
    1 waits at __syncthreads(), line «    __syncthreads();»: thread 0
    1 waits at __syncthreads(), line «(t < second)»: thread 1
    1 has left the kernel: thread 2
    «    __syncthreads();» | __syncthreads();
  hint: all threads of the block must reach the same __syncthreads(). Move it out of the branches.
"""),
    ("5 64 1", {}, """\
words.cu:«bar.sync»: CPU device: incomplete barrier in kernel in_part, block (0,0,0): 1 of 64 threads waits at a barrier that too few threads reach
    1 waits at a barrier for part of the block, line «bar.sync»: thread 0
    63 have left the kernel: threads 1-63""" + IN_PART),
    ("5 64 32", {}, """\
words.cu:«bar.sync»: CPU device: incomplete barrier in kernel in_part, block (0,0,0): 32 of 64 threads wait at a barrier that too few threads reach
    32 wait at a barrier for part of the block, line «bar.sync»: threads 0-31
    32 have left the kernel: threads 32-63""" + IN_PART),
    ("6 600 32", {"CPU_DEVICE_MULTIPROCESSORS": "1"}, """\
words.cu:«(last, 0)»: CPU device: deadlock between blocks in kernel blocks, block (§,0,0): 1 of 32 threads waits for blocks that have not started
    1 retries an atomic that never succeeds, line «(last, 0)»: thread 0
    31 have left the kernel: threads 1-31
    512 of 600 blocks have started, and none of them can end
    at most 512 such blocks run at the same time on this device""" + BLOCKS),
    ("6 600 32", {"CPU_DEVICE_MULTIPROCESSORS": "1024"}, """\
words.cu:«(last, 0)»: CPU device: deadlock between blocks in kernel blocks, block (§,0,0): 1 of 32 threads waits for blocks that have not started
    1 retries an atomic that never succeeds, line «(last, 0)»: thread 0
    31 have left the kernel: threads 1-31
    512 of 600 blocks have started, and none of them can end""" + BLOCKS)]
# Elsewhere than on x86-64 a fault does not say whether it was a write.
FAULTS = [
    ("7 0 0", {}, WRITE + "thread writes to address " + NULL + WRITTEN + NULL_HINT),
    ("7 1 0", {}, READ + "thread reads from address " + NULL + READ_IT + NULL_HINT),
    ("7 0 1", {}, WRITE + "address is far outside all memory\n" + WRITTEN + "  hint: check the index. Did it overflow, or was it never set?\n"),
    ("7 0 2", {}, WRITE + "thread writes to address 0x1234567000\n" + WRITTEN + UNKNOWN_HINT),
    ("7 2 0", {}, "words.cu:«(what == 2)»: " + FAULT + "thread calls a function at address " + NULL + """\
    «(what == 2)» | if (what == 2) f(), *p = 2;
  hint: was the pointer to the function ever set? A kernel can call only what device code has taken the address of.
"""),
    ("8 0", {}, "words.cu:«case 8»: CPU device: host code writes to address (nil): the pointer is NULL, or almost NULL\n" + HOST_WRITES + NULL_HINT),
    ("8 1", {}, "words.cu:«case 8»: CPU device: host code accesses an address far outside all memory: this address does not come from a CUDA call\n"
     + HOST_WRITES + UNKNOWN_HINT),
    ("8 2", {}, "words.cu:«case 8»: CPU device: host code writes to address 0x1234567000: this address does not come from a CUDA call\n"
     + HOST_WRITES + UNKNOWN_HINT),
    ("9 0", {}, "words.cu:«case 9»: CPU device: host code reads from address (nil): the pointer is NULL, or almost NULL\n" + HOST_READS + NULL_HINT),
    ("9 1", {}, "words.cu:«case 9»: CPU device: host code reads from address 0x1234567000: this address does not come from a CUDA call\n"
     + HOST_READS + UNKNOWN_HINT),
    ("10", {}, """\
words.cu:«default:»: CPU device: host code calls a function at address (nil): the pointer is NULL, or almost NULL
    «default:» | default: f(), *p = 2;
  hint: was the pointer to the function ever set?
""")]


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    (folder / "words.cu").write_text(SOURCE)
    subprocess.run([nvcc, "words.cu", "-o", "words"], cwd=folder, check=True)
    for words, settings, expected in CASES + (FAULTS if platform.machine() == "x86_64" else []):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
        done = subprocess.run(["./words", *words.split()], cwd=folder, env={**environment, **settings}, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120, check=False)
        check(f"{words} {settings}: other words than\n{expected}", re.fullmatch(in_full(expected, SOURCE), done.stderr), f"\n{done.stderr}")
        ends_well = not expected or ": note: " in expected or "warp-synchronous" in expected
        check(f"{words} {settings}: ends {'well' if ends_well else 'with an error'}", (done.returncode == 0) == ends_well, done.returncode)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
