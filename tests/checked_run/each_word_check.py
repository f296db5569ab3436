#!/usr/bin/env python3
"""What a checked run knows of a piece of memory must hold for each word of it, from the first to the last one.

    tests/checked_run/each_word_check.py NVCC FOLDER

Flags of one to four words that a copy sets, of which a kernel polls any; results of which a kernel has written any part, in
elements of every size. Memory of malloc() that is registered in part or as a whole, and freed; a block of which so many bytes
were never set, and are sent to the device. Elements that the host reads although neither a kernel nor the host has set them.
Elements of constants that are set, bytes that the host reads while a kernel writes some, copies that do not fill their block, or are too long for a
part of a host array. Addresses that are no
multiple of the size. Functions of the C library, with results of a kernel in each argument. The scope of each atomic. And random
copies between arrays of which a part was never set: which words of the host are results that nobody has written, against a model.
"""

import itertools
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

FLAGS = """\
#include <cstdlib>
__global__ void wait(volatile int* flags, int polled, const int* data, int* out) {
  while (flags[polled] == 0) {
  }
  __threadfence();
  *out = *data;
}
int main(int, char** arguments) {
  const int words = atoi(arguments[1]), polled = atoi(arguments[2]);
  int *flags, *data, *out, *host, got = 0;
  cudaMalloc(&flags, 4 * words), cudaMalloc(&data, 4), cudaMalloc(&out, 4), cudaMallocHost(&host, 4 * (words + 1));
  for (int i = 0; i <= words; i++) host[i] = i + 1;
  cudaMemset(flags, 0, 4 * words);
  cudaDeviceSynchronize();
  cudaStream_t waiting, copying;
  cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking);
  wait<<<1, 1, 0, waiting>>>(flags, polled, data, out);
  cudaStreamQuery(waiting);
  cudaMemcpyAsync(data, host + words, 4, cudaMemcpyHostToDevice, copying);
  cudaMemcpyAsync(flags, host, 4 * words, cudaMemcpyHostToDevice, copying);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
  return got != words + 1;
}
"""

RESULTS = """\
#include <cstdio>
#include <cstdlib>
extern "C" bool cpu_device_from_kernel(const void* element, size_t bytes);  // see tools/lab/harness.h
template <typename T>
__global__ void fill(T* a, int from, int to) {
  for (int i = from; i < to; i++) a[i] = T(100 + i);
}
template <typename T>
int run(int count, int from, int to) {
  T *device, host[40];
  for (int i = 0; i < count; i++) host[i] = T(50 + i);
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  fill<<<1, 1>>>(device, from, to);
  cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (cpu_device_from_kernel(&host[i], sizeof(T)) != (from <= i && i < to)) return printf("element %d\\n", i), 3;
  return 0;
}
int main(int, char** arguments) {
  const int count = atoi(arguments[2]), from = atoi(arguments[3]), to = atoi(arguments[4]);
  switch (atoi(arguments[1])) {
    case 1: return run<unsigned char>(count, from, to);
    case 2: return run<short>(count, from, to);
    case 4: return run<float>(count, from, to);
    default: return run<double>(count, from, to);
  }
}
"""

BLOCKS = """\
#include <cstdlib>
__global__ void read(const int* a, int n, int* sum) {
  for (int i = 0; i < n; i++) *sum += a[i];
}
int main(int, char** arguments) {
  const int words = atoi(arguments[1]), from = atoi(arguments[2]), count = atoi(arguments[3]), registered = atoi(arguments[4]);
  int *block = static_cast<int*>(malloc(4 * words)), *device, *sum;
  if (registered != 0) {
    cudaHostRegister(block + from, 4 * count, cudaHostRegisterDefault);
    if (registered == 2) cudaHostUnregister(block + from);
    free(block);
    return 0;
  }
  for (int i = 0; i < words; i++)
    if (i < from || i >= from + count) block[i] = i;
  cudaMalloc(&device, 4 * words), cudaMalloc(&sum, 4), cudaMemset(sum, 0, 4);
  cudaMemcpy(device, block, 4 * words, cudaMemcpyHostToDevice);
  read<<<1, 1>>>(device, words, sum);
  cudaDeviceSynchronize();
  free(block);
  return 0;
}
"""


READS = """\
#include <cstdlib>
template <typename T>
__global__ void fill(T* a, int from, int to) {
  for (int i = from; i < to; i++) a[i] = T(i);
}
template <typename T>
int run(int from, int to, int host_from, int host_to, int read) {
  T *device, *host = static_cast<T*>(malloc(10 * sizeof(T)));
  cudaMalloc(&device, 10 * sizeof(T));
  fill<<<1, 1>>>(device, from, to);
  cudaMemcpy(host, device, 10 * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = host_from; i < host_to; i++) host[i] = T(i);
  const bool is_right = host[read] == T(read);
  free(host);
  return is_right ? 0 : 3;
}
int main(int, char** arguments) {
  const auto number = [&](int i) { return atoi(arguments[i]); };
  return number(1) == 4 ? run<float>(number(2), number(3), number(4), number(5), number(6))
                        : run<double>(number(2), number(3), number(4), number(5), number(6));
}
"""

MANAGED = """\
#include <cstdlib>
struct alignas(16) Four { float x[4]; };
struct Three { float x[3]; };
template <typename T>
__global__ void fill(T* a, int from, int to) {
  for (int i = from; i < to; i++) a[i] = T();
}
template <typename T>
int run(int from, int to, int read) {
  T *a, *copy = static_cast<T*>(malloc(sizeof(T)));
  cudaMallocManaged(&a, 8 * sizeof(T));
  fill<<<1, 1>>>(a, from, to);
  cudaDeviceSynchronize();
  *copy = a[read];
  volatile char used = *reinterpret_cast<char*>(copy);
  (void)used;
  free(copy);
  return 0;
}
int main(int, char** arguments) {
  const auto number = [&](int i) { return atoi(arguments[i]); };
  switch (number(1)) {
    case 1: return run<char>(number(2), number(3), number(4));
    case 2: return run<short>(number(2), number(3), number(4));
    case 4: return run<float>(number(2), number(3), number(4));
    case 8: return run<double>(number(2), number(3), number(4));
    case 12: return run<Three>(number(2), number(3), number(4));
    default: return run<Four>(number(2), number(3), number(4));
  }
}
"""

CONSTANTS = """\
#include <cstdlib>
__constant__ int before = 7;
__constant__ int list[6];
__constant__ int behind = 7;
__global__ void read(int* out) {
  for (int i = 0; i < 6; i++) out[i] = list[i] + before + behind;
}
int main(int, char** arguments) {
  const int from = atoi(arguments[1]), count = atoi(arguments[2]), zeros[6] = {};
  int* out;
  cudaMalloc(&out, sizeof zeros);
  cudaMemcpyToSymbol(list, zeros, 4 * count, 4 * from);
  cudaMemcpyToSymbol(before, zeros, 4), cudaMemcpyToSymbol(behind, zeros, 4);
  read<<<1, 1>>>(out);
  cudaDeviceSynchronize();
}
"""

BYTES = """\
#include <cstdlib>
#include <cstring>
__managed__ unsigned char variable[8192];
__global__ void fill(unsigned char* a, int from, int to) {
  for (int i = from; i < to; i++) a[i] = 1;
}
int main(int, char** arguments) {
  const int kind = atoi(arguments[1]), bytes = atoi(arguments[2]), from = atoi(arguments[3]), to = atoi(arguments[4]), at = atoi(arguments[5]);
  unsigned char *a = variable, *on_device;
  if (kind == 0) cudaMallocManaged(&a, bytes);
  if (kind == 1) cudaMallocHost(&a, bytes);
  if (kind == 2) a = static_cast<unsigned char*>(aligned_alloc(4096, 12288)), cudaHostRegister(a, bytes, cudaHostRegisterMapped);
  if (kind == 3) a = static_cast<unsigned char*>(malloc(bytes)), cudaHostRegister(a, bytes, cudaHostRegisterMapped);
  memset(a, 0, bytes);
  on_device = a;
  if (kind > 0 && kind < 4) cudaHostGetDevicePointer(&on_device, a, 0);
  fill<<<1, 1>>>(on_device, from, to);
  const volatile int got = a[at];
  cudaDeviceSynchronize();
  return got == 2;
}
"""

SHORT = """\
#include <cstdlib>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
int main(int, char** arguments) {
  const int words = atoi(arguments[1]), copied = atoi(arguments[2]), at = atoi(arguments[3]);
  int* device;
  cudaMalloc(&device, 4 * words);
  fill<<<1, words>>>(device);
  int* host = static_cast<int*>(malloc(4 * words));
  cudaMemcpy(host, device, copied, cudaMemcpyDeviceToHost);
  const volatile int got = host[at];
  free(host);
  return got == 1000000;
}
"""

HOST_SIDES = """\
#include <cstdlib>
#include <unistd.h>
static char variable[200];
int main(int, char** arguments) {
  const int kind = atoi(arguments[1]), bytes = atoi(arguments[2]), from = atoi(arguments[3]), copied = atoi(arguments[4]), to_host = atoi(arguments[5]);
  char *device, *host = variable;
  cudaMalloc(&device, 1000);
  cudaMemset(device, 1, 1000);
  if (kind == 0) host = static_cast<char*>(malloc(bytes));
  if (kind == 1) host = new char[bytes];
  if (kind < 2) for (int i = 0; i < bytes; i++) host[i] = 2;
  if (to_host)
    cudaMemcpy(host + from, device, copied, cudaMemcpyDeviceToHost);
  else
    cudaMemcpy(device, host + from, copied, cudaMemcpyHostToDevice);
  _exit(0);  // the heap may be damaged
}
"""


def run(program, *words):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    return subprocess.run([program, *map(str, words)], env={**environment, "CPU_DEVICE_LEAKS": "none"}, capture_output=True, text=True,
                          timeout=60, check=False)


def check_right(program, *words):
    """It must end with 0 and without a finding."""
    done = run(program, *words)
    check(f"{program.name} {words}", done.returncode == 0 and "no findings" in done.stderr, f"{done.returncode}\n{done.stdout}{done.stderr}")


def check_constants(program):
    """An array of constants without an initializer is told if a kernel reads it and no element of it was set."""
    for first, count in itertools.product(range(6), range(7)):
        if first + count > 6:
            continue
        done = run(program, first, count)
        told = re.findall(r"reads constants that were never set and hold zeros: (.*)$", done.stderr, re.M)
        check(f"constants, {count} elements from {first} on are set: {told}", told == ["list"] * (count == 0) and done.returncode == 0, done.stderr)


def check_bytes(program):
    """The host reads a byte while a kernel may write some: a race if the kernel writes that one, in memory of each kind that both use."""
    for kind, size in itertools.product(range(5), (1, 37, 4096, 4097, 8192)):
        if kind == 4 and size != 8192:
            continue
        for first, last in {(0, size), (0, 1), (size - 1, size), (size // 2, size // 2 + 1)}:
            for at in {0, first - 1, first, last - 1, last, size - 1} & set(range(size)):
                done = run(program, kind, size, first, last, at)
                races = first <= at < last
                check(f"memory of kind {kind}, {size} bytes, the kernel writes {first} to {last}, the host reads {at}",
                      ("race" in done.stderr if races else "no findings" in done.stderr) and done.returncode == races, f"{done.returncode}\n{done.stderr}")


def check_short_copies(program):
    """A copy to the host that does not fill its block: a finding for each word that it leaves as it was."""
    for words, copied, at in itertools.product((5, 16), (4, 8, 9, 11, 12, 16, 20, 60, 64), range(16)):
        if at >= words or copied > 4 * words:
            continue
        done = run(program, words, copied, at)
        told = re.findall(r"the copy in line 9 wrote only the first (\d+) of the (\d+) bytes allocated in line 8", done.stderr)
        is_set = 4 * at < copied
        check(f"{copied} bytes of {words} words are copied, word {at} is read",
              told == ([] if is_set else [(str(copied), str(4 * words))]) and (done.returncode == 0) == is_set, f"{done.returncode}\n{done.stderr}")


def check_host_sides(program):
    """A copy from or to a part of a host array: too long if fewer bytes are left from there."""
    for kind, to_host in itertools.product(range(3), range(2)):
        for bytes_, start in ((200, 0), (200, 1), (200, 100), (200, 199), (96, 40)):
            bytes_ = 200 if kind == 2 else bytes_
            for copied in (1, bytes_ - start - 1, bytes_ - start, bytes_ - start + 1, bytes_):
                if copied < 1:
                    continue
                done = run(program, kind, bytes_, start, copied, to_host)
                told = re.findall(r"the (\w+) of the copy on the host is too small for (\d+) bytes: only (\d+) bytes? (?:is|are) left", done.stderr)
                wanted = [("destination" if to_host else "source", str(copied), str(bytes_ - start))] if copied > bytes_ - start else []
                check(f"host array of kind {kind}, {bytes_} bytes, {copied} bytes from byte {start}, {'to' if to_host else 'from'} the host", told == wanted,
                      f"{told}, not {wanted}\n{done.stderr}")


def check_blocks(program):
    """A finding or none, with each number of words at each end of a block."""
    cases = [(40, from_, count, 0, "uninitialized" if count >= 4 else "no findings") for count in (0, 1, 3, 4, 5, 8)
             for from_ in (0, 1, 20, 40 - count)]
    cases += [(2048, from_, count, 1, "is still registered") for from_, count in ((0, 2048), (0, 2047), (1, 2047), (1024, 1024), (7, 1))]
    cases += [(2048, 0, 2048, 2, "no findings")]
    for *words, wanted in cases:
        errors = run(program, *words).stderr
        check(f"{program.name} {words}: {wanted}", wanted in errors, errors)


def check_reads(program):
    """A finding for each element that nobody has set, at its byte of the copy, and none for the others."""
    for size, written, by_host in itertools.product((4, 8), ((0, 10), (0, 9), (1, 10), (3, 4), (5, 5)), ((0, 0), (4, 6), (9, 10), (0, 1))):
        for read in range(10):
            done = run(program, size, *written, *by_host, read)
            is_set = written[0] <= read < written[1] or by_host[0] <= read < by_host[1]
            told = re.findall(r"byte (\d+) of the copy in line 11 comes from", done.stderr)
            check(f"{size} bytes each, the kernel sets {written}, the host {by_host}, element {read} is read",
                  told == ([] if is_set else [str(size * read)]) and (done.returncode == 0) == is_set, f"{done.returncode}\n{done.stderr}")


def check_managed(program):
    """The host reads an element of managed memory of which a kernel has set some: a finding if no word of it was set."""
    for size, (first, last) in itertools.product((1, 2, 4, 8, 12, 16), ((0, 8), (0, 7), (1, 8), (3, 4), (5, 5))):
        words = {byte // 4 for byte in range(size * first, size * last)}
        for read in range(8):
            done = run(program, size, first, last, read)
            is_set = any(byte // 4 in words for byte in range(size * read, size * (read + 1)))
            check(f"managed elements of {size} bytes, the kernel sets {first} to {last}, the host reads {read}",
                  ("no findings" if is_set else "uninitialized") in done.stderr and (done.returncode == 0) == is_set, f"{done.returncode}\n{done.stderr}")


ADDRESSES = """\
#include <cstdlib>
template <typename T>
__global__ void access(char* at, char how, T* out) {
  T* const place = reinterpret_cast<T*>(at);
  if (how == 'r') *out = *place;
  if (how == 'w') *place = T{};
  if constexpr (sizeof(T) < 16)
    if (how == 'a') *out = atomicCAS(place, T{}, T{});
}
__global__ void add(char* at) { atomicAdd(reinterpret_cast<double*>(at), 0.0); }
template <typename T>
void launch(char* at, char how) {
  T* out;
  cudaMalloc(&out, sizeof(T));
  access<T><<<1, 1>>>(at, how, out);
  if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(out);
}
int main(int, char** arguments) {
  const char how = arguments[1][0];
  char *memory, *at;
  cudaMalloc(&memory, 256), cudaMemset(memory, 0, 256);
  at = memory + atoi(arguments[3]);
  switch (how == 'd' ? 0 : atoi(arguments[2])) {
    case 2: launch<unsigned short>(at, how); break;
    case 4: launch<unsigned>(at, how); break;
    case 8: launch<unsigned long long>(at, how); break;
    case 16: launch<float4>(at, how); break;
    default: add<<<1, 1>>>(at);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) cudaFree(memory);
  return error != cudaSuccess;
}
"""


def check_addresses(program):
    """An access of so many bytes is only right at a multiple of them: reads, writes, compare-and-swap, and atomicAdd of a double."""
    for how, sizes in (("r", (2, 4, 8, 16)), ("w", (2, 4, 8, 16)), ("a", (2, 4, 8)), ("d", (8,))):
        for size in sizes:
            for offset in sorted({0, 1, 2, 4, 8, 12, size, 2 * size}):
                done = run(program, how, size, offset)
                is_right = offset % size == 0
                wanted = "no findings" if is_right else f"is not a multiple of {size}: a GPU ends the kernel here"
                check(f"{how} of {size} bytes at {offset}: {wanted}", wanted in done.stderr and (done.returncode == 0) == is_right, done.stderr)


LIBRARY = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
__global__ void fill(char* p) { p[threadIdx.x] = 1; }
int main(int, char** arguments) {
  const int which = atoi(arguments[1]), waits = atoi(arguments[2]);
  char *results, own[64] = {};
  cudaMallocManaged(&results, 64);
  fill<<<1, 64>>>(results);
  if (waits) cudaDeviceSynchronize();
  FILE* const nothing = fopen("/dev/null", "w");
  volatile size_t bytes = 64;
  volatile int kept = 0;
  switch (which) {
    case 0: memcpy(own, results, bytes); break;
    case 1: memcpy(results, own, bytes); break;
    case 2: memmove(own, results, bytes); break;
    case 3: memmove(results, own, bytes); break;
    case 4: memset(results, 0, bytes); break;
    case 5: kept = memcmp(results, own, bytes); break;
    case 6: kept = memcmp(own, results, bytes); break;
    case 7: fwrite(results, 1, bytes, nothing); break;
    case 8: kept = write(fileno(nothing), results, bytes); break;
    case 9: std::ofstream("/dev/null").write(results, bytes); break;
  }
  cudaDeviceSynchronize();
  return own[0] == 77;
}
"""


def check_library(program):
    """Functions of the C library that read or write results of a kernel, in each of their arguments."""
    for which in range(10):
        for waits in (0, 1):
            done = run(program, which, waits)
            found = "no findings" not in done.stderr
            check(f"case {which} {'behind' if waits else 'without'} a wait", found != bool(waits) and (done.returncode != 0) == found, done.stderr)


SCOPES = """\
#include <cstdlib>
#include <cuda/atomic>
// Block 0 does the operation with its scope, block 1 changes the same word for the whole device.
template <typename Atomic>
__device__ void one(Atomic& it, int which) {
  int expected = 7;
  switch (which) {
    case 0: it.store(5); break;
    case 1: expected = it.load(); break;
    case 2: it.exchange(5); break;
    case 3: it.compare_exchange_strong(expected, 5); break;
    case 4: it.compare_exchange_weak(expected, 5, cuda::std::memory_order_relaxed, cuda::std::memory_order_relaxed); break;
    case 5: it.fetch_add(1); break;
    case 6: it.fetch_sub(1); break;
    case 7: it.fetch_and(1); break;
    case 8: it.fetch_or(1); break;
    case 9: it.fetch_xor(1); break;
    case 10: it.fetch_min(1); break;
    case 11: it.fetch_max(1); break;
    case 12: it++; break;
    case 13: --it; break;
    case 14: it += 2; break;
    case 15: it = 3; break;
  }
}
template <int Scope>
__device__ void nv(int* word, int which) {
  int value = 5, other = 6;
  switch (which) {
    case 16: __nv_atomic_load(word, &value, __NV_ATOMIC_RELAXED, Scope); break;
    case 17: value = __nv_atomic_load_n(word, __NV_ATOMIC_RELAXED, Scope); break;
    case 18: __nv_atomic_store(word, &value, __NV_ATOMIC_RELAXED, Scope); break;
    case 19: __nv_atomic_store_n(word, 5, __NV_ATOMIC_RELAXED, Scope); break;
    case 20: __nv_atomic_exchange(word, &value, &other, __NV_ATOMIC_RELAXED, Scope); break;
    case 21: __nv_atomic_exchange_n(word, 5, __NV_ATOMIC_RELAXED, Scope); break;
    case 22: __nv_atomic_compare_exchange(word, &value, &other, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, Scope); break;
    case 23: __nv_atomic_compare_exchange_n(word, &value, 6, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, Scope); break;
    case 24: __nv_atomic_fetch_add(word, 1, __NV_ATOMIC_RELAXED, Scope); break;
    case 25: __nv_atomic_add(word, 1, __NV_ATOMIC_RELAXED, Scope); break;
    case 26: __nv_atomic_fetch_max(word, 1, __NV_ATOMIC_RELAXED, Scope); break;
  }
}
template <cuda::thread_scope Scope, int NvScope>
__global__ void both(int* word, int which) {
  if (blockIdx.x == 1) {
    atomicAdd(word, 1);
  } else if (which < 16) {
    cuda::atomic_ref<int, Scope> ref(*word);
    one(ref, which);
  } else if (which < 30) {
    nv<NvScope>(word, which);
  } else {
    one(*reinterpret_cast<cuda::atomic<int, Scope>*>(word), which - 30);
  }
}
// The same for two blocks of one cluster.
template <int NvScope>
__global__ void __cluster_dims__(2, 1, 1) both_of_a_cluster(int* word, int which) {
  if (blockIdx.x == 1)
    atomicAdd(word, 1);
  else
    nv<NvScope>(word, which);
}
int main(int, char** arguments) {
  int* word;
  cudaMallocManaged(&word, 4);
  *word = 0;
  const int which = atoi(arguments[1]);
  switch (arguments[2][0]) {
    case 'c': both_of_a_cluster<__NV_THREAD_SCOPE_CLUSTER><<<2, 1>>>(word, which); break;
    case 'n': both_of_a_cluster<__NV_THREAD_SCOPE_BLOCK><<<2, 1>>>(word, which); break;
    case 'b': both<cuda::thread_scope_block, __NV_THREAD_SCOPE_BLOCK><<<2, 1>>>(word, which); break;
    case 'd': both<cuda::thread_scope_device, __NV_THREAD_SCOPE_DEVICE><<<2, 1>>>(word, which); break;
    default: both<cuda::thread_scope_system, __NV_THREAD_SCOPE_SYSTEM><<<2, 1>>>(word, which); break;
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def check_scopes(program):
    """An atomic of block scope is none for another block: by each operation, of cuda::atomic_ref and cuda::atomic and built in."""
    for which in (*range(27), *range(30, 46)):
        for scope in ("block", "device", "system"):
            done = run(program, which, scope)
            wanted = "atomic scope too narrow" if scope == "block" else "no findings"
            check(f"operation {which} with the scope of the {scope}: {wanted}", wanted in done.stderr, done.stderr)
    for which in range(16, 27):
        for scope in ("cluster", "narrow"):
            done = run(program, which, scope)
            wanted = "atomic scope too narrow" if scope == "narrow" else "no findings"
            check(f"operation {which} in a cluster, scope {scope}: {wanted}", wanted in done.stderr, done.stderr)


WORDS_OF_ARRAY = 16


class HostWords:
    """Writes a scenario of random copies as C++, and keeps for each word what it is: a result that nobody has written, or not.

    A word that nobody has written is (piece, allocated, copy, byte of the copy): words that came with one copy, next to each
    other, are one piece, which a finding reports once. None stands for all other words."""

    def __init__(self, number, chance, lines):
        self.number, self.chance, self.lines = number, chance, lines
        self.host = [[None] * WORDS_OF_ARRAY for _ in range(2)]
        self.set = [[False] * WORDS_OF_ARRAY for _ in range(2)]  # of the arrays on the device
        self.findings, self.pieces = [], 0
        lines += [f"void scenario{number}() {{", f"  static int h0[{WORDS_OF_ARRAY}], h1[{WORDS_OF_ARRAY}], clean[{WORDS_OF_ARRAY}];", "  int *d0, *d1;"]
        self.allocated = [self.emit(f"cudaMalloc(&d{i}, sizeof h0);") for i in range(2)]
        for _ in range(14):
            chance.choice((self.kernel, self.to_host, self.to_host, self.rows_to_host, self.to_device, self.on_device, self.host_sets, self.host_copies))()
        for i in range(2):
            for at in range(WORDS_OF_ARRAY):
                if chance.randrange(3):
                    self.read(i, at)
        lines.append("}")

    def emit(self, line):
        self.lines.append("  " + line)
        return len(self.lines)

    def some(self, most=WORDS_OF_ARRAY):
        """(array, first word, words)"""
        count = self.chance.randint(1, most)
        return self.chance.randrange(2), self.chance.randint(0, WORDS_OF_ARRAY - count), count

    def kernel(self):
        array, at, count = self.some(6)
        self.emit(f"set<<<1, {count}>>>(d{array} + {at});")
        self.set[array][at:at + count] = [True] * count

    def to_device(self):
        array, at, count = self.some(6)
        self.emit(f"cudaMemcpy(d{array} + {at}, clean, {4 * count}, cudaMemcpyHostToDevice);")
        self.set[array][at:at + count] = [True] * count

    def on_device(self):
        array, at, count = self.some()
        other = self.chance.randint(0, WORDS_OF_ARRAY - count)
        self.emit(f"cudaMemcpy(d{1 - array} + {other}, d{array} + {at}, {4 * count}, cudaMemcpyDeviceToDevice);")
        self.set[1 - array][other:other + count] = self.set[array][at:at + count]

    def arrives(self, line, base, host, at, array, other, count):
        """A row of a copy that began at the host's word `base`."""
        for k in range(count):
            if self.set[array][other + k]:
                self.host[host][at + k] = None
                continue
            if k == 0 or self.set[array][other + k - 1]:
                self.pieces += 1
            self.host[host][at + k] = (self.pieces, self.allocated[array], line, 4 * (at + k - base))

    def to_host(self):
        host, at, count = self.some()
        array, other = self.chance.randrange(2), self.chance.randint(0, WORDS_OF_ARRAY - count)
        line = self.emit(f"cudaMemcpy(h{host} + {at}, d{array} + {other}, {4 * count}, cudaMemcpyDeviceToHost);")
        self.arrives(line, at, host, at, array, other, count)

    def rows_to_host(self):
        host, at, count = self.some(4)
        at, array, other = min(at, WORDS_OF_ARRAY - 9), self.chance.randrange(2), self.chance.randint(0, WORDS_OF_ARRAY - 4 - 5)
        line = self.emit(f"cudaMemcpy2D(h{host} + {at}, 20, d{array} + {other}, 16, {4 * count}, 2, cudaMemcpyDeviceToHost);")
        self.arrives(line, at, host, at, array, other, count)
        self.arrives(line, at, host, at + 5, array, other + 4, count)

    def host_sets(self):
        host, at, count = self.some(4)
        self.emit(f"memset(h{host} + {at}, 0, {4 * count});" if count > 1 else f"h{host}[{at}] = 1;")
        self.host[host][at:at + count] = [None] * count

    def host_copies(self):
        """What memcpy() copies stays what it is. The words in the middle of a piece are a piece of their own from now on."""
        host, at, count = self.some()
        other = self.chance.randint(0, WORDS_OF_ARRAY - count)
        self.emit(f"memcpy(h{1 - host} + {other}, h{host} + {at}, {4 * count});")
        for array, first in ((host, at), (1 - host, other)):
            now, names = [], {}
            for word in self.host[host][at:at + count]:
                if word and word[0] not in names:
                    self.pieces += 1
                    names[word[0]] = self.pieces
                now.append((names[word[0]], *word[1:]) if word else None)
            if array == host:
                kept = now
            else:
                self.host[array][first:first + count] = now
        self.host[host][at:at + count] = kept

    def read(self, host, at):
        line = self.emit(f"seen += h{host}[{at}];")
        word = self.host[host][at]
        if word is None:
            return
        self.findings.append((line, word[3], word[2], word[1]))
        for step in (-1, 1):  # the rest of its piece
            k = at + step
            while 0 <= k < WORDS_OF_ARRAY and self.host[host][k] and self.host[host][k][0] == word[0]:
                self.host[host][k] = None
                k += step
        self.host[host][at] = None


def check_unwritten(nvcc, folder):
    chance = random.Random(37)
    lines = ["#include <cstdlib>", "#include <cstring>", "volatile int seen;", "__global__ void set(int* a) { a[threadIdx.x] = 7; }"]
    scenarios = [HostWords(number, chance, lines) for number in range(60)]
    functions = ", ".join(f"scenario{one.number}" for one in scenarios)
    lines += ["int main(int, char** words) {", f"  void (*all[])() = {{{functions}}};", "  all[atoi(words[1])]();", "}"]
    (folder / "unwritten.cu").write_text("\n".join(lines) + "\n")
    subprocess.run([nvcc, "--check", folder / "unwritten.cu", "-o", folder / "unwritten"], check=True)
    for one in scenarios:
        done = run(folder / "unwritten", one.number)
        told = re.findall(r"unwritten.cu:(\d+): CPU device: the host reads a result that was never written\n"
                          r" *byte (\d+) of the copy in line (\d+) comes from the memory allocated in line (\d+)", done.stderr)
        told = sorted(tuple(map(int, words)) for words in told)
        check(f"scenario {one.number}: (line, byte, copy, allocation) {sorted(one.findings)}, and not {told}", told == sorted(one.findings)[:20] or
              (len(one.findings) > 20 and set(told) <= set(one.findings)), done.stderr)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("flags", FLAGS), ("results", RESULTS), ("constants", CONSTANTS), ("bytes", BYTES), ("short", SHORT), ("blocks", BLOCKS), ("reads", READS),
                       ("managed", MANAGED), ("addresses", ADDRESSES), ("library", LIBRARY), ("scopes", SCOPES),
                       ("host_sides", HOST_SIDES)):
        (folder / f"{name}.cu").write_text(text)
        subprocess.run([nvcc, "--check", folder / f"{name}.cu", "-o", folder / name], check=True)
    for words in range(1, 5):
        for polled in range(words):
            check_right(folder / "flags", words, polled)
    for size in (1, 2, 4, 8):
        for count in (1, 2, 3, 7):
            for first, last in ((0, count), (0, count - 1), (count - 1, count), (count // 2, count // 2 + 1)):
                check_right(folder / "results", size, count, first, last)
    for size in (2, 4, 8):  # runs next to 64 bytes, from which on they are kept in another way
        for first, last in ((0, 40), (0, 64 // size - 1), (0, 64 // size), (0, 64 // size + 1), (1, 64 // size + 1), (3, 39)):
            check_right(folder / "results", size, 40, first, last)
    check_constants(folder / "constants")
    check_bytes(folder / "bytes")
    check_short_copies(folder / "short")
    check_host_sides(folder / "host_sides")
    check_blocks(folder / "blocks")
    check_reads(folder / "reads")
    check_managed(folder / "managed")
    check_addresses(folder / "addresses")
    check_library(folder / "library")
    check_scopes(folder / "scopes")
    check_unwritten(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
