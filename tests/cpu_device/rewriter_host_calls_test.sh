#!/usr/bin/env bash
# A kernel that calls a function of the host is an error in one line, as for a GPU; other functions are none.
set -uo pipefail
nvcc=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}/common/cpu_device/nvcc
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 failures=0
check() { # check WHAT COMMAND...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  echo "FAILED: $1"
  head -5 errors
}
compiles() { "$nvcc" -w -cuda "$@" program.cu -o program.ii 2>errors; }
fails_with() { # fails_with LINE OPTION...: that one line
  if compiles "${@:2}"; then return 1; fi
  [[ $(<errors) == "$1" ]]
}

cat >helpers.h <<'EOF'
/* __device__ */ inline int from_header(int x) { return x + 1; }  // __device__
EOF
cat >program.cu <<'EOF'
#include <algorithm>
#include <cmath>
#include <vector>

#include "helpers.h"
#define BOTH __host__ __device__

float square(float x) { return x * x; }
std::vector<int> numbers(int n) { return std::vector<int>(n); }
int first(std::vector<int> list) { return list[0]; }

// For the device, each in another way.
__device__ float cube(float x) { return x * x * x; }
__host__ __device__
float half(float x) { return x / 2; }
BOTH float twice(float x) { return 2 * x; }
#ifdef __CUDACC__
__device__
#endif
float third(float x) { return x / 3; }
static __inline__ __device__ float five() { return 5; }
__forceinline__ __device__ float six() { return 6; }
__device__ float seven();
float seven() { return 7; }
// For the host and the device, as constexpr functions are with --expt-relaxed-constexpr, or not known.
constexpr int four() { return 4; }
template <typename T>
__device__ T same(T x) { return x; }
float two_forms(int x) { return x; }
__device__ float two_forms(float x) { return x; }
struct Value {
  float x;
  __device__ explicit Value(float v) : x(v) {}
  __device__ float square() const { return x * x; }
};
namespace shapes {
float area(float x) { return x * x; }
__device__ float volume(float x) { return x * x * x; }
}  // namespace shapes

__global__ void right(float* a, int n) {
  Value v(3);
  auto numbers = [](float x) { return x; };
  a[0] = cube(a[0]) + half(a[1]) + twice(a[2]) + third(1) + five() + six() + seven() + four() + same(3.f);
  a[1] = v.square() + numbers(3) + two_forms(1.f) + fmaxf(1, 2) + std::max(1, 2) + shapes::volume(n);
  decltype(square(1)) type = 1;
  a[2] = type;
}
template <typename T>
__global__ void never_instantiated(T* a) { a[0] = square(a[0]); }
__global__ void wrong(float* a, float first) {
  a[0] = first;
#ifdef IN_FILE
  a[1] = square(a[2]) + square(a[3]);
#endif
#ifdef IN_HEADER
  if (a[0] > 0) a[1] = from_header(3);
#endif
#ifdef IN_NAMESPACE
  a[1] = shapes::area(a[2]);
#endif
}
int main() {
  square(2);
  from_header(3);
  first(numbers(3));
  right<<<1, 1>>>(nullptr, 0);
  wrong<<<1, 1>>>(nullptr, 0);
}
EOF

remedy='Write __device__ in front of that function, or __host__ __device__ if the host calls it, too'
check 'functions for the device, and those that are not known' compiles
check 'a function of the host' fails_with \
  "program.cu:54: error: kernel 'wrong' calls 'square', which is a function of the host (line 8). $remedy" -DIN_FILE
check 'of a header' fails_with \
  "program.cu:57: error: kernel 'wrong' calls 'from_header', which is a function of the host (helpers.h:1). $remedy" -DIN_HEADER
check 'of a namespace' fails_with \
  "program.cu:60: error: kernel 'wrong' calls 'area', which is a function of the host (line 37). $remedy" -DIN_NAMESPACE
check 'also in a checked run' fails_with \
  "program.cu:54: error: kernel 'wrong' calls 'square', which is a function of the host (line 8). $remedy" -DIN_FILE --check
echo "$checks checks, $failures failures"
((failures == 0))
