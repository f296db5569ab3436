// Switches between threads in the runs of a launch after its first one (schedules.h): where they happen,
// which thread waits, and for how long. Everything is drawn from the schedule's number.
//
// Schedule 1 lets every thread reach its next atomic, fence or volatile access in turn. Schedule 2 switches at
// random. In the odd ones from 3 on, switches are few, as in probabilistic concurrency testing (Burckhardt 2010):
// half of the threads (a few, if there are many) start late, and at one to three points, the thread that gets there waits until nobody else
// can go on. Such a run finds what needs one thread to be away for long, and its switches can be listed. In the
// even ones, threads take turns as in schedule 1, but each starts late by some turns.
#pragma once

#include <string>

#include "state.h"

namespace cpu_device::check {

constexpr unsigned kFirstOfMany = 3;  // the first of those that only small launches run under

struct FirstRun {
  uint64_t accesses, points, number;  // of the launch under schedule 0; the launch's number
  uint64_t threads;
};
void begin_switches(const FirstRun& first);
// Whether threads have competed for a lock for too long. Then the result of schedule 0 counts.
bool take_given_up();
// What the run has cost in turns of blocks, which switch system threads.
uint64_t turns_taken_by_blocks();
// "thread (0,0,0) of block (1,0,0) waits before line 12 ..."
std::string switches_in_words();

}  // namespace cpu_device::check
