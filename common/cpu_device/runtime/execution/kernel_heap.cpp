#include "kernel_heap.h"

#include "../memory/allocations.h"
#include "engine.h"

namespace cpu_device {

void* allocate_in_kernel(size_t bytes, Site site) {
  return allocate_on_kernel_heap(bytes, this_worker->grid->launch->device, site);
}

void free_in_kernel(void* pointer, Site site) {
  HeapMisuse misuse;
  if (free_on_kernel_heap(pointer, site, &misuse)) return;
  this_worker->abort_grid(cudaErrorIllegalAddress, site, misuse.what + where_in_kernel(),
                          "free each pointer from malloc() or new once.", misuse.kind);
}

}  // namespace cpu_device
