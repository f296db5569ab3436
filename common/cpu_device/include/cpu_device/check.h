// What tests may ask of a checked run (nvcc --check).
#pragma once

#include <string>

namespace cpu_device {

// Waits for the device and returns the findings since the last call, one a line, as
// "KIND file:line" and, where two accesses belong together, " file:line" of the other. They are
// forgotten then: the same pair of lines is found again.
std::string take_findings();

}  // namespace cpu_device
