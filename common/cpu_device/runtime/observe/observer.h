// Who looks at the accesses of kernels instead of the race check, in a program made with
// `nvcc --check`: the profiler (CPU_DEVICE_PROFILE=FILE), the recorder of a page to watch
// (CPU_DEVICE_WATCH=FILE). One of them at a time; while there is one, nothing is checked: counts and
// findings are separate runs.
//
// How to add one: derive from Observer, and add a line to `makers` in observer.cpp. All calls come
// from one thread at a time (workers take turns), in the order in which the CPU device runs things:
// the threads of a block one after the other, each as far as it gets without waiting. What a warp
// does together must be put together again from its lanes' calls.
#pragma once

#include "../check/state.h"

namespace cpu_device::check {

// Where the memory is. The stack of a thread, its index and its parameters are none of these, and
// accesses to them are not told.
enum class Space : unsigned char {
  global,    // cudaMalloc() and its relatives, mapped and managed memory, __device__ variables
  shared,    // __shared__, and the dynamic kind
  constant,  // __constant__
};

// The thread that runs.
struct Running {
  Worker* worker;
  uint64_t block;     // number of the block in its grid, x first, then y, then z
  unsigned thread;    // number of the thread in its block, likewise
  unsigned warp() const { return thread / 32; }
  unsigned lane() const { return thread % 32; }
};

// One access by one thread, told just before it happens: what a read will give stands in memory
// already, what a write will store does not yet, and stands there when the thread's next call comes.
struct Seen {
  Access access;     // see state.h; `atomic` reads and writes
  Space space;
  bool result_used;  // of an atomic: somebody looks at what it returns
  uintptr_t address;
  size_t bytes;      // beyond 16: a range, as by memcpy()
  unsigned place;    // place(number) tells kind and return address, source_place() file and line
};

class Observer {
 public:
  virtual ~Observer() = default;
  // ---- what streams do, a moment before: kernels, copies and others (see internal.h) ----
  virtual void operation_begins(const Operation&) {}
  // ---- launches, on the thread that runs the grid ----
  // launch.type.name, grid, block, shared_bytes, site; launch.named: pointers among the parameters
  virtual void launch_begins(const Launch&) {}
  virtual void launch_ends(const Launch&) {}
  // ---- blocks and threads; a block is done when the worker's next one begins, or the launch ends ----
  virtual void block_begins(Worker&, uint64_t) {}
  virtual void thread_begins(const Running&) {}
  virtual void thread_ends(const Running&) {}
  // The thread has come to where it waits: worker->states[thread] tells for what (kind), file and
  // line. When it goes on, thread_continues() comes (not if it waited for nothing).
  virtual void thread_waits(const Running&) {}
  virtual void thread_continues(const Running&) {}
  // All threads of the block have come to __syncthreads(); each of them goes on now.
  virtual void barrier_passed(Worker&, Site) {}
  // The lanes in `mask` have met in __syncwarp(), a shuffle excepted.
  virtual void lanes_met(Worker&, unsigned /*warp*/, unsigned /*mask*/, Site) {}
  // ---- what threads do ----
  virtual void access(const Running&, const Seen&) {}
  // A variable in shared memory (without a name: the gap behind it), at its declaration, once for
  // each worker; dynamic shared memory again where another kernel calls it otherwise.
  virtual void shared_variable(Worker&, const SharedVariable&) {}
  // The thread begins a basic block (only in programs made with --branches); `counter` lies in it,
  // `stack` is the stack pointer there: lower in a function that was called.
  virtual void basic_block(const Running&, const void* /*counter*/, uintptr_t /*stack*/) {}
  // ... and compares what a branch may depend on.
  virtual void comparison(const Running&, const void* /*counter*/) {}
  // ---- the program's end; also when a signal ends it ----
  virtual void program_ends() {}
};

// Null in a checked run.
extern Observer* observer;
inline bool observing() { return __builtin_expect(observer != nullptr, 0); }

// Makes the observer that the environment asks for; called once, when the program starts.
void begin_observing();
// A file that the environment names and nobody can write ends the program here, with one line.
void check_writable(const char* variable, const char* path);

// An observer's access() or basic_block() may ask for this: when it has returned, other threads run,
// if there are any, before this one goes on.
void let_others_catch_up();

// ---- from the hooks: find out where the memory is, and tell the observer ----
bool observes_here();  // in a kernel, and not in the observer itself
void observe(uintptr_t address, size_t bytes, Access access, unsigned place);
void observe_shared_variable(const SharedVariable& variable);
size_t current_shared_bytes();  // of the dynamic kind, in the launch that runs
void observe_ignored_result();
void observe_result();  // of an exchange or a swap, which a GPU always returns
void observe_block(Worker& worker);
void observe_thread(Worker& worker, void (Observer::*what)(const Running&));
void observe_worker_begins(Worker& worker);
void observe_basic_block(const void* counter, uintptr_t stack);
void observe_comparison(const void* counter);
// Whether the program was made with --branches.
bool has_branches();

}  // namespace cpu_device::check
