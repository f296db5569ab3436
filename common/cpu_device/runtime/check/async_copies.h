// Copies to shared memory in the background.
#pragma once

#include "state.h"

namespace cpu_device::check {

// The first segment of a copy in the background that no thread of the block has waited for.
uint64_t oldest_copy(const Context& c);
// Whether that thread has still to wait for it.
bool is_open_copy(const Context& c, unsigned thread, uint64_t segment);

}  // namespace cpu_device::check
