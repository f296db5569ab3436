// Puts together what a warp does at a time. On the CPU device the lanes of a warp run one after the
// other; on a GPU they run together for as long as they take the same way, and meet again behind a
// branch or a loop. Each lane notes what it does; once all lanes have come to a barrier or to their
// end, the warp is replayed as a GPU would run it: of the lanes that are at different places those go
// on first that are in the code furthest behind, so that the others are caught up with where the
// ways meet (a loop's lanes that are through wait for those still in it).
#pragma once

#include <vector>

#include "../observe/observer.h"

namespace cpu_device::check {

enum class What : unsigned char { block, access, barrier };

struct Event {
  uint64_t value;  // address of an access; of a block, how deep the stack is there
  uint32_t place;  // number of the access's place, or of the block
  uint32_t comparison;  // of a block: the place of the last comparison before it, or 0
  uint16_t bytes;
  What what;
  Access access;
  Space space;
  bool result_used;
};

// What happens at a time: some lanes do the same.
struct Step {
  const Event* events[32];  // of each lane; null: not active
  uint32_t lanes;
};

class Consumer {
 public:
  virtual ~Consumer() = default;
  virtual void request(const Step& step) = 0;
  virtual void barrier(unsigned lanes) = 0;
  // Lanes that were together go different ways; place: of the comparison before, or 0.
  virtual void divergence(uint32_t place, uint32_t block) = 0;
};

class Warp {
 public:
  // `block_counter`: where each numbered basic block lies in the program.
  void begin(unsigned lanes, const std::vector<uintptr_t>* block_counter);
  void add(unsigned lane, const Event& event) { lanes_[lane].events.push_back(event); }
  void add_block(unsigned lane, Event event) {
    event.comparison = lanes_[lane].last_comparison;
    add(lane, event);
  }
  void compares(unsigned lane, uint32_t place) { lanes_[lane].last_comparison = place; }
  // The last event but `back` - 1 that was not replayed; null if there is none.
  Event* last(unsigned lane, int back) {
    if (pending(lane) < static_cast<size_t>(back)) return nullptr;
    return &lanes_[lane].events[lanes_[lane].events.size() - static_cast<size_t>(back)];
  }
  size_t pending(unsigned lane) const { return lanes_[lane].events.size() - lanes_[lane].next; }
  void end(unsigned lane) { lanes_[lane].ended = true; }
  // Replays as far as all lanes have noted what they do.
  void replay(Consumer* consumer);

 private:
  struct Level {  // a function that is being called, outermost first
    uint64_t depth;
    uint32_t block;
  };
  struct Lane {
    std::vector<Event> events;
    size_t next = 0;
    bool ended = false;
    std::vector<Level> path;
    uint32_t in_block = 0;    // events since the block began
    uint32_t comparison = 0;  // the last one's place, as far as was replayed
    uint32_t last_comparison = 0;  // as far as was noted
    uint64_t together = 0;    // the step in which it took part last
  };

  const Event& next(const Lane& lane) const { return lane.events[lane.next]; }
  void enter(Lane& lane, const Event& block);
  bool only_leaves(const Lane& lane) const;
  int compare(const Lane& a, const Lane& b) const;
  uint32_t choose(uint32_t candidates) const;
  void note_divergence(uint32_t chosen, uint32_t candidates, Consumer* consumer);
  void run(uint32_t chosen, Consumer* consumer);
  bool all_go_on(uint32_t lanes) const;

  Lane lanes_[32];
  unsigned count_ = 0;
  uint64_t step_ = 0;
  const std::vector<uintptr_t>* block_counter_ = nullptr;
};

}  // namespace cpu_device::check
