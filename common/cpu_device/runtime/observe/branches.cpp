// What g++ calls with -fsanitize-coverage=trace-pc,trace-cmp (nvcc --branches). Linked only into
// programs that were compiled so, which is how has_branches() knows. For x86-64 most of it has been
// replaced, see ../../branches/branches.awk.
#include <cstddef>

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

namespace {

inline __attribute__((always_inline)) void note(Note what) {
  Log& log = *here.log;
  if (__builtin_expect(log.notes.at == log.notes.end, 0)) return observe_note(what);
  *log.notes.at = what;
  log.notes.move(log.way_bytes);
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  note(
      block_note(CALLER, here.log->stack_top - reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())));
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
