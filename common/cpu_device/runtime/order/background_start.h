// Starts queued work in the background when the host waits without calling CUDA.
#pragma once

namespace cpu_device {

// Work was queued; it is a call of a host function.
void note_queued();
void note_host_function();
// The program ends: nothing starts from now on.
void stop_background_start();

}  // namespace cpu_device
