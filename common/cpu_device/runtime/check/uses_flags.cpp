// Atomics and volatile variables that threads may use to wait for each other. Linked only into
// programs that have some, which is how order.cpp knows that they do.
#include "internal_check.h"

extern const bool cpu_device_uses_flags;
const bool cpu_device_uses_flags = true;

namespace cpu_device {

void checked_flag(const void* address, unsigned bytes, Site site) {
  check::atomic_access(address, bytes, site, check::Access::atomic);
}

}  // namespace cpu_device

#define HOOKS(BYTES)                                                                            \
  extern "C" void __tsan_volatile_read##BYTES(void* address) {                                  \
    cpu_device::check::volatile_access(address, BYTES, false, __builtin_return_address(0));     \
  }                                                                                             \
  extern "C" void __tsan_volatile_write##BYTES(void* address) {                                 \
    cpu_device::check::volatile_access(address, BYTES, true, __builtin_return_address(0));      \
  }                                                                                             \
  extern "C" void __tsan_unaligned_volatile_read##BYTES(void* address) {                        \
    cpu_device::check::volatile_access(address, BYTES, false, __builtin_return_address(0));     \
  }                                                                                             \
  extern "C" void __tsan_unaligned_volatile_write##BYTES(void* address) {                       \
    cpu_device::check::volatile_access(address, BYTES, true, __builtin_return_address(0));      \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
