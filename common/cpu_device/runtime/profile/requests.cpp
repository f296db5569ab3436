#include "requests.h"

#include <algorithm>
#include <array>

namespace cpu_device::check {

namespace {

struct Numbers {
  std::array<uint64_t, 32> value;
  unsigned count = 0;
};

// The lanes' addresses divided by `unit`, sorted.
Numbers sorted(const Request& r, unsigned unit) {
  Numbers all;
  for (unsigned i = 0; i < r.count; i++) all.value[all.count++] = r.lanes[i].address / unit;
  std::sort(all.value.begin(), all.value.begin() + all.count);
  return all;
}

unsigned different(const Numbers& numbers) {
  const auto end = numbers.value.begin() + numbers.count;
  auto copy = numbers.value;
  return static_cast<unsigned>(
      std::unique(copy.begin(), copy.begin() + (end - numbers.value.begin())) - copy.begin());
}

}  // namespace

unsigned sectors(const Request& r) { return different(sorted(r, 32)); }
unsigned different_addresses(const Request& r) { return different(sorted(r, 1)); }
unsigned different_bytes(const Request& r) { return different_addresses(r) * r.bytes; }
unsigned fewest_sectors(const Request& r) { return (different_bytes(r) + 31) / 32; }

unsigned most_on_one(const Request& r) {
  const Numbers all = sorted(r, 1);
  unsigned most = 0, run = 0;
  for (unsigned i = 0; i < all.count; i++) {
    run = i > 0 && all.value[i] == all.value[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

// Of each piece: as many times as there are lanes on its busiest address.
unsigned atomic_sectors(const Request& r) {
  const Numbers all = sorted(r, 1);
  unsigned sum = 0, most = 0, run = 0;
  for (unsigned i = 0; i < all.count; i++) {
    const bool same_sector = i > 0 && all.value[i] / 32 == all.value[i - 1] / 32;
    if (!same_sector) {
      sum += most;
      most = 0;
    }
    run = i > 0 && all.value[i] == all.value[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return sum + most;
}

// Whether two groups of lanes are served at once: each lane has the same address as its neighbor, or
// as the one after that, or those are not active.
static bool in_pairs(const Request& r, unsigned first, unsigned last, unsigned distance) {
  uint64_t address[32];
  bool active[32] = {};
  for (unsigned i = 0; i < r.count; i++) {
    address[r.lanes[i].lane] = r.lanes[i].address;
    active[r.lanes[i].lane] = true;
  }
  for (unsigned lane = first; lane < last; lane++) {
    const unsigned other = lane ^ distance;
    if (active[lane] && active[other] && address[lane] != address[other]) return false;
  }
  return true;
}

// Passes beyond the first of the lanes from `first` to `last`.
static unsigned extra_passes(const Request& r, unsigned first, unsigned last) {
  uint64_t words[128];
  unsigned count = 0;
  for (unsigned i = 0; i < r.count; i++) {
    if (r.lanes[i].lane < first || r.lanes[i].lane >= last) continue;
    const uint64_t low = r.lanes[i].address / 4, high = (r.lanes[i].address + r.bytes - 1) / 4;
    for (uint64_t word = low; word <= high; word++) words[count++] = word;
  }
  std::sort(words, words + count);
  count = static_cast<unsigned>(std::unique(words, words + count) - words);
  unsigned in_bank[32] = {}, most = 0;
  for (unsigned i = 0; i < count; i++) most = std::max(most, ++in_bank[words[i] % 32]);
  return most > 0 ? most - 1 : 0;
}

unsigned bank_conflicts(const Request& r) {
  if (r.bytes <= 4) return extra_passes(r, 0, 32);
  // 8 bytes: all lanes at once if they come in pairs, else in halves; 16 bytes: likewise halves or
  // quarters.
  const unsigned group = r.bytes == 8 ? 32 : 16;
  unsigned sum = 0;
  for (unsigned first = 0; first < 32; first += group) {
    const unsigned last = first + group;
    if (in_pairs(r, first, last, 1) || in_pairs(r, first, last, 2))
      sum += extra_passes(r, first, last);
    else
      sum += extra_passes(r, first, first + group / 2) + extra_passes(r, first + group / 2, last);
  }
  return sum;
}

}  // namespace cpu_device::check
