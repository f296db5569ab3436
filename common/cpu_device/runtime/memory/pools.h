// Memory of cudaMallocAsync(), which a pool accounts for.
#pragma once

#include <cstddef>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

cudaError_t allocate_stream_ordered(void** pointer, size_t bytes, Site site);
void return_to_pool(const void* pointer);
cudaMemPool_t pool_of_allocation(const void* pointer);  // null: of none
// Memory of a graph's node. What was freed outside of the graph comes back to its place when the graph is
// launched again.
cudaError_t allocate_for_graph(void** pointer, size_t bytes, Site site);
cudaError_t reallocate_for_graph(void* pointer, Site site);

}  // namespace cpu_device
