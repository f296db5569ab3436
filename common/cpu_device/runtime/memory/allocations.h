// What is allocated: every pointer that a program passes in is looked up here.
#pragma once

#include <cstddef>
#include <cstdint>
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
  bool closed_to_host = false;  // unless an OpenDeviceMemory lives
};
// The block that holds the address, or null.
const Block* find_block(const void* address);

// What is known about an address, in words, and what to do about it; both empty if nothing is known.
struct Known {
  std::string what, hint;
};
Known describe(const void* address);
// What a copy has to do with a crash of host code at the address, and where it is written; empty if
// nothing.
Known describe_copy(const void* address, Site* site);

// malloc() and free(), new and delete of a kernel, in a checked run.
void* allocate_in_kernel(size_t bytes, Site site);
void free_in_kernel(void* pointer, Site site);

void free_all_memory(int device);

// Device memory that the program has mapped itself (driver/virtual_memory.cpp).
void add_mapped_memory(void* memory, size_t bytes, Site site);
void remove_mapped_memory(void* memory, size_t bytes);
// Memory of OpenGL's that is mapped for CUDA.
void add_graphics_memory(void* memory, size_t bytes, Site site);
void remove_graphics_memory(void* memory);

// While one of these lives, memory of other devices is closed, unless `device` may access them as
// peers: for kernels, where there are several devices.
class CloseForeignMemory {
 public:
  explicit CloseForeignMemory(int device);
  ~CloseForeignMemory();
  CloseForeignMemory(const CloseForeignMemory&) = delete;
  CloseForeignMemory& operator=(const CloseForeignMemory&) = delete;

 private:
  int device_;
};

}  // namespace cpu_device
