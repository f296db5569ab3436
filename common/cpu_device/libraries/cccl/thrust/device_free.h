// thrust::device_free(): see device_malloc.h.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>
#include <thrust/system/cpp/memory_resource.h>

THRUST_NAMESPACE_BEGIN
inline void device_free(device_ptr<void> memory) { cudaFree(memory.get()); }
THRUST_NAMESPACE_END
