// What the program never releases.
#pragma once

#include "state.h"

namespace cpu_device::check {

// At the end of the program, as CPU_DEVICE_LEAKS says.
void note_leaks();
// Ends the program if that setting has none of its values.
void check_leaks_setting();

}  // namespace cpu_device::check
