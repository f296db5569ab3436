// Blocks whose threads run as a loop, in the form that the rewriter has made of the kernel
// (rewriter/block_loops.h). It has no thread of its own to tell of. So when something fails in it, the block
// runs once more, thread by thread, and the thread that fails then is the one to name; the launch has failed
// in any case, and nobody gets to see what it has written.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../include/cpu_device/block_loops.h"
#include "../device/lasting.h"
#include "../device/settings.h"
#include "engine.h"

namespace cpu_device {

// For arrays of a block's threads (BlockMemory), until the next block asks.
char* memory_of_worker(size_t bytes) {
  struct Memory {
    char* start = nullptr;
    size_t bytes = 0;
    ~Memory() { free(start); }
  };
  static thread_local OfThread<Memory> mine;
  Memory& memory = *mine;
  if (bytes > memory.bytes) {
    free(memory.start);
    memory.bytes = (bytes + 4095) / 4096 * 4096;
    memory.start = static_cast<char*>(aligned_alloc(4096, memory.bytes));
    if (memory.start == nullptr) {
      memory.bytes = 0;
      throw std::bad_alloc();
    }
  }
  return memory.start;
}

namespace {

// Has this machine the instructions that block functions of the level are made of?
bool machine_has(int level) {
#if defined(__x86_64__)
  static const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  static const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                             __builtin_cpu_supports("avx512vl");
  return level == 0 || (level == 3 && has_v3) || (level == 4 && has_v4);
#else
  return level == 0;
#endif
}

// A debugger stops in threads, and shows threadIdx.
bool find_debugger() {
  FILE* file = fopen("/proc/self/status", "r");
  if (file == nullptr) return false;
  char line[256];
  bool found = false;
  while (fgets(line, sizeof line, file) != nullptr)
    if (strncmp(line, "TracerPid:", 10) == 0) found = atoi(line + 10) != 0;
  fclose(file);
  return found;
}
bool is_debugged() {
  static const bool debugged = find_debugger();
  return debugged;
}

}  // namespace

void Worker::choose_loops(const Launch& launch) {
  again = leave_for_again = in_loops = false;
  const bool may = launch.type.run_block != nullptr && !check::on && settings().loops &&
                   settings().order == Order::forward && !settings().lockstep && grid->meeting == nullptr &&
                   machine_has(launch.type.lanes_level) && !settings().debugged && !is_debugged();
  run_block = may ? launch.type.run_block : nullptr;
  block_arguments = static_cast<const char*>(launch.arguments_address()) + launch.type.block_arguments;
}

void Worker::run_as_loops(const Index& at, Index* shown_thread) {
  const Launch& launch = *grid->launch;
  shown_thread->x = kNoThread;
  in_loops = true;
  const bool done = run_block(block_arguments, {{at.x, at.y, at.z},
                                                {launch.block.x, launch.block.y, launch.block.z},
                                                {launch.grid.x, launch.grid.y, launch.grid.z}});
  in_loops = false;
  if (done) started = finished = threads;
}

void Worker::waits_in_loops(Site site) {
  abort_grid(cudaErrorUnknown, site, "a thread waits at an unexpected place" + where_in_kernel(),
             "this is a bug in the CPU device. Please report it. CPU_DEVICE_LOOPS=0 avoids it.");
}

// Leaves everything where it is, as leave_grid() does.
void Worker::begin_block_again(cudaError_t error, Failure failure) {
  in_loops = false;
  first_error = error;
  first_failure = std::move(failure);
  failure = {};
  again = leave_for_again = true;
  running = &main;
  void* nowhere = nullptr;
  switch_stack(&nowhere, main.stack_pointer, &main);
  __builtin_unreachable();
}

// On the worker's own stack: whether it was left for that, and `running` is to be entered once more.
bool Worker::prepare_to_begin_again() {
  if (!leave_for_again) return false;
  leave_for_again = false;
  run_block = nullptr;
  idle.assign(all.rbegin(), all.rend());
  for (Fiber* fiber : all) reset_fiber(fiber, fiber_main);
  started = finished = waiting_count = ready_head = ready_count = 0;
  running = idle_fiber();
  return running != nullptr;
}

}  // namespace cpu_device
