#include "replay.h"

#include <cstring>
#include <unordered_map>
#include <utility>

// What ../../branches/branches.awk has found: the last comparison of a block, unless it has a note
// of its own. Both addresses are counted from where they stand.
struct Comparison {
  int32_t block, comparison;
};
extern const Comparison begin_of_comparisons[] __asm__("__start_cpu_device_comparisons")
    __attribute__((weak, visibility("hidden")));
extern const Comparison end_of_comparisons[] __asm__("__stop_cpu_device_comparisons")
    __attribute__((weak, visibility("hidden")));

namespace cpu_device::check {

namespace {

uint32_t code_at(const int32_t& distance) {
  return code_of(reinterpret_cast<const char*>(&distance) + distance);
}

std::unordered_map<uint32_t, uint32_t> read_comparisons() {
  std::unordered_map<uint32_t, uint32_t> last;
  for (auto* one = begin_of_comparisons; one != end_of_comparisons; one++)
    last[code_at(one->block)] = code_at(one->comparison);
  return last;
}

// The comparison that a block ends with; 0: none, or it is noted.
uint32_t comparison_in(uint32_t block) {
  struct Known {
    uint32_t block, comparison;
  };
  static Known known[4096];
  static const auto& all = *new std::unordered_map<uint32_t, uint32_t>(read_comparisons());
  Known& here = known[(block ^ block >> 12) % 4096];
  if (here.block != block) {
    const auto found = all.find(block);
    here = {block, found == all.end() ? 0 : found->second};
  }
  return here.comparison;
}

// Calls function(lane) for each of the lanes in the mask.
template <typename Function>
inline void for_lanes(uint32_t mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<unsigned>(__builtin_ctz(mask)));
}

// How many of two lanes' notes are the same, up to `most`.
size_t same_prefix(const Note* a, const Note* b, size_t most) {
  constexpr size_t kPiece = 32;
  size_t same = 0;
  while (same + kPiece <= most && memcmp(a + same, b + same, kPiece * sizeof(Note)) == 0)
    same += kPiece;
  while (same < most && a[same] == b[same]) same++;
  return same;
}

unsigned first_of(uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

}  // namespace

// ---- what a lane notes ----

void Lane::begin(bool alone) {
  log.notes.release();
  log.way_bytes = alone ? 0 : sizeof(Note);
  clear();
  log.notes.make_room();  // for a hook that notes nothing that stays
  held.clear();
  ended_ = false;
  path_.clear();
  in_block_ = comparison_ = last_comparison_ = 0;
  together_ = 0;
}

void Lane::access(Note note, uint64_t address) {
  log.notes.add(note);
  log.addresses.add(address);
}

// While some are held, the hooks must not note anything by themselves.
void Lane::hold(Note note, uint64_t address) {
  held.push_back({note, address});
  log.notes.hold();
}

void Lane::let_go(size_t count) {
  for (size_t i = 0; i < count; i++) access(held[i].note, held[i].address);
  held.erase(held.begin(), held.begin() + static_cast<long>(count));
  if (held.empty()) log.notes.release();
}

// ---- the replay of one lane ----

void Lane::skip_comparisons() {
  for (Tape& notes = log.notes; notes.next != notes.at && what_of(*notes.next) == What::comparison;)
    last_comparison_ = code_of(*notes.next++);
}

// Whether it ends with a comparison.
bool Lane::enter(Note block) {
  if (!path_.empty() && path_.back().depth == depth_of(block))
    path_.back().block = code_of(block);
  else
    change_function(block);
  in_block_ = 0;
  comparison_ = last_comparison_;
  const uint32_t comparison = comparison_in(code_of(block));
  if (comparison != 0) last_comparison_ = comparison;
  return comparison != 0;
}

// A block at a greater depth is in a function that was called, at a lesser one behind a return.
void Lane::change_function(Note block) {
  const uint32_t depth = depth_of(block);
  while (!path_.empty() && path_.back().depth > depth) path_.pop_back();
  if (!path_.empty() && path_.back().depth == depth)
    path_.back().block = code_of(block);
  else
    path_.push_back({depth, code_of(block)});
}

// Nothing is left to do but to return, which a GPU needs no branch for.
bool Lane::only_leaves() const {
  if (!ended_) return false;
  uint32_t last = last_comparison_, before_block[2];
  unsigned blocks = 0;
  for (const Note* at = log.notes.next; at != log.notes.at; at++) {
    if (what_of(*at) == What::comparison) {
      last = code_of(*at);
    } else {
      if (what_of(*at) != What::block || blocks == 2) return false;
      before_block[blocks++] = last;
      if (const uint32_t comparison = comparison_in(code_of(*at))) last = comparison;
    }
  }
  for (unsigned i = 0; i < blocks; i++)
    if (before_block[i] != last) return false;  // it compares yet
  return true;
}

// ---- the warp ----

void Warp::begin(unsigned lanes) {
  count_ = lanes;
  step_ = 0;
  for (unsigned i = 0; i < lanes; i++) lanes_[i].begin(lanes == 1);
}

// Who is further behind in the code: below 0 if a, above 0 if b, 0 if they are together.
int Warp::compare(const Lane& a, const Lane& b) const {
  const size_t both = std::min(a.path_.size(), b.path_.size());
  for (size_t i = 0; i < both; i++)
    if (a.path_[i].block != b.path_[i].block) return a.path_[i].block < b.path_[i].block ? -1 : 1;
  if (a.path_.size() != b.path_.size()) return a.path_.size() > b.path_.size() ? -1 : 1;
  if (a.in_block_ != b.in_block_) return a.in_block_ < b.in_block_ ? -1 : 1;
  const Note x = a.next(), y = b.next();
  if (what_of(x) != what_of(y)) return what_of(x) < what_of(y) ? -1 : 1;
  if (code_of(x) == code_of(y)) return 0;
  if (what_of(x) != What::access) return code_of(x) < code_of(y) ? -1 : 1;
  const void *const first = place(place_of_note(x)).counter,
                    *const second = place(place_of_note(y)).counter;
  return std::make_pair(first, place_of_note(x)) < std::make_pair(second, place_of_note(y)) ? -1
                                                                                            : 1;
}

// Those furthest behind.
uint32_t Warp::choose(uint32_t candidates) const {
  unsigned best = first_of(candidates);
  uint32_t chosen = 0;
  for_lanes(candidates, [&](unsigned i) {
    const int order = i == best ? 0 : compare(lanes_[i], lanes_[best]);
    if (order < 0) {
      best = i;
      chosen = 0;
    }
    if (order <= 0) chosen |= 1u << i;
  });
  return chosen;
}

void Warp::note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer) const {
  const Lane& one = lanes_[first_of(chosen)];
  if (one.together_ == 0) return;
  uint32_t others = 0;
  for_lanes(candidates & ~chosen, [&](unsigned i) {
    if (lanes_[i].together_ == one.together_) others |= 1u << i;
  });
  if (others == 0 || one.only_leaves()) return;
  bool differ = false;
  for_lanes(others, [&](unsigned i) { differ = differ || !lanes_[i].only_leaves(); });
  if (!differ) return;
  consumer->divergence(what_of(one.next()) == What::block ? one.last_comparison_ : one.comparison_,
                       one.path_.empty() ? 0 : one.path_.back().block);
}

// They do one thing, each by its own note.
void Warp::step(uint32_t chosen, Consumer* consumer) {
  step_++;
  const Note first = lanes_[first_of(chosen)].next();
  if (what_of(first) == What::access) {
    Request request;
    for_lanes(chosen, [&](unsigned i) { request.add(i, *lanes_[i].log.addresses.next++); });
    consumer->request(first, request);
  }
  for_lanes(chosen, [&](unsigned i) {
    Lane& lane = lanes_[i];
    const Note note = *lane.log.notes.next++;
    lane.together_ = step_;
    lane.in_block_++;
    if (what_of(note) == What::block) lane.enter(note);
  });
}

// How many of their next notes are the same, but no more than `most`; 0 if they have come by
// different ways.
size_t Warp::same_notes(uint32_t chosen, size_t most) const {
  const Lane& one = lanes_[first_of(chosen)];
  size_t same = std::min(most, one.log.notes.pending());
  for_lanes(chosen & (chosen - 1), [&](unsigned i) {
    const Lane& lane = lanes_[i];
    same = std::min(same, lane.log.notes.pending());
    if (lane.path_ != one.path_) same = 0;
    same = same_prefix(one.log.notes.next, lane.log.notes.next, same);
  });
  return same;
}

// They do as one what stands in so many notes, or until they come to where the rival is, who waits:
// to a barrier at most.
void Warp::run(uint32_t chosen, size_t notes, const Lane* rival, Consumer* consumer) {
  const unsigned first = first_of(chosen);
  const uint32_t others = chosen & (chosen - 1);
  Lane& one = lanes_[first];
  Note *const begin = one.log.notes.next, *const end = begin + notes, *at = begin;
  size_t accesses = 0;
  // What their last blocks and comparisons were may differ before, but not after.
  bool compared = false, compared_before_block = false, entered = false;
  for (; at != end; at++) {
    const What what = what_of(*at);
    if (what == What::comparison) {
      one.last_comparison_ = code_of(*at);
      compared = true;
      continue;
    }
    if (what == What::barrier) break;
    one.log.notes.next = at;
    if (rival != nullptr && at != begin && compare(one, *rival) >= 0) break;
    step_++;
    if (what == What::block) {
      compared_before_block = compared;
      compared |= one.enter(*at);
      entered = true;
    } else {
      one.in_block_++;
      Request request;
      for_lanes(chosen,
                [&](unsigned i) { request.add(i, lanes_[i].log.addresses.next[accesses]); });
      accesses++;
      consumer->request(*at, request);
    }
  }
  const auto done = at - begin;
  one.log.notes.next = at;
  one.log.addresses.next += accesses;
  one.together_ = step_;
  for_lanes(others, [&](unsigned i) {
    Lane& lane = lanes_[i];
    lane.log.notes.next += done;
    lane.log.addresses.next += accesses;
    lane.together_ = one.together_;
    lane.in_block_ = one.in_block_;
    if (entered) {
      lane.path_ = one.path_;
      lane.comparison_ = compared_before_block ? one.comparison_ : lane.last_comparison_;
    }
    if (compared) lane.last_comparison_ = one.last_comparison_;
  });
}

void Warp::pass_barrier(uint32_t lanes, Consumer* consumer) {
  consumer->barrier(static_cast<unsigned>(__builtin_popcount(lanes)));
  step_++;
  for_lanes(lanes, [&](unsigned i) {
    lanes_[i].together_ = step_;
    lanes_[i].in_block_++;
    lanes_[i].log.notes.next++;
  });
}

bool Warp::all_have_noted() const {
  for (unsigned i = 0; i < count_; i++)
    if (!lanes_[i].ended_ && lanes_[i].log.notes.pending() == 0 && lanes_[i].held.empty())
      return false;
  return true;
}

// Those that go on next do so; false if somebody has not noted yet what it does.
bool Warp::go_on(Consumer* consumer) {
  uint32_t active = 0, at_barrier = 0;
  for (unsigned i = 0; i < count_; i++) {
    Lane& lane = lanes_[i];
    lane.skip_comparisons();
    if (lane.log.notes.pending() == 0) {
      if (!lane.ended_) return false;
      continue;
    }
    active |= 1u << i;
    if (what_of(lane.next()) == What::barrier) at_barrier |= 1u << i;
  }
  if (active == 0) return false;
  if (active == at_barrier) {
    pass_barrier(active, consumer);
    return true;
  }
  const uint32_t candidates = active & ~at_barrier;
  const uint32_t chosen = choose(candidates), rest = candidates & ~chosen;
  if (chosen != active) note_divergence(chosen, active, consumer);
  // Those who come to a rival do not get far, so that there is no use in comparing all of their
  // notes.
  const size_t same = same_notes(chosen, rest == 0 ? SIZE_MAX : 128);
  if (same == 0)
    step(chosen, consumer);
  else
    run(chosen, same, rest == 0 ? nullptr : &lanes_[first_of(choose(rest))], consumer);
  return true;
}

void Warp::replay(Consumer* consumer) {
  if (!all_have_noted()) return;
  for (unsigned i = 0; i < count_; i++) lanes_[i].let_all_go();
  while (go_on(consumer)) {
  }
  // The memory at the beginning is still in the cache.
  for (unsigned i = 0; i < count_; i++)
    if (lanes_[i].log.notes.pending() == 0) lanes_[i].clear();
}

}  // namespace cpu_device::check
