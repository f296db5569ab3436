// What threads know to have happened.
#include "clocks.h"

#include <deque>
#include <utility>
#include <vector>

#include "operations.h"
#include "segments.h"

namespace cpu_device::check {

namespace {

std::deque<Clock> clocks;
std::deque<Steps> steps_known;  // by threads, of the host: each of them once
uint64_t cleared = 0;

}  // namespace

// What is known together. Mostly one contains the other, because the host's knowledge only grows.
static const Steps* joined(const Steps* a, const Steps* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  Steps both = *a;
  join(both, *b);
  if (both == *a) return a;
  if (both == *b) return b;
  steps_known.push_back(std::move(both));
  return &steps_known.back();
}

const Clock* add_clock(Clock clock) {
  for (const Clock* part : {clock.first, clock.second})
    if (part != nullptr && part->host != nullptr) clock.host = joined(clock.host, part->host);
  clock.before = next_segment;
  clocks.push_back(clock);
  return &clocks.back();
}

const Clock* joined(const Clock* a, const Clock* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  return add_clock({a, b, UINT64_MAX, 0, 0, 0, 0, 0, 0, Scope::none, 0});
}

const Steps* keep_steps(const Steps& steps) {
  steps_known.push_back(steps);
  return &steps_known.back();
}

uint64_t clocks_searched = 0;
static uint64_t search = 0;

const Clock* find_in(const Clock* from, uint64_t block, uint32_t epoch, unsigned thread_index,
                            uint64_t segment_number) {
  // Each with the atomic through which it came.
  static auto& open = *new std::vector<std::pair<const Clock*, const Clock*>>;
  open.clear();
  search++;
  if (from != nullptr) open.emplace_back(from, nullptr);
  while (!open.empty()) {
    auto [c, via] = open.back();
    open.pop_back();
    clocks_searched++;
    if (c->seen == search || segment_number >= c->before) continue;
    if (c->scope != Scope::none) via = c;
    c->seen = search;
    if (c->block == block) {
      const Clock* found = via != nullptr ? via : c;
      if (epoch < c->epoch) return found;
      const bool covers = c->lanes == 0 ? c->thread == thread_index
                                        : c->thread / 32 == thread_index / 32 &&
                                              (c->lanes >> thread_index % 32 & 1) != 0;
      if (covers && epoch == c->epoch && segment_number <= c->segment) return found;
    }
    if (c->second != nullptr) open.emplace_back(c->second, via);
    if (c->first != nullptr) open.emplace_back(c->first, via);
  }
  return nullptr;
}

void clear_clocks() {
  clocks.clear();
  steps_known.clear();
  cleared++;
}
uint64_t times_cleared() { return cleared; }

}  // namespace cpu_device::check
