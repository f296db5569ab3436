// What kernels have written and the host has got.
#pragma once

#include "state.h"

namespace cpu_device::check {

// The host gets these bytes: by a copy from there, or because the memory is its own and is about to be freed.
void note_kernel_results(Region& region, uintptr_t address, size_t bytes);
// The last write of the cell or an atomic since, if a kernel made it; else 0.
Record write_of_kernel(const Cell& cell);

}  // namespace cpu_device::check

// For a program that wants to know whether its results are a kernel's. Weak there: only checked runs have them.
extern "C" {
// How many bytes that kernels have written the host has got so far. SIZE_MAX: not known, nothing is checked.
size_t cpu_device_kernel_bytes();
// Whether this is an element of `bytes` (1, 2, 4 or 8) among them.
bool cpu_device_from_kernel(const void* element, size_t bytes);
}
