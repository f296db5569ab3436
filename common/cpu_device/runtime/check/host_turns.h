// Kernels that wait for the host, and the host, in turns.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "state.h"

namespace cpu_device::check {

// A launch that has been left, for the host to go on.
struct LeftLaunch {
  const Launch* launch = nullptr;
  uint64_t first = 0, floor = 0, any_left = 0, next_segment = 0;
  size_t done = 0;
  Done mine{};
  Moment* now = nullptr;
  std::unordered_map<uintptr_t, Published> published;
  std::vector<std::pair<uint64_t, uint64_t>> others;
};
bool launch_is_left();
void forget_polling();                 // the host has queued something else than copies
extern bool has_turn;  // a kernel that takes turns runs
void count_poll();     // it has looked at what the host may change
void note_host_step(); // the host has written something, or called CUDA
uint64_t host_steps_made();
uint64_t turns_taken();
bool host_functions_queued();

}  // namespace cpu_device::check
