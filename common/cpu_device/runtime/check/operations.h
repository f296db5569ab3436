// When the operations of streams happen, and what the host knows of them.
#pragma once

#include <vector>

#include "state.h"

namespace cpu_device::check {

extern Moment* now;  // of the operation that is running; null: none is
// How many steps of each timeline are known.
void join(std::vector<uint64_t>& into, const std::vector<uint64_t>& other);
void join(std::vector<uint64_t>& into, const Moment& moment);
inline uint64_t at(const std::vector<uint64_t>& clock, size_t i) { return i < clock.size() ? clock[i] : 0; }
// From now on, segments belong to this step of the timeline.
void remember(unsigned timeline, uint64_t step, Site site, const char* what, bool host,
              int of_device = 0);
bool operations_are_open();  // queued, and not over
// Whether the operation that runs comes after all that have run.
bool all_ordered();
// What the host knows now. What it does next is a step of its own.
std::vector<uint64_t> what_host_knows();

}  // namespace cpu_device::check
