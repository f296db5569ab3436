// What one lane of a warp notes, and where its replay is.
#include "lane.h"

namespace cpu_device::check {

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

// A block at a greater depth is in a function that was called, at a lesser one behind a return.
void Lane::change_function(Note block) {
  const Level now = {depth_of(block), code_of(block)};
  changes_++;
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

}  // namespace cpu_device::check
