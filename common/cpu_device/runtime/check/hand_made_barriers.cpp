// Barriers that threads make themselves.
//
// A thread that looks at a word again and again waits. It has met the others if the one that changed the word knew of
// this thread's arrival: of what it, or its block, had published last. So a flag is no barrier, and neither is a lock.
// A meeting has a number, counted for each word and block. All who come to a barrier have the same numbers, and
// these do not depend on the schedule: an edge of one run can be compared with one of another run.
#include "hand_made_barriers.h"

#include <algorithm>
#include <climits>
#include <map>
#include <set>

#include "clocks.h"
#include "release_acquire.h"

namespace cpu_device::check {

namespace {

constexpr size_t kMostWaits = 200000;

struct Waited {
  uint64_t block;
  unsigned thread;
  Looks looks;
};
std::vector<Waited>& all_waits() {
  static auto* all = new std::vector<Waited>;
  return *all;
}
// Places at which a thread has waited. Another one that gets past at once has met it all the same.
std::set<unsigned>& waiting_at() {
  static auto* all = new std::set<unsigned>;
  return *all;
}

// What is known of a block's part in a meeting.
struct Part {
  uint32_t arrived, left;                  // how many barriers the block had passed
  unsigned thread;                         // that arrived for it
  std::map<unsigned, uint64_t> moments;    // of each thread's last look
};
using Parts = std::map<uint64_t, Part>;               // by the segment of the arrival
using PartsOfBlocks = std::map<uint64_t, Parts>;      // by the block
std::map<Lock, PartsOfBlocks>& meetings() {
  static auto* all = new std::map<Lock, PartsOfBlocks>;
  return *all;
}

// Whether the one that changed the word knew that this thread had come.
bool is_meeting(const Waited& wait) {
  const Arrival& mine = wait.looks.arrived;
  return wait.looks.seen != nullptr && mine.segment != 0 &&
         find_in(wait.looks.seen, wait.block, mine.epoch, mine.thread, mine.segment) != nullptr;
}

void add_wait(const Waited& wait) {
  const Looks& looks = wait.looks;
  if (waiting_at().count(looks.place) == 0 || is_lock(looks.word) || !is_meeting(wait)) return;
  PartsOfBlocks& parts = meetings()[looks.word];
  Part& mine = parts[wait.block].try_emplace(looks.arrived.segment, Part{looks.arrived.epoch, looks.epoch, looks.arrived.thread, {}})
                   .first->second;
  mine.left = std::max(mine.left, looks.epoch);
  mine.moments[wait.thread] = looks.moment;
  const Clock& last = *looks.seen;  // of the thread that let it pass
  parts[last.block].try_emplace(last.segment, Part{last.epoch, last.epoch, last.thread, {}});
}

// -1: the edge comes before the meeting; 1: after it; 0: not known, as of another thread without a barrier between.
int side(const Edge& edge, uint64_t arrived, const Part& part) {
  if (edge.thread == part.thread && edge.segment <= arrived) return -1;
  if (edge.thread != part.thread && edge.epoch < part.arrived) return -1;
  const auto look = part.moments.find(edge.thread);
  if (look != part.moments.end()) return edge.moment > look->second ? 1 : 0;
  if (edge.thread == part.thread) return 1;
  return edge.epoch > part.left ? 1 : 0;
}

}  // namespace

void look_at_word(Context& c, ThreadLocks& t, const Lock& word, unsigned place) {
  Looks& now = t.at_word;
  if (now.count == 0 || !(now.word == word) || now.place != place) {
    stop_looking_at_word(t);
    now = {};
    now.word = word;
    now.place = place;
  }
  if (++now.count > 1) waiting_at().insert(place);
  now.epoch = c.epoch;
  now.moment = next_moment();
  now.arrived = last_arrival(c);
  const auto told = published().find(word.address);
  now.seen = told == published().end() ? nullptr : told->second.any;
}

void stop_looking_at_word(ThreadLocks& t) {
  Looks& looks = t.at_word;
  if (looks.count > 0 && looks.arrived.segment != 0 && waiting_at().count(looks.place) != 0 && !is_lock(looks.word) &&
      all_waits().size() < kMostWaits) {
    all_waits().push_back({t.block, t.thread, looks});
    t.times_waited++;
  }
  looks.count = 0;
}

void begin_meetings() {
  all_waits().clear();
  meetings().clear();
}

void end_meetings() {
  for (const Waited& wait : all_waits()) add_wait(wait);
  all_waits().clear();
}

void set_turns(Edge& edge) {
  edge.has_turns = true;
  for (const auto& [word, blocks] : meetings()) {
    const auto mine = blocks.find(edge.block);
    if (mine == blocks.end()) continue;
    Turn turn{word, -1, INT_MAX};
    int number = 0;
    for (const auto& [arrived, part] : mine->second) {
      const int where = side(edge, arrived, part);
      if (where > 0) turn.last = number;
      if (where < 0) turn.next = std::min(turn.next, number);
      number++;
    }
    edge.turns.push_back(turn);
  }
}

bool meeting_between(const Edge& a, const Edge& b) {
  for (const Turn& one : a.turns)
    for (const Turn& other : b.turns)
      if (one.word == other.word && (one.next <= other.last || other.next <= one.last)) return true;
  return false;
}

}  // namespace cpu_device::check
