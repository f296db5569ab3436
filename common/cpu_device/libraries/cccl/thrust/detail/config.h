// What every header of Thrust includes first: chooses the backend that runs on the host, where the
// CPU device is, before Thrust's own header of this name chooses for itself.
#pragma once

#include <cuda_runtime.h>

#include <cpu_device/host_algorithms.h>

#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#undef THRUST_HOST_SYSTEM
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
// Types that Thrust handles if they are there; here they would need the Toolkit's own headers.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT

#include_next <thrust/detail/config.h>
