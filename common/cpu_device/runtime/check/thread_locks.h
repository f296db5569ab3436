// What is known of the locks of each thread: shared by lock_order.cpp and by the files that find locks and barriers
// which are not made of compare-and-swaps.
#pragma once

#include <string>
#include <vector>

#include "lock_order.h"
#include "state.h"

namespace cpu_device::check {

constexpr uint64_t kEverywhere = UINT64_MAX;

// A lock in shared memory is another one in each block.
struct Lock {
  uintptr_t address;
  uint64_t block;
  bool operator==(const Lock& o) const { return address == o.address && block == o.block; }
  bool operator<(const Lock& o) const { return address != o.address ? address < o.address : block < o.block; }
};
struct HeldLock {
  Lock lock;
  unsigned bytes;
  uint64_t after;  // what the word holds when its owner has released it
  unsigned place;
  bool by_ticket = false, released = false;
};
constexpr size_t kMostHeld = 6;  // by a thread, as far as they are remembered
// When a thread took a lock, and which others it held then. Each successful compare-and-swap may be one, so this must
// be cheap. Edges are made of it when one of their locks is released, and so proved to be a lock.
struct Taking {
  Lock others[kMostHeld];
  size_t other_count = 0;
  uint32_t epoch = 0;
  uint64_t segment = 0, floor = 0, moment = 0;
  unsigned waits = 0;  // how often its thread had waited
  unsigned run = 0;
};
struct Taken : HeldLock {
  Taking when;
};
// Of the meetings at a word (hand_made_barriers.h), the last one that came before an edge, and the first one that
// came after it.
struct Turn {
  Lock word;
  int last, next;
};
// A second lock that a thread takes while it holds a first one.
struct Edge {
  HeldLock from, to;
  std::vector<Lock> guards;  // what it holds besides
  uint64_t block = 0;
  unsigned thread = 0;
  uint32_t epoch = 0;
  uint64_t segment = 0, floor = 0, moment = 0;
  unsigned waits = 0;
  unsigned run = 0;
  bool has_turns = false;
  std::vector<Turn> turns;
  std::string who, from_name, to_name;  // in words
};
// Looks of a thread at one word, one after the other: perhaps it waits.
struct Looks {
  Lock word{};
  unsigned place = 0, count = 0;
  uint32_t epoch = 0;
  uint64_t moment = 0;         // of the last look
  Arrival arrived{};           // what its block had last published then
  const Clock* seen = nullptr;  // what the word had told it
};
struct ThreadLocks {
  bool in_use = false;
  uint64_t block = 0;
  unsigned thread = 0;
  std::vector<Taken> held;  // in the order in which it took them
  std::vector<Edge> open;   // one of whose locks has been released, the other not yet
  Attempt waits{};             // the one that failed last
  unsigned looks = 0;          // how often it did
  // The ticket that it drew last, if it has changed no word with an atomic since, and its looks in vain.
  bool has_ticket = false;
  uintptr_t drawn_at = 0;
  uint64_t ticket = 0;
  Attempt ticket_waits{};
  unsigned ticket_looks = 0;
  Looks at_word;
  unsigned times_waited = 0;
};

ThreadLocks& locks_of(Context& c);
Lock lock_at(const Context& c, uintptr_t address);
// Looks and edges in the order of the run.
uint64_t next_moment();
// Words that have been locks.
bool is_lock(const Lock& word);

}  // namespace cpu_device::check
