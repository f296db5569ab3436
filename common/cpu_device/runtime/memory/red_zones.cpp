// Red zones: the bytes between an allocation's end and the boundary that it is rounded up to, and those
// before it on its first page. A write there causes no fault, as on a GPU. But red zones hold the pattern of
// uninitialized memory, and a write destroys it.
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

constexpr size_t kBytesBefore = 256;  // bytes before an allocation that are watched

struct RedZones {
  uintptr_t before, base, end, after;  // they are [before, base) and [end, after)
  Site site;
};
// Of memory that only kernels can write, and of memory that the host can also write.
std::map<uintptr_t, RedZones>& watched(bool by_host) {
  static auto* all = new std::map<uintptr_t, RedZones>[2];
  return all[by_host];
}

unsigned char pattern_at(uintptr_t address) {
  return static_cast<unsigned char>(kFreshWord >> (address % 4 * 8));
}

bool intact(uintptr_t low, uintptr_t high) {
  static const auto& words = *new std::vector<unsigned>(4096 / sizeof(unsigned) + 1, kFreshWord);
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

bool report_damage(const RedZones& zones, Site site, const char* who) {
  const auto [first, last] = changed(zones.end, zones.after);
  const auto [front, front_end] = changed(zones.before, zones.base);
  if (first == last && front == front_end) return false;
  const bool behind = first < last;
  explain(site.file == nullptr ? zones.site : site,
          behind
              ? format("%s wrote up to %zu bytes beyond the end of the memory allocated at %s:%d",
                       who, static_cast<size_t>(last - zones.end), zones.site.file, zones.site.line)
              : format("%s wrote up to %zu bytes before the memory allocated at %s:%d", who,
                       static_cast<size_t>(zones.base - front), zones.site.file, zones.site.line),
          behind ? kIndexTooLarge : kIndexNegative, "out-of-bounds");
  write_pattern(first, last);
  write_pattern(front, front_end);
  return true;
}

}  // namespace

void add_red_zones(const Block& block, uintptr_t first, size_t rounded) {
  if (check::on) return;  // a checked run sees each access
  const uintptr_t end = block.base + block.bytes, after = block.base + rounded;
  const RedZones zones{std::max(first, block.base - kBytesBefore), block.base, end, after, block.site};
  if (zones.before == block.base && end == after) return;
  write_pattern(zones.before, zones.base);
  write_pattern(end, after);
  watched(block.kind != MemoryKind::device)[block.base] = zones;
}

void remove_red_zones(uintptr_t base) {
  for (const bool by_host : {false, true}) watched(by_host).erase(base);
}

bool red_zones_damaged(Site site, const char* who, bool by_host) {
  bool damaged = false;
  for (const auto& entry : watched(true)) damaged |= report_damage(entry.second, site, who);
  if (by_host) return damaged;
  for (const auto& entry : watched(false)) damaged |= report_damage(entry.second, site, who);
  return damaged;
}

}  // namespace cpu_device
