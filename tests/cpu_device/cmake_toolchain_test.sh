#!/usr/bin/env bash
# Tests common/cpu_device/cmake: a CUDA project that knows nothing of the CPU device is configured and built for it with
# toolchain.cmake, also on a machine with a Toolkit, from a folder with spaces, and as a checked run. A project that
# calls find_package(CPUDevice) finds it, but not in place of a compiler that was chosen before.
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
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CUDAARCHS CUDAHOSTCXX CUDA_HOME CUDA_PATH CUDACXX
# A Toolkit first on PATH, which must not be taken.
mkdir "$work/bin" "$work/a project"
printf '#!/bin/sh\nexit 9\n' >"$work/bin/nvcc"
chmod +x "$work/bin/nvcc"
export PATH=$work/bin:$PATH

cd "$work/a project" || exit 1
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(homework LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(scale STATIC scale.cu)
set_target_properties(scale PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_compile_features(scale PUBLIC cuda_std_17)
add_executable(homework main.cpp fill.cu)
target_link_libraries(homework PRIVATE scale CUDA::cudart)
add_executable(race race.cu)
END
echo 'void scale(float* x, int n);' >scale.h
cat >scale.cu <<'END'
#include "scale.h"
__device__ float twice(float x) { return 2 * x; }
__global__ void kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = twice(x[i]);
}
void scale(float* x, int n) { kernel<<<(n + 255) / 256, 256>>>(x, n); }
END
cat >fill.cu <<'END'
#include <cstdio>
#include "scale.h"
__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
int run() {
  float* x;
  cudaMallocManaged(&x, 1000 * sizeof(float));
  fill<<<4, 256>>>(x, 1000);
  scale(x, 1000);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1000; i++)
    if (x[i] != 2 * i) return 1;
  return std::puts("doubled") < 0;
}
END
cat >main.cpp <<'END'
#include <cuda_runtime.h>
int run();
int main() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) != cudaSuccess || run();
}
END
cat >race.cu <<'END'
__global__ void count(int* x) { (*x)++; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  count<<<2, 32>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
END

failed() {
  echo "FAILED: $1"
  tail -n 40 "$work/log"
  exit 1
}
toolchain=$source_folder/common/cpu_device/cmake/toolchain.cmake
build() { # FOLDER OPTION...
  cmake -S . -B "$1" -G Ninja ${toolchain:+"-DCMAKE_TOOLCHAIN_FILE=$toolchain"} "${@:2}" >"$work/log" 2>&1 ||
    failed "configuring $*"
  cmake --build "$1" >"$work/log" 2>&1 || failed "building $*"
}

# Where there is a Toolkit, some machines have its runtime here.
build "a build" "-DCMAKE_IGNORE_PATH=/usr/local/lib;/usr/local/lib64;/usr/lib/x86_64-linux-gnu"
grep -q "CUDA_CUDART:FILEPATH=.*/lib/libcudart.a$" "a build/CMakeCache.txt" || failed 'where CMake finds the runtime'
grep -qF "CMAKE_CUDA_COMPILER \"$source_folder/common/cpu_device/bin/nvcc\"" "a build/CMakeFiles"/*/CMakeCUDACompiler.cmake ||
  failed 'another compiler was taken'
"a build/homework" >"$work/log" 2>&1 || failed 'the program'
grep -qx doubled "$work/log" || failed 'its output'
"a build/race" >"$work/log" 2>&1 || failed 'a race is no error in an ordinary run'

build checked -DCPU_DEVICE_CHECK=ON -DCMAKE_CUDA_ARCHITECTURES="75;90"
checked/homework >"$work/log" 2>&1 || failed 'the program, checked'
checked/race >"$work/log" 2>&1 && failed 'a checked race'
grep -q 'race.cu:1: CPU device: lost update' "$work/log" || failed 'what the checked run finds'

# find_package(CPUDevice), in the two places where it may stand.
sed -i -e 's/LANGUAGES CXX CUDA/LANGUAGES CXX/' -e "/^project/r /dev/stdin" CMakeLists.txt <<'END'
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  find_package(CPUDevice REQUIRED)
endif()
enable_language(CUDA)
END
toolchain=
root=-DCPUDevice_ROOT=$source_folder/common/cpu_device
build "package" "$root" -DCPU_DEVICE_CHECK=ON
package/homework >"$work/log" 2>&1 || failed 'the program, by find_package'
package/race >"$work/log" 2>&1 && failed 'a checked race, by find_package'
build "package" # a second time, with what the first left
package/race >"$work/log" 2>&1 && failed 'a checked race, configured again'

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
find_package(CPUDevice REQUIRED)
project(homework LANGUAGES CXX CUDA)
message(STATUS "its compiler: ${CPUDevice_NVCC}")
add_executable(race race.cu)
END
build "before project" "$root"
"before project/race" >"$work/log" 2>&1 || failed 'find_package before project()'

if cmake -S . -B other -G Ninja "$root" "-DCMAKE_CUDA_COMPILER=$work/bin/nvcc" >"$work/log" 2>&1; then
  failed 'the CPU device was found in place of another compiler'
fi
tr -s ' \n' ' ' <"$work/log" | grep -qF "The CUDA compiler is already $work/bin/nvcc." || failed 'the reason'
echo 'all as it should be'
