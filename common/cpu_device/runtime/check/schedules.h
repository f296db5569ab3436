// Systematic concurrency testing: a launch whose threads may wait for each other, or tell each other
// something, with atomics runs under several schedules. In its first run (schedule 0) threads switch only
// where they wait. Then the memory is restored, and it runs again with threads that also switch before
// atomics, fences and volatile accesses, by numbers drawn from the schedule's number.
#pragma once

#include <string>

#include "lost_updates.h"
#include "state.h"

namespace cpu_device::check {

extern unsigned schedule;       // the one that the launch runs under
extern bool schedules_matter;   // the launch has come to an operation by which threads may learn of others

void switch_threads(Context& c, const char* file, int line, const void* counter);

// Variables and registered memory are restored word by word, as far as the launch has written them.
extern bool logs_writes;
void log_write(uintptr_t address, size_t bytes);

// The number of points that the threads of the launch have reached. A thread that reaches the same one again, such as
// one that waits in a loop, counts once. Several kinds of atomics in one line are several points.
extern uint64_t points_reached;
extern bool comes_to_point;  // a new one
enum class Point : unsigned char { update, exchange, swap };
inline void count_point(Context& c, const void* file, int line, Point kind) {
  constexpr int kKinds = 24;  // of the line that the thread is at, in the bits from there on
  ThreadClock& thread = c.threads[c.who & 1023];
  const int own = 1 << (kKinds + static_cast<int>(kind));
  const bool same_line = thread.point_file == file && (thread.point_line & ((1 << kKinds) - 1)) == line;
  comes_to_point = !same_line || (thread.point_line & own) == 0;
  thread.comes_again = !comes_to_point;
  if (!comes_to_point) return;
  points_reached++;
  thread.point_file = file;
  thread.point_line = (same_line ? thread.point_line : line) | own;
}

// Before an atomic, a fence or a volatile access of a thread, in this line or at this place of the program:
// others may run first. `learns`: it may tell the thread something of others.
inline void schedule_point(Context& c, bool learns, const char* file, int line, const void* counter,
                           Point kind = Point::update) {
  schedules_matter |= learns;
  if (__builtin_expect(volatile_write_open, 0)) settle_volatile_write();
  count_point(c, counter != nullptr ? counter : file, line, kind);
  if (__builtin_expect(schedule != 0, 0)) switch_threads(c, file, line, counter);
}

// "found under schedule 2 ...", for the details of a finding, with the switches that lead to it if they are few;
// empty under schedule 0.
std::string schedule_in_words();

}  // namespace cpu_device::check
