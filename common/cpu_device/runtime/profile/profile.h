// The profiler: counts what kernels ask of the machine.
#pragma once

namespace cpu_device::check {

class Observer;

// Writes its counts to the file when the program ends. Ends the program if the file cannot be
// written, or if the program was not made with nvcc --branches.
Observer* make_profiler(const char* path);

}  // namespace cpu_device::check
