// What happens before the current step of each thread.
#include "clocks.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "operations.h"
#include "segments.h"

namespace cpu_device::check {

namespace {

std::deque<Clock>& clocks() {
  static auto* all = new std::deque<Clock>;
  return *all;
}
// By threads, of the host: each of them once.
std::deque<Steps>& steps_known() {
  static auto* all = new std::deque<Steps>;
  return *all;
}
uint64_t cleared = 0;

// Of each block, the last segment of each thread that a fence or a barrier has put into any clock.
struct Latest {
  uint32_t epoch = 0;  // of the block
  std::vector<uint64_t> segments;
};
std::unordered_map<uint64_t, Latest>& latest() {
  static auto* all = new std::unordered_map<uint64_t, Latest>;
  return *all;
}

void note_latest(const Clock& clock) {
  Latest& its = latest()[clock.block];
  its.epoch = std::max(its.epoch, clock.epoch);
  const unsigned first = clock.lanes == 0 ? clock.thread : clock.thread / 32 * 32, count = clock.lanes == 0 ? 1 : 32;
  if (its.segments.size() < first + count) its.segments.resize(first + count);
  for (unsigned i = first; i < first + count; i++) its.segments[i] = std::max(its.segments[i], clock.segment);
}

}  // namespace

bool is_in_some_clock(uint64_t block, uint32_t epoch, unsigned thread_index, uint64_t segment_number) {
  const auto found = latest().find(block);
  if (found == latest().end()) return false;
  const Latest& its = found->second;
  return epoch < its.epoch || (thread_index < its.segments.size() && segment_number <= its.segments[thread_index]);
}

// What is known together. Mostly one contains the other, because the host's knowledge only grows.
static const Steps* joined(const Steps* a, const Steps* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  Steps both = *a;
  join(both, *b);
  if (both == *a) return a;
  if (both == *b) return b;
  steps_known().push_back(std::move(both));
  return &steps_known().back();
}

const Clock* add_clock(Clock clock) {
  for (const Clock* part : {clock.first, clock.second})
    if (part != nullptr && part->host != nullptr) clock.host = joined(clock.host, part->host);
  clock.before = next_segment;
  if (clock.block != UINT64_MAX && clock.scope == Scope::none) note_latest(clock);
  clocks().push_back(clock);
  return &clocks().back();
}

const Clock* joined(const Clock* a, const Clock* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  return add_clock({a, b, UINT64_MAX, 0, 0, 0, 0, 0, 0, Scope::none, 0});
}

const Steps* keep_steps(const Steps& steps) {
  steps_known().push_back(steps);
  return &steps_known().back();
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
  clocks().clear();
  steps_known().clear();
  latest().clear();
  cleared++;
}
uint64_t times_cleared() { return cleared; }

}  // namespace cpu_device::check
