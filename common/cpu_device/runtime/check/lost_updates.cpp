// Updates that are lost although each access is atomic.
#include "lost_updates.h"

#include <unordered_map>

#include "findings.h"
#include "memory_names.h"
#include "messages.h"
#include "reports.h"

namespace cpu_device::check {

namespace {

uint64_t load(uintptr_t address, unsigned bytes) {
  switch (bytes) {
    case 1: return *reinterpret_cast<const volatile uint8_t*>(address);
    case 2: return *reinterpret_cast<const volatile uint16_t*>(address);
    case 4: return *reinterpret_cast<const volatile uint32_t*>(address);
    default: return *reinterpret_cast<const volatile uint64_t*>(address);
  }
}

ThreadClock::Value* find_value(Context& c, uintptr_t address) {
  for (ThreadClock::Value& known : c.threads[c.who & 1023].values)
    if (known.address == address) return &known;
  return nullptr;
}
void know_value(Context& c, uintptr_t address, uint64_t value) {
  ThreadClock& t = c.threads[c.who & 1023];
  ThreadClock::Value* known = find_value(c, address);
  if (known == nullptr) known = &t.values[t.next_value++ % std::size(t.values)];
  *known = {address, value};
}
void forget_value(Context& c, uintptr_t address) {
  if (ThreadClock::Value* known = find_value(c, address)) known->address = 0;
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

void forget_transitions() { transitions().clear(); }

void note_look(Context& c, uintptr_t address, unsigned bytes, bool learns) {
  if (learns)
    know_value(c, address, load(address, bytes));
  else
    forget_value(c, address);
}

void note_word_after_store(Context& c, uintptr_t address) {
  // Of the size that the thread looked at before: smaller ones are enough to tell values apart.
  if (ThreadClock::Value* known = find_value(c, address)) known->value = load(address, c.last_atomic_bytes);
}

void note_exchange(Context& c, uintptr_t address, unsigned bytes, uint64_t fresh, bool learns, Site site) {
  const uint64_t now = load(address, bytes);
  const ThreadClock::Value* known = find_value(c, address);
  if (!learns && known != nullptr && known->value != now && now != fresh)
    report_lost_update(c, address, bytes, {known->value, now, fresh}, false, site);
  know_value(c, address, fresh);
}

void note_swap(Context& c, uintptr_t address, unsigned bytes, uint64_t expected, uint64_t desired, bool guesses,
               bool learns, Site site) {
  const uint64_t now = load(address, bytes);
  const ThreadClock::Value* known = find_value(c, address);
  const bool read_before = guesses || (known != nullptr && known->value == expected);
  if (now == expected) {
    if (read_before && now != desired && transitions().size() < kMostWords) {
      Transitions& word = transitions()[address];
      word.last[word.next++ % 4] = {expected, desired};
    }
    know_value(c, address, desired);
    return;
  }
  if (!learns && read_before && now != desired && !made_by_another(address, expected, desired))
    report_lost_update(c, address, bytes, {expected, now, desired}, true, site);
  if (learns)
    know_value(c, address, now);
  else
    forget_value(c, address);
}

}  // namespace cpu_device::check
