// Systematic concurrency testing: a launch whose threads may wait for each other, or tell each other
// something, with atomics runs under several schedules. In its first run (schedule 0) threads switch only
// where they wait. Then the memory is restored, and it runs again with threads that also switch before
// atomics, fences and volatile accesses, by numbers drawn from the schedule's number.
#pragma once

#include <string>

#include "state.h"

namespace cpu_device::check {

extern unsigned schedule;       // the one that the launch runs under
extern bool schedules_matter;   // the launch has come to an operation by which threads may learn of others

void switch_threads(Context& c);

// Variables and registered memory are restored word by word, as far as the launch has written them.
extern bool logs_writes;
void log_write(uintptr_t address, size_t bytes);

// Before an atomic, a fence or a volatile access of a thread: others may run first.
inline void schedule_point(Context& c) {
  schedules_matter = true;
  if (__builtin_expect(schedule != 0, 0)) switch_threads(c);
}
// The same, of an atomic from which the thread learns nothing.
inline void schedule_silent_point(Context& c) {
  if (__builtin_expect(schedule != 0, 0)) switch_threads(c);
}

// "found under schedule 2 ...", for the details of a finding; empty under schedule 0.
std::string schedule_in_words();

}  // namespace cpu_device::check
