// Stacks that can be left and entered again: a CUDA thread that waits keeps its stack, and its
// worker goes on with another.
#pragma once

#include <cstddef>

namespace cpu_device {

struct Fiber {
  void* stack_pointer = nullptr;  // while it is not running
  unsigned char* stack = nullptr; // lowest usable byte
  size_t stack_bytes = 0;
  void* fake_stack = nullptr;     // AddressSanitizer's
};

// A new fiber with a stack of its own, number `index` of its worker; null if there is no memory.
Fiber* create_fiber(size_t index);
// Makes the next switch to the fiber call `entry`, which must not return, whatever it did before.
void reset_fiber(Fiber* fiber, void (*entry)());
// Leaves `from` and goes on where `to` was left.
void switch_fiber(Fiber* from, Fiber* to);
// To be called first thing in `entry`.
void fiber_entered();
// Whether the address lies in the guard page below the fiber's stack.
bool is_stack_overflow(const Fiber* fiber, const void* address);

}  // namespace cpu_device
