#!/usr/bin/env bash
# What the CPU device says of a program that crashes: the file as it was compiled, the learner's own
# line, and what a crash of host code has to do with CUDA. And its settings from the environment.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
checks=0 failures=0

check() { # WHAT CONDITION...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  exit code: %s\n  stdout: %s\n  stderr: %s\n' "$1" "$status" \
    "$(head -c 2000 "$work/out")" "$(head -c 2000 "$work/err")"
}
run() {
  # In a shell of its own, which keeps bash's words about a crash to itself.
  { ("$@" >"$work/out" 2>"$work/err" </dev/null); } 2>/dev/null
  status=$?
}
says() { grep -qF -- "$1" "$work/err"; }
begins() { [[ $(<"$work/err") == "$1"* ]]; }
exits() { [[ $status == "$1" ]]; }
one_line() { [[ $(wc -l <"$work/err") == 1 && ! -s $work/out ]]; }

mkdir -p "$work/lesson"
cd "$work/lesson" || exit 1
cat >fetch.h <<'END'
__device__ float fetch(cudaTextureObject_t texture, int i) {
  return tex1Dfetch<float>(texture, i);
}
END
cat >wrong.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fetch.h"

__global__ void kernel(int mode, int n, float* out) {
  if (mode == 1)
    out[n] = 1;  // line 10
  if (mode == 2)
    *out = fetch(12345, n);
}

int main(int argc, char** argv) {
  const int mode = atoi(argv[1]), n = argc > 2 ? atoi(argv[2]) : 1000;
  std::vector<float> result(n);
  float* dev;
  if (cudaMalloc(&dev, n * sizeof(float)) != cudaSuccess) return 3;
  if (mode == 3)
    cudaMemcpy(&result, dev, n * sizeof(float), cudaMemcpyDeviceToHost);  // line 21
  if (mode == 4)
    *dev = 5;  // line 23
  if (mode == 5)
    free(dev);  // line 25
  if (mode == 6)
    puts(reinterpret_cast<char*>(n));  // line 27
  if (mode == 7)
    cudaMemcpy(result.data(), reinterpret_cast<float*>(0x1234567000), 4000, cudaMemcpyHostToHost);
  if (mode == 8) {
    std::vector<int> integers(n);
    cudaMemcpy(integers.data(), dev, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", integers[0], integers[n / 2], integers[n - 1]);
    return 0;
  }
  kernel<<<1, 1>>>(mode, 1 << 20, dev);
  return cudaDeviceSynchronize();
}
END
run "$nvcc" wrong.cu -o wrong
check 'compiles' exits 0

run ./wrong 1
check 'a kernel'"'"'s fault names the file as it was compiled' begins 'wrong.cu:10: CPU device: illegal'
run ./wrong 2
check 'a fault in a texture'"'"'s fetch names the line that fetches' begins 'fetch.h:2: CPU device: illegal'
run ./wrong 3 10000000
check 'a copy over the end of the stack' begins 'wrong.cu:21: CPU device: host code'
check 'says how much room there was' says 'the copy writes 40000000 bytes, but its destination ends'
check 'and what to do' says 'pass vector.data() instead of &vector'
run ./wrong 3 100
check 'a copy over a vector' says 'the copy at wrong.cu:21 wrote 400 bytes to a local variable'
run ./wrong 4
check 'host code that follows a device pointer' begins 'wrong.cu:23: CPU device: host code writes to'
run ./wrong 5
check 'free() of device memory' says 'was a device pointer passed to free() or delete?'
run ./wrong 6
check 'a crash within the C library names the line of the call' begins 'wrong.cu:27: CPU device: host code'
run ./wrong 7
check 'a source that is none' says 'the copy reads 4000 bytes, but its source has fewer'
run ./wrong 8 100
check 'fresh memory shows as integers' grep -qxF '2147188731 2147188731 2147188731' "$work/out"
run ./wrong 8 40000000
check 'large memory, too' grep -qxF '2147188731 2147188731 2147188731' "$work/out"

# From another folder, with the path that was given.
cd "$work" || exit 1
run "$nvcc" lesson/wrong.cu -o wrong
run ./wrong 1
check 'the path as it was given' begins 'lesson/wrong.cu:10: '
run ./wrong 2
check 'of a header, too' begins 'lesson/fetch.h:2: '

# The thread of which a message speaks, in each warp of a block of three dimensions; and its lane.
cat >threads.cu <<'END'
#include <cassert>
#include <cstdlib>

__global__ void kernel(int mode, unsigned which, int* out) {
  const unsigned thread = threadIdx.x + 5 * (threadIdx.y + 6 * threadIdx.z), bit = 1u << thread % 32;
  if (mode == 10 && thread / 32 == which / 32 && thread % 32 < 4 && blockIdx.x == 1) {
    const int read = __shfl_sync(0xf, 1, 4 + which % 28);
    if (thread % 32 == 0) *out = read;
  }
  if (thread != which || blockIdx.x != 1 || mode > 9) return;
  const unsigned others = ~bit;
  int value = 0;
  if (mode == 0) __syncwarp(others);
  if (mode == 1) value = __shfl_sync(others, 1, 3);
  if (mode == 2) value = __shfl_xor_sync(others, 1, 3);
  if (mode == 3) value = __ballot_sync(others, 1);
  if (mode == 4) value = __any_sync(others, 1);
  if (mode == 5) value = __match_any_sync(others, 1);
  if (mode == 6) value = __reduce_add_sync(others, 1);
  if (mode == 7) out[1 << 28] = 1;
  if (mode == 8) __trap();
  if (mode == 9) assert(value == 1);
  *out = value;
}

int main(int, char** argv) {
  int* out;
  cudaMalloc(&out, 4);
  kernel<<<2, dim3(5, 6, 4)>>>(atoi(argv[1]), atoi(argv[2]), out);
  return cudaDeviceSynchronize() == cudaSuccess;
}
END
run "$nvcc" threads.cu -o threads
check 'compiles' exits 0
for mode in 0 1 2 3 4 5 6 7 8 9; do
  for thread in 0 31 32 37 64 90 119; do
    run ./threads $mode $thread
    x=$((thread % 5)) y=$((thread / 5 % 6)) z=$((thread / 30))
    check "mode $mode names thread $thread" says "kernel kernel, thread ($x,$y,$z) of block (1,0,0)"
    ((mode > 6)) || check "mode $mode names the lane of thread $thread" says "the calling lane $((thread % 32)),"
  done
done
run "$nvcc" --check threads.cu -o threads
check 'compiles for a checked run' exits 0
for thread in 0 31 32 37 64 90 100 104 119; do
  run ./threads 10 $thread
  lane=$((4 + thread % 28)) first=$((thread / 32 * 32))
  if ((first + lane < 120)); then why='does not take part (mask 0x0000000f)'; else why='does not exist in a block of 120 threads'; fi
  check "the lane from which a shuffle reads, for thread $thread" says "reads from lane $lane, which $why, in kernel kernel, thread ($((first % 5)),$((first / 5 % 6)),$((first / 30))) of block (1,0,0)"
done

# A launch whose list of arguments leaves no room for the line of the call.
cat >launches.cu <<'END'
__global__ void kernel(int *, float) {}

int main() {
  cudaLaunchConfig_t how = {};
  how.gridDim = 1, how.blockDim = 2000;
  int* none = nullptr;
  cudaError_t error = cudaLaunchKernelEx(&how, kernel,
                                         none, 1);
  return error == cudaSuccess;
}
END
run "$nvcc" launches.cu -o launches
check 'compiles' exits 0
run ./launches
check 'cudaLaunchKernelEx() fails' exits 0
check 'and the message names its call' begins 'launches.cu:7: '

# A flag in volatile memory that nobody sets: where the thread waits, in each way to write such a loop.
cat >waits.cu <<'END'
#include <cstdlib>

__global__ void wait(int way, volatile int* flag) {
  if (way == 0)
    while (*flag == 0) {
    }
  if (way == 1)
    for (int seen = 0; seen == 0;)
      seen = *flag;
  if (way == 2) do {
    } while (__ldcv(const_cast<const int*>(flag)) == 0);
  if (way == 3)
    for (int seen = 0; seen == 0;)
      asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
}

int main(int, char** argv) {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  wait<<<2, 4>>>(atoi(argv[1]), flag);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout;
}
END
run "$nvcc" -arch=sm_90 waits.cu -o waits
check 'compiles' exits 0
way=0
for line in 5 8 11 14; do
  CPU_DEVICE_TIMEOUT=1 run ./waits $way
  check "way $way to wait in vain is named by its line" says "wait in a loop, line $line: threads 0-3"
  way=$((way + 1))
done

# Settings.
settings() { # NAME VALUE WORDS
  run env "$1=$2" ./wrong 0
  check "$1=$2 is refused" exits 2
  check 'in one line' one_line
  check 'which says why' says "$3"
}
settings CPU_DEVICE_ORDER shuffle:abc "must be a whole number from 0 to 4294967295, not 'abc'"
settings CPU_DEVICE_ORDER shuffle:-1 "not '-1'"
settings CPU_DEVICE_ORDER backwards "CPU_DEVICE_ORDER must be"
settings CPU_DEVICE_EXITED_THREADS no "CPU_DEVICE_EXITED_THREADS must be 'ignore' or unset, not 'no'"
settings CPU_DEVICE_THREADS 0 "CPU_DEVICE_THREADS must be"
for value in shuffle:7 reverse ''; do
  run env CPU_DEVICE_ORDER=$value CPU_DEVICE_EXITED_THREADS=ignore ./wrong 0
  check "order '$value' is fine" exits 0
done

printf '%d checks, %d failed\n' "$checks" "$failures"
((failures == 0))
