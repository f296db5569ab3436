// Launches by kernels.
#pragma once

#include <memory>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

struct Launch;

void launch_from_kernel(std::shared_ptr<Launch> child);
// cudaDeviceSynchronize() in a kernel.
cudaError_t wait_for_children(Site site);

}  // namespace cpu_device
