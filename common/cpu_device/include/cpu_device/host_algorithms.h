// For libraries whose algorithms run on the host here although they work on device memory (Thrust,
// CUB): a program that includes one runs its launches and copies at once, and its host code may touch
// device memory.
#pragma once

namespace cpu_device {

// What happens when the program starts, if one of its files includes this header.
bool host_runs_algorithms();
static const bool host_algorithms_included = host_runs_algorithms();

}  // namespace cpu_device
