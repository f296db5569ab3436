// CUDA's atomics. Linked only into programs that have one, which is how schedules.cpp knows that they do.
#include "accesses.h"
#include "lost_updates.h"
#include "schedules.h"

extern const bool cpu_device_uses_atomics;
const bool cpu_device_uses_atomics = true;

namespace cpu_device {

void checked_atomic(const void* address, unsigned bytes, Site site) {
  const bool learns = check::atomic_access(address, bytes, site, check::Access::atomic, check::Point::update);
  if (check::Context* c = check::checking) check::note_look(*c, reinterpret_cast<uintptr_t>(address), bytes, learns);
}

}  // namespace cpu_device
