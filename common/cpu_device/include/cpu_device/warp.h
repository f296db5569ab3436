// Operations in which the lanes of a warp take part together: votes, shuffles, reductions, matches.
// A lane that arrives waits, as at a barrier, until all lanes of the mask have come.
#pragma once

#include <stdint.h>

#include "builtins.h"
#include "device_math.h"
#include "qualifiers.h"
#include "site.h"

namespace cpu_device {

// What the lanes of a warp bring and take: 8 bytes each. `arrived` are the lanes (of `mask`) that
// took part.
struct WarpExchange {
  uint64_t value[32];
  unsigned int mask;
};

// Brings `value`, waits for all lanes of `mask`, and returns what everyone brought. The result is
// valid until this lane's next warp operation.
// `is_barrier`: it orders memory, too, as __syncwarp() does and nothing else.
const WarpExchange& exchange(unsigned int mask, uint64_t value, Site site, bool is_barrier = false);
#ifdef CPU_DEVICE_CHECK
void checked_syncwarp(unsigned int mask, Site site);
// The caller has read from a lane that takes no part in the shuffle.
void checked_absent_lane(unsigned int mask, int source, Site site);
#endif
// Lanes of the caller's warp that have come to the same place; in a checked run the caller alone.
unsigned int active_lanes(Site site);
// The caller's place in its warp.
unsigned int lane();

template <typename T>  // auto: see word_of() in atomics.h
inline auto to_word(T value) {
  static_assert(sizeof(T) <= 8, "warp operations exchange at most 8 bytes");
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof(T));
  return word;
}
template <typename T>
inline auto from_word(uint64_t word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}

// The value of lane `source`, or one's own where the source lies outside the segment. A lane that takes
// no part has nothing to give: 0, as on GPUs, so that sums over the first lanes are right.
template <typename T>
CPU_DEVICE_UNCHECKED inline T shuffle(unsigned int mask, T value, int source, bool inside, Site site) {
  const WarpExchange& all = exchange(mask, to_word(value), site);
#ifdef CPU_DEVICE_CHECK
  if (inside && !(all.mask >> source & 1)) checked_absent_lane(all.mask, source, site);
#endif
  if (!inside) return value;
  return from_word<T>(all.mask >> source & 1 ? all.value[source] : 0);
}

template <typename T, typename Combine>
CPU_DEVICE_UNCHECKED inline auto reduce(unsigned int mask, T value, Site site, Combine combine) {
  const WarpExchange& all = exchange(mask, to_word(value), site);
  bool first = true;
  T result = value;
  for (int i = 0; i < 32; i++) {
    if (!(all.mask >> i & 1)) continue;
    const T other = from_word<T>(all.value[i]);
    result = first ? other : combine(result, other);
    first = false;
  }
  return result;
}

}  // namespace cpu_device

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

inline void __syncwarp(unsigned int mask = 0xffffffffu, CPU_DEVICE_SITE) {
#ifdef CPU_DEVICE_CHECK
  cpu_device::checked_syncwarp(mask, site);
#else
  cpu_device::exchange(mask, 0, site);
#endif
}
inline unsigned int __activemask(CPU_DEVICE_SITE) { return cpu_device::active_lanes(site); }

// ---- votes ----
CPU_DEVICE_UNCHECKED inline unsigned int __ballot_sync(unsigned int mask, int predicate, CPU_DEVICE_SITE) {
  const cpu_device::WarpExchange& all = cpu_device::exchange(mask, predicate != 0, site);
  unsigned int result = 0;
  for (int i = 0; i < 32; i++)
    if ((all.mask >> i & 1) && all.value[i] != 0) result |= 1u << i;
  return result;
}
inline int __all_sync(unsigned int mask, int predicate, CPU_DEVICE_SITE) {
  return __ballot_sync(mask, predicate == 0, site) == 0;
}
inline int __any_sync(unsigned int mask, int predicate, CPU_DEVICE_SITE) {
  return __ballot_sync(mask, predicate, site) != 0;
}
inline int __uni_sync(unsigned int mask, int predicate, CPU_DEVICE_SITE) {
  const unsigned int votes = __ballot_sync(mask, predicate, site);
  return votes == 0 || __ballot_sync(mask, predicate == 0, site) == 0;
}
template <typename T>
CPU_DEVICE_UNCHECKED inline unsigned int __match_any_sync(unsigned int mask, T value, CPU_DEVICE_SITE) {
  const uint64_t mine = cpu_device::to_word(value);
  const cpu_device::WarpExchange& all = cpu_device::exchange(mask, mine, site);
  unsigned int result = 0;
  for (int i = 0; i < 32; i++)
    if ((all.mask >> i & 1) && all.value[i] == mine) result |= 1u << i;
  return result;
}
template <typename T>
inline unsigned int __match_all_sync(unsigned int mask, T value, int* all_equal, CPU_DEVICE_SITE) {
  const unsigned int equal = __match_any_sync(mask, value, site);
  *all_equal = equal == mask;
  return *all_equal ? mask : 0;
}

// ---- shuffles: within segments of `width` lanes, a power of two ----
template <typename T>
inline T __shfl_sync(unsigned int mask, T value, int source, int width = 32, CPU_DEVICE_SITE) {
  const int lane = static_cast<int>(cpu_device::lane());
  return cpu_device::shuffle(mask, value, (lane & ~(width - 1)) | (source & (width - 1)), true, site);
}
template <typename T>
inline T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                        CPU_DEVICE_SITE) {
  const int lane = static_cast<int>(cpu_device::lane());
  const int source = lane - static_cast<int>(delta & 31);  // 5 bits, as on a GPU
  return cpu_device::shuffle(mask, value, source & 31, source >= (lane & ~(width - 1)), site);
}
template <typename T>
inline T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                          CPU_DEVICE_SITE) {
  const int lane = static_cast<int>(cpu_device::lane());
  const int source = lane + static_cast<int>(delta & 31);
  return cpu_device::shuffle(mask, value, source & 31, source <= (lane | (width - 1)), site);
}
template <typename T>
inline T __shfl_xor_sync(unsigned int mask, T value, int lanes, int width = 32, CPU_DEVICE_SITE) {
  const int lane = static_cast<int>(cpu_device::lane());
  const int source = lane ^ lanes;
  return cpu_device::shuffle(mask, value, source & 31, source <= (lane | (width - 1)), site);
}

// ---- reductions ----
#define CPU_DEVICE_REDUCE(NAME, TYPE, EXPRESSION)                                             \
  inline TYPE NAME(unsigned int mask, TYPE value, CPU_DEVICE_SITE) {                          \
    return cpu_device::reduce(mask, value, site, [](TYPE a, TYPE b) -> TYPE { return EXPRESSION; }); \
  }
CPU_DEVICE_REDUCE(__reduce_add_sync, int,
                  static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)))
CPU_DEVICE_REDUCE(__reduce_add_sync, unsigned int, a + b)
CPU_DEVICE_REDUCE(__reduce_min_sync, int, b < a ? b : a)
CPU_DEVICE_REDUCE(__reduce_min_sync, unsigned int, b < a ? b : a)
CPU_DEVICE_REDUCE(__reduce_max_sync, int, a < b ? b : a)
CPU_DEVICE_REDUCE(__reduce_max_sync, unsigned int, a < b ? b : a)
CPU_DEVICE_REDUCE(__reduce_and_sync, unsigned int, a& b)
CPU_DEVICE_REDUCE(__reduce_or_sync, unsigned int, a | b)
CPU_DEVICE_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef CPU_DEVICE_REDUCE
#undef CPU_DEVICE_SITE
