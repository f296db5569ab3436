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

#include "lane.h"
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
  // Of the lanes that lead: those that must be looked at, those at a barrier, and the others, last
  // those that are furthest behind.
  uint32_t to_look_at_ = 0, at_barrier_ = 0;
  unsigned char waiting_[32];
  unsigned waiting_count_ = 0;
  uint64_t step_ = 0;
};

}  // namespace cpu_device::check
