// Streams of the program, and of the runtime's own.
#pragma once

#include <vector>

#include "queue.h"

namespace cpu_device {

// The streams of a device.
struct StreamsOfDevice {
  Stream default_stream;
  std::vector<Stream*> created;  // by the program
  // Last operations of streams that were destroyed while they were busy. The default stream also waits for these.
  std::vector<OperationPointer> left_behind;
};
StreamsOfDevice& streams_of(int device);

// Whether the program uses more than the default streams.
bool any_stream_exists();
// Streams of the runtime's own, for find_stream().
void register_stream(Stream* stream);
void unregister_stream(Stream* stream);

}  // namespace cpu_device
