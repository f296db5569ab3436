// What one request costs: the rules by which a GPU serves the lanes of a warp that access memory at
// the same time. Measured on an H200 with Nsight Compute, see tests/profile_counts.md; those of
// older GPUs since Maxwell are the same as far as NVIDIA documents them.
#pragma once

#include <cstdint>

namespace cpu_device::check {

struct LaneAccess {
  uint64_t address;
  unsigned lane;
};

// The lanes of a request, all with accesses of `bytes` bytes: 1, 2, 4, 8 or 16, aligned.
struct Request {
  LaneAccess lanes[32];
  unsigned count;
  unsigned bytes;
};

// Pieces of 32 bytes that are touched.
unsigned sectors(const Request& request);
// The fewest that could hold as many different bytes.
unsigned fewest_sectors(const Request& request);
// Different bytes.
unsigned different_bytes(const Request& request);
// Different addresses, and lanes on the one with the most.
unsigned different_addresses(const Request& request);
unsigned most_on_one(const Request& request);
// Of atomics: what has the same address is served one after the other, and fetches its piece again.
unsigned atomic_sectors(const Request& request);
// Times that shared memory must be asked in addition, because different words are in one of its 32
// banks of 4 bytes.
unsigned bank_conflicts(const Request& request);

}  // namespace cpu_device::check
