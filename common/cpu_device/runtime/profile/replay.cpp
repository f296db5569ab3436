#include "replay.h"

namespace cpu_device::check {

void Warp::begin(unsigned lanes, const std::vector<uintptr_t>* block_counter) {
  count_ = lanes;
  block_counter_ = block_counter;
  step_ = 0;
  for (Lane& lane : lanes_) {
    lane.events.clear();
    lane.next = 0;
    lane.ended = false;
    lane.path.clear();
    lane.in_block = lane.comparison = lane.last_comparison = 0;
    lane.together = 0;
  }
}

// A block at a greater depth is in a function that was called, at a lesser one behind a return.
void Warp::enter(Lane& lane, const Event& block) {
  while (!lane.path.empty() && lane.path.back().depth > block.value) lane.path.pop_back();
  if (!lane.path.empty() && lane.path.back().depth == block.value)
    lane.path.back().block = block.place;
  else
    lane.path.push_back({block.value, block.place});
  lane.in_block = 0;
}

// Nothing is left to do but to return, which a GPU needs no branch for.
bool Warp::only_leaves(const Lane& lane) const {
  if (!lane.ended) return false;
  for (size_t i = lane.next; i < lane.events.size(); i++) {
    const Event& event = lane.events[i];
    if (event.what != What::block || i > lane.next + 1) return false;
    if (event.comparison != lane.last_comparison) return false;  // it compares yet
  }
  return true;
}

// Who is further behind in the code: below 0 if a, above 0 if b, 0 if they are together.
int Warp::compare(const Lane& a, const Lane& b) const {
  const auto counter = [this](uint32_t block) { return (*block_counter_)[block]; };
  const size_t both = std::min(a.path.size(), b.path.size());
  for (size_t i = 0; i < both; i++)
    if (a.path[i].block != b.path[i].block)
      return counter(a.path[i].block) < counter(b.path[i].block) ? -1 : 1;
  if (a.path.size() != b.path.size()) return a.path.size() > b.path.size() ? -1 : 1;
  if (a.in_block != b.in_block) return a.in_block < b.in_block ? -1 : 1;
  const Event &x = next(a), &y = next(b);
  if (x.what != y.what) return x.what < y.what ? -1 : 1;
  if (x.place != y.place) return x.place < y.place ? -1 : 1;
  return 0;
}

uint32_t Warp::choose(uint32_t candidates) const {
  const unsigned first = static_cast<unsigned>(__builtin_ctz(candidates));
  unsigned best = first;
  uint32_t chosen = 0;
  for (unsigned i = first; i < count_; i++) {
    if ((candidates >> i & 1) == 0) continue;
    const int order = i == best ? 0 : compare(lanes_[i], lanes_[best]);
    if (order < 0) {
      best = i;
      chosen = 0;
    }
    if (order <= 0) chosen |= 1u << i;
  }
  return chosen;
}

void Warp::note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer) {
  const Lane& one = lanes_[__builtin_ctz(chosen)];
  if (one.together == 0 || only_leaves(one)) return;
  for (unsigned i = 0; i < count_; i++) {
    if (((candidates & ~chosen) >> i & 1) == 0) continue;
    if (lanes_[i].together != one.together || only_leaves(lanes_[i])) continue;
    const Event& way = next(one);
    consumer->divergence(way.what == What::block ? way.comparison : one.comparison,
                         one.path.empty() ? 0 : one.path.back().block);
    return;
  }
}

void Warp::run(uint32_t chosen, Consumer* consumer) {
  step_++;
  if (next(lanes_[__builtin_ctz(chosen)]).what == What::access) {
    Step step{};
    step.lanes = chosen;
    for (uint32_t left = chosen; left != 0; left &= left - 1) {
      const unsigned i = static_cast<unsigned>(__builtin_ctz(left));
      step.events[i] = &next(lanes_[i]);
    }
    consumer->request(step);
  }
  for (uint32_t left = chosen; left != 0; left &= left - 1) {
    Lane& lane = lanes_[__builtin_ctz(left)];
    const Event& event = next(lane);
    lane.together = step_;
    lane.in_block++;
    if (event.what == What::block) {
      lane.comparison = event.comparison;
      enter(lane, event);
    }
    if (++lane.next == lane.events.size()) {
      lane.events.clear();
      lane.next = 0;
    }
  }
}

// Whether these lanes, which were together, do the same next: most do, and need not be compared place
// by place.
bool Warp::all_go_on(uint32_t lanes) const {
  const Lane& one = lanes_[__builtin_ctz(lanes)];
  if (one.next == one.events.size() || next(one).what == What::barrier) return false;
  const Event& event = next(one);
  for (uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1) {
    const Lane& lane = lanes_[__builtin_ctz(left)];
    if (lane.next == lane.events.size()) return false;
    const Event& other = next(lane);
    if (other.what != event.what || other.place != event.place) return false;
    if (event.what == What::block && other.value != event.value) return false;
  }
  return true;
}

void Warp::replay(Consumer* consumer) {
  for (;;) {
    uint32_t active = 0, at_barrier = 0;
    for (unsigned i = 0; i < count_; i++) {
      const Lane& lane = lanes_[i];
      if (lane.next == lane.events.size()) {
        if (!lane.ended) return;
        continue;
      }
      active |= 1u << i;
      if (next(lane).what == What::barrier) at_barrier |= 1u << i;
    }
    if (active == 0) return;
    if (active == at_barrier) {
      consumer->barrier(static_cast<unsigned>(__builtin_popcount(active)));
      step_++;
      for (uint32_t left = active; left != 0; left &= left - 1) {
        Lane& lane = lanes_[__builtin_ctz(left)];
        lane.together = step_;
        lane.in_block++;
        lane.next++;
      }
      continue;
    }
    const uint32_t candidates = active & ~at_barrier;
    const uint32_t chosen = choose(candidates);
    if (chosen != active) note_divergence(chosen, active, consumer);
    run(chosen, consumer);
    if (chosen == active)
      while (all_go_on(active)) run(active, consumer);
  }
}

}  // namespace cpu_device::check
