// Copies and fills between operations of streams, byte by byte.
#include <unordered_map>
#include <vector>

#include "observer.h"
#include "access_sets.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "host_turns.h"
#include "kernel_results.h"
#include "memory_names.h"
#include "places.h"
#include "reports.h"
#include "shadow.h"
#include "uninitialized_reads.h"
#include "unread_results.h"
#include "unwritten_results.h"
#include "variables.h"

namespace cpu_device::check {

// How often the host has copied a word since it last queued a kernel. So often: it polls.
static std::unordered_map<uintptr_t, unsigned>& copies_of_word() {
  static auto* all = new std::unordered_map<uintptr_t, unsigned>;
  return *all;
}
constexpr unsigned kCopiesOfPolling = 64;
void forget_polling() { copies_of_word().clear(); }

// A few whole words, of which each is read or written at once.
static bool may_be_flag(uintptr_t address, size_t bytes) {
  return bytes <= 16 && (bytes % 4 == 0 ? address % 4 == 0 : bytes <= 2 && address % bytes == 0);
}

void copied(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
            size_t height, Site site) {
  if (observing()) return;
  const auto here = reinterpret_cast<uintptr_t>(to), there = reinterpret_cast<uintptr_t>(from);
  Region* target = find_any_region(here);
  Region* source = from == nullptr ? nullptr : find_any_region(there);
  // A word that a kernel polls which is still running, perhaps: then it is a flag. Or the host polls it.
  const bool small_to = height == 1 && may_be_flag(here, width);
  const bool small_from = height == 1 && from != nullptr && may_be_flag(there, width);
  const bool flag = small_to && launch_is_left();
  const bool polled = small_from && source != nullptr && ++copies_of_word()[there] >= kCopiesOfPolling;
  const unsigned write_place = site_place(site, flag ? Access::volatile_write : Access::write, Scope::system, 0);
  const unsigned read_place =
      site_place(site, polled || (small_from && launch_is_left()) ? Access::volatile_read : Access::read, Scope::system, 0);
  const uint64_t me = host_record(0) >> kPlaceBits;
  if (is_variable(here)) copied_to_variable(here, width * height, site);
  if (from != nullptr && is_variable(there)) copied_from_variable(there, site);
  // Neighbors were mostly written by one operation: its order is looked up once.
  uint64_t ordered = me >> 10;
  const auto is_ordered = [&](Record r) {
    if (segment(r) == ordered) return true;
    if (segment(r) != me >> 10 && !operation_ordered(done_of(segment(r)))) return false;
    ordered = segment(r);
    return true;
  };
  const auto check = [&](Record r, uintptr_t at, bool writes) {
    if (segment(r) == ordered || segment(r) <= 1 || (r & (kSet | kBeyond)) != 0) return;
    if (!writes && is_read(place(place_of(r)).access)) return;
    if (is_ordered(r)) return;
    const Done& earlier = done_of(segment(r));
    const Access access = place(place_of(r)).access;
    if (writes && small_to && !is_plain(access) && (flag || was_left(earlier))) return;
    if (!writes && small_from && !is_plain(access)) {
      const auto fence = fenced().find(who(r));
      if (fence != fenced().end()) return host_saw(earlier, fence->second);
      if (polled || was_left(earlier)) return;
    }
    if (writes) written_late(at);
    report_operations(r, writes ? write_place : read_place, at, writes ? "writes" : "reads", site);
  };
  for (size_t y = 0; y < height; y++) {
    const uintptr_t row_to = here + y * to_pitch, row_from = there + y * from_pitch;
    std::vector<std::pair<uintptr_t, uintptr_t>> holes;  // what nobody has written
    if (source != nullptr) note_kernel_results(*source, row_from, width);  // to the host, or on the way there
    if (source == &arena && width > 0) note_read_at(row_from);
    if (source != nullptr)
      for_cells(*source, row_from, width, [&](Cell& cell, uintptr_t at, unsigned bytes) {
        check(cell.write, at, false);
        bool others = false;  // read it, too, at times that nobody has put in order with this copy
        if (cell.reads != 0 && segment(cell.reads) != ordered)
          for_set(cell.reads, [&](Record r) {
            check(r, at, false);
            others |= segment(r) > 1 && !is_ordered(r);
            return true;
          });
        if (cell.write == 0 && source == &arena && looks_fresh(at, bytes)) {
          if (holes.empty() || holes.back().second != at) holes.emplace_back(at, at);
          holes.back().second = at + bytes;
        }
        const Record mine = record_of(me, read_place);
        cell.reads = others ? make_set(mine, as_parent(cell.reads)) : mine;
      });
    if (target != nullptr) {
      for_cells(*target, row_to, width, [&](Cell& cell, uintptr_t at, unsigned) {
        check(cell.write, at, true);
        if (cell.reads != 0)
          for_set(cell.reads, [&](Record r) {
            check(r, at, true);
            return true;
          });
        if (target == &arena) note_forgotten_reads(at, cell.reads);
        cell = {record_of(me, write_place), 0};
      });
      for (size_t word = 0; flag && word < width; word += 4) copy_publishes(row_to + word);
      if (source == nullptr && from != nullptr && target == &arena) note_unset_input(row_to, row_from, width);
      if (target == &arena)
        for (const auto& [low, high] : holes) set_cells(*target, row_to + (low - row_from), high - low, {0, 0});
    }
    const bool to_host = to != nullptr && (target == nullptr || !device_only(here));
    if (to_host && source == &arena) note_host_gets();
    if (to_host) forget_unwritten(row_to, row_to + width);
    if (to_host && target == nullptr && height == 1) note_rest_of_block(row_to, width, site);
    if (!to_host || holes.empty()) continue;
    host_is_watched = true;
    for (const auto& [low, high] : holes) {
      const uintptr_t at = row_to + (low - row_from);
      note_unwritten(at, high - low, here, site, allocation_site(low));
    }
  }
}

}  // namespace cpu_device::check
