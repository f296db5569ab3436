// For editors: clangd reads this before every .cu file, see editor.py. clang knows CUDA's keywords. It does
// not know that the CPU device's headers are also for kernels.
//
// Not for compilers: nvcc never includes it.
#pragma once

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
// Those that clang's own headers for CUDA need, or that must be the host's alone.
#include <pthread.h>
#include <setjmp.h>
#include <cstdlib>
#include <exception>
#include <new>
// What a kernel may call of the C and C++ libraries, and all of the CPU device: for both sides.
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
#undef __host__
#undef __device__

#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>
#include <assert.h>
#pragma clang force_cuda_host_device end

// In the learner's files these words have clang's meaning.
#undef __global__
#undef __shared__
#undef __device__
#undef __host__
#undef __launch_bounds__
#undef __tile__
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __launch_bounds__(...)
#define __tile__ __attribute__((device))

// What clang makes of <<<>>>, and what kernels have of their own.
extern "C" __device__ void* malloc(size_t) noexcept;
extern "C" __device__ void free(void*) noexcept;
extern "C" __device__ int abs(int) noexcept;
extern "C" __device__ long labs(long) noexcept;
extern "C" __device__ long long llabs(long long) noexcept;
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = 0);
#endif
