// Managed memory: hints change nothing here, but must be given for managed memory, and can be queried.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "../device/calls.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/queue.h"
#include "allocations.h"

using namespace cpu_device;

static cudaError_t check_managed(const void* pointer, size_t bytes, const char* function, Site site) {
  const Guard guard(host_lock());
  const Block* block = find_block(pointer);
  const size_t offset =
      block == nullptr ? 0 : static_cast<size_t>(reinterpret_cast<uintptr_t>(pointer) - block->base);
  if (block == nullptr || block->kind != MemoryKind::managed || bytes > block->bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                format("%s of memory that is not, or not all, managed memory", function),
                "allocate it with cudaMallocManaged().");
  return cudaSuccess;
}

// What the program advised about an allocation. It changes nothing here, but programs query it.
struct Advice {
  int read_mostly = 0, preferred = cudaInvalidDeviceId, prefetched_to = cudaInvalidDeviceId;
  std::set<int> accessed_by;
};
// Of the managed allocation that `pointer` lies in.
static Advice& advice_on(const void* pointer) {
  static auto* all = new std::map<uintptr_t, std::pair<size_t, Advice>>;
  const Block* block = find_block(pointer);
  auto& [bytes, advice] = (*all)[block->base];
  if (bytes != block->bytes) advice = {};  // of an earlier allocation at this address
  bytes = block->bytes;
  return advice;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int to_device,
                                 cudaStream_t stream, Site site) {
  if (to_device < cudaCpuDeviceId || to_device >= settings().devices)
    return fail(cudaErrorInvalidDevice, site,
                format("cudaMemPrefetchAsync: device %d does not exist", to_device));
  const cudaError_t error = check_managed(pointer, bytes, "cudaMemPrefetchAsync", site);
  if (error != cudaSuccess) return error;
  const Guard guard(host_lock());
  if (find_stream(stream, site) == nullptr) return cudaErrorInvalidResourceHandle;
  advice_on(pointer).prefetched_to = to_device;
  calls::note("prefetch %zu bytes to device %d in %s", bytes, to_device, calls::name("stream", stream));
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation to, unsigned int flags,
                                 cudaStream_t stream, Site site) {
  if (flags != 0) return refuse_flags("cudaMemPrefetchAsync", flags, "0", site);
  const int to_device = to.type == cudaMemLocationTypeDevice ? to.id : cudaCpuDeviceId;
  return cudaMemPrefetchAsync(pointer, bytes, to_device, stream, site);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          Site site) {
  const cudaError_t error = check_managed(pointer, bytes, "cudaMemAdvise", site);
  if (error != cudaSuccess) return error;
  const Guard guard(host_lock());
  Advice& noted = advice_on(pointer);
  calls::note("advice %d on %zu bytes, device %d", static_cast<int>(advice), bytes, device);
  switch (advice) {
    case cudaMemAdviseSetReadMostly: noted.read_mostly = 1; break;
    case cudaMemAdviseUnsetReadMostly: noted.read_mostly = 0; break;
    case cudaMemAdviseSetPreferredLocation: noted.preferred = device; break;
    case cudaMemAdviseUnsetPreferredLocation: noted.preferred = cudaInvalidDeviceId; break;
    case cudaMemAdviseSetAccessedBy: noted.accessed_by.insert(device); break;
    case cudaMemAdviseUnsetAccessedBy: noted.accessed_by.erase(device); break;
  }
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location, Site site) {
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return cudaMemAdvise(pointer, bytes, advice, device, site);
}

cudaError_t cudaMemRangeGetAttribute(void* value, size_t value_bytes, cudaMemRangeAttribute which,
                                     const void* pointer, size_t bytes, Site site) {
  const cudaError_t error = check_managed(pointer, bytes, "cudaMemRangeGetAttribute", site);
  if (error != cudaSuccess) return error;
  if (value == nullptr || value_bytes < sizeof(int) || value_bytes % sizeof(int) != 0)
    return fail(cudaErrorInvalidValue, site, "the attributes of managed memory have the type int");
  const Guard guard(host_lock());
  const Advice& noted = advice_on(pointer);
  int* values = static_cast<int*>(value);
  switch (which) {
    case cudaMemRangeAttributeReadMostly: *values = noted.read_mostly; return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation: *values = noted.preferred; return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation: *values = noted.prefetched_to; return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy: {
      std::fill_n(values, value_bytes / sizeof(int), cudaInvalidDeviceId);
      for (const int device : noted.accessed_by)
        if (values < static_cast<int*>(value) + value_bytes / sizeof(int)) *values++ = device;
      return cudaSuccess;
    }
  }
  return fail(cudaErrorInvalidValue);
}
cudaError_t cudaMemRangeGetAttributes(void** values, size_t* value_bytes,
                                      cudaMemRangeAttribute* which, size_t count,
                                      const void* pointer, size_t bytes, Site site) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    error = cudaMemRangeGetAttribute(values[i], value_bytes[i], which[i], pointer, bytes, site);
  return error;
}
