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

// The blocks of which it knows what comes next: the address behind the hook, that of the end, and
// that behind the next one's hook, each counted from where it stands.
struct Successor {
  int32_t block, end, next;
};
extern const Successor begin_of_successors[] __asm__("__start_cpu_device_successors")
    __attribute__((weak, visibility("hidden")));
extern const Successor end_of_successors[] __asm__("__stop_cpu_device_successors")
    __attribute__((weak, visibility("hidden")));

namespace cpu_device::check {

namespace {

uint32_t code_at(const int32_t& distance) {
  return code_of(reinterpret_cast<const char*>(&distance) + distance);
}

// What is known of a block before it runs; 0: none, or the log has it.
struct BlockFacts {
  uint32_t comparison = 0;     // with which it ends
  uint32_t end = 0, next = 0;  // where it ends, and which block follows
};

std::unordered_map<uint32_t, BlockFacts> read_facts() {
  std::unordered_map<uint32_t, BlockFacts> facts;
  for (auto* one = begin_of_comparisons; one != end_of_comparisons; one++)
    facts[code_at(one->block)].comparison = code_at(one->comparison);
  for (auto* one = begin_of_successors; one != end_of_successors; one++) {
    BlockFacts& block = facts[code_at(one->block)];
    block.end = code_at(one->end);
    block.next = code_at(one->next);
  }
  return facts;
}

BlockFacts look_for_facts(uint32_t block) {
  static const auto& all = *new std::unordered_map<uint32_t, BlockFacts>(read_facts());
  const auto found = all.find(block);
  return found == all.end() ? BlockFacts{} : found->second;
}

inline const BlockFacts& facts_of(uint32_t block) {
  struct Known {
    uint32_t block;
    BlockFacts facts;
  };
  static Known known[4096];
  Known& here = known[(block ^ block >> 12) % 4096];
  if (__builtin_expect(here.block != block, 0)) here = {block, look_for_facts(block)};
  return here.facts;
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
unsigned last_of(uint32_t mask) { return 31 - static_cast<unsigned>(__builtin_clz(mask)); }

}  // namespace

// ---- what a lane notes ----

void Lane::begin(bool alone) {
  log.notes.release();
  log.way_bytes = alone ? 0 : sizeof(Note);
  clear();
  log.notes.make_room();  // for a hook that notes nothing that stays
  held.clear();
  top_ = {};
  end_of_block_ = next_block_ = 0;
  outer_.clear();
  state_ = {};
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

// Whether it ends with a comparison.
inline bool Lane::enter(Note block) {
  if (top_.depth == depth_of(block))
    top_.block = code_of(block);
  else
    change_function(block);
  state_.in_block = 0;
  state_.comparison = state_.last_comparison;
  const BlockFacts& facts = facts_of(code_of(block));
  end_of_block_ = facts.end;
  next_block_ = facts.next;
  if (facts.comparison != 0) state_.last_comparison = facts.comparison;
  return facts.comparison != 0;
}

// By its place in the code.
bool Lane::accesses_in_block(Note note) const {
  const void* const counter = place(place_of_note(note)).counter;
  const uint32_t code = code_of(counter);
  return counter != nullptr && code > top_.block && code <= end_of_block_;
}

// A block at a greater depth is in a function that was called, at a lesser one behind a return.
void Lane::change_function(Note block) {
  const Level now = {depth_of(block), code_of(block)};
  while (!outer_.empty() && top_.depth > now.depth) {
    top_ = outer_.back();
    outer_.pop_back();
  }
  if (top_.depth < now.depth && top_.depth != 0) outer_.push_back(top_);
  top_ = now;
}

// Nothing is left to do but to return, which a GPU needs no branch for.
bool Lane::only_leaves() const {
  if (!state_.ended) return false;
  uint32_t last = state_.last_comparison, before_block[2], owed = next_block_;
  unsigned blocks = 0;
  for (const Note* at = log.notes.next; owed != 0 || at != log.notes.at;) {
    if (owed == 0 && what_of(*at) == What::comparison) {
      last = code_of(*at++);
      continue;
    }
    if ((owed == 0 && what_of(*at) != What::block) || blocks == 2) return false;
    const BlockFacts& facts = facts_of(owed != 0 ? owed : code_of(*at++));
    before_block[blocks++] = last;
    if (facts.comparison != 0) last = facts.comparison;
    owed = facts.next;
  }
  for (unsigned i = 0; i < blocks; i++)
    if (before_block[i] != last) return false;  // it compares yet
  return true;
}

// They are at one place, and have noted the same: what they do next, they do together.
bool Lane::does_as(const Lane& other) const {
  const Tape &notes = log.notes, &others = other.log.notes;
  return notes.pending() == others.pending() && state_ == other.state_ && is_in_same_block(other) &&
         memcmp(notes.next, others.next, notes.pending() * sizeof(Note)) == 0;
}

// ---- the warp ----

void Warp::begin(unsigned lanes) {
  count_ = lanes;
  step_ = 0;
  asked_ = 0;
  for (unsigned i = 0; i < lanes; i++) lanes_[i].begin(lanes == 1);
}

// Who is further behind in the code: below 0 if a, above 0 if b, 0 if they are together. Mostly
// they are in different blocks of the kernel itself.
inline int Warp::compare(const Lane& a, const Lane& b) const {
  if (a.top_.block != b.top_.block && a.outer_.empty() && b.outer_.empty())
    return a.top_.block < b.top_.block ? -1 : 1;
  return compare_closely(a, b);
}

int Warp::compare_closely(const Lane& a, const Lane& b) const {
  if (!a.outer_.empty() || !b.outer_.empty()) {
    const size_t levels[] = {a.outer_.size(), b.outer_.size()};
    for (size_t i = 0; i <= std::min(levels[0], levels[1]); i++) {
      const uint32_t x = i == levels[0] ? a.top_.block : a.outer_[i].block,
                     y = i == levels[1] ? b.top_.block : b.outer_[i].block;
      if (x != y) return x < y ? -1 : 1;
    }
    if (levels[0] != levels[1]) return levels[0] > levels[1] ? -1 : 1;
  }
  if (a.state_.in_block != b.state_.in_block) return a.state_.in_block < b.state_.in_block ? -1 : 1;
  const Note x = a.next(), y = b.next();
  if (what_of(x) != what_of(y)) return what_of(x) < what_of(y) ? -1 : 1;
  if (code_of(x) == code_of(y)) return 0;
  if (what_of(x) != What::access) return code_of(x) < code_of(y) ? -1 : 1;
  const void *const first = place(place_of_note(x)).counter, *const second =
                                                                 place(place_of_note(y)).counter;
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
  if (one.state_.together == 0) return;
  uint32_t others = 0;
  for_lanes(candidates & ~chosen, [&](unsigned i) {
    if (lanes_[i].state_.together == one.state_.together) others |= 1u << i;
  });
  if (others == 0 || one.only_leaves()) return;
  bool differ = false;
  for_lanes(others, [&](unsigned i) { differ = differ || !lanes_[i].only_leaves(); });
  if (!differ) return;
  consumer->divergence(
      what_of(one.next()) == What::block ? one.state_.last_comparison : one.state_.comparison,
      one.top_.block);
}

// They do one thing, each by its own note.
void Warp::step(uint32_t chosen, Consumer* consumer) {
  step_++;
  const Note first = lanes_[first_of(chosen)].next();
  if (what_of(first) == What::access) {
    Request request;
    for_lanes(all_of(chosen), [&](unsigned i) { request.add(i, *lanes_[i].log.addresses.next++); });
    consumer->request(first, request);
  }
  for_lanes(chosen, [&](unsigned i) {
    Lane& lane = lanes_[i];
    const Note note = lane.take_next();
    lane.state_.together = step_;
    lane.state_.in_block++;
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
    if (!lane.is_in_same_block(one)) same = 0;
    same = same_prefix(one.log.notes.next, lane.log.notes.next, same);
  });
  return same;
}

// They do as one what stands in so many notes, or until they come to where the rival is, who waits:
// to a barrier at most.
void Warp::run(uint32_t chosen, size_t notes, const Lane* rival, Consumer* consumer) {
  const uint32_t others = chosen & (chosen - 1), all = all_of(chosen);
  Lane& one = lanes_[first_of(chosen)];
  Note *const begin = one.log.notes.next, *const end = begin + notes, *at = begin;
  size_t accesses = 0;
  // What their last blocks and comparisons were may differ before, but not after.
  bool compared = false, compared_before_block = false, entered = false, first = true;
  while (at != end) {
    one.log.notes.next = at;
    const bool owed = one.owes_block();  // they all do, since the next note of all is the same
    const Note note = owed ? one.owed_block() : *at++;
    const What what = what_of(note);
    if (what == What::comparison) {
      one.state_.last_comparison = code_of(note);
      compared = true;
      continue;
    }
    if (what == What::barrier || (rival != nullptr && !first && compare(one, *rival) >= 0)) {
      at = one.log.notes.next;
      break;
    }
    first = false;
    step_++;
    if (what == What::block) {
      compared_before_block = compared;
      compared |= one.enter(note);
      entered = true;
    } else {
      one.state_.in_block++;
      Request request;
      for_lanes(all, [&](unsigned i) { request.add(i, lanes_[i].log.addresses.next[accesses]); });
      accesses++;
      consumer->request(note, request);
    }
  }
  const auto done = at - begin;
  one.log.notes.next = at;
  if (accesses != 0) for_lanes(all, [&](unsigned i) { lanes_[i].log.addresses.next += accesses; });
  one.state_.together = step_;
  for_lanes(others, [&](unsigned i) {
    Lane& lane = lanes_[i];
    lane.log.notes.next += done;
    lane.state_.together = one.state_.together;
    lane.state_.in_block = one.state_.in_block;
    if (entered) {
      lane.go_to(one);
      lane.state_.comparison =
          compared_before_block ? one.state_.comparison : lane.state_.last_comparison;
    }
    if (compared) lane.state_.last_comparison = one.state_.last_comparison;
  });
}

void Warp::pass_barrier(uint32_t lanes, Consumer* consumer) {
  consumer->barrier(static_cast<unsigned>(__builtin_popcount(all_of(lanes))));
  step_++;
  for_lanes(lanes, [&](unsigned i) {
    lanes_[i].state_.together = step_;
    lanes_[i].state_.in_block++;
    lanes_[i].log.notes.next++;
  });
}

bool Warp::all_have_noted() {
  for (; asked_ < count_; asked_++) {
    const Lane& lane = lanes_[asked_];
    if (!lane.state_.ended && !lane.has_next() && lane.held.empty()) return false;
  }
  asked_ = 0;
  return true;
}

// Those that go on next do so; false if somebody has not noted yet what it does.
bool Warp::go_on(Consumer* consumer) {
  uint32_t active = 0, at_barrier = 0;
  bool all_know = true;
  for_lanes(first_ones_, [&](unsigned i) {
    Lane& lane = lanes_[i];
    lane.skip_comparisons();
    if (!lane.has_next()) {
      all_know = all_know && lane.state_.ended;
      return;
    }
    active |= 1u << i;
    if (what_of(lane.next()) == What::barrier) at_barrier |= 1u << i;
  });
  if (!all_know) return false;
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

// Only the first one of lanes that do the same is looked at while they are replayed.
void Warp::group() {
  first_ones_ = 0;
  for (unsigned i = 0; i < count_; i++) {
    uint32_t others = first_ones_;
    while (others != 0 && !lanes_[i].does_as(lanes_[last_of(others)]))
      others &= ~(1u << last_of(others));
    const unsigned first = others == 0 ? i : last_of(others);
    if (first == i) members_[i] = 0;
    first_ones_ |= 1u << first;
    members_[first] |= 1u << i;
  }
}

void Warp::ungroup() {
  for_lanes(first_ones_, [&](unsigned first) {
    const Lane& one = lanes_[first];
    for_lanes(members_[first] & ~(1u << first), [&](unsigned i) {
      Lane& lane = lanes_[i];
      lane.log.notes.next = lane.log.notes.at - one.log.notes.pending();
      lane.go_to(one);
      lane.state_ = one.state_;
    });
  });
}

uint32_t Warp::all_of(uint32_t first_ones) const {
  uint32_t all = 0;
  for_lanes(first_ones, [&](unsigned i) { all |= members_[i]; });
  return all;
}

void Warp::replay(Consumer* consumer) {
  if (!all_have_noted()) return;
  for (unsigned i = 0; i < count_; i++) lanes_[i].let_all_go();
  group();
  while (go_on(consumer)) {
  }
  ungroup();
  // The memory at the beginning is still in the cache.
  for (unsigned i = 0; i < count_; i++)
    if (lanes_[i].log.notes.pending() == 0) lanes_[i].clear();
}

}  // namespace cpu_device::check
