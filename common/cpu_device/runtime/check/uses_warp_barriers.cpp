// __syncwarp() and the barriers of tiles. Linked only into programs that have one, which is how
// happens_before.cpp knows that they do.
#include "../../include/cooperative_groups.h"
#include "../../include/cpu_device/warp.h"
#include "state.h"

extern const bool cpu_device_uses_warp_barriers;
const bool cpu_device_uses_warp_barriers = true;

namespace cpu_device {

void checked_syncwarp(unsigned int mask, Site site) { exchange(mask, 0, site, true); }
void tile_barrier(unsigned int first, unsigned int count, Site site) {
  tile_exchange(first, count, 0, site, true);
}

}  // namespace cpu_device
