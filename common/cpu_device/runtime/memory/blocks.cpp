// The table of allocations. Device memory is host memory of our own, each allocation with a page before and
// after it that nothing may access, so that a kernel which runs over the end is caught.
#include <sys/mman.h>

#include <algorithm>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "blocks.h"
#include "closed_memory.h"
#include "pools.h"
#include "red_zones.h"
#include "uninitialized_memory.h"

namespace cpu_device {

namespace {

// Addresses that nothing may access, before and after each allocation; they cost no memory.
constexpr size_t kGuardBytes = size_t(1) << 20;
constexpr size_t kAlignment = 256;   // of cudaMalloc, at least
// The system allows 65,530 mappings, of which stacks may take half (fiber.cpp); with more allocations
// than this, the rest go without guards.
constexpr size_t kMaxGuarded = 12000;

const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::pinned:
      return "pinned host memory";
    case MemoryKind::managed:
      return "managed memory";
    case MemoryKind::graphics:
      return "an OpenGL buffer";
    default:
      return "a device variable";
  }
}

size_t used_bytes(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::map<uintptr_t, Block>& blocks() {
  static auto* all = new std::map<uintptr_t, Block>;
  return *all;
}

bool is_of_host_call(const Block& block) { return (block.flags & (kOfKernel | kMapped | kOfGraph)) == 0; }

void for_all_blocks(const std::function<void(const Block&)>& function) {
  for (const auto& entry : blocks()) function(entry.second);
}

constexpr size_t kMaxFreed = 1000;
std::deque<Freed>& freed_blocks() {
  static auto* all = new std::deque<Freed>;
  return *all;
}

static void forget_oldest_freed() {
  auto oldest = std::find_if(freed_blocks().begin(), freed_blocks().end(),
                             [](const Freed& freed) { return (freed.flags & kOfGraph) == 0; });
  if (oldest == freed_blocks().end()) oldest = freed_blocks().begin();
  munmap(oldest->mapping, oldest->mapping_bytes);
  freed_blocks().erase(oldest);
}

const Freed* find_freed(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  auto& all = freed_blocks();
  for (auto freed = all.rbegin(); freed != all.rend(); ++freed)
    if (a >= freed->base && a < freed->base + std::max<size_t>(freed->bytes, 1)) return &*freed;
  return nullptr;
}

std::string freed_in_words(Site freed) {
  return freed.line > 0 ? format("freed at %s:%d", freed.file, freed.line) : format("freed by %s", freed.file);
}

std::string block_in_words(const Block& block) {
  return format("%zu bytes of %s %s at %s:%d", block.bytes, name_of(block.kind),
                block.kind == MemoryKind::graphics ? "mapped" : "allocated", block.site.file,
                block.site.line);
}

Site where_freed(const void* address) {
  const Block* const block = find_block(address);
  if (block != nullptr) return block->freed;
  const Freed* const freed = find_freed(address);
  return freed == nullptr ? Site{nullptr, 0} : freed->freed;
}

const Block* find_block(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  auto after = blocks().upper_bound(a);
  if (after == blocks().begin()) return nullptr;
  --after;
  return a < after->second.base + std::max<size_t>(after->second.bytes, 1) ? &after->second : nullptr;
}

const Block* first_block_in(const void* base, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(base);
  const auto at = blocks().lower_bound(first);
  return at != blocks().end() && at->first < first + bytes ? &at->second : nullptr;
}

Known describe(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  if (a < 65536)
    return {"the pointer is NULL, or almost NULL",
            "check that the memory was allocated, and that the pointer was passed to the kernel."};
  if (const Block* block = find_block(address))
    return {format("the address is byte %zu of the ", static_cast<size_t>(a - block->base)) +
                block_in_words(*block),
            block->closed_to_host
                ? "the host cannot access device memory. Copy the data to the host with cudaMemcpy()."
                : ""};
  if (const Freed* freed = find_freed(address))
    return {"this memory was " + freed_in_words(freed->freed), "free memory only after its last use."};
  auto after = blocks().upper_bound(a);
  constexpr size_t kNear = size_t(16) << 20;
  if (after != blocks().begin()) {
    const Block& before = std::prev(after)->second;
    const size_t beyond = a - (before.base + before.bytes);
    if (beyond < kNear && (after == blocks().end() || beyond <= after->second.base - a))
      return {(beyond == 0 ? std::string("the address is directly after the end of the ")
                           : format("the address is %zu bytes beyond the end of the ", beyond)) +
                  block_in_words(before),
              kIndexTooLarge};
  }
  if (after != blocks().end() && after->second.base - a < kNear)
    return {format("the address is %zu bytes before the start of the ",
                   static_cast<size_t>(after->second.base - a)) +
                block_in_words(after->second),
            kIndexNegative};
  return {};
}

void place_block(Block* block) {
  const size_t used = used_bytes(block->bytes);
  const size_t pages = (used + page_bytes() - 1) / page_bytes() * page_bytes();
  const size_t guard = (block->mapping_bytes - pages) / 2;
  auto* const start = static_cast<unsigned char*>(block->mapping) + guard;
  const bool guarded = guard > 0 && mprotect(start - guard, guard, PROT_NONE) == 0 &&
                       mprotect(start + pages, guard, PROT_NONE) == 0;
  if (pages >= (size_t(4) << 20)) madvise(start, pages, MADV_HUGEPAGE);
  block->base = reinterpret_cast<uintptr_t>(start + pages - used);
  // Late only where a fault says when: not where the system may read or write it for the host, nor
  // where memory is closed and opened with each switch of the device.
  fill_uninitialized(start, pages,
             block->kind == MemoryKind::device && settings().devices == 1 &&
                 pages > kMaxClosedBytes && !check::on);
  add_red_zones(*block, reinterpret_cast<uintptr_t>(start), used);
  if (guarded && block->kind == MemoryKind::device)
    block->closed_to_host = close_to_host(block->base, start, pages, block->device);
}

bool map_block(size_t bytes, Block* block, bool guarded) {
  const size_t pages = (used_bytes(bytes) + page_bytes() - 1) / page_bytes() * page_bytes();
  guarded = guarded && blocks().size() < kMaxGuarded;
  const size_t total = pages + (guarded ? 2 * kGuardBytes : 0);
  void* mapping = MAP_FAILED;
  void* place = check::reserve(total);  // in a checked run
  const int fixed = place != nullptr ? MAP_FIXED : 0;
  while ((mapping = mmap(place, total, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0)) == MAP_FAILED) {
    if (freed_blocks().empty()) return false;
    forget_oldest_freed();  // there may be a limit to the address space
  }
  block->bytes = bytes;
  block->mapping = mapping;
  block->mapping_bytes = total;
  place_block(block);
  return true;
}

void uncount(const Block& block) {
  if (block.kind == MemoryKind::device) device(block.device).memory_used -= block.bytes;
  return_to_pool(reinterpret_cast<const void*>(block.base));
}

void release(const Block& block, Site site) {
  if (block.freed.file == nullptr) uncount(block);
  if (block.closed_to_host) forget_closed(block.base);
  remove_red_zones(block.base);
  check::freed(block.base, block.bytes);
  if (block.mapping != nullptr) {
    forget_uninitialized(reinterpret_cast<uintptr_t>(block.mapping), block.mapping_bytes);
    // Gives the memory back, and keeps the addresses.
    mmap(block.mapping, block.mapping_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    freed_blocks().push_back(
        {block.base, block.bytes, block.site, site, block.mapping, block.mapping_bytes, block.flags});
  }
  if (freed_blocks().size() > kMaxFreed) forget_oldest_freed();
  blocks().erase(block.base);
}

}  // namespace cpu_device
