// Copies that go on in the background on a GPU, from global to shared memory. Here each is made
// when it is asked for; a checked run knows which ones a thread has waited for.
#pragma once

#include <stddef.h>

#include "builtins.h"

namespace cpu_device {

#ifdef CPU_DEVICE_CHECK
// Copies bytes from `from`, then adds zeros. `barrier`: where arriving means waiting for it, or
// null.
void async_copy(void* to, const void* from, size_t bytes, size_t zeros, const void* barrier,
                Site site);
// One of 4, 8 or 16 bytes, to and from multiples of its size.
void async_copy_aligned(void* to, const void* from, size_t bytes, size_t zeros, Site site);
// The thread's copies since the last batch are one.
void async_commit();
// It waits for all its batches but the newest.
void async_wait_prior(size_t newest);
// It arrives at a barrier, which waits for the copies that were given it.
void async_arrives(const void* barrier);
#else
inline void async_copy(void* to, const void* from, size_t bytes, size_t zeros, const void*, Site) {
  __builtin_memcpy(to, from, bytes);
  __builtin_memset(static_cast<char*>(to) + bytes, 0, zeros);
}
inline void async_copy_aligned(void* to, const void* from, size_t bytes, size_t zeros, Site site) {
  async_copy(to, from, bytes, zeros, nullptr, site);
}
inline void async_commit() {}
inline void async_wait_prior(size_t) {}
inline void async_arrives(const void*) {}
#endif

// What one thread of a group copies: words in turn.
inline void async_copy_share(size_t rank, size_t ranks, void* to, const void* from, size_t bytes,
                             const void* barrier, Site site) {
  constexpr size_t kWord = 4;
  for (size_t at = rank * kWord; at < bytes; at += ranks * kWord)
    async_copy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
               bytes - at < kWord ? bytes - at : kWord, 0, barrier, site);
}

}  // namespace cpu_device
