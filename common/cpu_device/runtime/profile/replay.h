// Puts together what a warp does at a time. On the CPU device the lanes of a warp run one after the
// other; on a GPU they run together for as long as they take the same way, and meet again behind a
// branch or a loop. Each lane notes what it does; once all lanes have come to a barrier or to their
// end, the warp is replayed as a GPU would run it: of the lanes that are at different places those
// go on first that are in the code furthest behind, so that the others are caught up with where the
// ways meet (a loop's lanes that are through wait for those still in it).
//
// Most lanes of most warps do the same for long. As far as their notes are equal they are replayed
// as one.
#pragma once

#include <vector>

#include "../observe/log.h"
#include "requests.h"

namespace cpu_device::check {

class Consumer {
 public:
  virtual ~Consumer() = default;
  // The request's lanes and addresses; what they do stands in the note of the first lane.
  virtual void request(Note note, Request& request) = 0;
  virtual void barrier(unsigned lanes) = 0;
  // Lanes that were together go different ways. Where: the comparison before, and the block; 0:
  // none.
  virtual void divergence(uint32_t comparison, uint32_t block) = 0;
};

// An access that another one may yet be joined to.
struct Held {
  Note note;
  uint64_t address;
};

// What one lane notes.
class Lane {
 public:
  Log log;
  std::vector<Held> held;  // the last ones, which are not in the log yet

  void note(Note note) { log.notes.add(note); }
  void access(Note note, uint64_t address);
  void hold(Note note, uint64_t address);
  void let_go(size_t count);  // of the first that are held
  void let_all_go() {
    if (!held.empty()) let_go(held.size());
  }

 private:
  friend class Warp;
  struct Level {  // a function that is being called, and where it is
    uint32_t depth = 0, block = 0;
    bool operator==(const Level& other) const {
      return depth == other.depth && block == other.block;
    }
  };
  void begin(bool alone);
  void clear() {
    log.notes.clear();
    log.addresses.clear();
  }
  // Whether the block that comes next is not in the log, since nothing else can come after this
  // one. This one's own accesses come before; while the thread waits at one, there may be more of
  // them.
  bool owes_block() const {
    if (next_block_ == 0) return false;
    return log.notes.next == log.notes.at ? !state_.in_access : !is_of_block(*log.notes.next);
  }
  bool is_of_block(Note note) const {
    return what_of(note) == What::access && accesses_in_block(note);
  }
  bool accesses_in_block(Note note) const;
  Note owed_block() const { return block_note(counter_of(next_block_), top_.depth); }
  bool has_next() const {
    return log.notes.pending() != 0 || (next_block_ != 0 && !state_.in_access);
  }
  Note next() const { return owes_block() ? owed_block() : *log.notes.next; }
  Note take_next() { return owes_block() ? owed_block() : *log.notes.next++; }
  void skip_comparisons() {
    if (next_block_ != 0) return;
    while (log.notes.next != log.notes.at && what_of(next()) == What::comparison)
      state_.last_comparison = code_of(*log.notes.next++);
  }
  bool enter(Note block);
  void change_function(Note block);
  bool only_leaves() const;

  bool is_in_same_block(const Lane& other) const {
    return top_ == other.top_ && outer_ == other.outer_;
  }
  bool does_as(const Lane& other) const;
  void go_to(const Lane& other) {
    top_ = other.top_;
    end_of_block_ = other.end_of_block_;
    next_block_ = other.next_block_;
    if (!outer_.empty() || !other.outer_.empty()) outer_ = other.outer_;
  }

  struct State {
    uint64_t together = 0;         // the step in which it took part last
    uint32_t in_block = 0;         // what it has done since the block began
    uint32_t comparison = 0;       // the last one before that block
    uint32_t last_comparison = 0;  // as far as was replayed
    bool ended = false;
    bool in_access = false;  // its thread waits there
    bool operator==(const State& other) const {
      return together == other.together && in_block == other.in_block &&
             comparison == other.comparison && last_comparison == other.last_comparison &&
             ended == other.ended && in_access == other.in_access;
    }
  };
  State state_;
  Level top_;                 // without a depth as long as it has not come to a block
  std::vector<Level> outer_;  // outermost first
  // Of the top level's block: where it ends and which one follows; 0 if the log tells.
  uint32_t end_of_block_ = 0, next_block_ = 0;
};

class Warp {
 public:
  void begin(unsigned lanes);
  Lane& lane(unsigned i) { return lanes_[i]; }
  void end(unsigned i) {
    lanes_[i].state_.ended = true;
    lanes_[i].state_.in_access = false;
  }
  void wait(unsigned i, bool in_access) { lanes_[i].state_.in_access = in_access; }
  // Replays as far as all lanes have noted what they do.
  void replay(Consumer* consumer);

 private:
  bool all_have_noted();
  void group();
  void ungroup();
  uint32_t all_of(uint32_t first_ones) const;
  bool go_on(Consumer* consumer);
  void pass_barrier(uint32_t lanes, Consumer* consumer);
  int compare(const Lane& a, const Lane& b) const;
  int compare_closely(const Lane& a, const Lane& b) const;
  uint32_t choose(uint32_t candidates) const;
  void note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer) const;
  void step(uint32_t chosen, Consumer* consumer);
  size_t same_notes(uint32_t chosen, size_t most) const;
  void run(uint32_t chosen, size_t notes, const Lane* rival, Consumer* consumer);

  Lane lanes_[32];
  unsigned count_ = 0;
  unsigned asked_ = 0;  // those before have noted something
  // Those that do the same from here on, by the first of them, which all other masks stand for.
  uint32_t first_ones_ = 0, members_[32];
  uint64_t step_ = 0;
};

}  // namespace cpu_device::check
