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

#define reinterpret_cast ::cpu_device::address_cast
#include_next <cuda/__launch/launch.h>
#undef reinterpret_cast
