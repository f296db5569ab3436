// What the program never releases.
#pragma once

#include "state.h"

namespace cpu_device::check {

// A note at the end of the program; a finding with CPU_DEVICE_LEAKS=error.
void note_leaks();

}  // namespace cpu_device::check
