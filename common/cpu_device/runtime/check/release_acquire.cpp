// Fences and atomics between threads: release and acquire.
#include "release_acquire.h"

#include <algorithm>

#include "clocks.h"
#include "happens_before.h"

namespace cpu_device::check {

std::unordered_map<uintptr_t, Published>& published() {
  static auto* all = new std::unordered_map<uintptr_t, Published>;
  return *all;
}
uint64_t any_left = 0;

void begin_launch_atomics() {
  constexpr uint64_t kMostAny = 200000;
  published().clear();
  any_left = kMostAny;
}

void fence(Context& c, Scope scope) {
  ThreadClock& t = c.threads[c.who & 1023];
  const unsigned self = c.who & 1023;
  t.known = joined(t.known, t.pending_block);
  t.pending_block = nullptr;
  if (scope != Scope::block) {
    t.known = joined(t.known, t.pending_device);
    t.pending_device = nullptr;
    for (auto& one : t.contained) one.known = one.clock != nullptr;
  }
  const uint64_t segment_now = c.who >> 10;
  t.release_block = add_clock({t.known, nullptr, c.block, c.epoch, static_cast<uint16_t>(self), 0, segment_now,
                    0, 0, Scope::none, 0});
  t.block_fence = segment_now;
  if (scope != Scope::block) {
    t.release_device = t.release_block;
    t.device_fence = t.fenced = segment_now;
  }
  give_own_segment(c, self);
}

// Whether the thread has seen this already. A thread that waits in a loop sees the same again and again.
bool seen_lately(ThreadClock& t, const Clock* clock) {
  for (const Clock* known : t.observed)
    if (known == clock) return true;
  t.observed[t.next_observed++ % 4] = clock;
  return false;
}

// What the thread itself has published tells it nothing.
static bool is_own(const Context& c, const Clock* clock) {
  return clock->block == c.block && clock->lanes == 0 && clock->thread == (c.who & 1023) && clock->epoch == c.epoch;
}

static void note_contained(ThreadClock& t, const Clock* clock) {
  for (const auto& one : t.contained)
    if (one.clock == clock) return;
  t.contained[t.next_contained++ % 4] = {clock, false};
}
static bool contains(const ThreadClock& t, const Clock* clock, bool known) {
  for (const auto& one : t.contained)
    if (one.clock == clock && (one.known || !known)) return true;
  return false;
}

static void add_once(Published& p, const Clock*& to, const Clock* from) {
  if (from == nullptr) return;
  if (to != nullptr && std::find(p.joined.begin(), p.joined.end(), from) != p.joined.end()) return;
  to = joined(to, from);
}

// Published by an earlier block whose shared memory was at the same address.
static bool is_of_old_block(const Context& c, uintptr_t address, const Published& p) {
  return p.block != c.block && !c.in_cluster && c.local.contains(address);
}

void observe(Context& c, uintptr_t address, unsigned bytes, Scope scope) {
  if (host_has_told() && scope != Scope::block) observe_host(c, address);
  if (!precise() && any_left == 0) return;
  const auto found = published().find(address);
  if (found == published().end()) return;
  const Published& p = found->second;
  if (is_of_old_block(c, address, p)) return;
  ThreadClock& t = c.threads[c.who & 1023];
  if (p.block == c.block && p.in_block != nullptr && !is_own(c, p.in_block) && !seen_lately(t, p.in_block))
    t.pending_block = joined(t.pending_block, p.in_block);
  if (scope != Scope::block && p.device != nullptr && !is_own(c, p.device)) {
    if (!seen_lately(t, p.device)) t.pending_device = joined(t.pending_device, p.device);
    note_contained(t, p.device);
  }
  t.observed_block_only = scope == Scope::block;
  if (p.any != nullptr) {
    constexpr size_t kMostWords = 64;
    size_t slot = 0;
    while (slot < t.words.size() && t.words[slot].address != address) slot++;
    if (slot == kMostWords) slot = t.next_word++ % kMostWords;
    if (slot == t.words.size()) t.words.emplace_back();
    t.words[slot] = {address, bytes, p.any};
  }
  if (p.any != nullptr && !seen_lately(t, p.any)) {
    t.any = joined(t.any, p.any);
    c.own_clocks = true;
  }
}

static void note_arrival(Context& c) {
  if (c.told_others.epoch != c.epoch) c.told_before = c.told_others;
  const auto self = static_cast<unsigned>(c.who & 1023);
  c.told_others = c.threads[self].told_others = {c.who >> 10, self, c.epoch};
}

Arrival last_arrival(const Context& c) {
  const Arrival& own = c.threads[c.who & 1023].told_others;
  const Arrival& others = c.told_others.epoch != c.epoch ? c.told_others : c.told_before;
  return own.segment >= others.segment ? own : others;
}

void publish(Context& c, uintptr_t address, Scope scope, bool continues) {
  if (!continues && host_has_told()) forget_flag(address);
  if (!precise() && any_left == 0) return;
  const unsigned self = c.who & 1023;
  ThreadClock& t = c.threads[self];
  Published& p = published()[address];
  continues &= !is_of_old_block(c, address, p);
  if (!continues) p.device = nullptr;
  if (!continues || p.block != c.block) p.in_block = nullptr;
  p.block = c.block;
  if (p.device == nullptr && p.in_block == nullptr) p.joined.clear();
  if (scope != Scope::block && t.release_device != nullptr) {
    const Clock* const before = p.device;
    if (before != nullptr && (is_own(c, before) || contains(t, before, true))) {
      p.device = t.release_device;
    } else {
      add_once(p, p.device, t.release_device);
      if (p.device != before && contains(t, before, false)) note_contained(t, p.device);
    }
  }
  add_once(p, p.in_block, t.release_block);
  for (const Clock* from : {t.release_device, t.release_block})
    if (from != nullptr && p.joined.size() < 64 &&
        std::find(p.joined.begin(), p.joined.end(), from) == p.joined.end())
      p.joined.push_back(from);
  if (any_left == 0) return;
  any_left--;
  note_arrival(c);
  const Clock* all = joined(t.any, t.known);
  p.any = add_clock({all, continues ? p.any : nullptr, c.block, c.epoch,
                    static_cast<uint16_t>(self), 0, c.who >> 10, t.block_fence, t.device_fence, scope,
                    0});
  if (precise()) give_own_segment(c, self);
}

}  // namespace cpu_device::check
