// Updates that are lost although each access is atomic.
#include "lost_updates.h"

#include <unordered_map>

#include "access_sets.h"
#include "findings.h"
#include "memory_names.h"
#include "messages.h"
#include "places.h"
#include "races.h"
#include "reports.h"
#include "schedules.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

ThreadClock::Value* find_value(Context& c, uintptr_t address) {
  for (ThreadClock::Value& known : c.threads[c.who & 1023].values)
    if (known.address == address) return &known;
  return nullptr;
}
void know_value(Context& c, uintptr_t address, unsigned bytes, uint64_t value, bool read) {
  ThreadClock& t = c.threads[c.who & 1023];
  ThreadClock::Value* known = find_value(c, address);
  t.steps++;
  if (known != nullptr && known->value == value && known->bytes == bytes) {
    known->read |= read;
    return;
  }
  if (known == nullptr) known = &t.values[t.next_value++ % std::size(t.values)];
  *known = {address, value, t.steps, bytes, read};
}
void forget_value(Context& c, uintptr_t address) {
  if (ThreadClock::Value* known = find_value(c, address)) known->address = 0;
}

// Has another thread written there, and this one could not know of it by anything that it has seen?
bool is_written_meanwhile(Context& c, uintptr_t address) {
  Region* region = region_of(c, address);
  bool found = false;
  if (region == nullptr) return false;
  for_cells(*region, address, 1, [&](Cell& cell, uintptr_t, unsigned) {
    for_set(cell.reads, [&](Record r) {
      found = !is_read(place(place_of(r)).access) && of_launch(segment(r)) && !ordered(c, r) &&
              through_atomics(c, r) == nullptr;
      return !found;
    });
  });
  return found;
}

// The last changes of a word by compare-and-swaps that expect what their thread has read: a thread whose own
// change another one has made for it has lost nothing.
struct Transitions {
  struct {
    uint64_t from, to;
  } last[4] = {};
  unsigned next = 0;
};
std::unordered_map<uintptr_t, Transitions>& transitions() {
  static auto* all = new std::unordered_map<uintptr_t, Transitions>;
  return *all;
}
constexpr size_t kMostWords = 100000;

bool made_by_another(uintptr_t address, uint64_t from, uint64_t to) {
  const auto found = transitions().find(address);
  if (found == transitions().end()) return false;
  for (const auto& one : found->second.last)
    if (one.from == from && one.to == to) return true;
  return false;
}

}  // namespace

namespace {

// A node that is put into a list is linked to what came first when the thread looked. If the compare-and-swap fails,
// and the next one expects a newer value, the link must also be newer. Looks for a word that still holds the old
// value, written since the thread saw it, while no word holds the new one.
void note_failed_swap(ThreadClock& t, uintptr_t address, uint64_t expected, uint64_t desired,
                      const ThreadClock::Value* known) {
  if (t.failed.address == address && t.failed.desired == desired) return;  // the first one
  t.failed.address = address;
  t.failed.expected = expected;
  t.failed.desired = desired;
  t.failed.known = known != nullptr && known->value == expected;
  t.failed.since = t.failed.known ? known->since : 0;
}
uintptr_t stale_copy(const ThreadClock& t, uintptr_t address, unsigned bytes, uint64_t expected, uint64_t desired) {
  if (t.failed.address != address || t.failed.desired != desired || t.failed.expected == expected) return 0;
  if (!t.failed.known && t.failed.expected == 0) return 0;  // many words are
  uintptr_t stale = 0;
  for (const ThreadClock::Written& one : t.written) {
    if (one.address == 0 || one.address == address || one.when < t.failed.since || one.address % bytes != 0) continue;
    const uint64_t value = word_at(one.address, bytes);
    if (value == expected) return 0;
    if (value == t.failed.expected) stale = one.address;
  }
  return stale;
}

}  // namespace

void note_write(Context& c, uintptr_t address) {
  ThreadClock& t = c.threads[c.who & 1023];
  t.steps++;
  for (ThreadClock::Written& one : t.written)
    if (one.address == address) {
      one.when = t.steps;
      return;
    }
  t.written[t.next_written++ % std::size(t.written)] = {address, t.steps};
}

bool volatile_write_open = false;

namespace {

// A volatile write that is about to be made. `unfenced`: an earlier one by another thread, of which this thread knows
// by atomics alone. `loses`: what another thread has written since this one has read the word.
struct {
  Context* context;
  uint64_t who, known, before;
  uintptr_t address;
  unsigned bytes, place_number;
  Record unfenced;
  bool loses;
} volatile_write;

// Another thread's volatile write that an atomic puts before this one, without fences.
Record unfenced_write(Context& c, uintptr_t address) {
  Region* region = region_of(c, address);
  Record found = 0;
  if (region == nullptr) return found;
  for_cells(*region, address, 1, [&](Cell& cell, uintptr_t, unsigned) {
    for_set(cell.reads, [&](Record r) {
      if (place(place_of(r)).access == Access::volatile_write && of_launch(segment(r)) && !ordered(c, r) &&
          through_word(c, r, address) == nullptr && through_atomics(c, r) != nullptr)
        found = r;
      return found == 0;
    });
  });
  return found;
}

}  // namespace

void note_volatile_write(Context& c, uintptr_t address, unsigned bytes, unsigned place_number) {
  settle_volatile_write();
  const ThreadClock::Value* seen = find_value(c, address);
  const bool has_read = seen != nullptr && seen->bytes == bytes && seen->read;
  const uint64_t now = word_at(address, bytes), expected = has_read ? seen->value : now;
  forget_value(c, address);
  const bool loses = expected != now && !c.local.contains(address) && is_written_meanwhile(c, address);
  const Record unfenced = loses ? 0 : unfenced_write(c, address);
  if (!loses && unfenced == 0) return;
  volatile_write = {&c, c.who, expected, now, address, bytes, place_number, unfenced, loses};
  volatile_write_open = true;
}

void settle_volatile_write() {
  if (!volatile_write_open) return;
  volatile_write_open = false;
  const uint64_t written = word_at(volatile_write.address, volatile_write.bytes);
  if (written == volatile_write.before) return;
  Context& c = *volatile_write.context;
  const uint64_t now = c.who;
  c.who = volatile_write.who;
  if (!volatile_write.loses)
    hold_volatile_race(c, volatile_write.unfenced, record_of(c.who, volatile_write.place_number), volatile_write.address,
                       volatile_write.bytes);
  else
    report_lost_update(c, volatile_write.address, volatile_write.bytes,
                       {volatile_write.known, volatile_write.before, written}, false,
                       lasting_site(place(volatile_write.place_number)));
  c.who = now;
}

void forget_transitions() { transitions().clear(); }

bool note_look(Context& c, uintptr_t address, unsigned bytes, bool learns) {
  const bool again = find_value(c, address) != nullptr;
  if (learns)
    know_value(c, address, bytes, word_at(address, bytes), true);
  else
    forget_value(c, address);
  return again;
}

void note_word_after_store(Context& c, uintptr_t address) {
  // Of the size that the thread looked at before: smaller ones are enough to tell values apart.
  if (ThreadClock::Value* known = find_value(c, address)) known->value = word_at(address, c.last_atomic_bytes);
}

void note_exchange(Context& c, uintptr_t address, unsigned bytes, uint64_t fresh, bool learns, Site site) {
  const uint64_t now = word_at(address, bytes);
  const ThreadClock::Value* known = find_value(c, address);
  if (!learns && known != nullptr && known->bytes == bytes && known->value != now && now != fresh && is_written_meanwhile(c, address))
    report_lost_update(c, address, bytes, {known->value, now, fresh}, false, site);
  know_value(c, address, bytes, fresh, false);
  if (schedule != 0) note_write(c, address);
}

void note_swap(Context& c, uintptr_t address, unsigned bytes, uint64_t expected, uint64_t desired, bool guesses,
               bool learns, Site site) {
  const uint64_t now = word_at(address, bytes);
  const ThreadClock::Value* known = find_value(c, address);
  const bool read_before = guesses || (known != nullptr && known->value == expected);
  if (now == expected) {
    if (read_before && now != desired && transitions().size() < kMostWords) {
      Transitions& word = transitions()[address];
      word.last[word.next++ % 4] = {expected, desired};
    }
    ThreadClock& t = c.threads[c.who & 1023];
    if (const uintptr_t stale = stale_copy(t, address, bytes, expected, desired))
      report_stale_copy(c, address, stale, bytes, {t.failed.expected, expected, desired}, site);
    t.failed.address = 0;
    know_value(c, address, bytes, desired, false);
    return;
  }
  note_failed_swap(c.threads[c.who & 1023], address, expected, desired, known);
  if (!learns && read_before && now != desired && !made_by_another(address, expected, desired))
    report_lost_update(c, address, bytes, {expected, now, desired}, true, site);
  if (learns)
    know_value(c, address, bytes, now, true);
  else
    forget_value(c, address);
}

}  // namespace cpu_device::check
