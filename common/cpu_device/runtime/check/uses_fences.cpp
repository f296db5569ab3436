// Fences. Linked only into programs that have one, which is how happens_before.cpp knows that they do.
#include "state.h"

extern const bool cpu_device_uses_fences;
const bool cpu_device_uses_fences = true;

namespace cpu_device {

void checked_fence(int scope) {
  if (check::Context* c = check::checking) check::fence(*c, static_cast<Scope>(scope));
}

}  // namespace cpu_device
