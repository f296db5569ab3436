// Decides whether an access races with earlier ones to the same bytes.
#include "races.h"

#include <atomic>

#include "access_sets.h"
#include "reports.h"
#include "schedules.h"
#include "shadow.h"
#include "uninitialized_reads.h"
#include "unread_results.h"

namespace cpu_device::check {

namespace {

// Whether two accesses to the same byte need an order.
bool conflict(const Context& c, Record earlier, Record fresh, bool shared) {
  const Program& a = place(place_of(earlier));
  const Program& b = place(place_of(fresh));
  if (is_read(a.access) && is_read(b.access)) return false;
  if (is_plain(a.access) || is_plain(b.access)) return true;
  // Both atomic, or volatile: is each wide enough for the other?
  if (a.bytes != b.bytes && a.bytes != 0 && b.bytes != 0 && segment(earlier) > 1) return true;
  if (!of_launch(segment(earlier))) {
    // Of a kernel on another device?
    if (segment(earlier) <= 1) return false;
    const Scope wanted = done_of(segment(earlier)).device != current_launch()->device ? Scope::system
                                                                                      : Scope::device;
    return a.scope < wanted || b.scope < wanted;
  }
  const bool same_block = block_of(earlier) == c.block;
  if (is_volatile(a.access) && is_volatile(b.access))
    return shared && same_block && thread(earlier) / 32 == thread(fresh) / 32;
  return !same_block && (a.scope == Scope::block || b.scope == Scope::block);
}

// A thread that has used an atomic's result comes after the atomic, as far as this word goes.
bool seen_before(const Context& c, Record earlier, uintptr_t address) {
  return is_atomic(place(place_of(earlier)).access) &&
         through_word(c, earlier, address) != nullptr;
}

bool is_plain_read(Record r) { return place(place_of(r)).access == Access::read; }

// Set by the first volatile write of a kernel. Without any, nobody has to look for them among all that have read a cell.
std::atomic<bool> any_volatile_write{false};

// The thread knows of the write only because it has seen another word, a flag, that was written after it. The newest write is
// looked at first: older ones come before it in any case.
void look_at_volatile_read(Context& c, const Cell& cell, uintptr_t address, unsigned bytes, Record fresh) {
  ThreadClock& t = c.threads[c.who & 1023];
  const uintptr_t word = address & ~uintptr_t(3);  // of memory that is kept byte by byte, too
  if (t.looked.word == word && t.looked.others == cell.reads && t.looked.any == t.any) return;
  t.looked = {word, cell.reads, t.any};
  for_set(cell.reads, [&](Record r) {
    if (place(place_of(r)).access != Access::volatile_write || !of_launch(segment(r))) return true;
    if (through_word(c, r, address) != nullptr || ordered(c, r)) return false;  // the first is quick where threads poll
    if (through_atomics(c, r) == nullptr) return true;
    hold_volatile_race(c, r, fresh, address, bytes);
    return false;
  });
}

}  // namespace

Region* region_of(Context& c, uintptr_t address) {
  if (c.local.contains(address)) return &c.local;
  Context* holder = c.in_cluster ? holder_in_cluster(c, address) : nullptr;
  return holder != nullptr ? &holder->local : find_any_region(address);
}

void forget_old_block(const Context& c, Cell& cell) {
  if ((cell.write & kBeyond) == 0 && segment(cell.write) < c.block_first) cell.write = 0;
  if (cell.reads != 0 && segment(newest_of(cell.reads)) < c.block_first) cell.reads = 0;
}

void check_cell(Context& c, Cell& cell, uintptr_t address, unsigned bytes, Record fresh,
                Where where) {
  const bool shared = where == Where::shared || where == Where::cluster;
  const Program& p = place(place_of(fresh));
  const bool reads = is_read(p.access) || p.access == Access::atomic;
  const bool writes = !is_read(p.access);
  if (where == Where::shared) forget_old_block(c, cell);
  if ((cell.write & kBeyond) != 0) {
    if (cell.write == kIgnored) return;
    report_access("out-of-bounds", &c, place_of(fresh), address, bytes);
    return;
  }
  if (cell.write == 0 && reads && where != Where::variable) {
    read_early(c, place_of(fresh), address, bytes);
  }
  if (cell.write != 0 && conflict(c, cell.write, fresh, shared) &&
      !ordered(c, cell.write) && !seen_before(c, cell.write, address)) {
    if (!is_read(p.access)) written_late(address);
    report_race(c, cell.write, fresh, address, bytes, shared);
  }
  if (cell.reads != 0 && !harmless_set(cell.reads, p, shared))
    for_set(cell.reads, [&](Record r) {
      if (conflict(c, r, fresh, shared) && !ordered(c, r)) {
        if (seen_before(c, r, address) || (!is_read(p.access) && host_has_read(c, r))) return true;
        if (!is_read(p.access)) written_late(address);
        report_race(c, r, fresh, address, bytes, shared);
      }
      return true;
    });
  if (p.access == Access::volatile_write) any_volatile_write.store(true, std::memory_order_relaxed);
  if (p.access == Access::volatile_read && schedule != 0 && any_volatile_write.load(std::memory_order_relaxed))
    look_at_volatile_read(c, cell, address, bytes, fresh);
  if (where == Where::global) {
    if (is_read(p.access))
      note_read_at(address);
    else
      note_forgotten_reads(address, cell.reads);
  }
  if (p.access == Access::write) {
    cell.write = fresh;
    cell.reads = 0;
  } else {
    if (writes && cell.write == 0) cell.write = fresh;
    const Record before = cell.reads;
    cell.reads = with(c, before, fresh);
    const bool were_reads = (before & kSet) != 0 ? only_reads(before) : is_plain_read(before);
    if (p.access == Access::read && before != 0 && were_reads)
      reads_of_places[place_of(fresh) % std::size(reads_of_places)] = {before, fresh, cell.reads};
  }
}

}  // namespace cpu_device::check
