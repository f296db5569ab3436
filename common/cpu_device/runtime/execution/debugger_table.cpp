// Where things are, for debugger/: a script for gdb reads the memory of programs whose runtime has no debug
// information. Names rather than positions, so that a script fits older and newer runtimes.
#include <unistd.h>

#include <sys/syscall.h>

#include <cstddef>

#include "debugger.h"
#ifdef CPU_DEVICE_CHECK
#include "../check/findings.h"
#endif

#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // Of classes with members of several kinds, g++ knows it.

namespace cpu_device {

namespace {

struct Entry {
  char name[40];
  uint64_t value;
};

template <size_t Count>
struct Table {
  char mark[8];
  uint32_t version;  // changes when a name changes its meaning
  uint32_t count;
  Entry entries[Count];
};

#define MEMBER(type, member) {#type "." #member, __builtin_offsetof(type, member)}
#define KIND(name) {"kind." #name, static_cast<uint64_t>(WaitKind::name)}

constexpr Entry kEntries[] = {
    {"DebuggedWorker", sizeof(DebuggedWorker)},
    {"DebuggedWorker.most", kMostDebugged},
    MEMBER(DebuggedWorker, thread),
    MEMBER(DebuggedWorker, worker),
    MEMBER(DebuggedWorker, thread_index),
    MEMBER(DebuggedWorker, block_index),
    MEMBER(DebuggedWorker, block_size),
    MEMBER(DebuggedWorker, grid_size),

    MEMBER(Worker, grid),
    MEMBER(Worker, position),
    MEMBER(Worker, end),
    MEMBER(Worker, threads),
    MEMBER(Worker, started),
    MEMBER(Worker, finished),
    MEMBER(Worker, current),
    MEMBER(Worker, waiting),
    MEMBER(Worker, waiting_count),
    MEMBER(Worker, ready),
    MEMBER(Worker, ready_head),
    MEMBER(Worker, ready_count),
    MEMBER(Worker, order),
    MEMBER(Worker, index_of),
    MEMBER(Worker, states),
    MEMBER(Worker, in_kernel),
    {"Worker.most_threads", kMaxThreads},

    {"ThreadState", sizeof(ThreadState)},
    MEMBER(ThreadState, stack_pointer),
    MEMBER(ThreadState, file),
    MEMBER(ThreadState, line),
    MEMBER(ThreadState, kind),

    MEMBER(Grid, launch),
    MEMBER(Grid, number),
    MEMBER(Grid, blocks),
    MEMBER(Grid, next),
    MEMBER(Launch, type.name),
    MEMBER(Launch, grid),
    MEMBER(Launch, block),
    MEMBER(Launch, device),
    MEMBER(Launch, depth),
    MEMBER(Launch, site.file),
    MEMBER(Launch, site.line),

    KIND(running),
    KIND(barrier),
    KIND(warp),
    KIND(part),
    KIND(yielding),
    KIND(spinning),
    KIND(held),
    KIND(parked),
    KIND(ended),

    // The stack of a thread that waits, see fiber.cpp: registers, from its stack pointer on.
#if defined(__x86_64__)
    {"saved.r15", 0},
    {"saved.r14", 8},
    {"saved.r13", 16},
    {"saved.r12", 24},
    {"saved.rbx", 32},
    {"saved.rbp", 40},
    {"saved.rip", 48},
    {"saved", 56},
#elif defined(__aarch64__)
    {"saved.x19", 0},
    {"saved.x20", 8},
    {"saved.x21", 16},
    {"saved.x22", 24},
    {"saved.x23", 32},
    {"saved.x24", 40},
    {"saved.x25", 48},
    {"saved.x26", 56},
    {"saved.x27", 64},
    {"saved.x28", 72},
    {"saved.x29", 80},
    {"saved.pc", 88},
    {"saved", 160},
#endif

    // Strings of the C++ library begin with a pointer and a length.
    {"string", sizeof(std::string)},
    MEMBER(Failure, file),
    MEMBER(Failure, line),
    MEMBER(Failure, what),
    MEMBER(Failure, hint),
    MEMBER(Failure, kind),
#ifdef CPU_DEVICE_CHECK
    {"Finding.kind", __builtin_offsetof(check::Finding, kind)},
    {"Finding.level", __builtin_offsetof(check::Finding, level)},
    {"Finding.file", __builtin_offsetof(check::Finding, place.file)},
    {"Finding.line", __builtin_offsetof(check::Finding, place.line)},
    {"Finding.title", __builtin_offsetof(check::Finding, title)},
    {"Finding.details", __builtin_offsetof(check::Finding, details)},
    {"Finding.hint", __builtin_offsetof(check::Finding, hint)},
    {"Finding.others", __builtin_offsetof(check::Finding, others)},
    {"Second.file", __builtin_offsetof(check::Second, place.file)},
    {"Second.line", __builtin_offsetof(check::Second, place.line)},
#endif
};

constexpr size_t kCount = sizeof kEntries / sizeof kEntries[0];

constexpr Table<kCount> make_table() {
  Table<kCount> table{{'C', 'U', 'D', 'A', 'D', 'B', 'G', 0}, 1, kCount, {}};
  for (size_t i = 0; i < kCount; i++) table.entries[i] = kEntries[i];
  return table;
}

}  // namespace

extern "C" {
extern const Table<kCount> cpu_device_debugger_table;
__attribute__((used)) const Table<kCount> cpu_device_debugger_table = make_table();
__attribute__((used)) DebuggedWorker cpu_device_debugger_workers[kMostDebugged];
}

extern __thread Index writable_thread_index __asm__("cpu_device_thread_index");
extern __thread Index writable_block_index __asm__("cpu_device_block_index");
extern __thread Index writable_block_size __asm__("cpu_device_block_size");
extern __thread Index writable_grid_size __asm__("cpu_device_grid_size");

static __thread DebuggedWorker* mine = nullptr;

void show_to_debugger(Worker* worker) {
  for (DebuggedWorker& entry : cpu_device_debugger_workers) {
    pid_t free = 0;
    // Nobody looks at a worker that runs nothing yet, so the rest may follow.
    if (!entry.thread.compare_exchange_strong(free, static_cast<pid_t>(syscall(SYS_gettid)))) continue;
    entry.thread_index = &writable_thread_index;
    entry.block_index = &writable_block_index;
    entry.block_size = &writable_block_size;
    entry.grid_size = &writable_grid_size;
    entry.worker = worker;
    mine = &entry;
    return;
  }
}

void hide_from_debugger() {
  if (mine == nullptr) return;
  mine->worker = nullptr;
  mine->thread = 0;
  mine = nullptr;
}

__attribute__((noinline)) void cpu_device_debugger_host_fault(int) {
  __asm__ volatile("");  // or calls would be left out
}

}  // namespace cpu_device
