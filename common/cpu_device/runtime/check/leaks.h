// What the program never releases.
#pragma once

#include "state.h"

namespace cpu_device::check {

// At the end of the program, as CPU_DEVICE_LEAKS says.
void note_leaks();
// What such a setting says. Ends the program if it has none of its values.
enum class Told { no, as_note, as_error };
Told told_as(const char* setting);

}  // namespace cpu_device::check
