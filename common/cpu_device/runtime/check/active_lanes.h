// Lanes that a program takes for active.
#pragma once

#include "state.h"

namespace cpu_device::check {

// At the end of a program that says by its exit code that something is wrong: notes on each __activemask() that it called.
void note_active_lanes(int exit_status);

}  // namespace cpu_device::check
