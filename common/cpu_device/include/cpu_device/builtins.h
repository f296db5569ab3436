// What a kernel sees of its place in the grid, and its barriers.
#pragma once

#include <stdint.h>

#include "site.h"
#include "vector_types.h"

namespace cpu_device {

// threadIdx and its family can be read, never assigned. The runtime writes them through symbols of
// its own (runtime/execution/engine.cpp), one set per worker.
struct ReadOnlyIndex {
  const unsigned int x, y, z;
  operator uint3() const { return {x, y, z}; }
  operator dim3() const { return {x, y, z}; }
};

}  // namespace cpu_device

extern __thread cpu_device::ReadOnlyIndex threadIdx __asm__("cpu_device_thread_index");
extern __thread cpu_device::ReadOnlyIndex blockIdx __asm__("cpu_device_block_index");
extern __thread cpu_device::ReadOnlyIndex blockDim __asm__("cpu_device_block_size");
extern __thread cpu_device::ReadOnlyIndex gridDim __asm__("cpu_device_grid_size");

static constexpr int warpSize = 32;

namespace cpu_device {

// Waits for all threads of the block. `site` is where the kernel says so.
void barrier(Site site);
// The same, and returns how many threads gave a true predicate.
int barrier_count(bool predicate, Site site);
// The block's dynamic shared memory.
unsigned char* dynamic_shared();
// Whether the caller is a kernel.
bool in_kernel();
// The same, for the functions to which the rewriter gives a body for kernels and one for the host. It
// does not change while such a function runs.
__attribute__((const)) bool called_by_kernel();
// The same, and false in a constant expression.
constexpr bool on_device() { return !__builtin_is_constant_evaluated() && called_by_kernel(); }
// A kernel that waits for others calls this in its loop: other threads of the block run first.
void yield();
// A loop that may wait for others calls this in each turn, with a number or an address of its own: one that turns
// many times lets them run. True, so that it can stand in the condition.
bool polls(unsigned long long what, Site site = Site::here());
// Ends the kernel with an error.
[[noreturn]] void trap(const char* reason, Site site);
// Clock ticks and nanoseconds.
long long clock_ticks();

// A fence for the block (1), the device (2) or the system (3). A checked run must know of it.
#ifdef CPU_DEVICE_CHECK
void checked_fence(int scope);
inline void fence(int scope) { checked_fence(scope); }
#else
inline void fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

}  // namespace cpu_device

inline void __syncthreads(cpu_device::Site site = cpu_device::Site::here()) {
  cpu_device::barrier(site);
}
inline int __syncthreads_count(int predicate, cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::barrier_count(predicate != 0, site);
}
inline int __syncthreads_and(int predicate, cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::barrier_count(predicate == 0, site) == 0;
}
inline int __syncthreads_or(int predicate, cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::barrier_count(predicate != 0, site) != 0;
}

// Threads of a block share one worker and blocks meet at the queue, so these order the compiler and
// the processor, as CUDA asks.
inline void __threadfence_block() { cpu_device::fence(1); }
inline void __threadfence() { cpu_device::fence(2); }
inline void __threadfence_system() { cpu_device::fence(3); }

inline long long clock64() { return cpu_device::clock_ticks(); }
inline void __nanosleep(unsigned int) { cpu_device::yield(); }
[[noreturn]] inline void __trap(cpu_device::Site site = cpu_device::Site::here()) {
  cpu_device::trap("the kernel called __trap()", site);
}
inline void __prof_trigger(int) {}
