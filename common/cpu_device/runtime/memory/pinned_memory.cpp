// Pinned memory: allocated, or registered by the program.
#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/queue.h"
#include "blocks.h"

using namespace cpu_device;

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags,
                                     Site site) {
  if (flags != 0) return refuse_flags("cudaHostGetDevicePointer", flags, "0", site);
  const Guard guard(host_lock());
  const Block* block = find_block(host_pointer);
  if (block == nullptr || block->kind != MemoryKind::pinned)
    return fail(cudaErrorInvalidValue, site, "the pointer does not point to pinned host memory",
                "allocate it with cudaHostAlloc(..., cudaHostAllocMapped).");
  *device_pointer = host_pointer;  // one address space
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host_pointer) {
  const Guard guard(host_lock());
  const Block* block = find_block(host_pointer);
  if (block == nullptr || block->kind != MemoryKind::pinned) return fail(cudaErrorInvalidValue);
  *flags = block->flags;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (pointer == nullptr || bytes == 0)
    return fail(cudaErrorInvalidValue, site, "cudaHostRegister: the pointer is NULL, or the size is 0");
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  const auto after = blocks().upper_bound(base);
  if (find_block(pointer) != nullptr || (after != blocks().end() && after->first < base + bytes))
    return fail(cudaErrorHostMemoryAlreadyRegistered, site,
                "this memory, or a part of it, is already pinned or registered");
  blocks()[base] = {base, bytes, MemoryKind::pinned, current_device(), flags, site, nullptr, 0};
  check::registered(base, bytes);
  calls::note("cudaHostRegister %zu bytes, flags %u", bytes, flags);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer, Site site) {
  const Guard guard(host_lock());
  const auto found = blocks().find(reinterpret_cast<uintptr_t>(pointer));
  if (found == blocks().end() || found->second.kind != MemoryKind::pinned ||
      found->second.mapping != nullptr)
    return fail(cudaErrorHostMemoryNotRegistered, site, "this memory is not registered");
  const Block block = found->second;
  check::frees(block.base, block.bytes, nullptr, site);
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  check::freed(block.base, block.bytes);
  blocks().erase(block.base);
  return cudaSuccess;
}
