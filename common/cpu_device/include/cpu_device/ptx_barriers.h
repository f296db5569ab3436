// PTX's barriers: those of a part of a block (`bar.sync 1, 64`), and the mbarrier, a word of 64 bits in shared memory.
// Included by ptx.h.
#pragma once

#include "async_copies.h"
#include "atomics.h"

namespace cpu_device {

// Barrier 0 to 15 of the block, for `count` of its threads (0: for all): the caller arrives, and waits for the others
// unless it is `bar.arrive`. See runtime/execution/named_barriers.cpp.
void part_barrier(unsigned int number, unsigned int count, bool waits, Site site);

// Of cooperative_groups.h.
void cluster_arrive();
void cluster_wait(Site site);
dim3 cluster_size();

namespace ptx {

// ---- mbarrier ----
// Bits 0 to 19: arrivals for which the phase still waits. 20 to 39: how many each phase has. 40 to 60: bytes for which
// it still waits, with a sign. 61 to 63: how many phases there were. What `mbarrier.arrive` returns is the word before.
constexpr u64 kArrivals = (u64(1) << 20) - 1, kBytes = (u64(1) << 21) - 1;
constexpr int kBytesAt = 40, kPhaseAt = 61;

inline void mbarrier_init(u64 at, u32 count) {
  __atomic_store_n(reinterpret_cast<u64*>(at), u64(count) | u64(count) << 20, __ATOMIC_RELEASE);
  cpu_device_changes++;
}
// `arrivals` threads have come, of which `leave` never come again; `bytes` more are awaited, or fewer.
inline u64 mbarrier_change(u64 at, u32 arrivals, s64 bytes, u32 leave) {
  async_arrives(reinterpret_cast<const void*>(at));
  u64* const word = reinterpret_cast<u64*>(at);
  u64 old = __atomic_load_n(word, __ATOMIC_RELAXED), fresh;
  do {
    const u64 expected = ((old >> 20 & kArrivals) - leave) & kArrivals;
    u64 left = ((old & kArrivals) - arrivals) & kArrivals, phase = old >> kPhaseAt;
    const u64 awaited = ((old >> kBytesAt & kBytes) + static_cast<u64>(bytes)) & kBytes;
    if (left == 0 && awaited == 0) {
      left = expected;
      phase = (phase + 1) & 7;
    }
    fresh = left | expected << 20 | awaited << kBytesAt | phase << kPhaseAt;
  } while (!__atomic_compare_exchange_n(word, &old, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  cpu_device_changes++;
  return old;
}
inline bool mbarrier_passed(u64 at, u64 state, bool parity, Site site) {
  const u64 phase = __atomic_load_n(reinterpret_cast<const u64*>(at), __ATOMIC_ACQUIRE) >> kPhaseAt;
  const bool passed = parity ? (phase & 1) != (state & 1) : phase != state >> kPhaseAt;
  if (!passed) spin(site);
  return passed;
}
// cp.async.bulk: a thread copies for all; who waits at the mbarrier waits for the bytes.
inline void copy_bulk(u64 to, u64 from, u32 bytes, u64 barrier, Site site) {
  async_copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes, 0,
             reinterpret_cast<const void*>(barrier), site);
  mbarrier_change(barrier, 0, -static_cast<s64>(bytes), 0);
}
inline void copy_out(u64 to, u64 from, u32 bytes) {
  __builtin_memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

// ---- clusters ----
inline dim3 block_in_cluster() {
  const dim3 size = cluster_size();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
inline u32 rank_in_cluster() {
  const dim3 size = cluster_size(), at = block_in_cluster();
  return at.x + size.x * (at.y + size.y * at.z);
}
inline u32 blocks_in_cluster() {
  const dim3 size = cluster_size();
  return size.x * size.y * size.z;
}
inline dim3 cluster_index() {
  const dim3 size = cluster_size();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
inline dim3 clusters_in_grid() {
  const dim3 size = cluster_size();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}

// elect.sync: the first of the lanes.
inline bool elected(u32 mask, u32& leader, Site site) {
  exchange(mask, 0, site);
  leader = static_cast<u32>(__builtin_ctz(mask));
  return lane() == leader;
}

}  // namespace ptx
}  // namespace cpu_device
