// Decides whether an access races with earlier ones to the same bytes.
#pragma once

#include "access_sets.h"

namespace cpu_device::check {

// `cluster`: shared memory that other blocks may also access.
enum class Where { global, shared, variable, cluster };

// Where what the kernel touches is noted, if it is.
Region* region_of(Context& c, uintptr_t address);
// The access of a cell: reports what is wrong with it, and notes it.
void check_cell(Context& c, Cell& cell, uintptr_t address, unsigned bytes, Record fresh, Where where);
// In shared memory, what a block that has ended left says nothing.
void forget_old_block(const Context& c, Cell& cell);

// The usual cases without a call; true if there is nothing more to do. `low` and `high`: segments in
// between are known to be ordered before the caller.
template <bool is_write>
inline bool quick(Cell& cell, uint64_t me, Record fresh, uint64_t low, uint64_t high) {
  const Record w = cell.write, r = cell.reads;
  const uint64_t ws = segment(w);
  if ((ws < low || ws >= high) && who(w) != me) return false;
  const uint64_t rs = segment(r);
  const bool before = r == 0 || (rs >= low && rs < high);
  if (is_write) {
    if (!before && who(r) != me && ((r & kSet) == 0 || !set_is_before(r, high))) return false;
    cell.write = fresh;
    cell.reads = 0;
    return true;
  }
  // A read of one's own that is known stays; an atomic of one's own does not stand for a read.
  if (r != 0 && who(r) == me) return r == fresh || place(place_of(r)).access == Access::read;
  if (before) {
    cell.reads = fresh;
    return true;
  }
  // What others have read, each mostly reads in many words.
  const Memo& known = reads_of_places[place_of(fresh) % std::size(reads_of_places)];
  if (known.set == r && known.record == fresh) {
    cell.reads = known.result;
    return true;
  }
  if ((r & kSet) == 0 || !only_reads(r) || !set_is_before(r, high)) return false;
  cell.reads = fresh;
  return true;
}

}  // namespace cpu_device::check
