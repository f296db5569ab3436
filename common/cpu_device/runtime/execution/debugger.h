// What a debugger needs to know of the runtime, and what the runtime tells without one (Ctrl-\).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine.h"

namespace cpu_device {

// A table of where things are, for debugger/: names, and offsets or numbers.
struct DebuggerEntry {
  char name[40];
  uint64_t value;
};
template <size_t Count>
struct DebuggerTable {
  char mark[8];
  uint32_t version;  // changes when a name changes its meaning
  uint32_t count;
  DebuggerEntry entries[Count];
};
template <size_t Count>
constexpr size_t count_of(const DebuggerEntry (&)[Count]) {
  return Count;
}
template <size_t Count>
constexpr DebuggerTable<Count> make_debugger_table(const DebuggerEntry (&entries)[Count]) {
  DebuggerTable<Count> table{{'C', 'U', 'D', 'A', 'D', 'B', 'G', 0}, 1, Count, {}};
  for (size_t i = 0; i < Count; i++) table.entries[i] = entries[i];
  return table;
}

// A worker for the debugger, which finds its thread by the number that the system gave it, and the kernel's
// view of itself without asking where thread-local variables are.
struct DebuggedWorker {
  std::atomic<pid_t> thread;  // 0: the entry is free
  Worker* worker;
  const Index *thread_index, *block_index, *block_size, *grid_size;
};
constexpr unsigned kMostDebugged = 1024;

// The calling thread is this worker from now on, and no longer.
void show_to_debugger(Worker* worker);
void hide_from_debugger();

// Ctrl-\ prints where the threads of all running kernels stand, and the program goes on.
void answer_quit_signal();
// What asks a worker where it is. No thread may block it.
int question_signal();

// Called for a fault in host code, before anything is said about it: the debugger stops here.
extern "C" void cpu_device_debugger_host_fault(int signal);

}  // namespace cpu_device
