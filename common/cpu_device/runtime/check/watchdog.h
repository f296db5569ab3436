// Launches that make no progress.
#pragma once

#include "state.h"

namespace cpu_device::check {

// Set when a launch makes no progress for too long.
extern volatile bool time_is_up;
extern volatile bool has_fault;  // a thread of the launch has ended with one: waiting for it is no new mistake
void watch_time();
// No thread has made progress for so long: a loop runs without end, or for very long.
bool runs_without_progress();
[[noreturn]] void stop_endless(Context& c, Site site);
// All threads that are left wait for each other under this schedule.
[[noreturn]] void stop_waiting(Context& c, Site site);

}  // namespace cpu_device::check
