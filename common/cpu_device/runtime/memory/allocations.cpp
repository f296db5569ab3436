// Allocates and frees memory of every kind. A pointer that was not allocated, or not so, is explained.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../driver/runtime_use.h"
#include "../execution/kernel_heap.h"
#include "../faults/error_messages.h"
#include "../faults/signals.h"
#include "../order/graph_capture.h"
#include "../order/queue.h"
#include "blocks.h"
#include "pools.h"

namespace cpu_device {

namespace {

constexpr size_t kPitch = 512;  // rows of cudaMallocPitch begin at multiples of this

cudaError_t allocate_block(void** pointer, size_t bytes, MemoryKind kind, unsigned int flags, Site site,
                      const char* function) {
  const Guard guard(host_lock());
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, site, format("%s: the address of the pointer is NULL", function));
  *pointer = nullptr;
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  Device& owner = device(current_device());
  if (owner.broken != cudaSuccess) return fail(owner.broken);
  if (bytes == 0) return cudaSuccess;  // as in CUDA: no memory, no error
  // Managed memory may be larger than the device's: its pages come when they are used.
  const bool on_device = kind == MemoryKind::device;
  if (on_device && bytes > settings().memory - owner.memory_used)
    return fail(cudaErrorMemoryAllocation);
  Block block{0, 0, kind, current_device(), flags, site, nullptr, 0};
  install_fault_handlers();  // the host may read it before the first kernel runs
  if (!map_block(bytes, &block)) return fail(cudaErrorMemoryAllocation);
  if (on_device) owner.memory_used += bytes;
  blocks()[block.base] = block;
  check::allocated(block.base, bytes, kind == MemoryKind::graphics, site);
  if (kind == MemoryKind::pinned && flags != 0)
    calls::note("%s %zu bytes, flags %u", function, bytes, flags);
  else
    calls::note("%s %zu bytes", function, bytes);
  *pointer = reinterpret_cast<void*>(block.base);
  return cudaSuccess;
}

// Whether the pointer can be freed so; what is wrong with it otherwise.
cudaError_t check_free(void* pointer, bool pinned, Site site, const char* function) {
  const auto found = blocks().find(reinterpret_cast<uintptr_t>(pointer));
  const bool is_known = found != blocks().end() && found->second.kind != MemoryKind::symbol;
  if (!is_known || found->second.freed.file != nullptr) {
    if (const Site before = where_freed(pointer); before.file != nullptr)
      return fail(cudaErrorInvalidValue, site,
                  format("%s of memory that was already %s", function, freed_in_words(before).c_str()),
                  "free it only once. Set the pointer to NULL after that, which makes a second call harmless.",
                  "use-after-free");
    if (const Block* around = find_block(pointer))
      return fail(cudaErrorInvalidValue, site,
                  format("%s of a pointer to the middle (byte %zu) of the %s", function,
                         static_cast<size_t>(reinterpret_cast<uintptr_t>(pointer) - around->base),
                         block_in_words(*around).c_str()),
                  "free the pointer that the allocation returned.");
    return fail(cudaErrorInvalidValue, site,
                format("%s of a pointer that no CUDA call allocated", function),
                "free memory from malloc() with free(), and memory from new with delete.");
  }
  const Block& block = found->second;
  if (block.kind == MemoryKind::graphics)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                "this memory belongs to OpenGL. Call cudaGraphicsUnmapResources() instead.");
  if ((block.flags & kMapped) != 0)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                "release memory that cuMemMap() mapped with cuMemUnmap(), cuMemRelease() and cuMemAddressFree().");
  if ((block.kind == MemoryKind::pinned) != pinned)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                pinned ? "free device memory with cudaFree()." : "free pinned memory with cudaFreeHost().");
  if (block.kind == MemoryKind::pinned && block.mapping == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaFreeHost of memory that was only registered",
                "call cudaHostUnregister(), and free the memory as it was allocated.");
  return cudaSuccess;
}

// Frees memory that must be of the given kind.
cudaError_t free_block(void* pointer, bool pinned, Site site, const char* function) {
  const Guard guard(host_lock());
  if (pointer == nullptr) return cudaSuccess;
  const cudaError_t error = check_free(pointer, pinned, site, function);
  if (error != cudaSuccess) return error;
  const Block block = blocks()[reinterpret_cast<uintptr_t>(pointer)];
  calls::note("%s %zu bytes", function, block.bytes);
  // cudaFree() waits for the device, but for memory of cudaMallocAsync() only as streams order it.
  if (pinned || (block.flags & kStreamOrdered) != 0)
    check::frees(block.base, block.bytes, nullptr, site);
  // Freeing waits for the device, as in CUDA; all devices may use the host's memory.
  for (int i = 0; i < settings().devices; i++)
    if (block.kind != MemoryKind::device || block.device == i) synchronize_device(i);
  release(block, site);
  return fail(device(block.device).broken);
}

}  // namespace

void free_all_memory(int index) {
  std::vector<Block> mine;
  for (const auto& entry : blocks())
    if (entry.second.device == index && entry.second.mapping != nullptr) mine.push_back(entry.second);
  for (const Block& block : mine) release(block, {"cudaDeviceReset", 0});
}

// Adjacent mappings are one block, so that a copy may span them.
void add_mapped_memory(void* memory, size_t bytes, Site site) {
  const auto base = reinterpret_cast<uintptr_t>(memory);
  check::allocated(base, bytes, false, site);
  Block block{base, bytes, MemoryKind::device, current_device(), kMapped, site, nullptr, 0};
  const auto is_mapped = [](const Block* other) {
    return other != nullptr && (other->flags & kMapped) != 0;
  };
  if (const Block* before = find_block(static_cast<char*>(memory) - 1); is_mapped(before)) {
    block.base = before->base;
    block.bytes += before->bytes;
  }
  if (const Block* behind = find_block(static_cast<char*>(memory) + bytes); is_mapped(behind)) {
    block.bytes += behind->bytes;
    blocks().erase(behind->base);
  }
  blocks()[block.base] = block;
}
void remove_mapped_memory(void* memory, size_t bytes) {
  const auto base = reinterpret_cast<uintptr_t>(memory);
  check::freed(base, bytes);
  const Block around = *find_block(memory);
  blocks().erase(around.base);
  const auto keep = [&](uintptr_t from, uintptr_t to) {
    if (from == to) return;
    Block& part = blocks()[from] = around;
    part.base = from;
    part.bytes = to - from;
  };
  keep(around.base, base);
  keep(base + bytes, around.base + around.bytes);
}

void add_graphics_memory(void* memory, size_t bytes, Site site) {
  const auto base = reinterpret_cast<uintptr_t>(memory);
  blocks()[base] = {base, bytes, MemoryKind::graphics, current_device(), 0, site, nullptr, 0};
}
void remove_graphics_memory(void* memory) { blocks().erase(reinterpret_cast<uintptr_t>(memory)); }

cudaError_t allocate(void** pointer, size_t bytes, Site site) {
  note_runtime_use();
  if (in_kernel()) {  // from the kernels' heap, as malloc()
    *pointer = check::on ? allocate_in_kernel(bytes, site) : malloc(bytes);
    return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }
  return allocate_block(pointer, bytes, MemoryKind::device, 0, site, "cudaMalloc");
}

cudaError_t allocate_stream_ordered(void** pointer, size_t bytes, Site site) {
  return allocate_block(pointer, bytes, MemoryKind::device, kStreamOrdered, site, "cudaMallocAsync");
}

cudaError_t allocate_for_graph(void** pointer, size_t bytes, Site site) {
  return allocate_block(pointer, bytes, MemoryKind::device, kStreamOrdered | kOfGraph, site, "a memory node of a graph");
}

cudaError_t reallocate_for_graph(void* pointer, Site site) {
  const auto freed = std::find_if(freed_blocks().begin(), freed_blocks().end(), [&](const Freed& one) {
    return reinterpret_cast<void*>(one.base) == pointer && (one.flags & kOfGraph) != 0;
  });
  Device& owner = device(current_device());
  if (freed == freed_blocks().end() || freed->bytes > settings().memory - owner.memory_used ||
      mmap(freed->mapping, freed->mapping_bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return fail(cudaErrorMemoryAllocation, site, "the memory that the graph allocates is no longer available");
  Block block{freed->base, freed->bytes,   MemoryKind::device, current_device(), freed->flags, freed->allocated,
              freed->mapping, freed->mapping_bytes};
  freed_blocks().erase(freed);
  place_block(&block);
  owner.memory_used += block.bytes;
  blocks()[block.base] = block;
  check::allocated(block.base, block.bytes, false, block.site);
  return cudaSuccess;
}

// Only one worker runs, and the host waits for it: no lock.
void* allocate_on_kernel_heap(size_t bytes, int device, Site site) {
  Device& owner = cpu_device::device(device);
  if (bytes == 0 || bytes > settings().memory - owner.memory_used) return nullptr;
  Block block{0, 0, MemoryKind::device, device, kOfKernel, site, nullptr, 0};
  if (!map_block(bytes, &block, false)) return nullptr;
  owner.memory_used += bytes;
  blocks()[block.base] = block;
  check::allocated(block.base, bytes, false, site);
  return reinterpret_cast<void*>(block.base);
}

bool free_on_kernel_heap(void* pointer, Site site, HeapMisuse* misuse) {
  const auto found = blocks().find(reinterpret_cast<uintptr_t>(pointer));
  if (found != blocks().end() && (found->second.flags & kOfKernel) != 0) {
    release(Block(found->second), site);
    return true;
  }
  const Freed* before = find_freed(pointer);
  *misuse = before == nullptr
                ? HeapMisuse{"free() or delete of a pointer that no malloc() or new in a kernel returned,",
                             "wrong-pointer"}
                : HeapMisuse{"free() or delete of memory that was " + freed_in_words(before->freed) + ",",
                             "use-after-free"};
  return false;
}

cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height, Site site) {
  if (pitch == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMallocPitch: the address of the pitch is NULL");
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return allocate_block(pointer, *pitch * height, MemoryKind::device, 0, site, "cudaMallocPitch");
}

cudaError_t allocate_host(void** pointer, size_t bytes, unsigned int flags, Site site) {
  if (flags > 7)
    return fail(cudaErrorInvalidValue, site, format("cudaHostAlloc: flags %u do not exist", flags));
  return allocate_block(pointer, bytes, MemoryKind::pinned, flags, site, "cudaHostAlloc");
}

cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags, Site site) {
  note_runtime_use();
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return refuse_flags("cudaMallocManaged", flags, "cudaMemAttachGlobal or cudaMemAttachHost", site);
  return allocate_block(pointer, bytes, MemoryKind::managed, flags, site, "cudaMallocManaged");
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaFree(void* pointer, Site site) {
  if (in_kernel()) {
    if (!check::on)
      free(pointer);
    else if (pointer != nullptr)
      free_in_kernel(pointer, site);
    return cudaSuccess;
  }
  note_runtime_use();
  return free_block(pointer, false, site, "cudaFree");
}
cudaError_t cudaFreeHost(void* pointer, Site site) {
  return free_block(pointer, true, site, "cudaFreeHost");
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) {
    capture_free(stream, pointer, site);
    return cudaSuccess;
  }
  if (pointer == nullptr) return cudaSuccess;
  const Block* const freed = find_block(pointer);
  const bool pinned = freed != nullptr && freed->kind == MemoryKind::pinned && pool_of_allocation(pointer) != nullptr;
  const cudaError_t error = check_free(pointer, pinned, site, "cudaFreeAsync");
  if (error != cudaSuccess) return error;
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  Block& block = blocks()[base];
  check::frees(base, block.bytes, stream, site);
  uncount(block);
  block.freed = site.file != nullptr ? site : Site{"cudaFreeAsync()", 0};
  // The memory itself stays until the stream comes so far: work before that may use it.
  static size_t waiting_bytes = 0;
  constexpr size_t kMostWaitingBytes = size_t(256) << 20;
  waiting_bytes += block.bytes;
  const OperationPointer operation = enqueue(stream, site, [base, site, bytes = block.bytes] {
    waiting_bytes -= bytes;
    const auto found = blocks().find(base);
    if (found != blocks().end() && found->second.freed.file != nullptr) release(Block(found->second), site);
    return cudaSuccess;
  });
  operation->what = "cudaFreeAsync()";
  if (waiting_bytes > kMostWaitingBytes) complete(operation);
  return fail(device(stream->device).broken);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const Guard guard(host_lock());
  const Block* block = find_block(pointer);
  void* address = const_cast<void*>(pointer);
  if (block == nullptr) {
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, address};
    return cudaSuccess;
  }
  switch (block->kind) {
    case MemoryKind::pinned:
      *attributes = {cudaMemoryTypeHost, block->device, address, address};
      break;
    case MemoryKind::managed:
      *attributes = {cudaMemoryTypeManaged, block->device, address, address};
      break;
    default:
      *attributes = {cudaMemoryTypeDevice, block->device, address, nullptr};
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
  const Guard guard(host_lock());
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  synchronize_device(current_device());
  free_all_memory(current_device());
  device(current_device()).broken = cudaSuccess;
  device(current_device()).max_dynamic_shared = 48 * 1024;
  cudaGetLastError();
  return cudaSuccess;
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
