// The driver interface: what `#include <cuda.h>` finds. Devices, contexts, memory, streams and events
// are the runtime's, so the two mix. Modules are what this nvcc makes of kernels (-ptx, -cubin); code for a
// GPU cannot run here, which is CUDA_ERROR_NOT_SUPPORTED.
#pragma once

#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime.h"

#include "cpu_device/driver.h"
#include "cpu_device/driver_arrays.h"
#include "cpu_device/driver_kernels.h"
