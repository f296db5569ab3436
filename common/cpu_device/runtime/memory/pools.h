// Memory of cudaMallocAsync(), which a pool accounts for.
#pragma once

#include <cstddef>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

cudaError_t new_block_in_order(void** pointer, size_t bytes, Site site);
void pool_gets_back(const void* pointer);

}  // namespace cpu_device
