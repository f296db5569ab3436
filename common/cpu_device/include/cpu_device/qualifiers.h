// CUDA's keywords that need no rewriting. `__global__`, `__shared__`, `__cluster_dims__` and
// `__noinline__` are not here: they are left to the rewriter, which sees them after preprocessing.
#pragma once

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// The one thing by which a program could tell that it runs here.
#define __CPU_DEVICE__ 1

#ifndef CPU_DEVICE_TEXT_FOR_KERNELS  // there the rewriter wants to see them, and takes them away
#define __device__
#define __host__
#endif
#ifdef CPU_DEVICE_CHECK  // a checked run must know where they are
#define __managed__ __attribute__((section("cpu_device_managed")))
// A section for each, because constants and variables cannot share one.
#define CPU_DEVICE_QUOTED_(text) #text
#define CPU_DEVICE_QUOTED(text) CPU_DEVICE_QUOTED_(text)
#define __constant__ \
  __attribute__((section("cpu_device_constant_" CPU_DEVICE_QUOTED(__COUNTER__))))
#else
#define __managed__
#define __constant__
#endif
// CUDA Tile (cuda_tile.h). A tile kernel is launched with blocks of one thread.
#define __tile__
#define __tile_builtin__
#define __tile_global__ __global__ __launch_bounds__(1)
#define __device_builtin__
// Built into nvcc: whether a lambda is marked __device__. Host code can call it here, so that it needs no other way.
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#ifdef __CUDACC__  // left to the rewriter as well: macros of this kind stay what they are
#define __launch_bounds__(...) __launch_bounds__(__VA_ARGS__)
#define __maxnreg__(...) __maxnreg__(__VA_ARGS__)
#else
#define __launch_bounds__(...)
#define __maxnreg__(...)
#endif
// A pointer qualifier of C that C++ compilers spell like this anyway; kept as it is.
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE

// For functions of these headers that a checked run (nvcc --check) must not look into.
#if defined(CPU_DEVICE_CHECK) && __has_attribute(no_sanitize_coverage)
#define CPU_DEVICE_UNCHECKED __attribute__((no_sanitize_thread, no_sanitize_coverage))
#elif defined(CPU_DEVICE_CHECK)  // g++ before 12
#define CPU_DEVICE_UNCHECKED __attribute__((no_sanitize_thread))
#else
#define CPU_DEVICE_UNCHECKED
#endif
