// Atomics and volatile variables that threads may use to wait for each other: from the first of them
// on, threads are followed one by one, see precise() in happens_before.cpp.
#include "observer.h"
#include "accesses.h"
#include "happens_before.h"
#include "lock_order.h"
#include "lost_updates.h"
#include "places.h"
#include "schedules.h"

extern const bool cpu_device_uses_flags;
const bool cpu_device_uses_flags = true;

namespace cpu_device {

using namespace check;

static bool flag_access(const void* address, unsigned bytes, Site site, Access access, Point kind) {
  if (observing()) observe_result();
  note_ordering_atomic();
  return atomic_access(address, bytes, site, access, kind);
}

static void note_lock(const void* address, unsigned bytes, uint64_t expected, uint64_t desired, Site site, bool is_exchange) {
  note_attempt(*checking, {reinterpret_cast<uintptr_t>(address), bytes, expected, desired,
                           site_place(site, Access::atomic, static_cast<Scope>(site.scope), bytes), is_exchange});
}

void checked_exchange(const void* address, unsigned bytes, uint64_t fresh, Site site) {
  // What only writes does not read: it may be the first that comes to fresh memory.
  const bool writes = checking != nullptr && checking->result_ignored;
  schedules_matter = true;
  const bool learns = flag_access(address, bytes, site, writes ? Access::atomic_write : Access::atomic, Point::exchange);
  if (checking != nullptr && learns) note_lock(address, bytes, fresh, fresh, site, true);
  if (checking != nullptr) note_exchange(*checking, reinterpret_cast<uintptr_t>(address), bytes, fresh, learns, site);
}

void checked_swap(const void* address, unsigned bytes, uint64_t expected, uint64_t desired, Site site) {
  schedules_matter = true;
  const bool guesses = checking != nullptr && checking->guesses;
  if (checking != nullptr) checking->guesses = false;
  const bool learns = flag_access(address, bytes, site, Access::atomic, Point::swap);
  if (checking != nullptr && learns) note_lock(address, bytes, expected, desired, site, false);
  if (checking != nullptr)
    note_swap(*checking, reinterpret_cast<uintptr_t>(address), bytes, expected, desired, guesses, learns, site);
}

}  // namespace cpu_device

// A volatile access of a kernel; the host's order nothing here.
static void access(void* address, unsigned bytes, bool is_write, const void* counter) {
  if (cpu_device::check::checking != nullptr) cpu_device::check::note_ordering_atomic();
  cpu_device::check::volatile_access(address, bytes, is_write, counter);
}

#define HOOKS(BYTES)                                                                            \
  extern "C" void __tsan_volatile_read##BYTES(void* address) {                                  \
    access(address, BYTES, false, __builtin_return_address(0));     \
  }                                                                                             \
  extern "C" void __tsan_volatile_write##BYTES(void* address) {                                 \
    access(address, BYTES, true, __builtin_return_address(0));      \
  }                                                                                             \
  extern "C" void __tsan_unaligned_volatile_read##BYTES(void* address) {                        \
    access(address, BYTES, false, __builtin_return_address(0));     \
  }                                                                                             \
  extern "C" void __tsan_unaligned_volatile_write##BYTES(void* address) {                       \
    access(address, BYTES, true, __builtin_return_address(0));      \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
