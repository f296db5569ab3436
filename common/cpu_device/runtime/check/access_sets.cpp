// Sets of reads and atomics: lists that share their tails.
#include "access_sets.h"

#include <algorithm>

#include "happens_before.h"
#include "host_turns.h"

namespace cpu_device::check {

uint64_t nodes_first = 0;
int only_device = -1;
Memo memos[4096];
Memo reads_of_places[1024];

namespace {

// Equal sets are one where that is cheap to find out: of each hash, the last one made is known, by the lower bits
// of its number, and the other bits of its hash before them. So a set is looked at only if it is likely to be
// the same. A table that stays in the cache is worth more than one that forgets nothing.
constexpr unsigned kInternedBits = 14, kNumberBits = 40;
uint64_t interned[size_t(1) << kInternedBits];
constexpr size_t kMaxNodes = size_t(1) << 20;
constexpr uint32_t kLongestSet = 4096;  // readers of one word since it was written; more say no more
constexpr uint32_t kMostLength = (1 << 21) - 1;
constexpr unsigned kRecent = 24;        // of a set that are looked at when one is added

}  // namespace

Record make_set(Record record, uint64_t parent) {
  if (parent <= nodes_first) parent = 0;
  const uint64_t number = nodes_first + nodes().size();
  const uint64_t key = (record * 0x9e3779b97f4a7c15u) ^ (parent * 0xc2b2ae3d27d4eb4fu);
  const uint64_t tag = (key ^ key >> 29) << kNumberBits;
  uint64_t& entry = interned[key >> (64 - kInternedBits)];
  const uint64_t known = entry & ((uint64_t(1) << kNumberBits) - 1);
  if (known > nodes_first && entry == (tag | known)) {
    const Node& node = node_of(known);
    if (node.record == record && parent_of(known) == parent) return kSet | known;
  }
  const Program& p = place(place_of(record));
  uint64_t newest = segment(record);
  uint32_t back = 0, length = 1;
  bool all_reads = is_read(p.access), all_wide_atomics = is_wide_atomic(p), all_strong = is_strong(p);
  if (parent != 0) {
    const Node& rest = node_of(parent);
    newest = std::max(newest, rest.newest);
    back = static_cast<uint32_t>(number - parent);
    length = std::min<uint32_t>(rest.length + 1, kMostLength);
    all_reads = all_reads && rest.all_reads;
    all_wide_atomics = all_wide_atomics && rest.all_wide_atomics && rest.bytes == p.bytes;
    all_strong = all_strong && rest.all_strong && rest.bytes == p.bytes;
  }
  entry = tag | number;
  nodes().push_back({record, newest, back, length, all_reads, all_wide_atomics, all_strong, p.bytes});
  return kSet | number;
}

namespace {

// Does everything that conflicts with a also conflict with b?
bool covers(Access b, Access a) {
  if (a == b || b == Access::write) return true;
  if (is_volatile(a) && is_volatile(b)) return b == Access::volatile_write;
  return is_atomic(a) && is_atomic(b) && (is_read(a) || !is_read(b));
}

}  // namespace

uint64_t block_of(Record r) {
  SegmentInfo info;
  if (!of_launch(segment(r)) || !segment_info(segment(r), &info)) return UINT64_MAX;
  return info.block;
}

uint64_t as_parent(Record set) { return (set & kSet) != 0 ? set & ~kSet : make_set(set, 0) & ~kSet; }

namespace {

// A node's parent as a set.
Record with_parent(uint64_t parent) { return parent > nodes_first ? kSet | parent : 0; }
uint32_t set_length(Record set) {
  const uint64_t number = set & ~kSet;
  if ((set & kSet) == 0) return set != 0;
  return number > nodes_first ? node_of(number).length : 0;
}
Record memo_of(Memo& memo, Record set, Record fresh, Record result) {
  memo = {set, fresh, result};
  return result;
}

// Whether the set has this one among its last ones. None that was made before the segment began can be it.
bool has_lately(Record set, Record fresh) {
  const auto same = [&](Record r) { return who(r) == who(fresh) && place_of(r) == place_of(fresh); };
  if ((set & kSet) == 0) return same(set);
  unsigned looked_at = 0;
  for (uint64_t at = set & ~kSet; at > nodes_first && looked_at < kRecent; at = parent_of(at), looked_at++) {
    if (node_of(at).newest < segment(fresh)) return false;
    if (same(node_of(at).record)) return true;
  }
  return false;
}

}  // namespace

Record extended(const Context& c, Record set, Record fresh, Memo& memo) {
  const Program& p = place(place_of(fresh));
  unsigned same_time = 0, other_blocks = 0, looked_at = 0;
  bool known = false;
  const auto number_of = [](Record r) { return (r & kSet) != 0 ? r & ~kSet : 0; };
  // What is ordered before this one, and conflicts with nothing that this one does not, may go.
  const auto superfluous = [&](Record r) {
    const Program& old = place(place_of(r));
    const bool as_wide = is_plain(p.access) || (p.bytes == old.bytes && p.scope <= old.scope);
    return as_wide && covers(p.access, old.access) && ordered(c, r);
  };
  Record rest = set;
  while (rest != 0) {
    const uint64_t number = number_of(rest);
    const Record head = number == 0 ? rest : number > nodes_first ? node_of(number).record : 0;
    if (head != 0 && (who(head) != who(fresh) || place_of(head) != place_of(fresh)) && !superfluous(head))
      break;
    if (head != 0 && who(head) == who(fresh) && place_of(head) == place_of(fresh)) return memo_of(memo, set, fresh, set);
    rest = number > nodes_first ? with_parent(parent_of(number)) : 0;
  }
  const bool all_are_kept = precise();
  if (all_are_kept)
    known = has_lately(rest, fresh);
  else
    for_set(rest, [&](Record r) {
      if (++looked_at > kRecent) return false;
      if (place_of(r) != place_of(fresh)) return true;
      if (segment(r) >= launch_first() && segment(r) < c.floor) return true;  // before a grid.sync()
      if (who(r) == who(fresh)) known = true;
      if (segment(r) == segment(fresh)) same_time++;
      if (block_of(r) != c.block) other_blocks++;
      return !known;
    });
  Record result = rest;
  const bool enough = all_are_kept ? set_length(rest) >= kLongestSet : same_time >= 2 || other_blocks >= 2;
  if (!known && !enough) result = rest == 0 ? fresh : make_set(fresh, as_parent(rest));
  memo = {set, fresh, result};
  return result;
}

Record newest_of(Record set) {
  if ((set & kSet) == 0) return set;
  const uint64_t number = set & ~kSet;
  return number > nodes_first ? node_of(number).record : 0;
}

void forget_memos() {
  for (Memo& memo : memos) memo = {};
  for (Memo& memo : reads_of_places) memo = {};
}

void begin_launch_sets(int device) {
  if (nodes().size() > kMaxNodes && !launch_is_left()) {
    nodes_first += nodes().size();
    nodes().assign(1, {});
  }
  forget_memos();
  if (only_device == -1) only_device = device;
  if (only_device != device) only_device = -2;
}

}  // namespace cpu_device::check
