// A launch of a kernel, and what runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../check/check.h"

namespace cpu_device {

struct Launch {
  KernelType type;
  std::vector<unsigned char> arguments;  // aligned by hand, see arguments_address()
  dim3 grid, block;
  size_t shared_bytes;
  Site site;
  int device;
  bool cooperative = false;  // its blocks run at the same time, and may meet at grid_barrier()
  dim3 cluster = {1, 1, 1};  // blocks that run at the same time, and may meet at cluster_barrier()
  int exit_line = 0;         // where its threads may leave before others come to a barrier, or 0
  bool is_tail = false;      // by a kernel in cudaStreamTailLaunch
  uint64_t stream = 0, launching_block = 0;  // of one by a kernel
  bool has_tiles = false;    // a tile kernel, whose one thread needs a large stack
  int depth = 0;             // 0: launched by the host, 1: by a kernel of the host's, ...
#ifdef CPU_DEVICE_CHECK
  std::vector<NamedPointer> named;  // the parameters that are pointers
  mutable check::Baton* baton = nullptr;  // for its workers
  uint64_t number = 0;                    // of one by a kernel
  std::vector<uint64_t> after;            // the numbers of those that it waits for through events
#endif

  const void* arguments_address() const {
    const auto address = reinterpret_cast<uintptr_t>(arguments.data());
    return reinterpret_cast<const void*>((address + type.alignment - 1) / type.alignment *
                                         type.alignment);
  }
};

// Runs the whole grid and returns when it is done, or the error that ended it; `alone`: on the calling
// thread only.
cudaError_t run_grid(const Launch& launch, bool alone = false);

}  // namespace cpu_device
