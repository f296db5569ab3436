// The driver interface: what `#include <cuda.h>` finds. Devices, contexts, memory, streams and events
// are the runtime's, so the two mix. Kernels that are loaded from files as PTX or machine code cannot
// run here: those functions answer CUDA_ERROR_NOT_SUPPORTED, and say so.
#pragma once

#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime.h"

#include "cpu_device/driver.h"
