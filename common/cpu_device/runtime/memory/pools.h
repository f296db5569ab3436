// Memory of cudaMallocAsync(), which a pool accounts for.
#pragma once

#include <cstddef>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

cudaError_t new_block_in_order(void** pointer, size_t bytes, Site site);
void pool_gets_back(const void* pointer);
// Memory of a graph's node. What was freed outside of the graph comes back to its place when the graph is
// launched again.
cudaError_t new_block_of_graph(void** pointer, size_t bytes, Site site);
cudaError_t bring_back(void* pointer, Site site);

}  // namespace cpu_device
