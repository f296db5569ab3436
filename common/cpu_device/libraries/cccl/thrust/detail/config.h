// What every header of Thrust includes first: chooses the backend that runs on the host, where the
// CPU device is, before Thrust's own header of this name chooses for itself.
#pragma once

#include <cuda_runtime.h>

#include <cpu_device/host_algorithms.h>

#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#undef THRUST_HOST_SYSTEM
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
#include_next <thrust/detail/config.h>
