// What the driver interface's files share.
#pragma once

#include "../../include/cuda.h"

namespace cpu_device {

inline CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }
// CUDA_SUCCESS if the driver is initialized and this host thread has a context.
CUresult ready(Site site);

}  // namespace cpu_device
