#!/usr/bin/env python3
"""Messages of checked runs that few programs get, word by word: every line that is printed before the last one.

    tests/checked_run/messages_check.py NVCC FOLDER

tests/mistakes has the usual mistakes. Here are the others: a barrier that one launch passes and the next one does not, functions
that are not inlined or are in a header, notes, indices far away, loops without end. In an expected message, «text» is the number of the first
line of the source with that text, and «text»: also its words.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

HEADER = """\
__device__ inline void from_header(int* s) {
  s[threadIdx.x] = 7;
}
"""

PLAIN = """\
#include <cstdlib>
#include <cuda_pipeline.h>
#include "header.h"
__global__ void skips(int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = n;
  if (n > 1) __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__device__ __noinline__ void put(int* s) {
  s[threadIdx.x] = threadIdx.x;
}
__device__ __noinline__ void get(int* s, int* out) {
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void calls(int* out) {
  __shared__ int s[64];
  put(s);
  get(s, out);
}
__global__ void behind_a_copy(int* out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[64 + threadIdx.x] = tile[threadIdx.x % 32];
}
__global__ void copies_of_others(int* out) {
  __shared__ int tile[64];
  out[64 * blockIdx.x + threadIdx.x] = 1;
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[64 - 64 * blockIdx.x + threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__global__ void sizes(int* out) {
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned long long*>(out), 1ull);
  if (threadIdx.x == 32) atomicAdd(out, 1);
}
__global__ void beyond(int* out, int n) {
  if (threadIdx.x == 3) out[n] = 1;
}
__global__ void many_terms(int* out, int n) {
\t if (threadIdx.x == 1) out[n] = 1 + 101 + 102 + 103 + 104 + 105 + 106 + 107 + 108 + 109 + 110 + 111 + 112 + 113 + 114 + 115 + 116 + 117 + 118 + 119;
}
__global__ void unset(const double* in, double* out) {
  out[0] = in[2];
}
__global__ void mixes(int* out) {
  __shared__ int s[64];
  from_header(s);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void counts(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __popc(__activemask());
  if (threadIdx.x > 16) out[threadIdx.x] = __activemask();
}
int small[3];
int main(int, char** words) {
  const int which = atoi(words[1]), n = atoi(words[2]);
  int* out;
  cudaMalloc(&out, 800), cudaMemset(out, 0, 800);
  if (which == 0) skips<<<1, 64>>>(out, 2), skips<<<1, 64>>>(out, 1);
  if (which == 1) calls<<<1, 64>>>(out);
  if (which == 2) behind_a_copy<<<1, 64>>>(out);
  if (which == 3) copies_of_others<<<2, 64>>>(out);
  if (which == 4) sizes<<<1, 64>>>(out);
  if (which == 5) beyond<<<1, 1>>>(out, 1 << 20);
  if (which == 5) beyond<<<1, 32>>>(out, n);
  if (which == 6) many_terms<<<1, 64>>>(out, 200);
  if (which == 7) {
    double *in, host[40] = {};
    cudaMalloc(&in, sizeof host), cudaMemcpy(in, host, sizeof(in), cudaMemcpyHostToDevice);
    unset<<<1, 1>>>(in, reinterpret_cast<double*>(out));
  }
  if (which == 8) cudaMemcpy(small + n, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  if (which == 9) mixes<<<1, 64>>>(out);
  if (which == 10) counts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  return which == 10;
}
"""

FENCED = """\
#include <cstdlib>
__global__ void flag(int* data, int* ready) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch_block(ready, 1);
  } else {
    while (atomicAdd_block(ready, 0) == 0) {
    }
    __threadfence();
    data[2] = *data;
  }
}
__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}
__global__ void two_locks(int* locks, int* sum) {
  lock(&locks[blockIdx.x]);
  lock(&locks[1 - blockIdx.x]);
  ++*sum;
  unlock(&locks[1 - blockIdx.x]);
  unlock(&locks[blockIdx.x]);
}
__global__ void outer_lock(int* locks, int takers) {  // which allows both orders
  if (blockIdx.x < takers) lock(&locks[2]);
  lock(&locks[blockIdx.x]);
  lock(&locks[1 - blockIdx.x]);
  unlock(&locks[1 - blockIdx.x]);
  unlock(&locks[blockIdx.x]);
  if (blockIdx.x < takers) unlock(&locks[2]);
}
__global__ void exchange(unsigned long long* best) {
  const unsigned long long mine = -5000000000 - static_cast<long long>(blockIdx.x);
  if (atomicAdd(best, 0ull) == 0)
    atomicExch(best, mine);
}
__global__ void hand_over(volatile int* value, volatile int* full) {
  if (threadIdx.x == 0) {
    *value = 42;
    *full = 1;
  }
  if (threadIdx.x == 32) {
    while (*full == 0) {
    }
    full[1] = *value;
  }
}
int main(int, char** words) {
  const int which = atoi(words[1]);
  int* a;
  cudaMalloc(&a, 64), cudaMemset(a, 0, 64);
  if (which == 0) flag<<<2, 1>>>(a, a + 1);
  if (which == 1) two_locks<<<2, 1>>>(a, a + 2);
  if (which == 2) exchange<<<2, 1>>>(reinterpret_cast<unsigned long long*>(a));
  if (which == 3) hand_over<<<1, 64>>>(a, a + 1);
  if (which == 4) outer_lock<<<2, 1>>>(a, 1);
  if (which == 5) outer_lock<<<2, 1>>>(a, 2);
  cudaDeviceSynchronize();
}
"""

# The watchdog looks after each usleep(). The kernel waits until it has looked often, so it makes no progress for sure.
ENDLESS = """\
#include <climits>
#include <ctime>
static volatile int looks = 0;
extern "C" int usleep(unsigned) {
  const timespec time = {0, 100000};
  looks = looks + 1;
  return nanosleep(&time, nullptr);
}
__attribute__((no_sanitize("thread"))) __device__ void wait_for_looks() {
  const int first = looks;
  while (looks - first < 4) {
  }
}
__global__ void count(int* out) {
  for (int i = INT_MAX - 2; *out == 0; i++) {
    out[1] = i;
    wait_for_looks();
  }
}
__global__ void wait(volatile int* out) {
  while (out[threadIdx.x] == 0) {
  }
}
int main(int arguments, char**) {
  int* out;
  cudaMalloc(&out, 8), cudaMemset(out, 0, 8);
  if (arguments > 2) wait<<<2, 1>>>(out);
  count<<<1, 1>>>(out);
  cudaDeviceSynchronize();
}
"""

MISSING_BARRIER = "the threads of a block do not wait for each other. Put a __syncthreads() "
ONLY_CALLER = "__activemask() contains only the calling lane, as CUDA allows"
OTHER_LANES = ("a result that needs the other lanes in the mask is wrong on some GPUs. Call __syncwarp() and use the mask of the lanes that "
               "must take part, such as the result of a __ballot_sync() before the branch.")
LOCKS_IN_ORDER = "Take the locks in the same order in all threads, for example the one with the smaller index first."
# (source, what it is called with, settings, what is printed)
CASES = [
    (PLAIN, "0 0", {}, """\
messages.cu:«s[threadIdx.x] = n»: CPU device: missing barrier: race in kernel skips, in block (0,0,0)
    thread (32,0,0) writes s[32]    line «s[threadIdx.x] = n»:
    thread (31,0,0) read s[32]    line «out[threadIdx.x] = s[63»:
    no barrier between them since the kernel started
    64 times in all
  hint: the barrier in line «__syncthreads()» does not separate these accesses: the threads take another path, through a loop \
or past a branch. Put a __syncthreads() on that path.
"""),
    (PLAIN, "1 0", {}, f"""\
messages.cu:«s[threadIdx.x] = threadIdx»: CPU device: missing barrier: race in kernel calls, in block (0,0,0)
    thread (32,0,0) writes s[32]    line «s[threadIdx.x] = threadIdx»:
        called in line «put(s);»:
    thread (31,0,0) read s[32]    line «get(int* s»+1:
    no barrier between them since the kernel started
    64 times in all
  hint: {MISSING_BARRIER}in the kernel, between the call that leads to one line and the call that leads to the other.
"""),
    (PLAIN, "2 0", {}, """\
messages.cu:«tile[threadIdx.x % 32]»: CPU device: missing barrier: race in kernel behind_a_copy, in block (0,0,0)
    thread (32,0,0) reads tile[0]    line «tile[threadIdx.x % 32]»:
    a copy by thread (0,0,0) wrote tile[0]    line «&out[threadIdx.x], sizeof»:
    32 times in all
  hint: a thread waits only for its own copies. Put a __syncthreads() after that wait, before other threads read the data.
"""),
    (PLAIN, "3 0", {}, """\
messages.cu:«out[64 * blockIdx.x + threadIdx.x] = 1»: CPU device: blocks run in any order: race in kernel copies_of_others, between blocks
    thread (0,0,0) of block (1,0,0) writes out[64]    line «out[64 * blockIdx.x + threadIdx.x] = 1»:
    a copy by thread (0,0,0) of block (0,0,0) read out[64]    line «&out[64 - 64»:
    128 times in all
  hint: __syncthreads() does not wait for other blocks. End the kernel here and launch another one.
"""),
    (PLAIN, "4 0", {}, """\
messages.cu:«atomicAdd(out, 1)»: CPU device: atomics of different sizes on the same bytes: race in kernel sizes, in block (0,0,0)
    thread (32,0,0) atomically updates out[0]    line «atomicAdd(out, 1)»:
    thread (0,0,0) atomically updated out[0]    line «1ull»:
    no barrier between them since the kernel started
  hint: an operation is atomic only with respect to atomics of the same size. Use one size for all of them.
"""),
    (PLAIN, "5 -65", {}, """\
messages.cu:«out[n] = 1;»: CPU device: out of bounds in kernel beyond: thread (3,0,0) of block (0,0,0) writes memory outside all arrays
    «out[n] = 1;» | if (threadIdx.x == 3) out[n] = 1;
  hint: the index may be negative or far too large. Compare it with the size of the array: `if (i < n)`.
"""),
    (PLAIN, "5 200", {}, """\
messages.cu:«out[n] = 1;»: CPU device: out of bounds in kernel beyond: thread (3,0,0) of block (0,0,0) writes out[200]
    the array has 200 elements and was allocated at messages.cu:«cudaMalloc(&out»
    «out[n] = 1;» | if (threadIdx.x == 3) out[n] = 1;
  hint: compare the index with the size of the array: `if (i < n)`.
"""),
    (PLAIN, "6 0", {}, f"""\
messages.cu:«1 + 101»: CPU device: out of bounds in kernel many_terms: thread (1,0,0) of block (0,0,0) writes out[200]
    the array has 200 elements and was allocated at messages.cu:«cudaMalloc(&out»
    «1 + 101» | if (threadIdx.x == 1) out[n] = 1 + {' + '.join(map(str, range(101, 115)))} + 1
  hint: compare the index with the size of the array: `if (i < n)`.
"""),
    (PLAIN, "7 0", {}, """\
messages.cu:«in[2]»: CPU device: uninitialized read in kernel unset: thread (0,0,0) of block (0,0,0) reads in[2]
    the memory was allocated at messages.cu:«sizeof(in)», and nothing was written there
    the copy in line «sizeof(in)» wrote only bytes 0 to 7 of 320. Is its size that of a pointer?
    «in[2]» | out[0] = in[2];
  hint: new memory holds arbitrary values. Initialize it first, with cudaMemset(), cudaMemcpy() or a kernel.
"""),
    (PLAIN, "8 1", {}, ""),
    (PLAIN, "8 2", {}, """\
messages.cu:«cudaMemcpy(small»: CPU device: the destination of the copy on the host is too small for 8 bytes: only 4 bytes are \
left of the variable small
    «cudaMemcpy(small» | if (which == 8) cudaMemcpy(small + n, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  hint: the size is in bytes, and both sides must be large enough. Pass count * sizeof(element).
"""),
    (PLAIN, "9 0", {}, f"""\
header.h:2: CPU device: missing barrier: race in kernel mixes, in block (0,0,0)
    thread (32,0,0) writes s[32]    line 2:  s[threadIdx.x] = 7;
        called in line «from_header(s)» of messages.cu:  from_header(s);
    thread (31,0,0) read s[32]    line «from_header(s)»+1 of messages.cu:  out[threadIdx.x] = s[63 - threadIdx.x];
    no barrier between them since the kernel started
    64 times in all
  hint: {MISSING_BARRIER}between the calls in line «from_header(s)» and line «from_header(s)»+1, where all threads of the block reach it.
"""),
    (PLAIN, "10 0", {}, f"""\
messages.cu:«__popc»: CPU device: note: {ONLY_CALLER}, in kernel counts
    «__popc» | if (threadIdx.x < 16) out[threadIdx.x] = __popc(__activemask());
  hint: {OTHER_LANES}
messages.cu:«__popc»+1: CPU device: note: {ONLY_CALLER}, in kernel counts
    «__popc»+1 | if (threadIdx.x > 16) out[threadIdx.x] = __activemask();
  hint: {OTHER_LANES}
"""),
    (FENCED, "0", {}, """\
messages.cu:«atomicAdd_block»: CPU device: atomic scope too narrow: race in kernel flag, between blocks
    thread (0,0,0) of block (1,0,0) atomically updates ready[0]    line «atomicAdd_block»:
    thread (0,0,0) of block (0,0,0) atomically wrote ready[0]    line «atomicExch_block»:
  hint: an atomic with _block or thread_scope_block is atomic only among the threads of its own block. Between blocks, use the \
version for the whole device.
messages.cu:«= *data»: CPU device: atomic scope too narrow: race in kernel flag, between blocks
    thread (0,0,0) of block (1,0,0) reads data[0]    line «= *data»:
    thread (0,0,0) of block (0,0,0) wrote data[0]    line «*data = 42»:
  hint: an atomic with _block or thread_scope_block does not synchronize with other blocks. Use the version for the whole device.
"""),
    (FENCED, "1", {"CPU_DEVICE_SCHEDULE": "0"}, f"""\
messages.cu:«atomicCAS»: CPU device: note: two locks are taken in opposite orders in kernel two_locks: threads may wait for each other forever
    thread (0,0,0) of block (0,0,0) holds locks[0] (taken in line «atomicCAS») and takes locks[1] in line «atomicCAS»
    thread (0,0,0) of block (1,0,0) holds locks[1] (taken in line «atomicCAS») and takes locks[0] in line «atomicCAS»
    they did not meet in this run
  hint: if the threads wait for the second lock while they hold the first one, they may wait forever. {LOCKS_IN_ORDER}
"""),
    (FENCED, "4", {"CPU_DEVICE_SCHEDULE": "0"}, f"""\
messages.cu:«atomicCAS»: CPU device: note: two locks are taken in opposite orders in kernel outer_lock: threads may wait for each other forever
    thread (0,0,0) of block (0,0,0) holds locks[0] (taken in line «atomicCAS») and takes locks[1] in line «atomicCAS»
    thread (0,0,0) of block (1,0,0) holds locks[1] (taken in line «atomicCAS») and takes locks[0] in line «atomicCAS»
    they did not meet in this run
  hint: if the threads wait for the second lock while they hold the first one, they may wait forever. {LOCKS_IN_ORDER}
"""),
    (FENCED, "5", {"CPU_DEVICE_SCHEDULE": "0"}, ""),
    (FENCED, "5", {}, ""),
    (FENCED, "2", {"CPU_DEVICE_SCHEDULE": "1"}, """\
messages.cu:«atomicExch(best»: CPU device: lost update in kernel exchange: thread (0,0,0) of block (1,0,0) overwrites another thread's update of best[0]
    it read 0, then another thread wrote -5000000000, and now it writes -5000000001    line «atomicExch(best»:
    found under schedule 1 (CPU_DEVICE_SCHEDULE=1 repeats it); threads take turns at each atomic, fence and volatile access
    «atomicExch(best» | atomicExch(best, mine);
  hint: other threads can write between the read and the write. Do both in one step, with atomicAdd(), atomicMax() or a loop of \
atomicCAS(). Or use the value that atomicExch() returns.
"""),
    (FENCED, "3", {}, """\
messages.cu:«full[1] =»: CPU device: volatile does not order other accesses: race in kernel hand_over, in a block
    thread (32,0,0) reads (volatile) value[0]    line «full[1] =»:
    thread (0,0,0) wrote (volatile) value[0]    line «*value = 42»:
    found under schedule 3 (CPU_DEVICE_SCHEDULE=3 repeats it):
      thread (32,0,0) of block (0,0,0) stops before line «full[1] =», and the others run until they end or wait
  hint: the flag says that the value is there, but the two may become visible in the other order. Put a __threadfence() between \
the write of the value and the write of the flag, and another one after the read of the flag.
"""),
    (ENDLESS, "0", {"CPU_DEVICE_TIMEOUT": "1000000"}, """\
messages.cu:«INT_MAX - 2»: CPU device: endless loop in kernel count, thread (0,0,0) of block (0,0,0): its counter has reached \
2147483647, the end of the range of int
    «INT_MAX - 2» | for (int i = INT_MAX - 2; *out == 0; i++) {
  hint: check the condition of the loop that contains this line.
"""),
    (ENDLESS, "0 wait", {"CPU_DEVICE_TIMEOUT": "3"}, """\
messages.cu:«while (out»: CPU device: no progress in kernel wait, thread (0,0,0) of block (§,0,0): no thread has ended or passed a barrier for 3 s
    «while (out» | while (out[threadIdx.x] == 0) {
  hint: check the conditions of the loops. A plain read may never see the write of another thread. Use an atomic or a volatile \
variable. CPU_DEVICE_TIMEOUT sets the time limit in seconds.
"""),
]


def in_full(expected, source):
    """The text with its line numbers, as a pattern: § is any number."""
    lines = source.split("\n")

    def number(match):
        line = next(i for i, text in enumerate(lines) if match[1] in text) + int(match[2] or 0)
        return str(line + 1) + (f":  {lines[line].strip()}" if match[3] == ":\n" else "") + match[3].replace(":\n", "\n")

    text = re.sub("«([^»]*)»(\\+1)?(:\n)?", lambda m: number([m[0], m[1], m[2], m[3] or ""]), expected)
    text = re.sub(r"^    (\d+) \| ", lambda m: f"  {int(m[1]):5} | ", text, flags=re.M)
    return re.escape(text).replace("§", r"\d+")


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    for number, source in enumerate((PLAIN, FENCED, ENDLESS)):
        work = folder / str(number)
        work.mkdir(exist_ok=True)
        (work / "messages.cu").write_text(source)
        (work / "header.h").write_text(HEADER)
        subprocess.run([nvcc, "--check", "messages.cu", "-o", "messages"], cwd=work, check=True)
        for _, words, settings, expected in (case for case in CASES if case[0] is source):
            environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
            environment.update({"CPU_DEVICE_LEAKS": "none", "CPU_DEVICE_UNREAD": "none", "CPU_DEVICE_THREADS": "2", **settings})
            done = subprocess.run(["./messages", *words.split()], cwd=work, env=environment, capture_output=True, text=True, timeout=120, check=False)
            printed = done.stderr.partition("CPU device: checked run: ")[0]
            check(f"program {number}, {words} {settings}: other words than\n{expected}", re.fullmatch(in_full(expected, source), printed),
                  f"\n{done.stderr}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
