// Bytes around an allocation that nothing may write.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device {

struct Block;

// `first`: where the block's pages begin; `rounded`: what its bytes are rounded up to.
void add_red_zones(const Block& block, uintptr_t first, size_t rounded);
void remove_red_zones(uintptr_t base);

}  // namespace cpu_device
