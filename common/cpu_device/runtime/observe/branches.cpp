// What g++ calls with -fsanitize-coverage=trace-pc,trace-cmp (nvcc --branches). Linked only into
// programs that were compiled so, which is how has_branches() knows. For x86-64 most of it has been
// replaced, see ../../branches/branches.awk.
#include <algorithm>
#include <cstddef>
#include <new>

#include "observer.h"

using namespace cpu_device::check;

extern const bool cpu_device_has_branches;
const bool cpu_device_has_branches = true;

#define CALLER __builtin_return_address(0)

#ifdef __x86_64__
// branches.awk has these numbers.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(Here, log) == 0 && offsetof(Log, notes) == 0 && offsetof(Tape, at) == 0 &&
              offsetof(Tape, end) == 8 && offsetof(Log, stack_top) == 104 &&
              offsetof(Log, way_bytes) == 112 && static_cast<int>(What::block) == 0);
#endif

// The words that branches.awk makes: for each access the address of which nothing is to be noted.
extern uintptr_t begin_of_quiet[] __asm__("__start_cpu_device_quiet")
    __attribute__((weak, visibility("hidden")));
extern uintptr_t end_of_quiet[] __asm__("__stop_cpu_device_quiet")
    __attribute__((weak, visibility("hidden")));

void cpu_device::check::forget_quiet_addresses() {
  std::fill(begin_of_quiet, end_of_quiet, UINTPTR_MAX);
}

namespace {

// Of the host's blocks nothing is noted, which their hooks see by themselves where there is room.
// Each system thread has its own, to be reached by no other; it is never destroyed, since it owns
// nothing, and hooks run until the thread is gone.
struct HostsLog {
  Log log;
  uint64_t room[1];

  HostsLog() {
    log.notes.at = room;
    log.notes.end = room + 1;
    log.way_bytes = 0;
  }
};

__attribute__((noinline)) void use_hosts_log() {
  alignas(HostsLog) static thread_local unsigned char place[sizeof(HostsLog)];
  static thread_local HostsLog* own = nullptr;
  if (own == nullptr) own = new (place) HostsLog;
  here.log = &own->log;
}

inline __attribute__((always_inline)) void note(Note what) {
  Log& log = *here.log;
  if (__builtin_expect(log.notes.at == log.notes.end, 0))
    return log.of_thread() ? observe_note(what) : use_hosts_log();
  *log.notes.at = what;
  log.notes.move(log.way_bytes);
}

// Accesses of the host, in a profiled run.
inline bool is_of_no_interest() { return !observes_here() && observing(); }

// A structure, which is loaded or stored in pieces, see Profiler::access().
inline bool note_range(uintptr_t address, size_t bytes, const void* counter, bool reads,
                       uintptr_t* quiet) {
  const KnownPlace& known = known_place(counter);
  const bool is_known = known.counter == counter;
  if (is_known ? known.note == 0 && known.memory.contains(address) : in_stack(address)) {
    *quiet = address;
    return true;
  }
  if (!is_known || known.note == 0) return false;
  if (!observes_here()) return false;
  Log& log = *here.log;
  const size_t piece = bytes_of(known.note), pieces = bytes / piece;
  if (bytes % piece != 0 || address % piece != 0 || !known.memory.contains(address) ||
      !known.memory.contains(address + bytes - 1) || log.notes.room() < pieces ||
      log.addresses.room() < pieces)
    return false;
  if (reads) {
    if (here.repeated == address) return false;  // it may wait for somebody
    here.repeated = address;
    here.repeats = 0;
  }
  for (size_t i = 0; i < pieces; i++) {
    *log.notes.at++ = known.note;
    *log.addresses.at++ = address + i * piece;
  }
  return true;
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  note(
      block_note(CALLER, here.log->stack_top - reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())));
}
// What is left of it where branches.awk has written it out, and the log has no room.
extern "C" void cpu_device_note_block(const void* counter) {
  note(block_note(counter,
                  here.log->stack_top - reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())));
}
// Where a block ends without a branch, and the next one's hook is left out: what is held are parts
// of larger accesses in one block.
extern "C" void cpu_device_end_block() {
  if (observes_here()) observe_block_ends();
}
#define COMPARISON(NAME, TYPE) \
  extern "C" void __sanitizer_cov_trace_##NAME(TYPE, TYPE) { note(comparison_note(CALLER)); }
COMPARISON(cmp1, uint8_t)
COMPARISON(cmp2, uint16_t)
COMPARISON(cmp4, uint32_t)
COMPARISON(cmp8, uint64_t)
COMPARISON(const_cmp1, uint8_t)
COMPARISON(const_cmp2, uint16_t)
COMPARISON(const_cmp4, uint32_t)
COMPARISON(const_cmp8, uint64_t)
COMPARISON(cmpf, float)
COMPARISON(cmpd, double)
extern "C" void __sanitizer_cov_trace_switch(uint64_t, uint64_t*) { note(comparison_note(CALLER)); }

// An access at a place that is known; all others go on to the hook of a checked run, which sees the
// same caller. What need not be noted comes into *quiet, see forget_quiet_addresses(): the second
// argument is nobody's, since that of a range is its size.
#define ACCESS(HOOK, READS)                                                        \
  extern "C" void __tsan_##HOOK(void*);                                            \
  extern "C" void cpu_device_noted_##HOOK(void* address, long, uintptr_t* quiet) { \
    if (is_of_no_interest()) return;                                               \
    const auto at = reinterpret_cast<uintptr_t>(address);                          \
    if (!note_access(at, CALLER, READS, quiet)) return __tsan_##HOOK(address);     \
  }
ACCESS(read1, true)
ACCESS(read2, true)
ACCESS(read4, true)
ACCESS(read8, true)
ACCESS(read16, true)
ACCESS(write1, false)
ACCESS(write2, false)
ACCESS(write4, false)
ACCESS(write8, false)
ACCESS(write16, false)

#define RANGE(HOOK, READS)                                                               \
  extern "C" void __tsan_##HOOK(void*, long);                                            \
  extern "C" void cpu_device_noted_##HOOK(void* address, long bytes, uintptr_t* quiet) { \
    if (is_of_no_interest()) return;                                                     \
    const auto at = reinterpret_cast<uintptr_t>(address);                                \
    if (!note_range(at, static_cast<size_t>(bytes), CALLER, READS, quiet))               \
      __tsan_##HOOK(address, bytes);                                                     \
  }
RANGE(read_range, true)
RANGE(write_range, false)
