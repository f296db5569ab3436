// Launches, and their workers, which take turns in a checked run.
#pragma once

#include "state.h"

namespace cpu_device::check {

void block_ends(Context& c);
// At the beginning of a block: its shared memory holds what fresh memory holds.
void refresh_shared(Context& c);
void prepare_dynamic_shared(Context& c, size_t bytes);

}  // namespace cpu_device::check
