#!/usr/bin/env bash
# Tests that the CPU device stands for a CUDA Toolkit in CMake: a project of the languages C++ and CUDA,
# find_package(CUDAToolkit), targets of its libraries, separable compilation.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
for needed in cmake ninja; do
  command -v "$needed" >/dev/null || {
    echo "$needed is not installed"
    exit 77
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy, in which lib/ may appear, with the build's cache so that nothing is built twice.
device=$work/cpu_device
cp -r "$source_folder/common/cpu_device" "$device" || exit 1
rm -rf "$device"/{.cache,lib,lib64}
[[ -z ${COURSE_BUILD-} ]] || ln -s "$COURSE_BUILD/cpu_device" "$device/.cache"
unset CPU_DEVICE_CACHE NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CUDAARCHS CUDAHOSTCXX \
  CUDA_HOME CUDA_PATH

mkdir "$work/project"
cd "$work/project" || exit 1
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(from_a_lecture LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(sum sum.cu kernel.cu other.cpp)
set_target_properties(sum PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
target_link_libraries(sum PRIVATE CUDA::cudart CUDA::curand)
add_executable(alone alone.cu)
END
cat >sum.cu <<'END'
#include <curand.h>

#include <cstdio>

int devices();
__global__ void add(int* x);

int main() {
  int *x, version = 0;
  cudaMallocManaged(&x, sizeof(int));
  *x = devices();
  add<<<2, 32>>>(x);
  cudaDeviceSynchronize();
  curandGetVersion(&version);
  printf("%d\n", *x);
  return *x == 2 * 496 + 1 && version > 0 ? 0 : 1;
}
END
echo '__global__ void add(int* x) { atomicAdd(x, static_cast<int>(threadIdx.x)); }' >kernel.cu
cat >alone.cu <<'END'
__global__ void set(int* x) { *x = 7; }
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  set<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  return *x - 7;
}
END
cat >other.cpp <<'END'
#include <cuda_runtime.h>

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
END

failed() {
  echo "FAILED: $1"
  tail -n 40 "$work/log"
  exit 1
}
export CPU_DEVICE_COUNT=1
for setting in -DCMAKE_CUDA_COMPILER="$device/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=75; do
  CUDACXX=$device/bin/nvcc cmake -S . -B build -G Ninja "$setting" >"$work/log" 2>&1 ||
    failed "to configure with $setting"
  ! grep 'ABI info - failed' "$work/log" || failed "the CUDA compiler's ABI info with $setting"
  cmake --build build >"$work/log" 2>&1 || failed "to build with $setting"
  for program in sum alone; do
    ./build/$program >"$work/log" 2>&1 || failed "$program does not run with $setting"
  done
  grep -q "^CUDA_CUDART:.*=$device/" build/CMakeCache.txt || failed 'another Toolkit was found'
  rm -rf build
done
echo 'CMake takes the CPU device for a Toolkit'
