// What the compiler tells of a program's basic blocks before they run (../../branches/branches.awk).
#pragma once

#include "../check/log.h"

namespace cpu_device::check {

// What is known of a block before it runs; 0: none, or the log has it.
struct BlockFacts {
  uint32_t comparison = 0;     // with which it ends
  uint32_t end = 0, next = 0;  // where it ends, and which block follows
};

// From the program's tables.
BlockFacts look_for_facts(uint32_t block);

inline const BlockFacts& facts_of(uint32_t block) {
  struct Known {
    uint32_t block;
    BlockFacts facts;
  };
  static Known known[4096];
  Known& here = known[(block ^ block >> 12) % 4096];
  if (__builtin_expect(here.block != block, 0)) here = {block, look_for_facts(block)};
  return here.facts;
}

}  // namespace cpu_device::check
