// Atomic and volatile accesses.
#include "access_sets.h"
#include "accesses.h"
#include "findings.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "host_turns.h"
#include "lock_order.h"
#include "places.h"
#include "races.h"
#include "lost_updates.h"
#include "schedules.h"
#include "ticket_locks.h"
#include "unread_results.h"

#include <vector>

#include "observer.h"

namespace cpu_device::check {

static void observe_atomic(const void* address, unsigned bytes, Site site, Access access) {
  if (observing() && observes_here())
    observe(reinterpret_cast<uintptr_t>(address), bytes, access,
            site_place(site, access, static_cast<Scope>(site.scope), bytes));
}

bool atomic_access(const void* address, unsigned bytes, Site site, Access access, Point kind) {
  Context* c = checking;
  if (c == nullptr) {
    observe_atomic(address, bytes, site, access);
    return true;
  }
  accesses_checked++;
  const bool ignored = c->result_ignored;  // of this thread's atomic: others may run now
  c->result_ignored = false;
  schedule_point(*c, !ignored, site.file, site.line, nullptr, kind);
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto scope = static_cast<Scope>(site.scope);
  const unsigned id = site_place(site, access, scope, bytes);
  if (bytes > 1 && at % bytes != 0) misaligned(*c, id, at, bytes);
  stop_if_asked(*c, id);
  if (__builtin_expect(has_turn, 0)) count_poll();
  check_range(*c, at, bytes, id);
  if (!ignored) observe(*c, at, bytes, scope);
  if (!ignored && arena.contains(at)) note_read_at(at);
  c->learns = !ignored;
  c->last_atomic_bytes = bytes;
  c->word_before = word_at(at, bytes);
  return !ignored;
}

// The plain reads of atomicCAS() loops: their value counts only if the swap also finds it.
static void note_guess(Context& c, uintptr_t address) {
  c.guesses = false;
  Region* region = region_of(c, address);
  if (region == nullptr) return;
  for_cells(*region, address, 4, [&](Cell& cell, uintptr_t, unsigned) {
    bool found = false;  // the thread's own reads are the newest, and stand together
    for_set(cell.reads, [&](Record r) {
      const bool mine = thread(r) == (c.who & 1023) && segment(r) >= c.block_first && block_of(r) == c.block;
      if (mine && place(place_of(r)).access == Access::read) mark_guess(place_of(r)), c.guesses = true;
      found |= mine;
      return mine || !found;
    });
  });
}

void observe_at(const void* address, unsigned bytes, Access access, const void* counter) {
  if (observes_here())
    observe(reinterpret_cast<uintptr_t>(address), bytes, access, find_place(counter, access, bytes));
}

void atomic_at(const void* address, unsigned bytes, Access access, Scope scope,
               const void* counter) {
  Context& c = *checking;
  accesses_checked++;
  schedule_point(c, true, nullptr, 0, counter);
  if (__builtin_expect(has_turn, 0)) count_poll();
  const auto at = reinterpret_cast<uintptr_t>(address);
  check_range(c, at, bytes, place_id(c, counter, access, bytes, scope));
  if (access != Access::volatile_write) observe(c, at, bytes, scope);
  if (access != Access::atomic_write && arena.contains(at)) note_read_at(at);
  c.learns = access != Access::atomic_write;
  c.last_atomic_bytes = bytes;
  c.word_before = word_at(at, bytes);
}

void atomic_stored(const void* address, Site site, bool continues) {
  Context* c = checking;
  if (c == nullptr) return;
  note_flag(*c);
  if (__builtin_expect(locks_held, 0)) note_release(*c, reinterpret_cast<uintptr_t>(address), false);
  note_change_of_word(*c, reinterpret_cast<uintptr_t>(address));
  if (c->learns && site.file != nullptr) note_word_after_store(*c, reinterpret_cast<uintptr_t>(address));
  publish(*c, reinterpret_cast<uintptr_t>(address), static_cast<Scope>(site.scope), continues);
}

void volatile_access(const void* address, unsigned bytes, bool is_write, const void* counter) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  Context* c = checking;
  if (c == nullptr) {
    if (!note_access(at, counter, !is_write))
      host(at, bytes, is_write ? Access::volatile_write : Access::volatile_read, counter);
    if (is_write) host_publishes(address, false);
    return;
  }
  if (at - c->stack_low < c->stack_bytes) return;
  schedule_point(*c, true, nullptr, 0, counter);
  const unsigned id =
      place_id(*c, counter, is_write ? Access::volatile_write : Access::volatile_read, bytes);
  if (!is_write) note_repeated(*c, at, id);
  if (__builtin_expect(has_turn, 0)) count_poll();
  if (is_write && __builtin_expect(locks_held, 0)) note_release(*c, at, true);
  if (is_write) note_volatile_change(*c);
  if (is_write)
    note_volatile_write(*c, at, bytes, id);
  else if (note_look(*c, at, bytes, true) && c->threads[c->who & 1023].comes_again)
    mark_polled(id);
  check_range(*c, at, bytes, id);
  if (is_write) {
    note_flag(*c);
    publish(*c, at, Scope::system, false);
  } else {
    observe(*c, at, bytes, Scope::system);
    note_waiting_look(*c, at, bytes, id);
  }
}

}  // namespace cpu_device::check

namespace cpu_device {

using namespace check;

void ignore_result() {
  if (checking != nullptr)
    checking->result_ignored = true;
  else
    observe_ignored_result();
}
void checked_guess(const void* address) {
  if (Context* c = checking) note_guess(*c, reinterpret_cast<uintptr_t>(address));
}
void checked_look(const void* address, Site site) {
  Context* c = checking;
  if (c == nullptr || !c->learns) return;
  const unsigned bytes = c->last_atomic_bytes;
  note_waiting_look(*c, reinterpret_cast<uintptr_t>(address), bytes,
                    site_place(site, Access::atomic, static_cast<Scope>(site.scope), bytes));
}
void checked_store(const void* address, Site site) { atomic_stored(address, site, true); }

}  // namespace cpu_device
