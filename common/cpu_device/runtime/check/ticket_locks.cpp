// Locks that threads take by tickets, and what threads look at while they wait.
#include "ticket_locks.h"

#include "hand_made_barriers.h"
#include "happens_before.h"
#include "lock_order.h"
#include "thread_locks.h"

namespace cpu_device::check {

namespace {

uint64_t one_more(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value + 1 : (value + 1) & ((uint64_t(1) << 8 * bytes) - 1);
}

void look_for_ticket(Context& c, ThreadLocks& t, uintptr_t address, unsigned bytes, unsigned place) {
  drop_ticket_lock(c, t, address);  // it still looks, so it had not taken a lock there
  if (!t.has_ticket || t.drawn_at == address) return;
  const uint64_t called = word_at(address, bytes);
  const Attempt attempt{address, bytes, called, one_more(called, bytes), place, false};
  if (called == t.ticket) {
    t.ticket_looks = 0;
    return take_by_ticket(c, t, attempt);
  }
  if (t.ticket_looks > 0 && t.ticket_waits.address != address) t.ticket_looks = 0;
  t.ticket_waits = attempt;
  t.ticket_looks++;
  end_if_stuck(c, t, t.ticket_looks);
}

}  // namespace

void note_change_of_word(Context& c, uintptr_t address) {
  const unsigned number = c.threads[c.who & 1023].locks;
  if (!c.learns && number == 0) return;
  ThreadLocks& t = locks_of(c);
  stop_looking_at_word(t);
  t.ticket_looks = 0;
  t.has_ticket = c.learns && word_at(address, c.last_atomic_bytes) == one_more(c.word_before, c.last_atomic_bytes);
  t.drawn_at = address;
  t.ticket = c.word_before;
}

void note_volatile_change(Context& c) {
  if (c.threads[c.who & 1023].locks == 0) return;
  ThreadLocks& t = locks_of(c);
  stop_looking_at_word(t);
  t.has_ticket = false;
}

void note_waiting_look(Context& c, uintptr_t address, unsigned bytes, unsigned place) {
  note_ordering_atomic();
  ThreadLocks& t = locks_of(c);
  look_for_ticket(c, t, address, bytes, place);
  look_at_word(c, t, lock_at(c, address), place);
}

}  // namespace cpu_device::check
