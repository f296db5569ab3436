// Reads of memory that is not initialized yet.
#include "uninitialized_reads.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "findings.h"
#include "happens_before.h"
#include "launches.h"
#include "memory_names.h"
#include "races.h"
#include "reports.h"
#include "watchdog.h"

namespace cpu_device::check {

namespace {

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
std::vector<Early>& early() {
  static auto* all = new std::vector<Early>;
  return *all;
}
constexpr size_t kMostEarly = 4096;  // words of each place

}  // namespace

bool looks_fresh(uintptr_t address, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) {
    const unsigned char expected = kFreshWord >> 8 * ((address + i) & 3) & 255;
    if (*reinterpret_cast<const volatile unsigned char*>(address + i) != expected) return false;
  }
  return true;
}

void fill_as_fresh(uintptr_t address, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    *reinterpret_cast<unsigned char*>(address + i) = kFreshWord >> 8 * ((address + i) & 3) & 255;
}

namespace {

// What nobody writes, and the copy of a structure reads. Where its layout is not known: what is next to
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

}  // namespace

void read_early(Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  if (has_fault || !looks_fresh(address, bytes)) return;
  if (is_padding(c, id, address, bytes)) return;
  for (Early& e : early())
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
  early().push_back(std::move(e));
}

void forget_early() { early().clear(); }

void written_late(uintptr_t address) {
  for (Early& e : early()) e.open -= e.words.erase(address);
}

void tell_early(Context& c, bool shared_only) {
  if (early().empty()) return;
  const uint64_t me = c.who, block = c.block;
  for (size_t i = 0; i < early().size(); i++) {
    const bool shared = c.local.contains(early()[i].address);
    if (shared_only && !shared) continue;
    // Work in another stream may write it yet.
    if (!shared && several_streams() && !early()[i].told) {
      early()[i].told = true;
      c.who = early()[i].who;
      c.block = early()[i].block;
      const auto first = std::min_element(early()[i].words.begin(), early()[i].words.end());
      if (early()[i].open > 0)
        early()[i].finding = explain_access("uninitialized", &c, early()[i].place, first->first, first->second);
      continue;
    }
    if (!shared && several_streams() && early()[i].told) continue;
    const Early e = std::move(early()[i]);
    early().erase(early().begin() + static_cast<long>(i--));
    if (e.open == 0) continue;
    const auto first = std::min_element(e.words.begin(), e.words.end());
    c.who = e.who;
    c.block = e.block;
    report_access("uninitialized", &c, e.place, first->first, first->second);
  }
  c.who = me;
  c.block = block;
}

void tell_early_of(Context& c, uintptr_t base, size_t bytes) {
  const uint64_t me = c.who, block = c.block;
  for (size_t i = 0; i < early().size(); i++) {
    if (early()[i].address - base >= bytes) continue;
    const Early e = std::move(early()[i]);
    early().erase(early().begin() + static_cast<long>(i--));
    c.who = e.who;
    c.block = e.block;
    if (e.open > 0) report_access("uninitialized", &c, e.place, e.address, e.bytes);
  }
  c.who = me;
  c.block = block;
}

void tell_late() {
  note_vain_waits();
  for (Early& e : early())
    if (e.told && e.open > 0) add_finding(std::move(e.finding));
  early().clear();
}

}  // namespace cpu_device::check
