#!/usr/bin/env bash
# clang++ as nvcc's host compiler: an ordinary program, a checked one that is right, one with a race, and
# one that reads what nobody wrote.
set -uo pipefail
command -v clang++ >/dev/null || { echo 'clang++ is not installed'; exit 77; }
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
cd "$work" || exit 1
nvcc=("$source_folder/common/cpu_device/nvcc" -ccbin clang++)
failed=0

fail() {
  echo "FAILED: $1"
  cat log
  failed=1
}

# expect WHAT STATUS WORDS SOURCE OPTION...: how the program ends that is compiled without a word, and
# what it says.
expect() {
  if ! "${nvcc[@]}" "${@:5}" "$4" -o program >log 2>&1 || [[ -s log ]]; then
    fail "$1: it does not compile silently"
    return
  fi
  ./program >log 2>&1
  [[ $? == "$2" ]] || fail "$1: another exit code"
  grep -q "$3" log || fail "$1: it does not say '$3'"
}

kernel() { # BODY: a program with 64 threads and 64 numbers
  cat <<EOF
#include <stdio.h>
__device__ int sum(int* a) { int s = 0; for (int i = 0; i < 64; i++) s += a[i]; return s; }
__global__ void kernel(int* a) { $1 }
int main() {
  int *a, h[64];
  cudaMalloc(&a, sizeof h);
  kernel<<<1, 64>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("the result is %d\\n", h[0]);
}
EOF
}

kernel '__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; __syncthreads(); a[threadIdx.x] = sum(s);' >right.cu
kernel '__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; a[threadIdx.x] = sum(s);' >race.cu
kernel 'a[threadIdx.x] += 1;' >unwritten.cu
kernel 'a[threadIdx.x + 1] = 1; a[0] = 1;' >beyond.cu
expect 'an ordinary program' 0 'the result is 2016' right.cu
expect 'without optimization' 0 'the result is 2016' right.cu -G
expect 'a program of the course' 0 'by the formula' "$source_folder/ch05_threads/dot.cu"
expect 'a checked one' 0 'no findings' right.cu --check
expect 'a race' 1 'race in kernel kernel' race.cu --check
expect 'memory that nobody wrote' 1 'CPU device: checked run: [1-9]' unwritten.cu --check
expect 'an index beyond the array' 1 'CPU device: checked run: [1-9]' beyond.cu --check
expect 'a checked program of the course' 0 'no findings' "$source_folder/ch05_threads/dot.cu" --check
((failed == 0))
