#include "memory_requests.h"

#include <algorithm>

namespace cpu_device::check {

Pattern::Pattern(const Request& r) {
  uint64_t sorted[32];
  distance = r.count > 1 ? static_cast<int64_t>(r.address[1] - r.address[0]) : 0;
  uint64_t other = 0;
  for (unsigned i = 1; i < r.count; i++)
    other |= (r.address[i] - r.address[i - 1]) ^ static_cast<uint64_t>(distance);
  even = other == 0;
  if (even) {
    count_even(r);
  } else if (!count_ascending(r)) {
    std::copy(r.address, r.address + r.count, sorted);
    std::sort(sorted, sorted + r.count);
    count_sorted(sorted, r.count);
  }
  bytes = addresses * r.bytes;
  fewest_sectors = (bytes + 31) / 32;
}

// Most requests are of neighbors, or all of one address.
void Pattern::count_even(const Request& r) {
  const uint64_t first = r.address[0] / 32, last = r.address[r.count - 1] / 32;
  const bool one = distance == 0, far = distance >= 32 || distance <= -32;
  addresses = one ? 1 : r.count;
  most_on_one = one ? r.count : 1;
  sectors = far ? r.count : static_cast<unsigned>(last > first ? last - first : first - last) + 1;
  atomic_sectors = one ? r.count : sectors;
}

// Or of several rows. False if two lanes have the same address, or one is before another's.
bool Pattern::count_ascending(const Request& r) {
  unsigned before = 0, pieces = 1;
  for (unsigned i = 1; i < r.count; i++) {
    before += r.address[i - 1] < r.address[i];
    pieces += r.address[i - 1] / 32 != r.address[i] / 32;
  }
  if (before + 1 != r.count) return false;
  addresses = r.count;
  most_on_one = 1;
  sectors = atomic_sectors = pieces;
  return true;
}

// Of each piece atomics fetch as many times as there are lanes on its busiest address.
void Pattern::count_sorted(const uint64_t* all, unsigned count) {
  unsigned on_this = 0, most_in_sector = 0;
  for (unsigned i = 0; i < count; i++) {
    const bool new_address = i == 0 || all[i] != all[i - 1];
    const bool new_sector = i == 0 || all[i] / 32 != all[i - 1] / 32;
    if (new_sector) {
      sectors++;
      atomic_sectors += most_in_sector;
      most_in_sector = 0;
    }
    addresses += new_address;
    on_this = new_address ? 1 : on_this + 1;
    most_in_sector = std::max(most_in_sector, on_this);
    most_on_one = std::max(most_on_one, on_this);
  }
  atomic_sectors += most_in_sector;
}

namespace {

// Each lane's own address; only those of active lanes mean anything.
struct ByLane {
  explicit ByLane(const Request& r) {
    unsigned i = 0;
    for (uint32_t left = r.lanes; left != 0; left &= left - 1)
      address[__builtin_ctz(left)] = r.address[i++];
  }
  uint64_t address[32];
};

// Whether two groups of lanes are served at once: each lane has the same address as its neighbor,
// or as the one after that, or those are not active.
bool in_pairs(const ByLane& all, uint32_t lanes, unsigned distance) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left)), other = lane ^ distance;
    if ((lanes >> other & 1) != 0 && all.address[lane] != all.address[other]) return false;
  }
  return true;
}

// Passes beyond the first, of addresses of which each takes `bytes`.
unsigned extra_passes(const uint64_t* address, unsigned count, unsigned bytes) {
  if (count == 0) return 0;
  const auto [low, high] = std::minmax_element(address, address + count);
  if ((*high + bytes - 1) / 4 - *low / 4 < 32)
    return 0;              // all in different banks, or the same word
  uint32_t words[32][32];  // of each bank; an address has one in it at most
  unsigned in_bank[32] = {}, most = 0;
  for (unsigned i = 0; i < count; i++)
    for (uint64_t at = address[i] / 4; at <= (address[i] + bytes - 1) / 4; at++) {
      const auto word = static_cast<uint32_t>(at - *low / 4);
      uint32_t* const bank = words[word % 32];
      unsigned& known = in_bank[word % 32];
      if (std::find(bank, bank + known, word) != bank + known) continue;
      bank[known++] = word;
      most = std::max(most, known);
    }
  return most - 1;
}

unsigned extra_passes(const ByLane& all, uint32_t lanes, unsigned bytes) {
  uint64_t address[32];
  unsigned count = 0;
  for (; lanes != 0; lanes &= lanes - 1) address[count++] = all.address[__builtin_ctz(lanes)];
  return extra_passes(address, count, bytes);
}

}  // namespace

unsigned bank_conflicts(const Request& r, bool stores) {
  if (r.bytes <= 4) return extra_passes(r.address, r.count, r.bytes);
  // 8 bytes: all lanes at once if they come in pairs and load, else in halves. 16 bytes: in halves if they
  // come in pairs and load, else in quarters.
  const ByLane all(r);
  const unsigned group = r.bytes == 8 ? 32 : 16;
  unsigned sum = 0;
  for (unsigned first = 0; first < 32; first += group) {
    const uint32_t half = ((1u << group / 2) - 1) << first, other = half << group / 2;
    const uint32_t together = r.lanes & (half | other);
    if (!stores && (in_pairs(all, together, 1) || in_pairs(all, together, 2)))
      sum += extra_passes(all, together, r.bytes);
    else
      sum +=
          extra_passes(all, r.lanes & half, r.bytes) + extra_passes(all, r.lanes & other, r.bytes);
  }
  return sum;
}

}  // namespace cpu_device::check
