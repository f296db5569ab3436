// Notes that the program uses the runtime interface.
#pragma once

namespace cpu_device {

// The program has called the runtime interface, and not from within the driver interface: then the
// device's primary context is current.
void note_runtime_use();
bool runtime_in_use();

}  // namespace cpu_device
