// What no thread came to.
#pragma once

#include <string>
#include "state.h"

namespace cpu_device::check {

// What was never launched and never reached, in lines of their own; empty if nothing.
std::string not_covered();

}  // namespace cpu_device::check
