// What the compiler tells of a program's basic blocks before they run.
#include "block_facts.h"

#include <unordered_map>

// What ../../branches/branches.awk has found: the last comparison of a block, unless it has a note
// of its own. Both addresses are counted from where they stand.
struct Comparison {
  int32_t block, comparison;
};
extern const Comparison begin_of_comparisons[] __asm__("__start_cpu_device_comparisons")
    __attribute__((weak, visibility("hidden")));
extern const Comparison end_of_comparisons[] __asm__("__stop_cpu_device_comparisons")
    __attribute__((weak, visibility("hidden")));

// The blocks of which it knows what comes next: the address behind the hook, that of the end, and
// that behind the next one's hook, each counted from where it stands.
struct Successor {
  int32_t block, end, next;
};
extern const Successor begin_of_successors[] __asm__("__start_cpu_device_successors")
    __attribute__((weak, visibility("hidden")));
extern const Successor end_of_successors[] __asm__("__stop_cpu_device_successors")
    __attribute__((weak, visibility("hidden")));

namespace cpu_device::check {

namespace {

uint32_t code_at(const int32_t& distance) {
  return code_of(reinterpret_cast<const char*>(&distance) + distance);
}

std::unordered_map<uint32_t, BlockFacts> read_facts() {
  std::unordered_map<uint32_t, BlockFacts> facts;
  for (auto* one = begin_of_comparisons; one != end_of_comparisons; one++)
    facts[code_at(one->block)].comparison = code_at(one->comparison);
  for (auto* one = begin_of_successors; one != end_of_successors; one++) {
    BlockFacts& block = facts[code_at(one->block)];
    block.end = code_at(one->end);
    block.next = code_at(one->next);
  }
  return facts;
}

}  // namespace

BlockFacts look_for_facts(uint32_t block) {
  static const auto& all = *new std::unordered_map<uint32_t, BlockFacts>(read_facts());
  const auto found = all.find(block);
  return found == all.end() ? BlockFacts{} : found->second;
}

}  // namespace cpu_device::check
