// Where things are, for debugger/: a script for gdb reads the memory of programs whose runtime has no debug
// information. Names rather than positions, so that a script fits older and newer runtimes.
#include <unistd.h>

#include <sys/syscall.h>

#include <cstddef>

#include "debugger.h"

#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // Of classes with members of several kinds, g++ knows it.

namespace cpu_device {

namespace {

#define MEMBER(type, member) {#type "." #member, __builtin_offsetof(type, member)}
#define KIND(name) {"kind." #name, static_cast<uint64_t>(WaitKind::name)}

constexpr DebuggerEntry kEntries[] = {
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
};

}  // namespace

extern "C" {
#ifdef CPU_DEVICE_CHECK
extern const char cpu_device_debugger_findings[];  // see check/debugger_table.cpp; this links it
__attribute__((used)) const char* const cpu_device_debugger_more = cpu_device_debugger_findings;
#endif
extern const DebuggerTable<count_of(kEntries)> cpu_device_debugger_table;
__attribute__((used)) const DebuggerTable<count_of(kEntries)> cpu_device_debugger_table =
    make_debugger_table(kEntries);
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
