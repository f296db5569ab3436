// Fences. Linked only into programs that have one, which is how happens_before.cpp knows that they do.
#include "schedules.h"

extern const bool cpu_device_uses_fences;
const bool cpu_device_uses_fences = true;

namespace cpu_device {

void checked_fence(int scope) {
  check::Context* const c = check::checking;
  if (c == nullptr) return;
  check::schedule_point(*c, true, nullptr, 0, __builtin_return_address(0));
  check::fence(*c, static_cast<Scope>(scope));
}

}  // namespace cpu_device
