// What the host does with memory: freeing, the C library's functions.
#pragma once

#include "state.h"

namespace cpu_device::check {

// What the program has of malloc() or new there, if it held what fresh memory holds.
bool fresh_host_block(uintptr_t address, uintptr_t* base, size_t* bytes, const void** counter);

}  // namespace cpu_device::check
