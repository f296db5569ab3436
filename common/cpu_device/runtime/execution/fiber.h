// Stacks that can be left and entered again: a CUDA thread that waits keeps its stack, and its
// worker goes on with another.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define CPU_DEVICE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CPU_DEVICE_ASAN 1
#endif
#endif
#ifdef CPU_DEVICE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace cpu_device {

struct Fiber {
  void* stack_pointer = nullptr;   // while it is idle
  unsigned char* stack = nullptr;  // lowest usable byte
  size_t stack_bytes = 0;
};

// A new fiber with a stack of its own, number `index` of its worker and made after `before`; null if
// there is no memory.
Fiber* create_fiber(size_t index, const Fiber* before);
// The same, large enough for the local variables of a tile kernel.
Fiber* create_large_fiber();
// Makes the next switch to the fiber call `entry`, which must not return, whatever it did before.
void reset_fiber(Fiber* fiber, void (*entry)());
extern "C" void cpu_device_switch(void** save, void* load);

// Leaves the running stack, whose pointer is kept in `*save`, and goes on where `load` was kept.
// `to` owns that stack. Written so that a caller which does nothing afterwards leaves no frame of
// its own behind: 256 waiting threads should touch as few cache lines as possible.
inline __attribute__((always_inline)) void switch_stack(void** save, void* load,
                                                        [[maybe_unused]] const Fiber* to) {
#ifdef CPU_DEVICE_ASAN
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, to->stack, to->stack_bytes);
  cpu_device_switch(save, load);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#else
  cpu_device_switch(save, load);
#endif
}

// To be called first thing in `entry`.
inline void fiber_entered() {
#ifdef CPU_DEVICE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

// Whether the address lies in the guard below the fiber's stack.
bool is_stack_overflow(const Fiber* fiber, const void* address);

}  // namespace cpu_device
