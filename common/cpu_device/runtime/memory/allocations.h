// What is allocated: every pointer that a program passes in is looked up here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

enum class MemoryKind { device, pinned, managed, symbol, graphics };

struct Block {
  uintptr_t base;
  size_t bytes;
  MemoryKind kind;
  int device;
  unsigned int flags;
  Site site;       // where it was allocated
  void* mapping;   // what to unmap, with the guard pages; null if there is nothing to unmap
  size_t mapping_bytes;
  bool closed_to_host = false;  // unless an OpenDeviceMemory exists
  Site freed = {nullptr, 0};    // where it was freed in a stream that has not come so far yet
};
// The block that holds the address, or null.
const Block* find_block(const void* address);
const Block* first_block_in(const void* base, size_t bytes);  // the first that begins in these bytes, or null
// Whether a call of the host's has allocated it as a whole: not a kernel, a graph or a mapping of the program's own.
bool is_of_host_call(const Block& block);
void for_all_blocks(const std::function<void(const Block&)>& function);

// What is known about an address, in words, and what to do about it; both empty if nothing is known.
struct Known {
  std::string what, hint;
};
Known describe(const void* address);
// What a copy has to do with a crash of host code at the address, and where it is written; empty if
// nothing.
Known describe_copy(const void* address, Site* site);

// The heap of kernels, in a checked run (execution/kernel_heap.cpp).
void* allocate_on_kernel_heap(size_t bytes, int device, Site site);
// Why memory cannot be freed; `kind` is what a checked run calls it.
struct HeapMisuse {
  std::string what;
  const char* kind;
};
bool free_on_kernel_heap(void* pointer, Site site, HeapMisuse* misuse);

void free_all_memory(int device);

// Device memory that the program has mapped itself (driver/virtual_memory.cpp).
void add_mapped_memory(void* memory, size_t bytes, Site site);
void remove_mapped_memory(void* memory, size_t bytes);
// Memory of OpenGL's that is mapped for CUDA.
void add_graphics_memory(void* memory, size_t bytes, Site site);
void remove_graphics_memory(void* memory);

}  // namespace cpu_device
