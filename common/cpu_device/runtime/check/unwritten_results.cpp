// Bytes of host memory that came from device memory which nobody had written.
#include "unwritten_results.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "accesses.h"
#include "host_accesses.h"
#include "host_misuse.h"
#include "reports.h"
#include "source_lines.h"
#include "uninitialized_reads.h"

namespace cpu_device::check {

namespace {

// Bytes of the host's memory that came from device memory which nobody had written, by the first one: ranges
// that do not touch.
struct Unwritten {
  uintptr_t low, high;
  uintptr_t base;  // where the copy began
  Site copy, allocated;
  size_t copied = 0, bytes = 0;  // of a block of malloc() or new, if the copy did not fill it
};
std::map<uintptr_t, Unwritten>& unwritten() {
  static auto* all = new std::map<uintptr_t, Unwritten>;
  return *all;
}
std::map<uintptr_t, Unwritten>::iterator first_unwritten(uintptr_t low) {
  auto at = unwritten().upper_bound(low);
  if (at != unwritten().begin() && std::prev(at)->second.high > low) --at;
  return at;
}

}  // namespace

bool any_unwritten() { return !unwritten().empty(); }

// A read of [low, high) that meets such a range is a mistake, unless it may be a structure's with padding. There,
// something else in the same 8 bytes is written and read.
void host_reads_unwritten(uintptr_t low, uintptr_t high, unsigned id) {
  for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < high;) {
    const Unwritten found = at->second;
    const uintptr_t end = std::min(found.high, high);
    uintptr_t from = std::max(found.low, low);
    while (from < end && (found.low > std::max(low, from & ~uintptr_t(7)) || end < std::min(high, (from | 7) + 1)))
      from = (from | 7) + 1;
    ++at;
    if (from >= end) continue;
    unwritten().erase(found.low);
    if (found.copied == 0)
      report_unwritten(id, found.copy, found.allocated, from - found.base);
    else if (looks_fresh(from, static_cast<unsigned>(std::min<uintptr_t>(end - from, 4))))
      report_short_copy(id, found.copy, found.allocated, found.copied, found.bytes);
  }
}

void forget_unwritten(uintptr_t low, uintptr_t high) {
  for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < high;) {
    Unwritten before = at->second, behind = before;
    at = unwritten().erase(at);
    before.high = low;
    behind.low = high;
    if (before.low < before.high) unwritten()[before.low] = before;
    if (behind.low < behind.high) unwritten()[behind.low] = behind;
  }
}

// memcpy(): memory that was never written is not used yet. Its copy also counts as never written.
void library_copy(void* to, const void* from, size_t bytes, const void* reads, const void* writes) {
  if (muted) return;  // a string of ours: its lock may be held by the one that waits for this thread
  const auto low = reinterpret_cast<uintptr_t>(from), target = reinterpret_cast<uintptr_t>(to);
  std::vector<Unwritten> carried;
  if (checking == nullptr) {
    const std::lock_guard<std::recursive_mutex> guard(host_mutex());
    for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < low + bytes; ++at)
      carried.push_back(at->second);
    forget_unwritten(low, low + bytes);
  }
  library_access(from, bytes, false, reads);
  library_access(to, bytes, true, writes);
  if (carried.empty()) return;
  const std::lock_guard<std::recursive_mutex> guard(host_mutex());
  for (Unwritten one : carried) {
    one.low = std::max(one.low, low);
    one.high = std::min(one.high, low + bytes);
    unwritten()[one.low] = one;
    one.low += target - low;
    one.high += target - low;
    one.base += target - low;
    unwritten()[one.low] = one;
  }
}

// A copy to the beginning of a block of malloc() or new that nobody has touched behind what was copied.
void note_rest_of_block(uintptr_t to, size_t copied, Site site) {
  uintptr_t base = 0;
  size_t bytes = 0;
  const void* counter = nullptr;
  if (!fresh_host_block(to, &base, &bytes, &counter) || base != to || copied >= bytes) return;
  uintptr_t from = (to + copied + 3) & ~uintptr_t(3);
  while (from + 4 <= base + bytes && !looks_fresh(from, 4)) from += 4;
  uintptr_t end = from;
  while (end + 4 <= base + bytes && looks_fresh(end, 4)) end += 4;
  if (end == from) return;
  const Site allocated = lasting_site({counter, {nullptr, 0}, Access::write, Scope::system, 0});
  forget_unwritten(from, end);
  unwritten()[from] = {from, end, to, site, allocated, copied, bytes};
  host_is_watched = true;
}

// What such a block sends to the device although nobody has set it: ranges in the device's memory.
void note_unset_input(uintptr_t to, uintptr_t from, size_t bytes) {
  constexpr uintptr_t kShortest = 16;  // less may be by chance
  uintptr_t base = 0;
  size_t size = 0;
  const void* counter = nullptr;
  if (!fresh_host_block(from, &base, &size, &counter) || (base & 3) != 0) return;
  const uintptr_t end = std::min(from + bytes, base + size) & ~uintptr_t(3);
  for (uintptr_t at = (from + 3) & ~uintptr_t(3); at < end; at += 4) {
    const uintptr_t low = at;
    while (at < end && looks_fresh(at, 4)) at += 4;
    if (at - low >= kShortest) set_cells(arena, to + (low - from), at - low, {0, 0});
  }
}

void note_unwritten(uintptr_t at, size_t bytes, uintptr_t base, Site copy, Site allocated) {
  unwritten()[at] = {at, at + bytes, base, copy, allocated};
}

}  // namespace cpu_device::check
