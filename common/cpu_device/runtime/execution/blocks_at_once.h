// How many blocks of a launch run at the same time, and launches whose blocks wait for those that cannot start.
#pragma once

#include <cstddef>

#include "engine.h"

namespace cpu_device {

// As many as the device has at work at the same time, or a large GPU would have.
int most_blocks_at_once(dim3 block, size_t shared_bytes);
// Whether many blocks have started, none of them has ended, and the launch has more blocks than can run at the same
// time. If all that have started wait, there is no need to start more to know that they wait in vain.
bool waits_in_vain(Grid& grid);

}  // namespace cpu_device
