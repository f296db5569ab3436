// Puts together what a warp does at a time. On the CPU device the lanes of a warp run one after the
// other; on a GPU they run together for as long as they take the same way, and meet again behind a
// branch or a loop. Each lane notes what it does; once all lanes have come to a barrier or to their
// end, the warp is replayed as a GPU would run it: of the lanes that are at different places those
// go on first that are in the code furthest behind, so that the others are caught up with where the
// ways meet (a loop's lanes that are through wait for those still in it).
//
// Most lanes of most warps do the same for long. As far as their notes are equal they are replayed
// as one: a lane follows another one until its notes differ, and is not looked at before. What a
// loop does again and again without an access is passed over.
#pragma once

#include <vector>

#include "../observe/log.h"
#include "memory_requests.h"

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
  void replay_alone(Consumer* consumer);
  void group();
  void ungroup();
  void try_to_follow(unsigned i, uint32_t leaders);
  void follow(unsigned i, unsigned leader, size_t same);
  void catch_up(unsigned i, const Lane& leader);
  uint32_t part(unsigned leader);
  uint32_t regroup(uint32_t leaders);
  uint32_t all_of(uint32_t leaders) const;
  bool go_on(Consumer* consumer);
  bool look_at(unsigned leader);
  void put_in_order(unsigned leader);
  uint32_t take_first();
  void pass_barrier(uint32_t lanes, Consumer* consumer);
  int compare(const Lane& a, const Lane& b) const;
  int compare_closely(const Lane& a, const Lane& b) const;
  void note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer);
  bool only_leave(unsigned leader);
  void step(uint32_t chosen, Consumer* consumer);
  size_t same_notes(uint32_t chosen, size_t most) const;
  void run(uint32_t chosen, size_t notes, const Lane* rival, Consumer* consumer);

  Lane lanes_[32];
  unsigned count_ = 0;
  unsigned asked_ = 0;  // those before have noted something
  // Those that lead, which all other masks stand for, and who does the same as each: at least
  // itself, which has the lowest number.
  uint32_t leaders_ = 0, members_[32];
  // Of those that lead: who must be looked at, who is at a barrier, and the others, last those that
  // are furthest behind.
  uint32_t to_look_at_ = 0, at_barrier_ = 0;
  unsigned char waiting_[32];
  unsigned waiting_count_ = 0;
  uint64_t step_ = 0;
};

}  // namespace cpu_device::check
