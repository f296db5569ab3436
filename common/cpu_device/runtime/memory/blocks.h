// The table of allocations, for the files of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "allocations.h"

namespace cpu_device {

// Flags of a block, above those of cudaHostAlloc().
constexpr unsigned kStreamOrdered = 1u << 31;   // of cudaMallocAsync()
constexpr unsigned kOfKernel = 1u << 30;  // of malloc() or new in a kernel
constexpr unsigned kMapped = 1u << 29;    // of cuMemMap()
constexpr unsigned kOfGraph = 1u << 28;   // of a graph's node: after it was freed, a launch allocates it again

std::map<uintptr_t, Block>& blocks();

// What was freed lately, for explanations. Until it is forgotten its addresses stay reserved:
// neither the host's allocator nor this one hands them out again, so an access to one is a use of freed
// memory.
struct Freed {
  uintptr_t base;
  size_t bytes;
  Site allocated, freed;
  void* mapping;
  size_t mapping_bytes;
  unsigned int flags;
};
std::deque<Freed>& freed_blocks();
const Freed* find_freed(const void* address);

std::string freed_in_words(Site freed);
// Where the memory at an address was freed, also if its stream has not come so far yet; no file: it was not.
Site where_freed(const void* address);
std::string block_in_words(const Block& block);

// Maps `bytes`, ending at the end of a page (rounded to the alignment), between two guards if wanted.
bool map_block(size_t bytes, Block* block, bool guarded = true);
// Makes mapped memory a block: ending at the end of a page, between guards if the mapping has room for them.
void place_block(Block* block);
void release(const Block& block, Site site);
// Neither the device nor the pool counts the block's bytes from now on.
void uncount(const Block& block);

}  // namespace cpu_device
