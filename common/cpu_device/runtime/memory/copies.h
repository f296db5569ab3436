// Copies of any shape, for the files of this folder.
#pragma once

#include <cstddef>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

struct Rows {
  size_t to_pitch, from_pitch, width, height;
};

// All copies. When the host may continue: CUDA's rules, see "API synchronization behavior" in its
// documentation; where the rules allow the copy to be late, it is.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 cudaStream_t handle, bool async, Site site);

}  // namespace cpu_device
