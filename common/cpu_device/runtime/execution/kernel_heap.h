// malloc() and free(), new and delete of a kernel, in a checked run.
#pragma once

#include <cstddef>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

void* allocate_in_kernel(size_t bytes, Site site);
void free_in_kernel(void* pointer, Site site);

}  // namespace cpu_device
