// Part of libcu++'s runtime classes: cuda::launch(). It makes a `const void*` of a kernel that it was given as a
// function. Only where its type is known can the CPU device note how to call it.
#pragma once

#include <cuda_runtime.h>

// What the library's header includes comes first, so that only its own text sees the macro below.
#include <cuda/__driver/driver_api.h>
#include <cuda/__hierarchy/traits.h>
#include <cuda/__launch/configuration.h>
#include <cuda/__runtime/api_wrapper.h>
#include <cuda/__runtime/ensure_current_context.h>
#include <cuda/__stream/launch_transform.h>
#include <cuda/__stream/stream_ref.h>
#include <cuda/std/__exception/cuda_error.h>
#include <cuda/version>

#if CCCL_VERSION < 3004000
#error "cuda/launch: the CPU device needs CCCL 3.4 or newer: pip install --target cccl nvidia-cuda-cccl, and export CCCL_PATH=$PWD/cccl/nvidia/cu13/include/cccl"
#endif
#define reinterpret_cast ::cpu_device::address_cast
#include_next <cuda/__launch/launch.h>
#undef reinterpret_cast
