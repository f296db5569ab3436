// The order in which threads take locks: two threads that take two locks in opposite orders may wait for each
// other forever, even if they did not meet in this run.
#pragma once

#include "state.h"

namespace cpu_device::check {

// A compare-and-swap, or an exchange whose result is used, before it happens. The swap takes a lock if the word
// holds `expected`, and the exchange if it changes the word.
struct Attempt {
  uintptr_t address;
  unsigned bytes;
  uint64_t expected, desired;
  unsigned place;
  bool is_exchange;
};
void note_attempt(Context& c, const Attempt& attempt);
// After an atomic or before a volatile write: the owner of a lock may have released it.
extern bool locks_held;
void note_release(Context& c, uintptr_t address, bool is_volatile);
// A thread has got the number that it drew; it has not, since it looks again.
struct ThreadLocks;
void take_by_ticket(Context& c, ThreadLocks& t, const Attempt& attempt);
void drop_ticket_lock(const Context& c, ThreadLocks& t, uintptr_t address);
// Ends the launch if threads wait for each other: asked after each look in vain.
void end_if_stuck(Context& c, const ThreadLocks& t, unsigned looks);
void forget_locks_of_thread(Context& c, unsigned thread);
// At the begin and at the end of each run of a launch; at the end of its last one.
void begin_launch_locks();
void end_run_locks();
void tell_lock_orders(const Launch& launch);

}  // namespace cpu_device::check
