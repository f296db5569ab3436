// Atomics and volatile variables that threads may use to wait for each other: from the first of them
// on, threads are followed one by one, see precise() in order.cpp.
#include "../observe/observer.h"
#include "accesses.h"
#include "happens_before.h"

namespace cpu_device {

void checked_flag(const void* address, unsigned bytes, Site site) {
  if (check::observing()) check::observe_result();
  check::note_ordering_atomic();
  check::atomic_access(address, bytes, site, check::Access::atomic);
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
