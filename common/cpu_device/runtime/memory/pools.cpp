// Memory pools of cudaMallocAsync(). All memory is the device's, at once and for as long as it is used; a pool counts
// what is taken from it.
#include <algorithm>
#include <map>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/graph_capture.h"
#include "../order/queue.h"
#include "pools.h"

using namespace cpu_device;

namespace {

struct Taken {
  cudaMemPool_t pool;
  size_t bytes;
};
std::map<const void*, Taken>& all_taken() {
  static auto* all = new std::map<const void*, Taken>;
  return *all;
}

constexpr int kMostDevices = 16;
cudaMemPool_t default_pool(int device) {
  static auto* pools = new CUmemPoolHandle_st[kMostDevices];
  pools[device % kMostDevices].device = device;
  return &pools[device % kMostDevices];
}
cudaMemPool_t pinned_pool() {
  static auto* const pool = new CUmemPoolHandle_st{{0, 1, 1, 1}, 0, cudaMemLocationTypeHost};
  return pool;
}
// The one that cudaMallocAsync() takes from.
cudaMemPool_t& pool_of(int device) {
  static auto* pools = new cudaMemPool_t[kMostDevices]{};
  cudaMemPool_t& pool = pools[device % kMostDevices];
  if (pool == nullptr) pool = default_pool(device);
  return pool;
}
bool is_device(int device) { return device >= 0 && device < settings().devices; }

// Nothing is kept for later: what is reserved is what is used.
void use(cudaMemPool_t pool, unsigned long long bytes) {
  auto* const at = pool->attributes;
  at[cudaMemPoolAttrUsedMemCurrent] += bytes;
  at[cudaMemPoolAttrReservedMemCurrent] = at[cudaMemPoolAttrUsedMemCurrent];
  for (const int high : {cudaMemPoolAttrUsedMemHigh, cudaMemPoolAttrReservedMemHigh})
    at[high] = std::max(at[high], at[cudaMemPoolAttrUsedMemCurrent]);
}

cudaError_t allocate_for(const CUmemPoolHandle_st& pool, void** pointer, size_t bytes, Site site) {
  if (pool.location != cudaMemLocationTypeDevice) return allocate_host(pointer, bytes, 0, site);
  return allocate_stream_ordered(pointer, bytes, site);
}

// Pools of managed memory need a device that host and kernels may access at the same time, as CUDA has it: this
// one is not (concurrentManagedAccess is 0).
cudaError_t check_kind(cudaMemAllocationType type, cudaMemLocationType location) {
  if (type == cudaMemAllocationTypeManaged) return fail(cudaErrorNotSupported);
  const bool exists = type == cudaMemAllocationTypePinned && location != cudaMemLocationTypeInvalid;
  return exists ? cudaSuccess : fail(cudaErrorInvalidValue);
}

// How the pool was made, as numbers.
int property(const CUmemPoolHandle_st& pool, cudaMemPoolAttr which) {
  switch (which) {
    case cudaMemPoolAttrAllocationType: return cudaMemAllocationTypePinned;
    case cudaMemPoolAttrLocationId: return pool.device;
    case cudaMemPoolAttrLocationType: return pool.location;
    default: return 0;  // no handles, no limit, no decompression
  }
}

}  // namespace

cudaError_t cpu_device::allocate_from_pool(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t handle,
                                           Site site) {
  const Guard guard(host_lock());
  Stream* const stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) return capture_allocation(stream, pointer, bytes, site);
  if (pool == nullptr) pool = pool_of(current_device());
  const cudaError_t error = allocate_for(*pool, pointer, bytes, site);
  if (error != cudaSuccess) return error;
  all_taken()[*pointer] = {pool, bytes};
  use(pool, bytes);
  return cudaSuccess;
}
cudaError_t cpu_device::allocate_in_order(void** pointer, size_t bytes, cudaStream_t stream, Site site) {
  return allocate_from_pool(pointer, bytes, nullptr, stream, site);
}
cudaMemPool_t cpu_device::pool_of_allocation(const void* pointer) {
  const Guard guard(host_lock());
  const auto found = all_taken().find(pointer);
  return found == all_taken().end() ? nullptr : found->second.pool;
}
void cpu_device::return_to_pool(const void* pointer) {
  const auto found = all_taken().find(pointer);
  if (found == all_taken().end()) return;
  if (found->second.pool != nullptr) use(found->second.pool, -static_cast<unsigned long long>(found->second.bytes));
  all_taken().erase(found);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  *pool = default_pool(device);
  return cudaSuccess;
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  if (pool == nullptr || location == nullptr) return fail(cudaErrorInvalidValue);
  if (type == cudaMemAllocationTypePinned && location->type == cudaMemLocationTypeDevice)
    return cudaDeviceGetDefaultMemPool(pool, location->id);
  const cudaError_t error = check_kind(type, location->type);
  if (error == cudaSuccess) *pool = pinned_pool();
  return error;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (!is_device(device)) return fail(cudaErrorInvalidValue);  // as an H200 says
  const Guard guard(host_lock());
  *pool = pool_of(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (!is_device(device) || pool == nullptr) return fail(cudaErrorInvalidValue);
  const Guard guard(host_lock());
  pool_of(device) = pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* how) {
  if (how == nullptr) return fail(cudaErrorInvalidValue);
  const cudaError_t error = check_kind(how->allocType, how->location.type);
  if (error != cudaSuccess) return error;
  const bool of_device = how->location.type == cudaMemLocationTypeDevice;
  if (of_device && !is_device(how->location.id)) return fail(cudaErrorInvalidValue);
  *pool = new CUmemPoolHandle_st;
  (*pool)->device = of_device ? how->location.id : 0;
  (*pool)->location = how->location.type;
  return cudaSuccess;
}
// What was taken from it stays until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const Guard guard(host_lock());
  if (pool == nullptr || pool == default_pool(pool->device) || pool == pinned_pool())
    return fail(cudaErrorInvalidValue);
  for (auto& [pointer, taken] : all_taken())
    if (taken.pool == pool) taken.pool = nullptr;
  for (int i = 0; i < settings().devices; i++)
    if (pool_of(i) == pool) pool_of(i) = default_pool(i);
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  if (pool == nullptr || value == nullptr) return fail(cudaErrorInvalidValue);
  const Guard guard(host_lock());
  if (which <= cudaMemPoolReuseAllowInternalDependencies) {
    pool->attributes[which] = static_cast<unsigned long long>(*static_cast<int*>(value));
    return cudaSuccess;
  }
  if (which >= cudaMemPoolAttrAllocationType) return fail(cudaErrorInvalidValue);  // fixed when it was made
  unsigned long long given;
  memcpy(&given, value, sizeof given);
  if (which == cudaMemPoolAttrReleaseThreshold) {
    pool->attributes[which] = given;
    return cudaSuccess;
  }
  // High-water marks can be reset; the present values cannot be set.
  const bool is_high = which == cudaMemPoolAttrUsedMemHigh || which == cudaMemPoolAttrReservedMemHigh;
  if (!is_high || given != 0) return fail(cudaErrorInvalidValue);
  pool->attributes[which] = pool->attributes[cudaMemPoolAttrUsedMemCurrent];
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  if (pool == nullptr || value == nullptr) return fail(cudaErrorInvalidValue);
  const Guard guard(host_lock());
  if (which <= cudaMemPoolReuseAllowInternalDependencies)
    *static_cast<int*>(value) = static_cast<int>(pool->attributes[which]);
  else if (which == cudaMemPoolAttrMaxPoolSize)
    *static_cast<unsigned long long*>(value) = 0;
  else if (which >= cudaMemPoolAttrAllocationType)
    *static_cast<int*>(value) = property(*pool, which);
  else
    memcpy(value, &pool->attributes[which], sizeof(unsigned long long));
  return cudaSuccess;
}
