// The interface of what gets the accesses of kernels instead of the race check, in a program
// compiled with `nvcc --check`: the profiler (CPU_DEVICE_PROFILE=FILE). While there is one, nothing
// is checked: counts and findings are separate runs.
//
// How to add one: derive from Observer, and add a line to `makers` in observer.cpp. All calls come
// from one thread at a time (workers take turns), in the order in which the CPU device runs things:
// the threads of a block one after the other, each as far as it gets without waiting. What a thread
// does it notes in its log (log.h), where calls would take too long. What a warp does together must
// be put together again from its lanes' logs.
#pragma once

#include "log.h"

namespace cpu_device::check {

// One access by one thread, told just before it happens.
struct Seen {
  Access access;  // see state.h; `atomic` reads and writes
  Space space;
  bool result_used;  // of an atomic: somebody looks at what it returns
  uintptr_t address;
  size_t bytes;    // beyond 16: a range, as by memcpy()
  unsigned place;  // place(number) tells kind and return address, source_place() file and line
};

class Observer {
 public:
  virtual ~Observer() = default;
  // ---- what streams do, a moment before: kernels, copies and others (see order/queue.h) ----
  virtual void operation_begins(const Operation&) {}
  // ---- launches, on the thread that runs the grid ----
  // launch.type.name, grid, block, shared_bytes, site; launch.named: pointers among the parameters
  virtual void launch_begins(const Launch&) {}
  // ---- blocks and threads; a block is done when the worker's next one begins, or the launch ends
  // ----
  virtual void block_begins(Worker&) {}
  // Where the thread notes what it does; asked when it begins, and when it goes on after it has
  // waited.
  virtual Log& log_of(const Running&) = 0;
  // The thread has come to where it waits (or not, if there is nobody else): worker->states[thread]
  // tells for what (kind), file and line.
  virtual void thread_waits(const Running&) {}
  virtual void thread_ends(const Running&) {}
  // ---- what threads do ----
  // Fills in the note of *known if the next ones by this place are the same wherever they go in its
  // memory, which may be made smaller; and the alignment, if they are to be told all the same.
  virtual void access(const Running&, const Seen&, KnownPlace* known) = 0;
  virtual void known_access(const Running&, const KnownPlace&, uintptr_t address) = 0;
  // A block or a comparison for which the log has no room.
  virtual void note(const Running&, Note) = 0;
  // The log has no room, and a block ends of which it is known what comes next.
  virtual void block_ends(const Running&) {}
  // A variable in shared memory (without a name: the gap after it), at its declaration, once for
  // each worker; dynamic shared memory again where another kernel calls it otherwise.
  virtual void shared_variable(Worker&, const SharedVariable&) {}
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

// An observer's access() or note() may ask for this: when it has returned, other threads run,
// if there are any, before this one goes on.
void let_others_catch_up();

// ---- from the hooks: find out where the memory is, and tell the observer ----
// `counter`: of a hook that asks note_access() first.
void observe(uintptr_t address, size_t bytes, Access access, unsigned place,
             const void* counter = nullptr);
void observe_note(Note note);
// What a checked run's hooks do (accesses.cpp), for one that has been called at `counter`.
void access_from(const void* counter, const void* address, size_t bytes, Access access);
void range_from(const void* counter, const void* address, size_t bytes, Access access);
void observe_block_ends();
void observe_shared_variable(const SharedVariable& variable);
size_t current_shared_bytes();  // of the dynamic kind, in the launch that runs
void observe_ignored_result();
void observe_result();  // of an exchange or a swap, which a GPU always returns
void observe_worker_begins(Worker& worker);
void observe_worker_ends();
void observe_block(Worker& worker);
void observe_thread_runs(Worker& worker);  // begins, or goes on
void observe_thread_waits();
void observe_thread_ends();
// Whether the program was made with --branches.
bool has_branches();

}  // namespace cpu_device::check
