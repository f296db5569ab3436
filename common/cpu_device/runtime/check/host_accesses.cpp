// Accesses of host code.
#include "host_accesses.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "access_sets.h"
#include "happens_before.h"
#include "host_turns.h"
#include "memory_names.h"
#include "places.h"
#include "reports.h"
#include "uninitialized_reads.h"
#include "unwritten_results.h"

namespace cpu_device::check {

bool host_is_watched = false;

// A program that has made so many accesses since it last queued something waits for it, or is at
// work that takes long.
constexpr uint64_t kBusyAccesses = 3000000;
// One that a kernel waits for gives it a turn so often, and where it reads one word again and again.
constexpr uint64_t kAccessesOfTurn = 20000;
constexpr unsigned kReadsOfTurn = 16;
std::atomic<uint64_t> busy_left{0};
std::recursive_mutex& host_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}
bool reads_again(uintptr_t address, Access access) {
  static thread_local uintptr_t last = 0;
  static thread_local unsigned reads = 0;
  if (!is_read(access)) {
    note_host_step();
    last = 0;
    return false;
  }
  if (address != last) reads = 0;
  last = address;
  return ++reads % kReadsOfTurn == 0;
}
void start_if_waiting(uintptr_t address, Access access) {
  if (busy_left == 0) return;
  if (kernel_waits() && reads_again(address, access)) busy_left = 1;
  if (--busy_left != 0 || in_operation()) return;
  if (host_lock().try_lock()) {
    run_queued();
    host_lock().unlock();
  }
  if (kernel_waits()) busy_left = kAccessesOfTurn;
}

// A host that sees a flag is ordered after the work before it only if a fence is between the two. Kept are the
// threads of which a fence is known, and the last segment before it.
std::unordered_map<uint64_t, uint64_t>& fenced() {
  static auto* all = new std::unordered_map<uint64_t, uint64_t>;
  return *all;
}
void note_flag(const Context& c) {
  const uint64_t met = c.floor == 0 ? 0 : c.floor - 1;  // grid.sync() is a fence, too
  const uint64_t before = std::max(c.threads[c.who & 1023].fenced, met);
  if (before >= launch_first() && fenced().size() < 1000000) fenced()[c.who] = before;
}

// Volatile accesses and atomics wait for each other instead of being a mistake.
bool may_meet(Access a, Access b) { return !is_plain(a) && !is_plain(b); }

// Host memory that host functions in streams touch, word by word: what they wrote or read, and what
// the host did since such a function was queued.
struct Followed {
  Record by_function = 0, by_host = 0;
  bool function_wrote = false, host_wrote = false;
};

void follow_host(uintptr_t address, Access access, const void* counter) {
  static auto& words = *new std::unordered_map<uintptr_t, Followed>;
  if (!host_functions_queued() || words.size() > 1000000) return;
  const unsigned id = find_place(counter, access, 0);
  const Record fresh = host_record(id);
  Followed& word = words[address >> 2];
  const bool writes = !is_read(access);
  if (in_operation()) {
    if (word.by_host != 0 && (writes || word.host_wrote) &&
        !may_meet(access, place(place_of(word.by_host)).access) &&
        !operation_ordered(done_of(segment(word.by_host))))
      report_host(fresh, word.by_host, address, 4);
    word.by_function = fresh;
    word.function_wrote = writes;
  } else {
    if (word.by_function != 0 && (writes || word.function_wrote) &&
        !may_meet(access, place(place_of(word.by_function)).access) &&
        !host_ordered(done_of(segment(word.by_function)), segment(word.by_function)))
      report_host(word.by_function, fresh, address, 4);
    word.by_host = fresh;
    word.host_wrote = writes;
  }
}

// Memory for both that nobody has written, nor will when what is queued has run. Whole words that are as
// they were when the memory was fresh: what fills them may be a library, whose accesses nobody sees; and
// no more than an element, since who copies more may copy what lies between.
void host_reads_fresh(Region& region, uintptr_t address, size_t bytes, unsigned id) {
  constexpr size_t kMostBytes = 16;
  const uintptr_t low = address & ~uintptr_t(3), high = (address + bytes + 3) & ~uintptr_t(3);
  if (bytes > kMostBytes || &region != &arena || !looks_fresh(low, static_cast<unsigned>(high - low)))
    return;
  bool written = false;
  for_cells(region, low, high - low, [&](Cell& cell, uintptr_t, unsigned) { written |= cell.write != 0; });
  if (!written && nothing_is_queued()) report_host_early(id, address, static_cast<unsigned>(bytes));
}

// Reads that the host knows of say no more than its own; others stay.
static void note_host_read(Cell& cell, Record fresh) {
  bool others = false;
  for_set(cell.reads, [&](Record r) {
    const Done& earlier = done_of(segment(r));
    others = segment(r) > 1 && !earlier.host && !(in_operation() ? operation_ordered(earlier) : host_ordered(earlier, segment(r)));
    return !others;
  });
  if (!others)
    cell.reads = fresh;
  else if ((cell.reads & kSet) == 0 || newest_of(cell.reads) != fresh)
    cell.reads = make_set(fresh, as_parent(cell.reads));
}

void host_access(uintptr_t address, size_t bytes, Access access, const void* counter) {
  if (muted) return;
  if (observing()) {
    if (!observes_here()) return;
    return observe(address, bytes, access, find_place(counter, access, static_cast<unsigned>(bytes)),
                   counter);
  }
  static thread_local bool busy = false;
  if (busy) return;
  start_if_waiting(address, access);
  const std::lock_guard<std::recursive_mutex> guard(host_mutex());
  busy = true;
  if (any_unwritten()) {
    if (is_read(access))
      host_reads_unwritten(address, address + bytes, find_place(counter, access, static_cast<unsigned>(bytes)));
    else
      forget_unwritten(address, address + bytes);
  }
  Region* region = find_region(address);
  if (region == nullptr) follow_host(address, access, counter);
  if (region != nullptr && !(region == &arena && device_only(address) && !runs_at_once())) {
    const unsigned id = find_place(counter, access, static_cast<unsigned>(bytes));
    const Record fresh = host_record(id);
    if (address + bytes > region->low + region->bytes) bytes = region->low + region->bytes - address;
    const bool sees = is_read(access) || access == Access::atomic;
    if (access == Access::read && !in_operation()) host_reads_fresh(*region, address, bytes, id);
    for_cells(*region, address, bytes, [&](Cell& cell, uintptr_t at, unsigned) {
      if ((cell.write & kBeyond) != 0) return;
      const auto against = [&](Record r) {
        if (segment(r) <= 1 || (r & kSet) != 0) return true;
        const Done& earlier = done_of(segment(r));
        if (earlier.host || in_operation() || host_ordered(earlier, segment(r))) return true;
        if (!may_meet(access, place(place_of(r)).access)) {
          if (!is_read(access)) written_late(at);
          report_host(r, fresh, at, bytes);
        } else if (const auto fence = fenced().find(who(r)); sees && fence != fenced().end())
          host_saw(earlier, fence->second);
        return true;
      };
      against(cell.write);
      if (is_read(access))
        for_set(cell.reads, [&](Record r) { return is_read(place(place_of(r)).access) || against(r); });
      if (!is_read(access)) {
        for_set(cell.reads, against);
        cell.write = fresh;
        cell.reads = 0;
      } else {
        note_host_read(cell, fresh);
      }
    });
  } else if (region == &arena) {
    report_host_on_device(find_place(counter, access, static_cast<unsigned>(bytes)), address);
  }
  busy = false;
}

void host_atomic(const void* address, unsigned bytes, Access access, const void* counter) {
  host(reinterpret_cast<uintptr_t>(address), bytes, access, counter);
}

void watch_host() { host_is_watched = true; }

void expect_turns() { busy_left = kAccessesOfTurn; }
void note_queued() {
  note_host_step();
  busy_left = kernel_waits() ? kAccessesOfTurn : kBusyAccesses;
}
std::unique_lock<std::recursive_mutex> stop_host_code() {
  return std::unique_lock<std::recursive_mutex>(host_mutex());
}
std::unique_lock<std::recursive_mutex> hold_host_code() {
  return std::unique_lock<std::recursive_mutex>(host_mutex(), std::try_to_lock);
}

}  // namespace cpu_device::check
