// What one request costs: the rules by which a GPU serves the lanes of a warp that access memory at
// the same time. Measured on an H200 with Nsight Compute, see tests/profile/profile_counts.md; those of
// older GPUs since Maxwell are the same as far as NVIDIA documents them.
#pragma once

#include <cstdint>

namespace cpu_device::check {

// The lanes of a request, all with accesses of `bytes` bytes: 1, 2, 4, 8 or 16, aligned.
struct Request {
  uint64_t address[32];  // of the active lanes, in their order
  uint32_t lanes = 0;
  unsigned count = 0, bytes = 0;

  void add(unsigned lane, uint64_t of_lane) {
    address[count++] = of_lane;
    lanes |= 1u << lane;
  }
};

// What follows from the request's addresses, whatever the memory.
struct Pattern {
  explicit Pattern(const Request& request);

  bool even;                                // as far from each lane to the next one
  int64_t distance;                         // from the first to the second; 0 if there is none
  unsigned addresses = 0, most_on_one = 0;  // different ones, and lanes on the one with the most
  unsigned sectors = 0;                     // pieces of 32 bytes that are touched
  // Of atomics: what has the same address is served one after the other, and fetches its piece
  // again.
  unsigned atomic_sectors = 0;
  unsigned bytes = 0,
           fewest_sectors = 0;  // different bytes; the fewest pieces that could hold them

 private:
  void count_even(const Request& request);
  bool count_ascending(const Request& request);
  void count_sorted(const uint64_t* addresses, unsigned count);
};

// Times that shared memory must be asked in addition, because different words are in one of its 32
// banks of 4 bytes.
unsigned bank_conflicts(const Request& request, bool stores);

}  // namespace cpu_device::check
