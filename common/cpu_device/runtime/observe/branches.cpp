// What g++ calls with -fsanitize-coverage=trace-pc,trace-cmp (nvcc --branches). Linked only into
// programs that were compiled so, which is how has_branches() knows. For x86-64 most of it has been
// replaced, see ../../branches/branches.awk.
#include <algorithm>
#include <cstddef>
#include <new>

#include "../check/observer.h"

using namespace cpu_device::check;

extern const bool cpu_device_has_branches;
const bool cpu_device_has_branches = true;

#define CALLER __builtin_return_address(0)

#ifdef __x86_64__
// branches.awk has these numbers.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(Here, log) == 0 && offsetof(Log, notes) == 0 && offsetof(Tape, at) == 0 &&
              offsetof(Tape, end) == 8 && offsetof(Log, way_bytes) == 112 &&
              offsetof(Log, depth_top) == 120 && static_cast<int>(What::block) == 0);
#endif

// The words that branches.awk makes: for each access the address of which nothing is to be noted.
extern uintptr_t begin_of_quiet[] __asm__("__start_cpu_device_quiet")
    __attribute__((weak, visibility("hidden")));
extern uintptr_t end_of_quiet[] __asm__("__stop_cpu_device_quiet")
    __attribute__((weak, visibility("hidden")));

void cpu_device::check::forget_quiet_addresses() {
  std::fill(begin_of_quiet, end_of_quiet, UINTPTR_MAX);
}

#if defined(__x86_64__) && !defined(__clang__)
// What calls these hooks keeps floating-point numbers in xmm0 to xmm7 meanwhile, as if no function
// were called (../../include/cpu_device/kept_registers.h). So the hooks use none of these registers,
// and go on to other functions by cpu_device_keep_registers().
#define NO_FLOATS_NO_OTHERS \
  __attribute__((target("general-regs-only"), no_caller_saved_registers))  // changes none at all

// Calls function(a, b, c, d); xmm0 to xmm7 are afterwards as before. More would take longer.
extern "C" void cpu_device_keep_registers(const void* a, uint64_t b, uint64_t c, const void* d,
                                          void (*function)(const void*, uint64_t, uint64_t,
                                                           const void*));
__asm__(
    ".text\n"
    ".globl cpu_device_keep_registers\n"
    ".type cpu_device_keep_registers, @function\n"
    "cpu_device_keep_registers:\n"
    ".cfi_startproc\n"
    "  movq %r8, %rax\n"
    "cpu_device_keep_and_call_rax:\n"
    "  pushq %rbp\n"
    ".cfi_def_cfa_offset 16\n"
    ".cfi_offset %rbp, -16\n"
    "  movq %rsp, %rbp\n"
    ".cfi_def_cfa_register %rbp\n"
    "  subq $128, %rsp\n"
    "  andq $-16, %rsp\n"
    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"
    "  movaps %xmm\\i, 16 * \\i(%rsp)\n"
    ".endr\n"
    "  call *%rax\n"
    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"
    "  movaps 16 * \\i(%rsp), %xmm\\i\n"
    ".endr\n"
    "  leave\n"
    ".cfi_def_cfa %rsp, 8\n"
    "  ret\n"
    ".cfi_endproc\n"
    ".size cpu_device_keep_registers, . - cpu_device_keep_registers\n"
    // What the arithmetic's checks call (branches.awk).
    ".irp name, add_overflow, sub_overflow, mul_overflow, negate_overflow, divrem_overflow, "
    "shift_out_of_bounds, out_of_bounds\n"
    ".globl cpu_device_kept_\\name\n"
    ".type cpu_device_kept_\\name, @function\n"
    "cpu_device_kept_\\name:\n"
    ".cfi_startproc\n"
    "  leaq __ubsan_handle_\\name(%rip), %rax\n"
    "  jmp cpu_device_keep_and_call_rax\n"
    ".cfi_endproc\n"
    ".size cpu_device_kept_\\name, . - cpu_device_kept_\\name\n"
    ".endr\n");
#else
#define NO_FLOATS_NO_OTHERS
static void cpu_device_keep_registers(const void* a, uint64_t b, uint64_t c, const void* d,
                                      void (*function)(const void*, uint64_t, uint64_t,
                                                       const void*)) {
  function(a, b, c, d);
}
#endif

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

void use_hosts_log() {
  alignas(HostsLog) static thread_local unsigned char place[sizeof(HostsLog)];
  static thread_local HostsLog* own = nullptr;
  if (own == nullptr) own = new (place) HostsLog;
  here.log = &own->log;
}

void note_otherwise(const void*, uint64_t what, uint64_t, const void*) {
  if (here.log->of_thread())
    observe_note(what);
  else
    use_hosts_log();
}

void end_block(const void*, uint64_t, uint64_t, const void*) {
  if (observes_here()) observe_block_ends();
}

void tell(const void* known, uint64_t address, uint64_t, const void*) {
  observe_known(*static_cast<const KnownPlace*>(known), address);
}

NO_FLOATS inline __attribute__((always_inline)) void note(Note what) {
  Tape& notes = here.log->notes;
  if (__builtin_expect(notes.at == notes.end, 0))
    return cpu_device_keep_registers(nullptr, what, 0, nullptr, note_otherwise);
  *notes.at = what;
  notes.at = reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(notes.at) + here.log->way_bytes);
}

// What note_access() of log.h does.
NO_FLOATS inline __attribute__((always_inline)) bool note_at_once(uintptr_t address,
                                                                  const void* counter, bool reads,
                                                                  uintptr_t* quiet) {
  const Noting noting = try_to_note(address, counter, reads, quiet);
  if (noting == Noting::told)
    cpu_device_keep_registers(&known_place(counter), address, 0, nullptr, tell);
  return noting != Noting::unknown;
}

// Whether nothing is noted of a range there.
NO_FLOATS inline __attribute__((always_inline)) bool is_quiet(uintptr_t address,
                                                              const void* counter,
                                                              uintptr_t* quiet) {
  const KnownPlace& known = known_place(counter);
  const bool none = known.counter == counter ? known.note == 0 && known.memory.contains(address)
                                             : in_stack(address);
  if (none) *quiet = address;
  return none;
}

// Of the host, in a profiled run.
NO_FLOATS inline __attribute__((always_inline)) bool is_of_no_interest() {
  return !observes_here() && observer != nullptr;
}

// A structure, which is loaded or stored in pieces, see Profiler::access().
bool note_range(uintptr_t address, size_t bytes, const void* counter, bool reads) {
  const KnownPlace& known = known_place(counter);
  if (known.counter != counter || known.note == 0) return false;
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

// An access of which there may be more to find out.
void access(const void* address, uint64_t bytes, uint64_t reads, const void* caller) {
  access_from(caller, address, bytes, reads != 0 ? Access::read : Access::write);
}
void range(const void* address, uint64_t bytes, uint64_t reads, const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!note_range(at, bytes, caller, reads != 0))
    range_from(caller, address, bytes, reads != 0 ? Access::read : Access::write);
}

}  // namespace

extern "C" NO_FLOATS void __sanitizer_cov_trace_pc() {
  note(
      block_note(CALLER, here.log->depth_top - reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())));
}
// What is left of it where branches.awk has written it out, and the log has no room.
extern "C" NO_FLOATS_NO_OTHERS void cpu_device_note_block(const void* counter) {
  note(block_note(counter,
                  here.log->depth_top - reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())));
}
// In the same function as the block before.
extern "C" NO_FLOATS_NO_OTHERS void cpu_device_note_block_within(const void* counter) {
  note(reinterpret_cast<uintptr_t>(counter));
}
// Where a block ends without a branch, and the next one's hook is left out: what is held are parts
// of larger accesses in one block.
extern "C" NO_FLOATS_NO_OTHERS void cpu_device_end_block() {
  cpu_device_keep_registers(nullptr, 0, 0, nullptr, end_block);
}
// Without what is compared, which would be floating-point numbers.
#define COMPARISON(NAME)                                                  \
  extern "C" void note_##NAME() __asm__("__sanitizer_cov_trace_" #NAME); \
  extern "C" NO_FLOATS void note_##NAME() { note(comparison_note(CALLER)); }
COMPARISON(cmp1)
COMPARISON(cmp2)
COMPARISON(cmp4)
COMPARISON(cmp8)
COMPARISON(const_cmp1)
COMPARISON(const_cmp2)
COMPARISON(const_cmp4)
COMPARISON(const_cmp8)
COMPARISON(cmpf)
COMPARISON(cmpd)
COMPARISON(switch)

// An access at a place that is known; all others go on to the hook of a checked run, with the same
// caller. What need not be noted comes into *quiet, see forget_quiet_addresses(): the second argument is
// nobody's, since that of a range is its size.
#define ACCESS(HOOK, BYTES, READS)                                                            \
  extern "C" NO_FLOATS void cpu_device_noted_##HOOK(void* address, long, uintptr_t* quiet) { \
    if (is_of_no_interest()) return;                                                          \
    if (!note_at_once(reinterpret_cast<uintptr_t>(address), CALLER, READS, quiet))            \
      cpu_device_keep_registers(address, BYTES, READS, CALLER, access);                       \
  }
ACCESS(read1, 1, true)
ACCESS(read2, 2, true)
ACCESS(read4, 4, true)
ACCESS(read8, 8, true)
ACCESS(read16, 16, true)
ACCESS(write1, 1, false)
ACCESS(write2, 2, false)
ACCESS(write4, 4, false)
ACCESS(write8, 8, false)
ACCESS(write16, 16, false)

#define RANGE(HOOK, READS)                                                                    \
  extern "C" NO_FLOATS void cpu_device_noted_##HOOK(void* address, long bytes,                \
                                                    uintptr_t* quiet) {                       \
    if (is_of_no_interest() || is_quiet(reinterpret_cast<uintptr_t>(address), CALLER, quiet)) \
      return;                                                                                 \
    cpu_device_keep_registers(address, static_cast<uint64_t>(bytes), READS, CALLER, range);   \
  }
RANGE(read_range, true)
RANGE(write_range, false)
