// Each access of the program's code arrives here, through the functions that g++ calls with
// -fsanitize=thread; the sanitizer's own library is not linked.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>

#include "../observe/observer.h"
#include "../watch/watch.h"
#include "internal_check.h"

namespace cpu_device::check {

uint64_t accesses_checked = 0, launches_checked = 0;

// ---- places ----

Program programs[size_t(1) << kPlaceBits] = {
    {nullptr, {nullptr, 0}, Access::write, Scope::none, 0}};  // kWritten
static unsigned places_known = 1;

namespace {

unsigned add_place(const Program& p) {
  if (places_known < std::size(programs)) programs[places_known++] = p;
  return places_known - 1;
}

unsigned find_place(const void* counter, Access access, unsigned bytes,
                    Scope scope = Scope::system) {
  static auto& known = *new std::unordered_map<const void*, unsigned>;  // to the program's very end
  const auto [at, is_new] = known.try_emplace(counter, 0);
  if (is_new)
    at->second =
        add_place({counter, {nullptr, 0}, access, scope, static_cast<unsigned char>(bytes)});
  return at->second;
}

inline unsigned place_id(Context& c, const void* counter, Access access, unsigned bytes,
                         Scope scope = Scope::system) {
  auto& slot = c.places[reinterpret_cast<uintptr_t>(counter) >> 1 & 1023];
  if (slot.counter != counter) {
    slot.counter = counter;
    slot.id = find_place(counter, access, bytes, scope);
  }
  return slot.id;
}

}  // namespace

unsigned place_count() { return places_known; }

unsigned site_place(Site site, Access access, Scope scope, unsigned bytes) {
  static auto& known = *new std::unordered_map<uint64_t, unsigned>;
  const uint64_t key = (reinterpret_cast<uintptr_t>(site.file) << 20 ^ uint64_t(site.line)) * 64 +
                       unsigned(access) * 8 + unsigned(scope) + (uint64_t(bytes) << 58);
  const auto [at, is_new] = known.try_emplace(key, 0);
  if (is_new)
    at->second = add_place({nullptr, site, access, scope, static_cast<unsigned char>(bytes)});
  return at->second;
}

// ---- sets of reads and atomics ----
//
// A cell remembers what a later access may conflict with. Of many reads a few say as much as all:
// whoever comes later and is not ordered after one of them is found by it. So of each place in the
// program two threads of a span of time are enough, and two blocks of a launch; only where threads
// are ordered one by one (by fences or __syncwarp) each must be kept.

namespace {

bool nodes_of_one_device();

struct Node {
  Record record;
  uint64_t parent;  // 0: none
  uint32_t length;  // with all parents
  // What all of them are: reads; atomics that no block is beyond, of one size; the same or volatile.
  unsigned char all_reads, all_wide_atomics, all_strong, bytes;
};
std::vector<Node>& nodes = *new std::vector<Node>(1);
uint64_t nodes_first = 0;  // number of nodes[0]
// Equal sets are one where that is cheap to find out: of each hash, the last one made is known. A
// table that stays in the cache is worth more than one that forgets nothing.
constexpr unsigned kInternedBits = 14;
uint64_t interned[size_t(1) << kInternedBits];
constexpr size_t kMaxNodes = size_t(1) << 20;
constexpr uint32_t kLongestSet = 4096;  // readers of one word since it was written; more say no more
constexpr unsigned kRecent = 24;        // of a set that are looked at when one is added

bool is_wide_atomic(const Program& p) { return is_atomic(p.access) && p.scope != Scope::block; }
bool is_strong(const Program& p) { return is_wide_atomic(p) || is_volatile(p.access); }

Record make_set(Record record, uint64_t parent) {
  const uint64_t key = (record * 0x9e3779b97f4a7c15u) ^ (parent * 0xc2b2ae3d27d4eb4fu);
  uint64_t& known = interned[key >> (64 - kInternedBits)];
  if (known > nodes_first) {
    const Node& node = nodes[known - nodes_first];
    if (node.record == record && node.parent == parent) return kSet | known;
  }
  const Program& p = place(place_of(record));
  Node node{record, parent, 1, is_read(p.access), is_wide_atomic(p), is_strong(p), p.bytes};
  if (parent > nodes_first) {
    const Node& rest = nodes[parent - nodes_first];
    node.length += rest.length;
    node.all_reads &= rest.all_reads;
    node.all_wide_atomics &= rest.all_wide_atomics && rest.bytes == p.bytes;
    node.all_strong &= rest.all_strong && rest.bytes == p.bytes;
  }
  known = nodes_first + nodes.size();
  nodes.push_back(node);
  return kSet | known;
}

// Whether nothing in the set can conflict with such an access.
bool harmless_set(Record set, const Program& p, bool shared) {
  if ((set & kSet) == 0) return false;
  const uint64_t number = set & ~kSet;
  if (number <= nodes_first) return true;
  const Node& node = nodes[number - nodes_first];
  if (node.all_reads && is_read(p.access)) return true;
  if (node.bytes != p.bytes || !nodes_of_one_device()) return false;
  // Volatile accesses to shared memory may be those of warp-synchronous code.
  return shared ? node.all_wide_atomics && is_wide_atomic(p) : node.all_strong && is_strong(p);
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
    const Node& node = nodes[at - nodes_first];
    if (!function(node.record)) return;
    at = node.parent;
  }
}

// Does everything that conflicts with a also conflict with b?
bool covers(Access b, Access a) {
  if (a == b || b == Access::write) return true;
  if (is_volatile(a) && is_volatile(b)) return b == Access::volatile_write;
  return is_atomic(a) && is_atomic(b) && (is_read(a) || !is_read(b));
}

struct Memo {
  Record set = 0, record = 0, result = 0;
};
Memo memos[4096];

uint64_t block_of(Record r) {
  SegmentInfo info;
  if (!of_launch(segment(r)) || !segment_info(segment(r), &info)) return UINT64_MAX;
  return info.block;
}

// A set as a node's parent, and back: a single record becomes a node, too.
uint64_t as_parent(Record set) { return (set & kSet) != 0 ? set & ~kSet : make_set(set, 0) & ~kSet; }
Record with_parent(uint64_t parent) { return parent > nodes_first ? kSet | parent : 0; }
uint32_t set_length(Record set) {
  const uint64_t number = set & ~kSet;
  if ((set & kSet) == 0) return set != 0;
  return number > nodes_first ? nodes[number - nodes_first].length : 0;
}
Record memo_of(Memo& memo, Record set, Record fresh, Record result) {
  memo = {set, fresh, result};
  return result;
}

// The set with one more.
Record with(const Context& c, Record set, Record fresh) {
  if (set == 0) return fresh;
  Memo& memo = memos[(set * 0x9e3779b97f4a7c15u ^ fresh * 0xc2b2ae3d27d4eb4fu) >> 52];
  if (memo.set == set && memo.record == fresh) return memo.result;
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
    const Record head = number == 0 ? rest : number > nodes_first ? nodes[number - nodes_first].record : 0;
    if (head != 0 && (who(head) != who(fresh) || place_of(head) != place_of(fresh)) && !superfluous(head))
      break;
    if (head != 0 && who(head) == who(fresh) && place_of(head) == place_of(fresh)) return memo_of(memo, set, fresh, set);
    rest = number > nodes_first ? with_parent(nodes[number - nodes_first].parent) : 0;
  }
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
  const bool enough = precise() ? set_length(rest) >= kLongestSet : same_time >= 2 || other_blocks >= 2;
  if (!known && !enough) result = rest == 0 ? fresh : make_set(fresh, as_parent(rest));
  memo = {set, fresh, result};
  return result;
}

int only_device = -1;  // on which all kernels ran; -2: on several
bool nodes_of_one_device() { return only_device >= 0 && !several_streams(); }
void note_device(int device) {
  if (only_device == -1) only_device = device;
  if (only_device != device) only_device = -2;
}

void clear_memos() {
  for (Memo& memo : memos) memo = {};
}

// ---- one cell ----

// Whether two accesses to the same byte need an order.
bool conflict(const Context& c, Record earlier, Record fresh, bool shared) {
  const Program& a = place(place_of(earlier));
  const Program& b = place(place_of(fresh));
  if (is_read(a.access) && is_read(b.access)) return false;
  if (is_plain(a.access) || is_plain(b.access)) return true;
  // Both atomic, or volatile: is each wide enough for the other?
  if (a.bytes != b.bytes && a.bytes != 0 && b.bytes != 0 && segment(earlier) > 1) return true;
  if (!of_launch(segment(earlier))) {
    // Of a kernel on another device?
    if (segment(earlier) <= 1) return false;
    const Scope wanted = done_of(segment(earlier)).device != current_launch()->device ? Scope::system
                                                                                      : Scope::device;
    return a.scope < wanted || b.scope < wanted;
  }
  const bool same_block = block_of(earlier) == c.block;
  if (is_volatile(a.access) && is_volatile(b.access))
    return shared && same_block && thread(earlier) / 32 == thread(fresh) / 32;
  return !same_block && (a.scope == Scope::block || b.scope == Scope::block);
}

// Who has seen an atomic's result comes after it, as far as this word goes.
bool seen_before(const Context& c, Record earlier, uintptr_t address) {
  return is_atomic(place(place_of(earlier)).access) &&
         through_word(c, earlier, address) != nullptr;
}

// `cluster`: shared memory that other blocks may touch, too.
enum class Where { global, shared, variable, cluster };

// Where what the kernel touches is noted down, if it is.
Region* region_of(Context& c, uintptr_t address) {
  if (c.local.contains(address)) return &c.local;
  Context* holder = c.in_cluster ? holder_in_cluster(c, address) : nullptr;
  return holder != nullptr ? &holder->local : find_any_region(address);
}

// ---- reads of what nobody has written yet ----
//
// Threads run one after the other here, so a read may come before a write that is merely not ordered
// with it. That is a race, and told as one when the write comes; what is left at the end of the
// block or the launch was read without having been written.

struct Early {
  unsigned place = 0;
  uint64_t who = 0, block = 0;
  uintptr_t address = 0;  // the first of them
  unsigned bytes = 0;
  uint64_t open = 0;      // words that nobody has written since
  std::unordered_map<uintptr_t, unsigned> words;
  bool told = false;      // and the finding is made, but may be taken back
  Finding finding;
};
std::vector<Early>& early = *new std::vector<Early>;
constexpr size_t kMostEarly = 4096;  // words of each place

// g++ does not tell of structures that functions return into memory. What is not as it was when the
// memory was fresh has been written.
bool looks_fresh(uintptr_t address, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) {
    const unsigned char expected = kFreshWord >> 8 * ((address + i) & 3) & 255;
    if (*reinterpret_cast<const volatile unsigned char*>(address + i) != expected) return false;
  }
  return true;
}

}  // namespace

void fill_as_fresh(uintptr_t address, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    *reinterpret_cast<unsigned char*>(address + i) = kFreshWord >> 8 * ((address + i) & 3) & 255;
}

namespace {

// What nobody writes, and the copy of a structure reads. Where its layout is not known: what is beside
// something written in the same 8 bytes, in an access to more than that.
bool is_padding(Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  const int known = known_padding(c, id, address, bytes);
  const unsigned size = place(id).bytes;
  if (known >= 0 || (size != 0 && size < 8)) return known > 0;
  Region* region = region_of(c, address);
  bool written = false;
  if (region != nullptr)
    for_cells(*region, address & ~uintptr_t(7), 8, [&](Cell& cell, uintptr_t, unsigned) {
      written |= cell.write != 0 && (cell.write & kBeyond) == 0;
    });
  return written;
}

void read_early(Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  if (!looks_fresh(address, bytes)) return;
  if (is_padding(c, id, address, bytes)) return;
  for (Early& e : early)
    if (e.place == id) {
      if (e.words.size() < kMostEarly && e.words.try_emplace(address, bytes).second) e.open++;
      return;
    }
  Early e;
  e.place = id;
  e.who = c.who;
  e.block = c.block;
  e.address = address;
  e.bytes = bytes;
  e.open = 1;
  e.words[address] = bytes;
  early.push_back(std::move(e));
}

// The word is written by somebody who is not ordered after those who read it.
void written_late(uintptr_t address) {
  for (Early& e : early) e.open -= e.words.erase(address);
}

void tell_early(Context& c, bool shared_only) {
  if (early.empty()) return;
  const uint64_t me = c.who, block = c.block;
  for (size_t i = 0; i < early.size(); i++) {
    const bool shared = c.local.contains(early[i].address);
    if (shared_only && !shared) continue;
    // Work in another stream may write it yet.
    if (!shared && several_streams() && !early[i].told) {
      early[i].told = true;
      c.who = early[i].who;
      c.block = early[i].block;
      const auto first = std::min_element(early[i].words.begin(), early[i].words.end());
      if (early[i].open > 0)
        early[i].finding = explain_access("uninitialized", &c, early[i].place, first->first, first->second);
      continue;
    }
    if (!shared && several_streams() && early[i].told) continue;
    const Early e = std::move(early[i]);
    early.erase(early.begin() + static_cast<long>(i--));
    if (e.open == 0) continue;
    const auto first = std::min_element(e.words.begin(), e.words.end());
    c.who = e.who;
    c.block = e.block;
    report_access("uninitialized", &c, e.place, first->first, first->second);
  }
  c.who = me;
  c.block = block;
}

// In shared memory, what a block that is gone has left says nothing.
void forget_old_block(const Context& c, Cell& cell) {
  if ((cell.write & kBeyond) == 0 && segment(cell.write) < c.block_first) cell.write = 0;
  if (cell.reads == 0) return;
  Record last = cell.reads;
  if ((last & kSet) != 0) {
    const uint64_t number = last & ~kSet;
    last = number > nodes_first ? nodes[number - nodes_first].record : 0;  // 0: of an earlier launch
  }
  if (segment(last) < c.block_first) cell.reads = 0;
}

void check_cell(Context& c, Cell& cell, uintptr_t address, unsigned bytes, Record fresh,
                Where where) {
  const bool shared = where == Where::shared || where == Where::cluster;
  const Program& p = place(place_of(fresh));
  const bool reads = is_read(p.access) || p.access == Access::atomic;
  const bool writes = !is_read(p.access);
  if (where == Where::shared) forget_old_block(c, cell);
  if ((cell.write & kBeyond) != 0) {
    if (cell.write == kIgnored) return;
    report_access("out-of-bounds", &c, place_of(fresh), address, bytes);
    return;
  }
  if (cell.write == 0 && reads && where != Where::variable) {
    read_early(c, place_of(fresh), address, bytes);
  }
  if (cell.write != 0 && conflict(c, cell.write, fresh, shared) &&
      !ordered(c, cell.write) && !seen_before(c, cell.write, address)) {
    if (!early.empty() && !is_read(p.access)) written_late(address);
    report_race(c, cell.write, fresh, address, bytes, shared);
  }
  if (cell.reads != 0 && !harmless_set(cell.reads, p, shared))
    for_set(cell.reads, [&](Record r) {
      if (conflict(c, r, fresh, shared) && !ordered(c, r)) {
        if (seen_before(c, r, address) || (!is_read(p.access) && host_has_read(c, r))) return true;
        if (!early.empty() && !is_read(p.access)) written_late(address);
        report_race(c, r, fresh, address, bytes, shared);
      }
      return true;
    });
  if (p.access == Access::write) {
    cell.write = fresh;
    cell.reads = 0;
  } else {
    if (writes && cell.write == 0) cell.write = fresh;
    cell.reads = with(c, cell.reads, fresh);
  }
}

// The usual cases without a call; true if there is nothing more to do. `low` and `high`: segments in
// between are known to be ordered before the caller.
template <bool is_write>
inline bool quick(Cell& cell, uint64_t me, Record fresh, uint64_t low, uint64_t high) {
  const Record w = cell.write, r = cell.reads;
  const uint64_t ws = segment(w);
  if ((ws < low || ws >= high) && who(w) != me) return false;
  const uint64_t rs = segment(r);
  if (is_write) {
    if (r != 0 && who(r) != me && (rs < low || rs >= high)) return false;
    cell.write = fresh;
    cell.reads = 0;
    return true;
  }
  // A read of one's own that is known stays; an atomic of one's own does not stand for a read.
  if (r != 0 && who(r) == me) return r == fresh || place(place_of(r)).access == Access::read;
  if (r != 0 && (rs < low || rs >= high)) return false;
  cell.reads = fresh;
  return true;
}

void elsewhere(Context& c, uintptr_t address, unsigned bytes, Access access, unsigned place_number);

template <unsigned bytes, bool is_write>
inline void check_words(Context& c, Region& region, uintptr_t address, unsigned id, Where where) {
  const Record fresh = record_of(c.who, id);
  const uintptr_t offset = address - region.low;
  if (__builtin_expect(
          bytes >= 4 && region.byte_wise[offset >> kPageBits] == 0 && (offset & 3) == 0, 1)) {
    const uint64_t low = where == Where::shared ? c.block_first : 1;
    const uint64_t high = where == Where::shared ? c.epoch_first : c.floor;
    Cell* cell = region.words + (offset >> 2);
    for (unsigned i = 0; i < bytes / 4; i++, cell++)
      if (!quick<is_write>(*cell, c.who, fresh, low, high))
        check_cell(c, *cell, address + 4 * i, 4, fresh, where);
    return;
  }
  for (uintptr_t at = address; at < address + bytes; at++)
    if (const size_t page = (at - region.low) >> kPageBits; region.byte_wise[page] == 0) {
      if (bytes >= 4 && (at & 3) == 0 && at + 4 <= address + bytes) {
        check_cell(c, region.words[(at - region.low) >> 2], at, 4, fresh, where);
        at += 3;
        continue;
      }
      split_page(region, page);
      at--;
    } else {
      const uint64_t low = where == Where::shared ? c.block_first : 1;
      const uint64_t high = where == Where::shared ? c.epoch_first : c.floor;
      Cell& cell = region.single[at - region.low];
      if (!quick<is_write>(cell, c.who, fresh, low, high)) check_cell(c, cell, at, 1, fresh, where);
    }
}

}  // namespace

// An access of any size and kind, cell by cell.
void check_range(Context& c, uintptr_t address, size_t bytes, unsigned id) {
  Region* region;
  Where where = Where::global;
  Context* holder = &c;
  if (arena.contains(address)) {
    region = &arena;
  } else if (address - c.stack_low < c.stack_bytes) {
    return;
  } else if (c.local.contains(address)) {
    region = &c.local;
    where = c.in_cluster ? Where::cluster : Where::shared;
  } else if (c.in_cluster && (holder = holder_in_cluster(c, address)) != nullptr) {
    region = &holder->local;
    where = Where::cluster;
    if (!holder->active) report_left_block(c, record_of(c.who, id), address, static_cast<unsigned>(bytes), holder->block);
  } else if ((region = find_region(address)) != nullptr) {
    where = Where::variable;
  } else if (globals().contains(address)) {
    region = &globals();
    where = Where::variable;
    kernel_variable(c, address, bytes, id);
  } else {
    elsewhere(c, address, static_cast<unsigned>(bytes), place(id).access, id);
    return;
  }
  if (__builtin_expect(watch::recording, 0)) watch::access(c, address, bytes, id);
  const Record fresh = record_of(c.who, id);
  if (address + bytes > region->low + region->bytes) bytes = region->low + region->bytes - address;
  for_cells(*region, address, bytes, [&](Cell& cell, uintptr_t at, unsigned width) {
    if (where == Where::cluster) forget_old_block(*holder, cell);
    check_cell(c, cell, at, width, fresh, where);
  });
}

// A GPU stops here, so do we.
[[noreturn]] void misaligned(Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  report_access("misaligned", &c, id, address, bytes);
  flush_findings();
  c.worker->abort_grid(cudaErrorMisalignedAddress, Failure{});
}

namespace {

inline void stop_if_asked(Context& c, unsigned id) {
  if (__builtin_expect(time_is_up, 0)) stop_endless(c, lasting_site(place(id)));
}

// A thread that reads the same word again and again waits for somebody: others may run.
inline void note_repeated(Context& c, uintptr_t address, unsigned id) {
  stop_if_asked(c, id);
  if (c.repeated != address) {
    c.repeated = address;
    c.repeats = 0;
    return;
  }
  if (__builtin_expect(++c.repeats >= 512, 0)) {
    c.repeats = 0;
    c.worker->let_others_run(WaitKind::spinning, lasting_site(place(id)));
  }
}

template <unsigned bytes, Access access>
inline void kernel_access(Context& c, uintptr_t address, const void* counter) {
  constexpr bool is_write = access == Access::write;
  if (arena.contains(address)) {
    accesses_checked++;
    const unsigned id = place_id(c, counter, access, bytes);
    if (__builtin_expect(watch::recording, 0)) watch::access(c, address, bytes, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) {
      misaligned(c, id, address, bytes);
    }
    if (access == Access::read)
      note_repeated(c, address, id);
    else
      stop_if_asked(c, id);
    if (is_plain(access))
      check_words<bytes, is_write>(c, arena, address, id, Where::global);
    else
      check_range(c, address, bytes, id);
    return;
  }
  if (address - c.stack_low < c.stack_bytes) return;
  if (c.local.contains(address)) {
    // threadIdx and its like are read all the time.
    const uintptr_t offset = address - c.local.low;
    if (c.local.byte_wise[offset >> kPageBits] == 0 &&
        c.local.words[offset >> 2].write == kIgnored)
      return;
    accesses_checked++;
    const unsigned id = place_id(c, counter, access, bytes);
    if (__builtin_expect(watch::recording, 0)) watch::access(c, address, bytes, id);
    if (access == Access::read)
      note_repeated(c, address, id);
    else
      stop_if_asked(c, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) {
      misaligned(c, id, address, bytes);
    }
    if (is_plain(access) && !c.in_cluster)
      check_words<bytes, is_write>(c, c.local, address, id, Where::shared);
    else
      check_range(c, address, bytes, id);
    return;
  }
  const unsigned id = place_id(c, counter, access, bytes);
  if (c.in_cluster && holder_in_cluster(c, address) != nullptr) {
    accesses_checked++;
    if (access == Access::read) note_repeated(c, address, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) misaligned(c, id, address, bytes);
  }
  check_range(c, address, bytes, id);
}

// Memory that no kernel should know of.
void elsewhere(Context& c, uintptr_t address, unsigned bytes, Access, unsigned id) {
  static auto& harmless = *new std::vector<unsigned char>(size_t(1) << kPlaceBits);
  if (harmless[id] != 0) return;
  if (in_program(address)) return;
  const Program& p = place(id);
  if (p.counter != nullptr && is_own_header(p)) {
    harmless[id] = 1;
    return;
  }
  if (!is_mapped(address)) return;  // it faults, and that is explained
  report_access("wrong-side", &c, id, address, bytes);
  flush_findings();
  c.worker->abort_grid(cudaErrorIllegalAddress, Failure{});
}

// ---- host code ----

// Bytes of the host's memory that came from device memory which nobody had written, by the first one: ranges
// that do not touch.
struct Unwritten {
  uintptr_t low, high;
  uintptr_t base;  // where the copy began
  Site copy, allocated;
  size_t copied = 0, bytes = 0;  // of a block of malloc() or new, if the copy did not fill it
};
std::map<uintptr_t, Unwritten>& unwritten() {
  static auto* all = new std::map<uintptr_t, Unwritten>;
  return *all;
}
std::map<uintptr_t, Unwritten>::iterator first_unwritten(uintptr_t low) {
  auto at = unwritten().upper_bound(low);
  if (at != unwritten().begin() && std::prev(at)->second.high > low) --at;
  return at;
}

// A read of [low, high) that meets such a range is a mistake, unless it may be a structure's with padding: where
// something in the same 8 bytes is written and read, too.
void host_reads_unwritten(uintptr_t low, uintptr_t high, unsigned id) {
  for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < high;) {
    const Unwritten found = at->second;
    const uintptr_t end = std::min(found.high, high);
    uintptr_t from = std::max(found.low, low);
    while (from < end && (found.low > std::max(low, from & ~uintptr_t(7)) || end < std::min(high, (from | 7) + 1)))
      from = (from | 7) + 1;
    ++at;
    if (from >= end) continue;
    unwritten().erase(found.low);
    if (found.copied == 0)
      report_unwritten(id, found.copy, found.allocated, from - found.base);
    else if (looks_fresh(from, static_cast<unsigned>(std::min<uintptr_t>(end - from, 4))))
      report_short_copy(id, found.copy, found.allocated, found.copied, found.bytes);
  }
}
bool host_is_watched = false;

// A program that has made so many accesses since it last queued something waits for it, or is at
// work that takes long.
constexpr uint64_t kBusyAccesses = 3000000;
// One that a kernel waits for gives it a turn so often, and where it reads one word again and again.
constexpr uint64_t kAccessesOfTurn = 20000;
constexpr unsigned kReadsOfTurn = 16;
std::atomic<uint64_t> busy_left{0};
std::recursive_mutex& host_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}
bool reads_again(uintptr_t address, Access access) {
  static thread_local uintptr_t last = 0;
  static thread_local unsigned reads = 0;
  if (!is_read(access)) {
    note_host_step();
    last = 0;
    return false;
  }
  if (address != last) reads = 0;
  last = address;
  return ++reads % kReadsOfTurn == 0;
}
void start_if_waiting(uintptr_t address, Access access) {
  if (busy_left == 0) return;
  if (kernel_waits() && reads_again(address, access)) busy_left = 1;
  if (--busy_left != 0 || in_operation()) return;
  if (host_lock().try_lock()) {
    run_queued();
    host_lock().unlock();
  }
  if (kernel_waits()) busy_left = kAccessesOfTurn;
}

// Who sees a flag has seen the work before it only if a fence stands between the two. Kept are the threads
// of which a fence is known, and the last segment before it.
std::unordered_map<uint64_t, uint64_t>& fenced() {
  static auto* all = new std::unordered_map<uint64_t, uint64_t>;
  return *all;
}
void note_flag(const Context& c) {
  const uint64_t met = c.floor == 0 ? 0 : c.floor - 1;  // grid.sync() is a fence, too
  const uint64_t before = std::max(c.threads[c.who & 1023].fenced, met);
  if (before >= launch_first() && fenced().size() < 1000000) fenced()[c.who] = before;
}

// Volatile accesses and atomics wait for each other instead of being a mistake.
bool may_meet(Access a, Access b) { return !is_plain(a) && !is_plain(b); }

// Host memory that host functions in streams touch, word by word: what they wrote or read, and what
// the host did since such a function was queued.
struct Followed {
  Record by_function = 0, by_host = 0;
  bool function_wrote = false, host_wrote = false;
};

void follow_host(uintptr_t address, Access access, const void* counter) {
  static auto& words = *new std::unordered_map<uintptr_t, Followed>;
  if (!host_functions_queued() || words.size() > 1000000) return;
  const unsigned id = find_place(counter, access, 0);
  const Record fresh = host_record(id);
  Followed& word = words[address >> 2];
  const bool writes = !is_read(access);
  if (in_operation()) {
    if (word.by_host != 0 && (writes || word.host_wrote) &&
        !may_meet(access, place(place_of(word.by_host)).access) &&
        !operation_ordered(done_of(segment(word.by_host))))
      report_host(fresh, word.by_host, address, 4);
    word.by_function = fresh;
    word.function_wrote = writes;
  } else {
    if (word.by_function != 0 && (writes || word.function_wrote) &&
        !may_meet(access, place(place_of(word.by_function)).access) &&
        !host_ordered(done_of(segment(word.by_function)), segment(word.by_function)))
      report_host(word.by_function, fresh, address, 4);
    word.by_host = fresh;
    word.host_wrote = writes;
  }
}

// Memory for both that nobody has written, nor will when what is queued has run. Whole words that are as
// they were when the memory was fresh: what fills them may be a library, whose accesses nobody sees; and
// no more than an element, since who copies more may copy what lies between.
void host_reads_fresh(Region& region, uintptr_t address, size_t bytes, unsigned id) {
  constexpr size_t kMostBytes = 16;
  const uintptr_t low = address & ~uintptr_t(3), high = (address + bytes + 3) & ~uintptr_t(3);
  if (bytes > kMostBytes || &region != &arena || !looks_fresh(low, static_cast<unsigned>(high - low)))
    return;
  bool written = false;
  for_cells(region, low, high - low, [&](Cell& cell, uintptr_t, unsigned) { written |= cell.write != 0; });
  if (!written && nothing_is_queued()) report_host_early(id, address, static_cast<unsigned>(bytes));
}

void host_access(uintptr_t address, size_t bytes, Access access, const void* counter) {
  if (muted) return;
  if (observing()) {
    if (!observes_here()) return;
    return observe(address, bytes, access, find_place(counter, access, static_cast<unsigned>(bytes)),
                   counter);
  }
  static thread_local bool busy = false;
  if (busy) return;
  start_if_waiting(address, access);
  const std::lock_guard<std::recursive_mutex> guard(host_mutex());
  busy = true;
  if (!unwritten().empty()) {
    if (is_read(access))
      host_reads_unwritten(address, address + bytes, find_place(counter, access, static_cast<unsigned>(bytes)));
    else
      forget_unwritten(address, address + bytes);
  }
  Region* region = find_region(address);
  if (region == nullptr) follow_host(address, access, counter);
  if (region != nullptr && !(region == &arena && device_only(address) && !runs_at_once())) {
    const unsigned id = find_place(counter, access, static_cast<unsigned>(bytes));
    const Record fresh = host_record(id);
    if (address + bytes > region->low + region->bytes) bytes = region->low + region->bytes - address;
    const bool sees = is_read(access) || access == Access::atomic;
    if (access == Access::read && !in_operation()) host_reads_fresh(*region, address, bytes, id);
    for_cells(*region, address, bytes, [&](Cell& cell, uintptr_t at, unsigned) {
      if ((cell.write & kBeyond) != 0) return;
      const auto against = [&](Record r) {
        if (segment(r) <= 1 || (r & kSet) != 0) return true;
        const Done& earlier = done_of(segment(r));
        if (earlier.host || in_operation() || host_ordered(earlier, segment(r))) return true;
        if (!may_meet(access, place(place_of(r)).access)) {
          if (!is_read(access) && !early.empty()) written_late(at);
          report_host(r, fresh, at, bytes);
        } else if (const auto fence = fenced().find(who(r)); sees && fence != fenced().end())
          host_saw(earlier, fence->second);
        return true;
      };
      against(cell.write);
      if (is_read(access))
        for_set(cell.reads, [&](Record r) { return is_read(place(place_of(r)).access) || against(r); });
      if (!is_read(access)) {
        for_set(cell.reads, against);
        cell.write = fresh;
        cell.reads = 0;
      } else if (cell.reads == 0 || done_of(segment(cell.reads)).host) {
        if ((cell.reads & kSet) == 0) cell.reads = fresh;
      }
    });
  } else if (region == &arena) {
    report_host_on_device(find_place(counter, access, static_cast<unsigned>(bytes)), address);
  }
  busy = false;
}

inline void host(uintptr_t address, size_t bytes, Access access, const void* counter) {
  if (__builtin_expect(is_variable(address), 0) && !muted && !observing()) {
    const std::lock_guard<std::recursive_mutex> guard(host_mutex());
    host_variable(address, bytes, !is_read(access), find_place(counter, access, 0));
  }
  if (__builtin_expect(arena.contains(address) || host_is_watched, 0))
    host_access(address, bytes, access, counter);
}

template <unsigned bytes, Access access>
inline void any_access(const void* address, const void* counter) {
  Context* c = checking;
  if (c != nullptr)
    kernel_access<bytes, access>(*c, reinterpret_cast<uintptr_t>(address), counter);
  else if (!note_access(reinterpret_cast<uintptr_t>(address), counter, is_read(access)))
    host(reinterpret_cast<uintptr_t>(address), bytes, access, counter);
}

void range_access(const void* address, size_t bytes, Access access, const void* counter) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (bytes == 0) return;
  if (Context* c = checking)
    check_range(*c, at, bytes, place_id(*c, counter, access, 0));
  else if (in_stack(at))
    return;
  else if (observing() && observes_here())
    observe(at, bytes, access, find_place(counter, access, 0), counter);
  else
    host(at, bytes, access, counter);
}

}  // namespace

void access_from(const void* counter, const void* address, size_t bytes, Access access) {
  const auto of_size = [&](auto size) {
    if (is_read(access))
      any_access<size, Access::read>(address, counter);
    else
      any_access<size, Access::write>(address, counter);
  };
  switch (bytes) {
    case 1: return of_size(std::integral_constant<unsigned, 1>());
    case 2: return of_size(std::integral_constant<unsigned, 2>());
    case 4: return of_size(std::integral_constant<unsigned, 4>());
    case 8: return of_size(std::integral_constant<unsigned, 8>());
    default: return of_size(std::integral_constant<unsigned, 16>());
  }
}

void range_from(const void* counter, const void* address, size_t bytes, Access access) {
  range_access(address, bytes, access, counter);
}

void look_at_reads(Record set, const std::function<void(Record)>& look) {
  for_set(set, [&](Record r) {
    look(r);
    return true;
  });
}

void library_access(const void* address, size_t bytes, bool is_write, const void* counter) {
  if (checking == nullptr && !host_is_watched && !arena.contains(reinterpret_cast<uintptr_t>(address)))
    return;
  range_access(address, bytes, is_write ? Access::write : Access::read, counter);
}

void kernel_reads(const void* address, size_t bytes, Site site) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const unsigned id = site_place(site, Access::read, Scope::none, static_cast<unsigned>(bytes));
  accesses_checked++;
  if (Context* c = checking)
    check_range(*c, at, bytes, id);
  else if (observing() && observes_here())
    observe(at, static_cast<unsigned>(bytes), Access::read, id);
}

void kernel_writes(const void* address, size_t bytes, Site site) {
  if (observes_here())
    observe(reinterpret_cast<uintptr_t>(address), static_cast<unsigned>(bytes), Access::write,
            site_place(site, Access::write, Scope::none, static_cast<unsigned>(bytes)));
}

void forget_memos() { clear_memos(); }

void watch_host() { host_is_watched = true; }

void expect_turns() { busy_left = kAccessesOfTurn; }
void note_queued() {
  note_host_step();
  busy_left = kernel_waits() ? kAccessesOfTurn : kBusyAccesses;
}
std::unique_lock<std::recursive_mutex> stop_host_code() {
  return std::unique_lock<std::recursive_mutex>(host_mutex());
}
std::unique_lock<std::recursive_mutex> hold_host_code() {
  return std::unique_lock<std::recursive_mutex>(host_mutex(), std::try_to_lock);
}

// ---- atomics ----

static void observe_atomic(const void* address, unsigned bytes, Site site, Access access) {
  if (observing() && observes_here())
    observe(reinterpret_cast<uintptr_t>(address), bytes, access,
            site_place(site, access, static_cast<Scope>(site.scope), bytes));
}

void atomic_access(const void* address, unsigned bytes, Site site, Access access) {
  Context* c = checking;
  if (c == nullptr) return observe_atomic(address, bytes, site, access);
  accesses_checked++;
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto scope = static_cast<Scope>(site.scope);
  const unsigned id = site_place(site, access, scope, bytes);
  if (bytes > 1 && at % bytes != 0) misaligned(*c, id, at, bytes);
  stop_if_asked(*c, id);
  if (__builtin_expect(has_turn, 0)) count_poll();
  check_range(*c, at, bytes, id);
  if (!c->result_ignored) observe(*c, at, scope);
  c->result_ignored = false;
}

// The plain reads of atomicCAS() loops: their value counts only if the swap finds it, too.
static std::vector<bool>& guesses() {
  static auto* all = new std::vector<bool>(size_t(1) << kPlaceBits);
  return *all;
}
bool is_guess(unsigned id) { return guesses()[id]; }

static void note_guess(Context& c, uintptr_t address) {
  Region* region = region_of(c, address);
  if (region == nullptr) return;
  for_cells(*region, address, 4, [&](Cell& cell, uintptr_t, unsigned) {
    bool found = false;  // the thread's own reads are the newest, and stand together
    for_set(cell.reads, [&](Record r) {
      const bool mine = thread(r) == (c.who & 1023) && segment(r) >= c.block_first && block_of(r) == c.block;
      if (mine && place(place_of(r)).access == Access::read) guesses()[place_of(r)] = true;
      found |= mine;
      return mine || !found;
    });
  });
}

void observe_at(const void* address, unsigned bytes, Access access, const void* counter) {
  if (observes_here())
    observe(reinterpret_cast<uintptr_t>(address), bytes, access, find_place(counter, access, bytes));
}

void host_atomic(const void* address, unsigned bytes, Access access, const void* counter) {
  host(reinterpret_cast<uintptr_t>(address), bytes, access, counter);
}

void atomic_at(const void* address, unsigned bytes, Access access, Scope scope,
               const void* counter) {
  Context& c = *checking;
  accesses_checked++;
  if (__builtin_expect(has_turn, 0)) count_poll();
  const auto at = reinterpret_cast<uintptr_t>(address);
  check_range(c, at, bytes, place_id(c, counter, access, bytes, scope));
  if (access != Access::volatile_write) observe(c, at, scope);
}

void atomic_stored(const void* address, Site site, bool continues) {
  Context* c = checking;
  if (c == nullptr) return;
  note_flag(*c);
  publish(*c, reinterpret_cast<uintptr_t>(address), static_cast<Scope>(site.scope), continues);
}

void volatile_access(const void* address, unsigned bytes, bool is_write, const void* counter) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  Context* c = checking;
  if (c == nullptr) {
    if (!note_access(at, counter, !is_write))
      host(at, bytes, is_write ? Access::volatile_write : Access::volatile_read, counter);
    if (is_write) host_publishes(address, false);
    return;
  }
  if (at - c->stack_low < c->stack_bytes) return;
  const unsigned id =
      place_id(*c, counter, is_write ? Access::volatile_write : Access::volatile_read, bytes);
  if (!is_write) note_repeated(*c, at, id);
  if (__builtin_expect(has_turn, 0)) count_poll();
  check_range(*c, at, bytes, id);
  if (is_write) {
    note_flag(*c);
    publish(*c, at, Scope::system, false);
  } else {
    observe(*c, at, Scope::system);
  }
}

// ---- operations ----

// A copy to the beginning of a block of malloc() or new that nobody has touched behind what was copied.
static void note_rest_of_block(uintptr_t to, size_t copied, Site site) {
  uintptr_t base = 0;
  size_t bytes = 0;
  const void* counter = nullptr;
  if (!fresh_host_block(to, &base, &bytes, &counter) || base != to || copied >= bytes) return;
  uintptr_t from = (to + copied + 3) & ~uintptr_t(3);
  while (from + 4 <= base + bytes && !looks_fresh(from, 4)) from += 4;
  uintptr_t end = from;
  while (end + 4 <= base + bytes && looks_fresh(end, 4)) end += 4;
  if (end == from) return;
  const Site allocated = lasting_site({counter, {nullptr, 0}, Access::write, Scope::system, 0});
  forget_unwritten(from, end);
  unwritten()[from] = {from, end, to, site, allocated, copied, bytes};
  host_is_watched = true;
}

// What such a block sends to the device although nobody has set it: ranges in the device's memory.
static void note_unset_input(uintptr_t to, uintptr_t from, size_t bytes) {
  constexpr uintptr_t kShortest = 16;  // less may be by chance
  uintptr_t base = 0;
  size_t size = 0;
  const void* counter = nullptr;
  if (!fresh_host_block(from, &base, &size, &counter) || (base & 3) != 0) return;
  const uintptr_t end = std::min(from + bytes, base + size) & ~uintptr_t(3);
  for (uintptr_t at = (from + 3) & ~uintptr_t(3); at < end; at += 4) {
    const uintptr_t low = at;
    while (at < end && looks_fresh(at, 4)) at += 4;
    if (at - low >= kShortest) set_cells(arena, to + (low - from), at - low, {0, 0});
  }
}

// How often the host has copied a word since it last queued a kernel. So often: it polls.
static std::unordered_map<uintptr_t, unsigned>& copies_of_word() {
  static auto* all = new std::unordered_map<uintptr_t, unsigned>;
  return *all;
}
constexpr unsigned kCopiesOfPolling = 64;
void forget_polling() { copies_of_word().clear(); }

// A few whole words, of which each is read or written at once.
static bool may_be_flag(uintptr_t address, size_t bytes) {
  return bytes <= 16 && (bytes % 4 == 0 ? address % 4 == 0 : bytes <= 2 && address % bytes == 0);
}

void copied(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
            size_t height, Site site) {
  if (observing()) return;
  static Context none;  // an operation is nobody's thread
  const auto here = reinterpret_cast<uintptr_t>(to), there = reinterpret_cast<uintptr_t>(from);
  Region* target = find_any_region(here);
  Region* source = from == nullptr ? nullptr : find_any_region(there);
  // A word that a kernel polls which is still running, perhaps: then it is a flag. Or the host polls it.
  const bool small_to = height == 1 && may_be_flag(here, width);
  const bool small_from = height == 1 && from != nullptr && may_be_flag(there, width);
  const bool flag = small_to && launch_is_left();
  const bool polled = small_from && source != nullptr && ++copies_of_word()[there] >= kCopiesOfPolling;
  const unsigned write_place = site_place(site, flag ? Access::volatile_write : Access::write, Scope::system, 0);
  const unsigned read_place =
      site_place(site, polled || (small_from && launch_is_left()) ? Access::volatile_read : Access::read, Scope::system, 0);
  const uint64_t me = host_record(0) >> kPlaceBits;
  if (is_variable(here)) copied_to_variable(here, width * height, site);
  if (from != nullptr && is_variable(there)) copied_from_variable(there, site);
  const auto check = [&](Record r, uintptr_t at, bool writes) {
    if (segment(r) <= 1 || (r & (kSet | kBeyond)) != 0) return;
    if (!writes && is_read(place(place_of(r)).access)) return;
    const Done& earlier = done_of(segment(r));
    if (segment(r) == me >> 10 || operation_ordered(earlier)) return;
    const Access access = place(place_of(r)).access;
    if (writes && small_to && !is_plain(access) && (flag || was_left(earlier))) return;
    if (!writes && small_from && !is_plain(access)) {
      const auto fence = fenced().find(who(r));
      if (fence != fenced().end()) return host_saw(earlier, fence->second);
      if (polled || was_left(earlier)) return;
    }
    if (writes && !early.empty()) written_late(at);
    report_operations(r, writes ? write_place : read_place, at, writes ? "writes" : "reads", site);
  };
  for (size_t y = 0; y < height; y++) {
    const uintptr_t row_to = here + y * to_pitch, row_from = there + y * from_pitch;
    std::vector<std::pair<uintptr_t, uintptr_t>> holes;  // what nobody has written
    if (source != nullptr)
      for_cells(*source, row_from, width, [&](Cell& cell, uintptr_t at, unsigned bytes) {
        check(cell.write, at, false);
        bool others = false;  // read it, too, at times that nobody has put in order with this copy
        for_set(cell.reads, [&](Record r) {
          check(r, at, false);
          others |= segment(r) > 1 && !operation_ordered(done_of(segment(r)));
          return true;
        });
        if (cell.write == 0 && source == &arena && looks_fresh(at, bytes)) {
          if (holes.empty() || holes.back().second != at) holes.emplace_back(at, at);
          holes.back().second = at + bytes;
        }
        const Record mine = record_of(me, read_place);
        cell.reads = others ? make_set(mine, as_parent(cell.reads)) : mine;
      });
    if (target != nullptr) {
      for_cells(*target, row_to, width, [&](Cell& cell, uintptr_t at, unsigned) {
        check(cell.write, at, true);
        for_set(cell.reads, [&](Record r) {
          check(r, at, true);
          return true;
        });
        cell = {record_of(me, write_place), 0};
      });
      for (size_t word = 0; flag && word < width; word += 4) copy_publishes(row_to + word);
      if (source == nullptr && from != nullptr && target == &arena) note_unset_input(row_to, row_from, width);
      if (target == &arena)
        for (const auto& [low, high] : holes) set_cells(*target, row_to + (low - row_from), high - low, {0, 0});
    }
    const bool to_host = to != nullptr && (target == nullptr || !device_only(here));
    if (to_host) forget_unwritten(row_to, row_to + width);
    if (to_host && target == nullptr && height == 1) note_rest_of_block(row_to, width, site);
    if (!to_host || holes.empty()) continue;
    host_is_watched = true;
    for (const auto& [low, high] : holes) {
      const uintptr_t at = row_to + (low - row_from);
      unwritten()[at] = {at, at + (high - low), here, site, allocation_site(low)};
    }
  }
}

void forget_unwritten(uintptr_t low, uintptr_t high) {
  for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < high;) {
    Unwritten before = at->second, behind = before;
    at = unwritten().erase(at);
    before.high = low;
    behind.low = high;
    if (before.low < before.high) unwritten()[before.low] = before;
    if (behind.low < behind.high) unwritten()[behind.low] = behind;
  }
}

// memcpy(): what nobody wrote is not used yet, and it is unwritten there, too.
void library_copy(void* to, const void* from, size_t bytes, const void* reads, const void* writes) {
  const auto low = reinterpret_cast<uintptr_t>(from), target = reinterpret_cast<uintptr_t>(to);
  std::vector<Unwritten> carried;
  if (checking == nullptr) {
    const std::lock_guard<std::recursive_mutex> guard(host_mutex());
    for (auto at = first_unwritten(low); at != unwritten().end() && at->second.low < low + bytes; ++at)
      carried.push_back(at->second);
    forget_unwritten(low, low + bytes);
  }
  library_access(from, bytes, false, reads);
  library_access(to, bytes, true, writes);
  if (carried.empty()) return;
  const std::lock_guard<std::recursive_mutex> guard(host_mutex());
  for (Unwritten one : carried) {
    one.low = std::max(one.low, low);
    one.high = std::min(one.high, low + bytes);
    unwritten()[one.low] = one;
    one.low += target - low;
    one.high += target - low;
    one.base += target - low;
    unwritten()[one.low] = one;
  }
}

// ---- launches and workers ----

// Each launch has one: another one may run while a launch is left (turns.cpp), whose worker keeps its own.
struct Baton {
  std::mutex mutex;
  uint64_t next = 0, serving = 0;
  std::condition_variable passed;
};
static thread_local Baton* baton = nullptr;  // of the launch that this worker is at

uint64_t queue_worker() {
  const std::lock_guard<std::mutex> lock(baton->mutex);
  return baton->next++;
}
static void wait_for_baton(uint64_t place_in_queue) {
  std::unique_lock<std::mutex> lock(baton->mutex);
  baton->passed.wait(lock, [&] { return baton->serving == place_in_queue; });
}
static void give_baton() {
  const std::lock_guard<std::mutex> lock(baton->mutex);
  baton->serving++;
  baton->passed.notify_all();
}

void launch_begins(const Launch& launch) {
  launch.baton = new Baton;
  if (observing()) return observer->launch_begins(launch);
  launches_checked++;
  if (is_child()) count_child();
  if (nodes.size() > kMaxNodes && !launch_is_left()) {
    nodes_first += nodes.size();
    nodes.assign(1, {});
  }
  clear_memos();
  note_device(launch.device);
  begin_launch_clocks(launch);
  watch_time();
  watch::launch_begins(launch, settings().workers);
}

void tell_late() {
  note_vain_waits();
  for (Early& e : early)
    if (e.told && e.open > 0) add_finding(std::move(e.finding));
  early.clear();
}

void block_ends(Context& c) { tell_early(c, true); }

// Shared memory goes with its block: what other blocks of the cluster did to it must have been before that.
static void leave_cluster(Context& c) {
  const uint64_t me = c.who;
  const auto known = [&](Record use) {
    for (unsigned t = 0; t < c.threads.size(); t++) {
      c.who = make_who(c.block_segment, t);
      if (ordered(c, use)) return true;
    }
    return false;
  };
  const auto look = [&](Record use, uintptr_t at, unsigned bytes) {
    if (segment(use) < c.block_first || block_of(use) == c.block || known(use)) return;
    report_left_block(c, use, at, bytes, c.block);
  };
  const auto look_at = [&](uintptr_t base, size_t bytes) {
    for_cells(c.local, base, bytes, [&](Cell& cell, uintptr_t at, unsigned width) {
      if ((cell.write & kBeyond) != 0) return;
      look(cell.write, at, width);
      for_set(cell.reads, [&](Record use) {
        look(use, at, width);
        return true;
      });
    });
  };
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr) look_at(v.base, v.bytes);
  look_at(reinterpret_cast<uintptr_t>(dynamic_shared()), std::min(current_launch()->shared_bytes, kMaxShared));
  c.who = me;
}

void cluster_ends() {
  if (observing()) return;
  for (Context* c : members_of_cluster()) tell_early(*c, true);
}

void launch_ends(const Launch& launch, cudaError_t error) {
  delete launch.baton;
  launch.baton = nullptr;
  if (observing()) return;
  watch::launch_ends(error);
  for (Context* c : all_contexts()) tell_early(*c, false);
  flush_findings();
  if (is_child()) count_child();
  end_launch_clocks();
}

// Contexts outlive their threads: a launch whose blocks wait for each other starts many threads.
static std::vector<Context*>& spare_contexts() {
  static auto* all = new std::vector<Context*>;
  return *all;
}
static std::mutex& spare_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
static Context* spare_context() {
  const std::lock_guard<std::mutex> guard(spare_mutex());
  if (spare_contexts().empty()) {
    auto* fresh = new Context;
    fresh->local = local_region(nullptr);
    add_context(fresh);
    return fresh;
  }
  Context* context = spare_contexts().back();
  spare_contexts().pop_back();
  context->local = local_region(&context->local);
  context->shared.clear();
  return context;
}
struct Held {
  Context* context = nullptr;
  ~Held() {
    if (context == nullptr) return;
    const std::lock_guard<std::mutex> guard(spare_mutex());
    spare_contexts().push_back(context);
  }
};

void worker_begins(Worker& worker) {
  static thread_local Held held;
  baton = worker.grid->launch->baton;
  const uint64_t turn = queue_worker();
  watch::worker_arrives();
  wait_for_baton(turn);
  if (observing()) return observe_worker_begins(worker);
  if (held.context == nullptr) held.context = spare_context();
  Context* mine = held.context;
  mine->worker = &worker;
  mine->changes = &cpu_device_changes;
  mine->system_thread = pthread_self();
  mine->active = true;
  mine->variables = reinterpret_cast<uintptr_t>(&this_worker);
  join_cluster(*mine);
  reset_floor(*mine);
  prepare_dynamic_shared(*mine, worker.grid->launch->shared_bytes);
  checking = mine;
}

void worker_ends() {
  time_is_up = false;
  if (observing()) observe_worker_ends();
  if (checking != nullptr) {
    watch::worker_ends(*checking->worker);
    if (checking->in_cluster && checking->block_first >= launch_first() &&
        checking->worker->grid->error.load() == cudaSuccess)
      leave_cluster(*checking);
    checking->active = false;
  }
  checking = nullptr;
  give_baton();
}

int most_workers() {
  constexpr int kSideBySide = 16;
  return watch::wanted() ? kSideBySide : 1;
}

bool release_parked(Worker& worker) { return watch::release_parked(worker); }

static thread_local Context* paused = nullptr;
void pause_worker() {
  paused = checking;
  checking = nullptr;
  give_baton();
}
void resume_worker(uint64_t place_in_queue) {
  wait_for_baton(place_in_queue);
  checking = paused;
}
// In line again before the next one's turn, so that the order is always the same.
void let_other_workers_run() {
  const uint64_t turn = queue_worker();
  pause_worker();
  resume_worker(turn);
}

void refresh_shared(Context& c) {
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr) fill_as_fresh(v.base, v.bytes);
  const size_t dynamic = std::min(current_launch()->shared_bytes, kMaxShared);
  fill_as_fresh(reinterpret_cast<uintptr_t>(dynamic_shared()), dynamic);
}

void prepare_dynamic_shared(Context& c, size_t bytes) {
  const auto base = reinterpret_cast<uintptr_t>(dynamic_shared());
  bytes = std::min(bytes, kMaxShared);
  c.dynamic.clear();
  set_cells(c.local, base, bytes, {0, 0});
  set_cells(c.local, base + bytes, kMaxShared - bytes, {kBeyond, 0});
}

}  // namespace cpu_device::check

using namespace cpu_device::check;

namespace cpu_device {

// A variable in shared memory, or the gap behind one, at its declaration.
void shared_variable(const void* base, size_t bytes, size_t element, const char* name,
                     const char* type, const bool* padding) {
  Context* c = checking;
  const auto at = reinterpret_cast<uintptr_t>(base);
  if (observing()) return observe_shared_variable({at, bytes, element, name, type, padding});
  if (c == nullptr) return;
  for (const SharedVariable& known : c->shared)
    if (known.base == at) return;
  c->shared.push_back({at, bytes, element, name, type, padding});
  if (!c->local.contains(at)) return;
  set_cells(c->local, at, bytes, {name == nullptr ? kBeyond : 0, 0});
  if (name != nullptr) fill_as_fresh(at, bytes);
}

void dynamic_shared_variable(const void* base, size_t element, const char* name) {
  const auto at = reinterpret_cast<uintptr_t>(base);
  if (observing()) return observe_shared_variable({at, current_shared_bytes(), element, name, nullptr, nullptr});
  Context* c = checking;
  if (c != nullptr && c->dynamic.empty()) c->dynamic.push_back({at, 0, element, name, nullptr, nullptr});
}

}  // namespace cpu_device

#define HOOK extern "C" __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define HOOKS(BYTES)                                                                               \
  HOOK void __tsan_read##BYTES(void* address) { any_access<BYTES, Access::read>(address, CALLER); } \
  HOOK void __tsan_write##BYTES(void* address) {                                                   \
    any_access<BYTES, Access::write>(address, CALLER);                                             \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#define UNALIGNED_HOOKS(BYTES)                                  \
  HOOK void __tsan_unaligned_read##BYTES(void* address) {       \
    range_access(address, BYTES, Access::read, CALLER);         \
  }                                                             \
  HOOK void __tsan_unaligned_write##BYTES(void* address) {      \
    range_access(address, BYTES, Access::write, CALLER);        \
  }
UNALIGNED_HOOKS(2)
UNALIGNED_HOOKS(4)
UNALIGNED_HOOKS(8)
UNALIGNED_HOOKS(16)
HOOK void __tsan_read_range(void* address, size_t bytes) {
  range_access(address, bytes, Access::read, CALLER);
}
HOOK void __tsan_write_range(void* address, size_t bytes) {
  range_access(address, bytes, Access::write, CALLER);
}
HOOK void __tsan_vptr_read(void** address) { range_access(address, 8, Access::read, CALLER); }
HOOK void __tsan_vptr_update(void** address, void*) {
  range_access(address, 8, Access::write, CALLER);
}
HOOK void __tsan_init() {}
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}

namespace cpu_device {

void checked_atomic(const void* address, unsigned bytes, Site site) {
  atomic_access(address, bytes, site, Access::atomic);
}
void ignore_result() {
  if (checking != nullptr)
    checking->result_ignored = true;
  else
    observe_ignored_result();
}
void checked_guess(const void* address) {
  if (Context* c = checking) note_guess(*c, reinterpret_cast<uintptr_t>(address));
}
void checked_store(const void* address, Site site) { atomic_stored(address, site, true); }

}  // namespace cpu_device
