// What a cell remembers of reads and atomics, for later accesses that may conflict with them.
//
// Of many reads a few say as much as all: a later access that is not ordered after one of them is found
// by it. So two threads of each place and segment are enough, and two blocks of a launch. Only where
// threads are ordered one by one (by fences or __syncwarp) each must be kept.
#pragma once

#include <vector>

#include "happens_before.h"

namespace cpu_device::check {

struct Node {
  Record record;
  uint64_t newest;  // the highest of all their segments
  uint32_t back;    // so far back in `nodes` is the parent; 0: none
  uint32_t length : 21;  // with all parents; kMostLength: this or more
  // What all of them are: reads; atomics that no block is beyond, of one size; the same or volatile.
  uint32_t all_reads : 1, all_wide_atomics : 1, all_strong : 1, bytes : 8;
};
inline std::vector<Node>& nodes() {
  static auto* all = new std::vector<Node>(1);
  return *all;
}
extern uint64_t nodes_first;  // number of nodes()[0]

inline const Node& node_of(uint64_t number) { return nodes()[number - nodes_first]; }
inline uint64_t parent_of(uint64_t number) {
  const uint32_t back = node_of(number).back;
  return back == 0 ? 0 : number - back;
}
// Whether all accesses of a set are known to be ordered, as those of segments below this one are.
inline bool set_is_before(Record set, uint64_t segment) {
  const uint64_t number = set & ~kSet;
  return number <= nodes_first || node_of(number).newest < segment;
}
inline bool only_reads(Record set) {
  const uint64_t number = set & ~kSet;
  return number <= nodes_first || node_of(number).all_reads;
}

Record make_set(Record record, uint64_t parent);
// A set as a node's parent: a single record becomes a node.
uint64_t as_parent(Record set);
// The record that was added last; 0: of an earlier launch.
Record newest_of(Record set);
// Lets go of the sets of earlier launches, if there are many.
void begin_launch_sets(int device);
// Forgets which sets were extended by which records: what decides that has changed.
void forget_memos();
// UINT64_MAX: of no block of the launch that runs.
uint64_t block_of(Record r);

extern int only_device;  // on which all kernels ran; -1: none has; -2: on several
inline bool nodes_of_one_device() { return only_device >= 0 && !several_streams(); }
inline bool is_wide_atomic(const Program& p) { return is_atomic(p.access) && p.scope != Scope::block; }
inline bool is_strong(const Program& p) { return is_wide_atomic(p) || is_volatile(p.access); }

// Whether nothing in the set can conflict with such an access.
inline bool harmless_set(Record set, const Program& p, bool shared) {
  if ((set & kSet) == 0) return false;
  const uint64_t number = set & ~kSet;
  if (number <= nodes_first) return true;
  const Node& node = node_of(number);
  if (node.all_reads && is_read(p.access)) return true;
  if (node.bytes != p.bytes || !nodes_of_one_device()) return false;
  // Volatile accesses to shared memory may be those of warp-synchronous code.
  return shared ? node.all_wide_atomics && is_wide_atomic(p) : node.all_strong && is_strong(p);
}

struct Memo {
  Record set = 0, record = 0, result = 0;
};
extern Memo memos[4096];
// The last read of each place that others had made before it: what those were, and what they are with this one.
extern Memo reads_of_places[1024];
// The set with one more.
Record extended(const Context& c, Record set, Record fresh, Memo& memo);
inline Record with(const Context& c, Record set, Record fresh) {
  if (set == 0) return fresh;
  Memo& memo = memos[(set * 0x9e3779b97f4a7c15u ^ fresh * 0xc2b2ae3d27d4eb4fu) >> 52];
  return memo.set == set && memo.record == fresh ? memo.result : extended(c, set, fresh, memo);
}

// Calls function(record) for each, until it returns false.
template <typename Function>
void for_set(Record set, const Function& function) {
  if (set == 0) return;
  if ((set & kSet) == 0) {
    function(set);
    return;
  }
  for (uint64_t at = set & ~kSet; at > nodes_first;) {
    if (!function(node_of(at).record)) return;
    at = parent_of(at);
  }
}

}  // namespace cpu_device::check
