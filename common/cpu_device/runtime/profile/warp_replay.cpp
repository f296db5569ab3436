#include "warp_replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cpu_device::check {

namespace {

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

void Warp::note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer) {
  const Lane& one = lanes_[first_of(chosen)];
  if (one.state_.together == 0) return;
  uint32_t others = 0;
  for_lanes(candidates & ~chosen, [&](unsigned i) {
    if (lanes_[i].state_.together == one.state_.together) others |= 1u << i;
  });
  if (others == 0 || one.only_leaves()) return;
  bool differ = false;
  for_lanes(others, [&](unsigned i) { differ = differ || !only_leave(i); });
  if (!differ) return;
  consumer->divergence(
      what_of(one.next()) == What::block ? one.state_.last_comparison : one.state_.comparison,
      one.top_.block);
}

// Also those who follow it for a while only.
bool Warp::only_leave(unsigned leader) {
  bool leave = lanes_[leader].only_leaves();
  if (!leave) return false;
  for_lanes(members_[leader] & ~(1u << leader), [&](unsigned i) {
    if (lanes_[i].until_ == nullptr) return;
    catch_up(i, lanes_[leader]);
    leave = leave && lanes_[i].only_leaves();
  });
  return leave;
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

// How many of their next notes are the same, for all who follow them, too, but no more than `most`;
// 0 if they have come by different ways.
size_t Warp::same_notes(uint32_t chosen, size_t most) const {
  const Lane& one = lanes_[first_of(chosen)];
  size_t same = one.may_go();
  for_lanes(chosen & (chosen - 1), [&](unsigned i) {
    const Lane& lane = lanes_[i];
    same = std::min({most, same, lane.may_go()});
    if (!lane.is_in_same_block(one)) same = 0;
    same = same_prefix(one.log.notes.next, lane.log.notes.next, same);
  });
  return same;
}

namespace {

// Finds out that the last notes of a run are those before them over again, with nothing but blocks
// and comparisons, and that the lane has come to be as it was: then it does so again for as long as
// its notes go on like that.
class Cycle {
 public:
  struct Moment {
    uint32_t block, comparison, last_comparison, changes;
    size_t accesses;
    bool operator==(const Moment& other) const {
      return block == other.block && comparison == other.comparison &&
             last_comparison == other.last_comparison && changes == other.changes &&
             accesses == other.accesses;
    }
  };
  // How many of the notes from `at` on, the next of which is a block, can be passed over.
  size_t passes_over(const Note* at, const Note* end, const Moment& now) {
    if (at == begin_) return 0;  // it has just passed over what was before
    if (begin_ == nullptr || *at != *begin_) {
      if (begin_ == nullptr || ++since_ == most_) begin(at, now, most_ * 2);
      return 0;
    }
    size_t whole = 0;
    if (now == then_) {
      const auto length = static_cast<size_t>(at - begin_);
      whole = same_prefix(begin_, at, static_cast<size_t>(end - at)) / length * length;
    }
    begin(at + whole, now, 4);
    return whole;
  }

 private:
  void begin(const Note* at, const Moment& now, unsigned most) {
    begin_ = at;
    then_ = now;
    since_ = 0;
    most_ = most;
  }
  const Note* begin_ = nullptr;
  Moment then_{};
  unsigned since_ = 0, most_ = 4;
};

}  // namespace

// The lanes replay so many notes together, or fewer if they come to where the other group waits,
// and never past a barrier.
void Warp::run(uint32_t chosen, size_t notes, const Lane* rival, Consumer* consumer) {
  const uint32_t others = chosen & (chosen - 1), all = all_of(chosen);
  Lane& one = lanes_[first_of(chosen)];
  Note *const begin = one.log.notes.next, *const end = begin + notes, *at = begin;
  size_t accesses = 0;
  // What their last blocks and comparisons were may differ before, but not after.
  bool compared = false, compared_before_block = false, entered = false, first = true;
  Cycle cycle;
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
    if (what == What::block && !owed) {
      const size_t over = cycle.passes_over(at - 1, end,
                                            {one.top_.block, one.state_.comparison,
                                             one.state_.last_comparison, one.changes_, accesses});
      if (over != 0) {
        at += over - 1;
        compared_before_block = compared;
        continue;
      }
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

// ---- who follows whom ----

// From here on, for so many notes.
void Warp::follow(unsigned i, unsigned leader, size_t same) {
  Lane &lane = lanes_[i], &one = lanes_[leader];
  const bool to_the_end = same == lane.log.notes.pending() && same == one.log.notes.pending() &&
                          lane.state_.ended == one.state_.ended &&
                          lane.state_.in_access == one.state_.in_access;
  lane.own_begin_ = lane.log.notes.next;
  lane.begin_ = one.log.notes.next;
  lane.until_ = to_the_end ? nullptr : one.log.notes.next + same;
  if (!to_the_end) one.until_ = std::min(one.until_, lane.until_);
  members_[leader] |= 1u << i;
}

// It is where its leader is now.
void Warp::catch_up(unsigned i, const Lane& leader) {
  Lane& lane = lanes_[i];
  const bool ended = lane.state_.ended, in_access = lane.state_.in_access;
  lane.log.notes.next = lane.own_begin_ + (leader.log.notes.next - lane.begin_);
  lane.go_to(leader);
  lane.state_ = leader.state_;
  lane.state_.ended = ended;
  lane.state_.in_access = in_access;
}

// One that leads itself only follows one of these, if it does something as it does, or leads on.
void Warp::try_to_follow(unsigned i, uint32_t leaders) {
  Lane& lane = lanes_[i];
  members_[i] = 1u << i;
  lane.until_ = lane.log.notes.at;
  for (; leaders != 0; leaders &= leaders - 1) {
    const unsigned leader = first_of(leaders);
    const Lane& one = lanes_[leader];
    const size_t most = std::min(lane.log.notes.pending(), one.log.notes.pending());
    if (most == 0 || *lane.log.notes.next != *one.log.notes.next || !lane.may_follow(one)) continue;
    return follow(i, leader, same_prefix(one.log.notes.next, lane.log.notes.next, most));
  }
  leaders_ |= 1u << i;
}

// Those who have followed as far as they could lead themselves.
uint32_t Warp::part(unsigned leader) {
  Lane& one = lanes_[leader];
  if (one.log.notes.next != one.until_) return 0;
  uint32_t left = 0;
  one.until_ = one.log.notes.at;
  for_lanes(members_[leader] & ~(1u << leader), [&](unsigned i) {
    Note* const until = lanes_[i].until_;
    if (until == one.log.notes.next) {
      catch_up(i, one);
      left |= 1u << i;
    } else if (until != nullptr) {
      one.until_ = std::min(one.until_, until);
    }
  });
  members_[leader] &= ~left;
  uint32_t new_leaders = 0;
  for_lanes(left, [&](unsigned i) {
    try_to_follow(i, new_leaders);
    new_leaders |= leaders_ & 1u << i;
  });
  return new_leaders;
}

// Some have done something together, and may be one now. Returns those who lead.
uint32_t Warp::regroup(uint32_t leaders) {
  uint32_t left = 0;
  for_lanes(leaders, [&](unsigned i) { left |= part(i); });
  uint32_t one = leaders & -leaders;
  for_lanes(leaders & ~one, [&](unsigned i) {
    const uint32_t followers = members_[i] & ~(1u << i);
    for_lanes(followers, [&](unsigned other) { catch_up(other, lanes_[i]); });
    leaders_ &= ~(1u << i);
    try_to_follow(i, one);
    one |= leaders_ & 1u << i;
    for_lanes(followers, [&](unsigned other) {
      try_to_follow(other, one);
      one |= leaders_ & 1u << other;
    });
  });
  return one | left;
}

void Warp::group() {
  leaders_ = 0;
  for (unsigned i = 0; i < count_; i++) try_to_follow(i, leaders_);
  to_look_at_ = leaders_;
  at_barrier_ = 0;
  waiting_count_ = 0;
}

void Warp::ungroup() {
  for_lanes(leaders_, [&](unsigned leader) {
    for_lanes(members_[leader] & ~(1u << leader), [&](unsigned i) { catch_up(i, lanes_[leader]); });
  });
}

uint32_t Warp::all_of(uint32_t leaders) const {
  uint32_t all = 0;
  for_lanes(leaders, [&](unsigned i) { all |= members_[i]; });
  return all;
}

// ---- who goes on ----

void Warp::put_in_order(unsigned leader) {
  unsigned at = waiting_count_++;
  for (; at > 0 && compare(lanes_[leader], lanes_[waiting_[at - 1]]) > 0; at--)
    waiting_[at] = waiting_[at - 1];
  waiting_[at] = static_cast<unsigned char>(leader);
}

// Those furthest behind.
uint32_t Warp::take_first() {
  const Lane& one = lanes_[waiting_[--waiting_count_]];
  uint32_t chosen = 1u << waiting_[waiting_count_];
  while (waiting_count_ > 0 && compare(lanes_[waiting_[waiting_count_ - 1]], one) == 0)
    chosen |= 1u << waiting_[--waiting_count_];
  return chosen;
}

// False if it has not noted yet what it does.
bool Warp::look_at(unsigned leader) {
  Lane& lane = lanes_[leader];
  do {
    lane.skip_comparisons(lane.until_);
    to_look_at_ |= part(leader);
  } while (lane.is_at_comparison());
  if (!lane.has_next()) return lane.state_.ended;
  if (what_of(lane.next()) == What::barrier)
    at_barrier_ |= 1u << leader;
  else
    put_in_order(leader);
  return true;
}

// Those that go on next do so; false if somebody has not noted yet what it does.
bool Warp::go_on(Consumer* consumer) {
  bool all_know = true;
  while (to_look_at_ != 0) {
    const unsigned leader = first_of(to_look_at_);
    to_look_at_ &= to_look_at_ - 1;
    all_know = look_at(leader) && all_know;
  }
  if (!all_know) return false;
  if (waiting_count_ == 0) {
    if (at_barrier_ == 0) return false;
    to_look_at_ = at_barrier_;
    at_barrier_ = 0;
    pass_barrier(to_look_at_, consumer);
    to_look_at_ = regroup(to_look_at_);
    return true;
  }
  const uint32_t chosen = take_first();
  uint32_t others = at_barrier_;
  for (unsigned i = 0; i < waiting_count_; i++) others |= 1u << waiting_[i];
  if (others != 0) note_divergence(chosen, chosen | others, consumer);
  const Lane* const rival = waiting_count_ == 0 ? nullptr : &lanes_[waiting_[waiting_count_ - 1]];
  // Those who come to a rival do not get far, so that there is no use in comparing all of their
  // notes.
  const size_t same = same_notes(chosen, rival == nullptr ? SIZE_MAX : 128);
  if (same == 0)
    step(chosen, consumer);
  else
    run(chosen, same, rival, consumer);
  to_look_at_ = regroup(chosen);
  return true;
}

// ---- the replay of all ----

// It notes no way. What it accesses, it accesses by itself.
void Warp::replay_alone(Consumer* consumer) {
  Lane& lane = lanes_[0];
  lane.let_all_go();
  Log& log = lane.log;
  for (; log.notes.next != log.notes.at; log.notes.next++) {
    const Note note = *log.notes.next;
    if (what_of(note) == What::barrier) consumer->barrier(1);
    if (what_of(note) != What::access) continue;
    Request request;
    request.add(0, *log.addresses.next++);
    consumer->request(note, request);
  }
  lane.clear();
}

void Warp::replay(Consumer* consumer) {
  if (count_ == 1) return replay_alone(consumer);
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
