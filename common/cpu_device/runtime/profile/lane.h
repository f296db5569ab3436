// What one lane of a warp notes, and where its replay is.
#pragma once

#include <vector>

#include "../check/state.h"
#include "../check/log.h"
#include "block_facts.h"

namespace cpu_device::check {

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
  bool is_at_comparison() const {
    return next_block_ == 0 && log.notes.pending() != 0 &&
           what_of(*log.notes.next) == What::comparison;
  }
  void skip_comparisons(const Note* end) {
    while (log.notes.next != end && is_at_comparison())
      state_.last_comparison = code_of(*log.notes.next++);
  }
  bool enter(Note block);
  void change_function(Note block);
  bool only_leaves() const;

  bool is_in_same_block(const Lane& other) const {
    return top_ == other.top_ && outer_ == other.outer_;
  }
  // They are at one place, and what they have done does not differ: as far as their notes are the
  // same they do the same.
  bool may_follow(const Lane& other) const {
    return state_ == other.state_ && is_in_same_block(other);
  }
  size_t may_go() const {
    return static_cast<size_t>(until_ - log.notes.next);
  }  // of one that leads
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
    bool in_access = false;                      // its thread waits there
    bool operator==(const State& other) const {  // before the end of the log
      return together == other.together && in_block == other.in_block &&
             comparison == other.comparison && last_comparison == other.last_comparison;
    }
  };
  State state_;
  Level top_;                 // without a depth as long as it has not come to a block
  std::vector<Level> outer_;  // outermost first
  uint32_t changes_ = 0;      // of the function
  // Of the top level's block: where it ends and which one follows; 0 if the log tells.
  uint32_t end_of_block_ = 0, next_block_ = 0;
  // Of one that follows another: where it and the other one stood when it began to, and how far the
  // other one may go; null: to the end. Of one that leads: how far it may go with all that follow.
  Note *own_begin_ = nullptr, *begin_ = nullptr, *until_ = nullptr;
};

// Whether it ends with a comparison.
inline bool Lane::enter(Note block) {
  if (!has_depth(block) || top_.depth == depth_of(block))
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
inline bool Lane::accesses_in_block(Note note) const {
  const void* const counter = place(place_of_note(note)).counter;
  const uint32_t code = code_of(counter);
  return counter != nullptr && code > top_.block && code <= end_of_block_;
}

}  // namespace cpu_device::check
