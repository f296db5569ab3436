// Spans of time, and the operations and launches that they belong to.
#pragma once

#include <utility>
#include <vector>

#include "state.h"

namespace cpu_device::check {

extern uint64_t next_segment;
// The host's work and the operations that have run, by their first segments.
std::vector<Done>& all_done();
extern uint64_t first_of_launch;
extern const Launch* running;  // null: no launch is
// Segments of others than the running launch, since it began: [first, second), in order.
using Segments = std::vector<std::pair<uint64_t, uint64_t>>;
Segments& others();
extern bool launch_was_left;  // if not, there are none
void forget_old_segments();   // where no launch knows of any

}  // namespace cpu_device::check
