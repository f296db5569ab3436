// Fences and atomics between threads: release and acquire.
#pragma once

#include <unordered_map>

#include "state.h"

namespace cpu_device::check {

// What the atomic variables of a launch carry, and how many more of its atomics are followed for words alone.
std::unordered_map<uintptr_t, Published>& published();
extern uint64_t any_left;
void begin_launch_atomics();
// Whether the thread has seen this already. A thread that waits in a loop sees the same again and again.
bool seen_lately(ThreadClock& t, const Clock* clock);
// Flags of the host.
bool host_has_told();
void forget_flag(uintptr_t address);
void observe_host(Context& c, uintptr_t address);

}  // namespace cpu_device::check
