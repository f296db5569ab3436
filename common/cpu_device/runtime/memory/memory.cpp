// Device memory is host memory of our own, each allocation with an unmapped page before and after it,
// so that a kernel which runs over the end is caught. Every pointer that comes in is looked up, and
// what does not fit is explained.
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../execution/engine.h"
#include "../faults/error_messages.h"
#include "../faults/signals.h"
#include "../order/graph_capture.h"
#include "../order/queue.h"
#include "allocations.h"
#include "around_operations.h"
#include "pools.h"
#include "red_zones.h"
#include "uninitialized_memory.h"

namespace cpu_device {

namespace {

// Addresses that nobody may touch, before and after each allocation; they cost no memory.
constexpr size_t kGuardBytes = size_t(1) << 20;
constexpr size_t kAlignment = 256;   // of cudaMalloc, at least
constexpr unsigned kInOrder = 1u << 31;  // a block's flags: of cudaMallocAsync()
constexpr unsigned kOfKernel = 1u << 30;  // of malloc() or new in a kernel
constexpr unsigned kMapped = 1u << 29;  // of cuMemMap()
constexpr unsigned kOfGraph = 1u << 28;  // of a graph's node: once freed, another launch brings it back
constexpr size_t kPitch = 512;       // rows of cudaMallocPitch begin at multiples of this
// The system allows 65,530 mappings, of which stacks may take half (fiber.cpp); with more allocations
// than this, the rest go without guards.
constexpr size_t kMaxGuarded = 12000;
// Which allocations are closed to the host, see OpenDeviceMemory. With several devices all are, as
// far as possible: they are closed to the other devices, too.
constexpr size_t kMaxClosed = 32, kMaxClosedSeveral = 1000;
constexpr size_t kMaxClosedBytes = size_t(4) << 20;

std::map<uintptr_t, Block>& blocks() {
  static auto* all = new std::map<uintptr_t, Block>;
  return *all;
}

struct Pages {
  void* start;
  size_t bytes;
  int device;
};
std::map<uintptr_t, Pages>& closed_pages() {
  static auto* all = new std::map<uintptr_t, Pages>;
  return *all;
}
int open_depth = 0;

bool worth_closing(size_t bytes) {
  if (runs_at_once()) return false;  // the host works on it
  if (settings().devices > 1) return closed_pages().size() < kMaxClosedSeveral;
  return bytes <= kMaxClosedBytes && closed_pages().size() < kMaxClosed;
}

// Each device has its own copy of every __device__ and __constant__ variable that the host ever named.
// That of the device which worked last is in place, the others wait here.
std::map<uintptr_t, std::vector<std::vector<unsigned char>>>& symbol_copies() {
  static auto* all = new std::map<uintptr_t, std::vector<std::vector<unsigned char>>>;
  return *all;
}
int symbols_in_place = 0;

// What was freed lately, for explanations. Until it is forgotten its addresses stay reserved:
// neither the host's allocator nor we hand them out again, so whoever uses one uses freed memory.
struct Freed {
  uintptr_t base;
  size_t bytes;
  Site allocated, freed;
  void* mapping;
  size_t mapping_bytes;
  unsigned int flags;
};
constexpr size_t kMaxFreed = 1000;
std::deque<Freed>& freed_blocks() {
  static auto* all = new std::deque<Freed>;
  return *all;
}

void forget_oldest_freed() {
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

std::string freed_in_words(const Freed& freed) {
  return freed.freed.line > 0 ? format("freed at %s:%d", freed.freed.file, freed.freed.line)
                              : format("freed by %s", freed.freed.file);
}

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

std::string block_in_words(const Block& block) {
  return format("%zu bytes of %s %s at %s:%d", block.bytes, name_of(block.kind),
                block.kind == MemoryKind::graphics ? "mapped" : "allocated", block.site.file,
                block.site.line);
}

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    default:
      return "cudaMemcpyDefault";
  }
}

size_t used_bytes(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

// Makes what is mapped a block: ending at the end of a page, between guards if the mapping has room for them.
void set_up(Block* block) {
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
  fill_fresh(start, pages,
             block->kind == MemoryKind::device && settings().devices == 1 &&
                 pages > kMaxClosedBytes && !check::on);
  watch_edges(*block, reinterpret_cast<uintptr_t>(start), used);
  if (guarded && block->kind == MemoryKind::device && worth_closing(pages)) {
    block->closed_to_host = true;
    closed_pages()[block->base] = {start, pages, block->device};
    if (open_depth == 0) mprotect(start, pages, PROT_NONE);
  }
}

// Maps `bytes`, ending at the end of a page (rounded to the alignment), between two guards if wanted.
bool map_block(size_t bytes, Block* block, bool guarded = true) {
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
  set_up(block);
  return true;
}

cudaError_t new_block(void** pointer, size_t bytes, MemoryKind kind, unsigned int flags, Site site,
                      const char* function) {
  const Guard guard(host_lock());
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, site, format("%s: a null pointer to the pointer", function));
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
  *pointer = reinterpret_cast<void*>(block.base);
  return cudaSuccess;
}

void release(const Block& block, Site site) {
  if (block.kind == MemoryKind::device)
    device(block.device).memory_used -= block.bytes;
  if (block.closed_to_host) closed_pages().erase(block.base);
  forget_edges(block.base);
  if ((block.flags & kInOrder) != 0) pool_gets_back(reinterpret_cast<const void*>(block.base));
  check::freed(block.base, block.bytes);
  if (block.mapping != nullptr) {
    forget_fresh(reinterpret_cast<uintptr_t>(block.mapping), block.mapping_bytes);
    // Gives the memory back, and keeps the addresses.
    mmap(block.mapping, block.mapping_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    freed_blocks().push_back(
        {block.base, block.bytes, block.site, site, block.mapping, block.mapping_bytes, block.flags});
  }
  if (freed_blocks().size() > kMaxFreed) forget_oldest_freed();
  blocks().erase(block.base);
}

// Frees memory that must be of the given kind.
cudaError_t free_block(void* pointer, bool pinned, Site site, const char* function) {
  const Guard guard(host_lock());
  if (pointer == nullptr) return cudaSuccess;
  const auto found = blocks().find(reinterpret_cast<uintptr_t>(pointer));
  if (found == blocks().end() || found->second.kind == MemoryKind::symbol) {
    if (const Block* around = find_block(pointer))
      return fail(cudaErrorInvalidValue, site,
                  format("%s of a pointer into the middle (byte %zu) of the %s", function,
                         static_cast<size_t>(reinterpret_cast<uintptr_t>(pointer) - around->base),
                         block_in_words(*around).c_str()),
                  "free the pointer that the allocation gave");
    if (const Freed* before = find_freed(pointer))
      return fail(cudaErrorInvalidValue, site,
                  format("%s of memory that has been %s already", function,
                         freed_in_words(*before).c_str()),
                  "free it once; setting the pointer to NULL afterwards makes a second call harmless",
                  "use-after-free");
    return fail(cudaErrorInvalidValue, site,
                format("%s of a pointer that no CUDA call has allocated", function),
                "memory of malloc goes to free(), memory of new to delete");
  }
  const Block block = found->second;
  if (block.kind == MemoryKind::graphics)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                "it is OpenGL's: cudaGraphicsUnmapResources() gives it back");
  if ((block.flags & kMapped) != 0)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                "what cuMemMap() has mapped goes to cuMemUnmap(), cuMemRelease() and cuMemAddressFree()");
  if ((block.kind == MemoryKind::pinned) != pinned)
    return fail(cudaErrorInvalidValue, site,
                format("%s of the %s", function, block_in_words(block).c_str()),
                pinned ? "device memory goes to cudaFree()" : "pinned memory goes to cudaFreeHost()");
  if (block.kind == MemoryKind::pinned && block.mapping == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaFreeHost of memory that was only registered",
                "cudaHostUnregister() it, and free it as it was allocated");
  // cudaFree() waits for the device, but for memory of cudaMallocAsync() only as streams order it.
  if (pinned || ((block.flags & kInOrder) != 0 && strcmp(function, "cudaFree") == 0))
    check::frees(block.base, block.bytes, nullptr, site);
  // Freeing waits for the device, as in CUDA.
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  release(block, site);
  return fail(device(block.device).broken);
}

}  // namespace

const Block* find_block(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  auto after = blocks().upper_bound(a);
  if (after == blocks().begin()) return nullptr;
  --after;
  return a < after->second.base + std::max<size_t>(after->second.bytes, 1) ? &after->second : nullptr;
}

Known describe(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  const char* const check_index = "compare the index with the size of the array, as in `if (i < n)`";
  if (a < 65536)
    return {"a NULL pointer, or nearly so",
            "was the memory allocated, and the pointer passed to the kernel?"};
  if (const Block* block = find_block(address))
    return {format("%zu bytes into the ", static_cast<size_t>(a - block->base)) +
                block_in_words(*block),
            block->closed_to_host
                ? "a device pointer is for kernels; copy with cudaMemcpy() what the host needs"
                : ""};
  if (const Freed* freed = find_freed(address))
    return {"this memory was " + freed_in_words(*freed), "free memory after its last use"};
  auto after = blocks().upper_bound(a);
  constexpr size_t kNear = size_t(16) << 20;
  if (after != blocks().begin()) {
    const Block& before = std::prev(after)->second;
    const size_t beyond = a - (before.base + before.bytes);
    if (beyond < kNear && (after == blocks().end() || beyond <= after->second.base - a))
      return {format("%zu bytes beyond the end of the ", beyond) + block_in_words(before),
              check_index};
  }
  if (after != blocks().end() && after->second.base - a < kNear)
    return {format("%zu bytes before the start of the ",
                   static_cast<size_t>(after->second.base - a)) +
                block_in_words(after->second),
            check_index};
  return {};
}

void select_symbols(int device) {
  if (device == symbols_in_place) return;
  for (auto& [base, copies] : symbol_copies()) {
    auto* variable = reinterpret_cast<unsigned char*>(base);
    std::vector<unsigned char>& before = copies[static_cast<size_t>(symbols_in_place)];
    std::copy_n(variable, before.size(), before.data());
    const std::vector<unsigned char>& now = copies[static_cast<size_t>(device)];
    std::copy_n(now.data(), now.size(), variable);
  }
  symbols_in_place = device;
}

OpenDeviceMemory::OpenDeviceMemory() {
  if (open_depth++ > 0) return;
  for (const auto& entry : closed_pages())
    mprotect(entry.second.start, entry.second.bytes, PROT_READ | PROT_WRITE);
}

// Calls function(pages) for what a kernel on `device` must not touch.
template <typename Function>
static void for_foreign_memory(int index, const Function& function) {
  if (settings().devices == 1) return;
  const std::vector<bool>& peers = device(index).peers;
  for (const auto& entry : closed_pages())
    if (entry.second.device != index && !peers[static_cast<size_t>(entry.second.device)])
      function(entry.second);
}

CloseForeignMemory::CloseForeignMemory(int device) : device_(device) {
  for_foreign_memory(device_, [](const Pages& p) { mprotect(p.start, p.bytes, PROT_NONE); });
}

CloseForeignMemory::~CloseForeignMemory() {
  for_foreign_memory(device_,
                     [](const Pages& p) { mprotect(p.start, p.bytes, PROT_READ | PROT_WRITE); });
}

OpenDeviceMemory::~OpenDeviceMemory() {
  if (--open_depth > 0) return;
  for (const auto& entry : closed_pages())
    mprotect(entry.second.start, entry.second.bytes, PROT_NONE);
}

void free_all_memory(int index) {
  std::vector<Block> mine;
  for (const auto& entry : blocks())
    if (entry.second.device == index && entry.second.mapping != nullptr) mine.push_back(entry.second);
  for (const Block& block : mine) release(block, {"cudaDeviceReset", 0});
}

// What is mapped side by side is one block, as copies see it.
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
    *pointer = malloc(bytes);
    return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }
  return new_block(pointer, bytes, MemoryKind::device, 0, site, "cudaMalloc");
}

cudaError_t new_block_in_order(void** pointer, size_t bytes, Site site) {
  return new_block(pointer, bytes, MemoryKind::device, kInOrder, site, "cudaMallocAsync");
}

cudaError_t new_block_of_graph(void** pointer, size_t bytes, Site site) {
  return new_block(pointer, bytes, MemoryKind::device, kInOrder | kOfGraph, site, "a memory node of a graph");
}

cudaError_t bring_back(void* pointer, Site site) {
  const auto freed = std::find_if(freed_blocks().begin(), freed_blocks().end(), [&](const Freed& one) {
    return reinterpret_cast<void*>(one.base) == pointer && (one.flags & kOfGraph) != 0;
  });
  Device& owner = device(current_device());
  if (freed == freed_blocks().end() || freed->bytes > settings().memory - owner.memory_used ||
      mmap(freed->mapping, freed->mapping_bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return fail(cudaErrorMemoryAllocation, site, "the memory that a graph allocates is not available again");
  Block block{freed->base, freed->bytes,   MemoryKind::device, current_device(), freed->flags, freed->allocated,
              freed->mapping, freed->mapping_bytes};
  freed_blocks().erase(freed);
  set_up(&block);
  owner.memory_used += block.bytes;
  blocks()[block.base] = block;
  check::allocated(block.base, block.bytes, false, block.site);
  return cudaSuccess;
}

// Only one worker runs meanwhile, and the host waits for it: no lock.
void* allocate_in_kernel(size_t bytes, Site site) {
  const int here = this_worker->grid->launch->device;
  Device& owner = device(here);
  if (bytes == 0 || bytes > settings().memory - owner.memory_used) return nullptr;
  Block block{0, 0, MemoryKind::device, here, kOfKernel, site, nullptr, 0};
  if (!map_block(bytes, &block, false)) return nullptr;
  owner.memory_used += bytes;
  blocks()[block.base] = block;
  check::allocated(block.base, bytes, false, site);
  return reinterpret_cast<void*>(block.base);
}

void free_in_kernel(void* pointer, Site site) {
  const auto found = blocks().find(reinterpret_cast<uintptr_t>(pointer));
  if (found != blocks().end() && (found->second.flags & kOfKernel) != 0)
    return release(Block(found->second), site);
  std::string what = "free() or delete in a kernel of what no malloc() or new there has given";
  const Freed* before = find_freed(pointer);
  if (before != nullptr) what = "free() or delete of memory that was " + freed_in_words(*before);
  this_worker->abort_grid(cudaErrorIllegalAddress, site, what + where_in_kernel(),
                          "free once, and the pointer that malloc() or new gave",
                          before != nullptr ? "use-after-free" : "wrong-pointer");
}

cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height, Site site) {
  if (pitch == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMallocPitch: no place for the pitch");
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return new_block(pointer, *pitch * height, MemoryKind::device, 0, site, "cudaMallocPitch");
}

cudaError_t allocate_host(void** pointer, size_t bytes, unsigned int flags, Site site) {
  if (flags > 7)
    return fail(cudaErrorInvalidValue, site, format("cudaHostAlloc: there are no flags %u", flags));
  return new_block(pointer, bytes, MemoryKind::pinned, flags, site, "cudaHostAlloc");
}

cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags, Site site) {
  note_runtime_use();
  return new_block(pointer, bytes, MemoryKind::managed, flags, site, "cudaMallocManaged");
}

// ---- copies ----

namespace {

struct Side {
  const Block* block = nullptr;
  bool device() const { return block != nullptr && block->kind != MemoryKind::pinned; }
  bool managed() const { return block != nullptr && block->kind == MemoryKind::managed; }
  // Memory that the device can reach without the driver's help.
  bool pageable() const { return block == nullptr; }
};

std::string side_in_words(const Side& side) {
  if (side.block == nullptr) return "ordinary host memory";
  return block_in_words(*side.block);
}

// Looks up a pointer and checks that `bytes` from there are all inside. `symbol` pointers are known
// to be good.
cudaError_t check_side(const void* pointer, size_t bytes, const char* name, Site site, Side* side) {
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, site, format("the %s of the copy is NULL", name),
                "was it allocated, and did the allocation succeed?");
  side->block = find_block(pointer);
  if (side->block == nullptr) {
    if (const Freed* freed = find_freed(pointer))
      return fail(cudaErrorInvalidValue, site,
                  format("the %s of the copy was %s", name, freed_in_words(*freed).c_str()),
                  "free memory after its last use", "use-after-free");
    return cudaSuccess;
  }
  const size_t left = side->block->base + side->block->bytes - reinterpret_cast<uintptr_t>(pointer);
  if (bytes > left)
    return fail(cudaErrorInvalidValue, site,
                format("the copy of %zu bytes goes beyond the %s: %zu bytes are left there of the %s",
                       bytes, name, left, block_in_words(*side->block).c_str()),
                "sizes are in bytes: count * sizeof(element)");
  return cudaSuccess;
}

// Whether device memory, or a variable that is known to be the device's, holds this pointer: a kernel
// has put it there. Looks through all of it, except what is large, so only where nothing else is known.
bool device_holds(const void* pointer) {
  constexpr size_t kLarge = size_t(64) << 20;
  const OpenDeviceMemory open;
  for (const auto& [base, block] : blocks()) {
    if (block.kind == MemoryKind::pinned || block.bytes > kLarge) continue;
    const auto* words = reinterpret_cast<void* const*>((base + 7) / 8 * 8);
    const auto* end = reinterpret_cast<void* const*>((base + block.bytes) / 8 * 8);
    if (words < end && std::find(words, end, pointer) != end) return true;
  }
  return false;
}

// A variable that no function has: the host's, or one that is __device__, which looks the same here.
bool is_global_variable(const void* pointer) {
  struct Search {
    uintptr_t address;
    bool found;
  } search{reinterpret_cast<uintptr_t>(pointer), false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* it = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const auto& part = info->dlpi_phdr[i];
          const uintptr_t from = info->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && it->address - from < part.p_memsz) it->found = true;
        }
        return 0;
      },
      &search);
  return search.found;
}

// Checks a copy of any shape; the sizes are those from the first byte to the last.
cudaError_t check_copy(void* to, size_t to_bytes, const void* from, size_t from_bytes,
                       cudaMemcpyKind kind, bool async, Site site, Side* target, Side* source) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection, site,
                format("there is no copy direction %d", static_cast<int>(kind)));
  cudaError_t error = check_side(to, to_bytes, "destination", site, target);
  if (error == cudaSuccess) error = check_side(from, from_bytes, "source", site, source);
  if (error != cudaSuccess || kind == cudaMemcpyDefault) return error;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // Pinned memory counts as the device's too, because kernels may use it.
  const auto fits = [](const Side& side, const void* pointer, bool wanted) {
    return side.managed() || side.device() == wanted ||
           (wanted &&
            (side.block != nullptr || (is_global_variable(pointer) && device_holds(pointer))));
  };
  if (fits(*target, to, to_device) && fits(*source, from, from_device)) return cudaSuccess;
  const cudaMemcpyKind right = target->device() ? source->device() ? cudaMemcpyDeviceToDevice
                                                                   : cudaMemcpyHostToDevice
                               : source->device() ? cudaMemcpyDeviceToHost
                                                  : cudaMemcpyHostToHost;
  explain(site,
          format("the direction %s does not fit: the destination is %s, the source is %s", name_of(kind),
                 side_in_words(*target).c_str(), side_in_words(*source).c_str()),
          format("for these two it is %s; or are destination (first) and source (second) swapped?",
                 name_of(right)),
          "wrong-pointer");
  // A GPU, too, copies what it knows, such as pinned memory, the way that the addresses say.
  const bool known = target->block != nullptr && source->block != nullptr;
  return async && known ? cudaSuccess : fail(cudaErrorInvalidValue);
}

struct Rows {
  size_t to_pitch, from_pitch, width, height;
};

// Rows with gaps between them have no range: other work may be in the gaps.
Operation::Range range(const void* start, size_t pitch, const Rows& rows, bool written) {
  const auto low = reinterpret_cast<uintptr_t>(start);
  const bool gaps = rows.height > 1 && pitch != rows.width;
  return {low, low + (gaps ? 0 : rows.width * rows.height), written};
}

void copy_rows(void* to, const void* from, const Rows& rows) {
  if (rows.to_pitch == rows.width && rows.from_pitch == rows.width) {
    memmove(to, from, rows.width * rows.height);
    return;
  }
  for (size_t y = 0; y < rows.height; y++)
    memmove(static_cast<char*>(to) + y * rows.to_pitch,
            static_cast<const char*>(from) + y * rows.from_pitch, rows.width);
}

// The copy that this thread is making, and the last one to a variable on the stack of host code: for
// explanations of crashes, since `cudaMemcpy(&vector, ...)` overwrites the vector and what is near it.
struct NotedCopy {
  Site site;
  uintptr_t to;
  size_t bytes;
};
thread_local const NotedCopy* volatile copy_at_work = nullptr;
thread_local NotedCopy last_to_stack{{nullptr, 0}, 0, 0};

void copy_noted(Site site, void* to, const void* from, const Rows& rows) {
  const auto target = reinterpret_cast<uintptr_t>(to);
  const NotedCopy note{site, target, rows.width * rows.height};
  constexpr size_t kStack = size_t(8) << 20;
  if (target - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kStack &&
      note.bytes > sizeof(void*))
    last_to_stack = note;
  copy_at_work = &note;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the handler of a crash reads it
  copy_rows(to, from, rows);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  copy_at_work = nullptr;
}

// All copies. When the host may go on: CUDA's rules, see "API synchronization behavior" in its
// documentation; where the rules allow it to be late, it is.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 cudaStream_t handle, bool async, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  // The pitch of a single row is never used, and CUDA takes a 0 for it.
  const auto fits = [&](size_t pitch) { return rows.width <= pitch || (pitch == 0 && rows.height <= 1); };
  if (!fits(rows.to_pitch) || !fits(rows.from_pitch))
    return fail(cudaErrorInvalidPitchValue, site,
                format("rows of %zu bytes do not fit into pitches of %zu and %zu bytes", rows.width,
                       rows.to_pitch, rows.from_pitch));
  const cudaError_t broken = device(stream->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  if (rows.width == 0 || rows.height == 0) {
    // A copy of nothing still waits for what comes before it.
    if (!async && kind != cudaMemcpyDeviceToDevice)
      force(enqueue(stream, site, [] { return cudaSuccess; }));
    return fail(device(stream->device).broken);
  }
  Side target, source;
  const cudaError_t error =
      check_copy(to, rows.to_pitch * (rows.height - 1) + rows.width, from,
                 rows.from_pitch * (rows.height - 1) + rows.width, kind, async, site, &target, &source);
  if (error != cudaSuccess) return error;
  const bool within_device = target.device() && source.device();
  if (check::on && target.device() && !source.device())
    check::copied_from_host(to, rows.width * rows.height, site);
  if ((source.pageable() && !check::host_side(from, rows.width * rows.height, "source", site)) ||
      (target.pageable() && !check::host_side(to, rows.width * rows.height, "destination", site)))
    return fail(cudaErrorInvalidValue);
  if (async && source.pageable() && target.device() && stream->capture == nullptr) {
    // From pageable memory the driver takes its own copy before it returns.
    auto staged = std::make_shared<std::vector<unsigned char>>(rows.width * rows.height);
    copy_rows(staged->data(), from, {rows.width, rows.from_pitch, rows.width, rows.height});
    const OperationPointer operation = enqueue(stream, site, [=] {
      check::copied(to, rows.to_pitch, nullptr, 0, rows.width, rows.height, site);
      copy_rows(to, staged->data(), {rows.to_pitch, rows.width, rows.width, rows.height});
      return cudaSuccess;
    });
    operation->what = "copy";
    set_ranges(operation, {range(to, rows.to_pitch, rows, true)});
    return cudaSuccess;
  }
  const OperationPointer operation = enqueue(stream, site, [=] {
    check::copied(to, rows.to_pitch, from, rows.from_pitch, rows.width, rows.height, site);
    copy_noted(site, to, from, rows);
    return cudaSuccess;
  });
  operation->what = "copy";
  set_ranges(operation,
             {range(to, rows.to_pitch, rows, true), range(from, rows.from_pitch, rows, false)});
  const bool within_host = !target.device() && !source.device();
  const bool may_be_late =
      within_device || (async && !source.pageable() && !target.pageable() && !within_host);
  if (!may_be_late) {
    force(operation);
    check::host_waited_for(*operation);
  }
  return fail(device(stream->device).broken);
}

cudaError_t fill(void* pointer, size_t pitch, int value, size_t width, size_t height,
                 cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t broken = device(stream->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch) return fail(cudaErrorInvalidPitchValue, site, "cudaMemset2D: rows longer than the pitch");
  Side side;
  const cudaError_t error =
      check_side(pointer, pitch * (height - 1) + width, "memory to set", site, &side);
  if (error != cudaSuccess) return error;
  if (side.block == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaMemset of ordinary host memory",
                "it is for device memory; on the host use memset()");
  const OperationPointer operation = enqueue(stream, site, [=] {
    check::copied(pointer, pitch, nullptr, 0, width, height, site);
    for (size_t y = 0; y < height; y++) memset(static_cast<char*>(pointer) + y * pitch, value, width);
    return cudaSuccess;
  });
  operation->what = "memset";
  set_ranges(operation, {range(pointer, pitch, {pitch, pitch, width, height}, true)});
  return cudaSuccess;
}

// Makes a variable known, so that its address passes as device memory.
void know_symbol(void* symbol, size_t bytes) {
  const auto base = reinterpret_cast<uintptr_t>(symbol);
  if (blocks().count(base) != 0) return;
  blocks()[base] = {base, bytes, MemoryKind::symbol, current_device(), 0, {"a declaration", 0},
                    nullptr, 0};
  if (settings().devices > 1) {
    const auto* contents = static_cast<const unsigned char*>(symbol);
    symbol_copies()[base].assign(static_cast<size_t>(settings().devices),
                                 {contents, contents + bytes});
  }
}

cudaError_t check_symbol(size_t symbol_bytes, size_t bytes, size_t offset, Site site) {
  if (offset <= symbol_bytes && bytes <= symbol_bytes - offset) return cudaSuccess;
  return fail(cudaErrorInvalidValue, site,
              format("the copy of %zu bytes from byte %zu on goes beyond the variable, which has %zu",
                     bytes, offset, symbol_bytes),
              "sizes and offsets are in bytes");
}

}  // namespace

Known describe_copy(const void* address, Site* site) {
  const char* const vector = "a std::vector's elements are at vector.data(), not at &vector";
  const auto a = reinterpret_cast<uintptr_t>(address);
  if (const NotedCopy* copy = copy_at_work) {
    *site = copy->site;
    if (a - copy->to < copy->bytes)
      return {format("the copy has %zu bytes to write, and its destination ends after %zu of them",
                     copy->bytes, static_cast<size_t>(a - copy->to)),
              vector};
    return {format("the copy has %zu bytes to read, and its source has fewer", copy->bytes), vector};
  }
  if (last_to_stack.bytes == 0) return {};
  *site = last_to_stack.site;
  return {format("before that, the copy at %s:%d wrote %zu bytes to a local variable: had it room for "
                 "them?",
                 site->file, site->line, last_to_stack.bytes),
          vector};
}

cudaError_t copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                           Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_symbol(symbol_bytes, bytes, offset, site);
  if (error != cudaSuccess) return error;
  know_symbol(symbol, symbol_bytes);
  return copy(static_cast<char*>(symbol) + offset, from, {bytes, bytes, bytes, 1}, kind, stream, async,
              site);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t symbol_bytes, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                             Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_symbol(symbol_bytes, bytes, offset, site);
  if (error != cudaSuccess) return error;
  know_symbol(const_cast<void*>(symbol), symbol_bytes);
  return copy(to, static_cast<const char*>(symbol) + offset, {bytes, bytes, bytes, 1}, kind, stream,
              async, site);
}

cudaError_t symbol_address(void** pointer, void* symbol, size_t bytes) {
  const Guard guard(host_lock());
  know_symbol(symbol, bytes);
  *pointer = symbol;
  return cudaSuccess;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaFree(void* pointer, Site site) {
  if (in_kernel()) {
    free(pointer);
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
  if (const Block* block = find_block(pointer))
    check::frees(block->base, block->bytes, stream, site);
  force(stream->last);
  return free_block(pointer, false, site, "cudaFreeAsync");
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  return copy(to, from, {bytes, bytes, bytes, 1}, kind, nullptr, false, site);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Site site) {
  return copy(to, from, {bytes, bytes, bytes, 1}, kind, stream, true, site);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Site site) {
  return copy(to, from, {to_pitch, from_pitch, width, height}, kind, nullptr, false, site);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                              Site site) {
  return copy(to, from, {to_pitch, from_pitch, width, height}, kind, stream, true, site);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes, Site site) {
  return fill(pointer, bytes, value, bytes, 1, nullptr, site);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream, Site site) {
  return fill(pointer, bytes, value, bytes, 1, stream, site);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height,
                         Site site) {
  return fill(pointer, pitch, value, width, height, nullptr, site);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Site site) {
  return fill(pointer, pitch, value, width, height, stream, site);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, Site site) {
  const Guard guard(host_lock());
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  return copy(to, from, {bytes, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, nullptr, false, site);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                cudaStream_t stream, Site site) {
  return copy(to, from, {bytes, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, stream, true, site);
}

// ---- pinned and registered host memory ----

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int,
                                     Site site) {
  const Guard guard(host_lock());
  const Block* block = find_block(host_pointer);
  if (block == nullptr || block->kind != MemoryKind::pinned)
    return fail(cudaErrorInvalidValue, site, "the pointer is not of pinned host memory",
                "allocate it with cudaHostAlloc(..., cudaHostAllocMapped)");
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
    return fail(cudaErrorInvalidValue, site, "cudaHostRegister of nothing");
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  const auto after = blocks().upper_bound(base);
  if (find_block(pointer) != nullptr || (after != blocks().end() && after->first < base + bytes))
    return fail(cudaErrorHostMemoryAlreadyRegistered, site,
                "this memory, or a part of it, is pinned or registered already");
  blocks()[base] = {base, bytes, MemoryKind::pinned, current_device(), flags, site, nullptr, 0};
  check::registered(base, bytes);
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

// ---- managed memory: hints that change nothing here, but must be given for managed memory ----

static cudaError_t check_managed(const void* pointer, size_t bytes, const char* function, Site site) {
  const Guard guard(host_lock());
  const Block* block = find_block(pointer);
  const size_t offset =
      block == nullptr ? 0 : static_cast<size_t>(reinterpret_cast<uintptr_t>(pointer) - block->base);
  if (block == nullptr || block->kind != MemoryKind::managed || bytes > block->bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                format("%s of what is not, or not entirely, managed memory", function),
                "allocate it with cudaMallocManaged()");
  return cudaSuccess;
}

// What the program advised about an allocation. It changes nothing here; programs ask for it.
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
                format("cudaMemPrefetchAsync: there is no device %d", to_device));
  const cudaError_t error = check_managed(pointer, bytes, "cudaMemPrefetchAsync", site);
  if (error != cudaSuccess) return error;
  const Guard guard(host_lock());
  if (find_stream(stream, site) == nullptr) return cudaErrorInvalidResourceHandle;
  advice_on(pointer).prefetched_to = to_device;
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation to, unsigned int,
                                 cudaStream_t stream, Site site) {
  const int to_device = to.type == cudaMemLocationTypeDevice ? to.id : cudaCpuDeviceId;
  return cudaMemPrefetchAsync(pointer, bytes, to_device, stream, site);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          Site site) {
  const cudaError_t error = check_managed(pointer, bytes, "cudaMemAdvise", site);
  if (error != cudaSuccess) return error;
  const Guard guard(host_lock());
  Advice& noted = advice_on(pointer);
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
    return fail(cudaErrorInvalidValue, site, "the attributes of managed memory are of type int");
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
