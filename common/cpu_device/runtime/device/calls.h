// CPU_DEVICE_CALLS=FILE: writes down what the host asks for, in order: launches with their grids, copies with their
// bytes, and what waits for what. Two runs with the same arguments write the same lines, so a test can compare them.
// For the same reason, events then measure steps instead of time: each launch, copy and fill takes step_ms(). A program
// that repeats its work until it has taken long enough needs a long step: CPU_DEVICE_CALLS_STEP_MS=10.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device::calls {

// Whether CPU_DEVICE_CALLS is set.
bool wanted();

// Writes one line: the number of the host thread, a space, and the words. Does nothing if the file is not wanted.
// The caller holds the host's lock.
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

// A name for a stream or an event: its kind and a number, which counts the objects of this kind that a host thread
// uses. "default stream" for a null pointer.
const char* name(const char* kind, const void* object);
// The object is gone. Another one may get its address.
void forget(const void* object);

// This host thread launched a kernel; it asked whether an error has happened. Writes a line if several launches, or the
// last ones of the program, are not asked about one by one.
void launched();
void asked();

// CPU_DEVICE_CALLS_DAMAGE=BIT: flips this bit, 0 to 31, of the last 32-bit word of each copy to the host. So a test can
// see whether a program notices that its result is wrong, and how far wrong it may be.
void damage(void* copied, size_t bytes);

// A launch, a copy or a fill ended on this device; how many did; and how long events say that one takes.
void step(int device);
uint64_t steps(int device);
float step_ms();

}  // namespace cpu_device::calls
