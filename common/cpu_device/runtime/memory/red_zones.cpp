// The edges of allocations: the bytes between an allocation's end and the next boundary that it is
// rounded up to (and those in front of it, on its first page). No fault tells of a write there, as
// on a GPU; but fresh memory holds a pattern, and whoever wrote there has destroyed it.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "../check/check.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "allocations.h"
#include "around_operations.h"
#include "red_zones.h"
#include "uninitialized_memory.h"

namespace cpu_device {

namespace {

constexpr size_t kEdge = 256;  // bytes in front of an allocation that are watched

struct Edges {
  uintptr_t before, base, end, after;  // [before, base) and [end, after) belong to nobody
  Site site;
};
// Of memory that only kernels can write, and of memory that the host can write, too.
std::map<uintptr_t, Edges>& watched(bool by_host) {
  static auto* all = new std::map<uintptr_t, Edges>[2];
  return all[by_host];
}

unsigned char pattern_at(uintptr_t address) {
  return static_cast<unsigned char>(kFreshWord >> (address % 4 * 8));
}

bool intact(uintptr_t low, uintptr_t high) {
  static const std::vector<unsigned> words(4096 / sizeof(unsigned) + 1, kFreshWord);
  return memcmp(reinterpret_cast<const void*>(low),
                reinterpret_cast<const char*>(words.data()) + low % 4, high - low) == 0;
}

// The part of [low, high) that holds something else, from the first byte to the last.
std::pair<uintptr_t, uintptr_t> changed(uintptr_t low, uintptr_t high) {
  if (intact(low, high)) return {high, high};
  while (intact(low, low + 1)) low++;
  while (intact(high - 1, high)) high--;
  return {low, high};
}

void write_pattern(uintptr_t low, uintptr_t high) {
  for (; low < high; low++) *reinterpret_cast<unsigned char*>(low) = pattern_at(low);
}

bool look_at(const Edges& edges, Site site, const char* who) {
  const auto [first, last] = changed(edges.end, edges.after);
  const auto [front, front_end] = changed(edges.before, edges.base);
  if (first == last && front == front_end) return false;
  const bool behind = first < last;
  explain(site.file == nullptr ? edges.site : site,
          behind
              ? format("%s wrote up to %zu bytes beyond the end of the memory allocated at %s:%d",
                       who, static_cast<size_t>(last - edges.end), edges.site.file, edges.site.line)
              : format("%s wrote up to %zu bytes in front of the memory allocated at %s:%d", who,
                       static_cast<size_t>(edges.base - front), edges.site.file, edges.site.line),
          "compare the index with the size of the array, as in `if (i < n)`", "out-of-bounds");
  write_pattern(first, last);
  write_pattern(front, front_end);
  return true;
}

}  // namespace

void add_red_zones(const Block& block, uintptr_t first, size_t rounded) {
  if (check::on) return;  // a checked run sees each access
  const uintptr_t end = block.base + block.bytes, after = block.base + rounded;
  const Edges edges{std::max(first, block.base - kEdge), block.base, end, after, block.site};
  if (edges.before == block.base && end == after) return;
  write_pattern(edges.before, edges.base);
  write_pattern(end, after);
  watched(block.kind != MemoryKind::device)[block.base] = edges;
}

void remove_red_zones(uintptr_t base) {
  for (const bool by_host : {false, true}) watched(by_host).erase(base);
}

bool red_zones_damaged(Site site, const char* who, bool by_host) {
  bool damaged = false;
  for (const auto& entry : watched(true)) damaged |= look_at(entry.second, site, who);
  if (by_host) return damaged;
  for (const auto& entry : watched(false)) damaged |= look_at(entry.second, site, who);
  return damaged;
}

}  // namespace cpu_device
