// Settings from the environment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device {

enum class Order { forward, reverse, shuffle };

struct Settings {
  int workers;           // CPU_DEVICE_THREADS, default: the cores this process may use
  int multiprocessors;   // CPU_DEVICE_MULTIPROCESSORS: what programs are told; default: the workers
  int devices;           // CPU_DEVICE_COUNT, default 1
  size_t memory;         // CPU_DEVICE_MEMORY, bytes of each device
  Order order;           // CPU_DEVICE_ORDER=forward|reverse|shuffle[:SEED]
  uint32_t seed;
  bool lockstep;         // CPU_DEVICE_LOCKSTEP=1: the lanes of a warp in lockstep, as before Volta
  bool in_step;          // unless CPU_DEVICE_LOCKSTEP=0: the lanes of a warp in step in warp-synchronous code
  bool loops;            // CPU_DEVICE_LOOPS=0: each thread by itself, never as a loop over the block
  bool exited_may_miss;  // CPU_DEVICE_EXITED_THREADS=ignore: exited threads do not count at barriers
  bool debugged;         // CPU_DEVICE_DEBUGGER=1: a debugger stops the program now and then; set by debugger/
};
const Settings& settings();
constexpr int kMostDevices = 16;  // CPU_DEVICE_COUNT

// Of this machine: 4096 on x86-64, up to 65536 on Arm.
size_t page_bytes();

}  // namespace cpu_device
