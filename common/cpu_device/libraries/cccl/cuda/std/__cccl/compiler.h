// Part of libcu++'s configuration, with what g++ cannot do as a GPU's compiler does.
#pragma once

// Ranges for NVIDIA's profilers would need more of NVTX than the CPU device has.
#ifndef CCCL_DISABLE_NVTX
#define CCCL_DISABLE_NVTX
#endif
#include_next <cuda/std/__cccl/compiler.h>

// g++ wants a constant here, but CUB passes expressions of template parameters.
#undef _CCCL_PRAGMA_UNROLL
#undef _CCCL_PRAGMA_UNROLL_FULL
#define _CCCL_PRAGMA_UNROLL(count)
#define _CCCL_PRAGMA_UNROLL_FULL()
