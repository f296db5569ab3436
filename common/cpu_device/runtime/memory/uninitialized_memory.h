// What memory holds before it is initialized.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device {

constexpr unsigned kFreshWord = 0x7ffb7ffb;  // repeated

// Fills whole pages, large ones when they are first used if that may be; else those stay zeros.
void fill_uninitialized(void* memory, size_t bytes, bool may_be_late);
// Whether the fault at the address was the first use of such memory, which is filled now.
bool fill_on_fault(const void* address);
void forget_uninitialized(uintptr_t start, size_t bytes);

}  // namespace cpu_device
