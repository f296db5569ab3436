// What happens before the current step of each thread: a graph of clocks that only grows.
#pragma once

#include "state.h"

namespace cpu_device::check {

// Adds it to the graph.
const Clock* add_clock(Clock clock);
// One that knows what both know.
const Clock* joined(const Clock* a, const Clock* b);
const Steps* keep_steps(const Steps& steps);  // of what the host told, to be pointed to
// Finds the clock through which `from` contains (block, epoch, thread, segment): null if it does not.
const Clock* find_in(const Clock* from, uint64_t block, uint32_t epoch, unsigned thread_index,
                     uint64_t segment_number);
// False if no clock that a fence or a barrier has made contains it, so that no search is needed.
bool is_in_some_clock(uint64_t block, uint32_t epoch, unsigned thread_index, uint64_t segment_number);
extern uint64_t clocks_searched;  // by find_in(), in all
void clear_clocks();
uint64_t times_cleared();

}  // namespace cpu_device::check
