// The profiler: counts what kernels ask of the machine.
#pragma once

#include "../observe/observer.h"

namespace cpu_device::check {

// Writes its counts to the file when the program ends. Ends the program if the file cannot be
// written, or if the program was not made with nvcc --branches.
Observer* make_profiler(const char* path);

}  // namespace cpu_device::check
