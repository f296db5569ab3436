// What g++ calls with -fsanitize-coverage=trace-pc,trace-cmp (nvcc --branches). Linked only into
// programs that were compiled so, which is how has_branches() knows. These are most of the calls
// that a profiled kernel makes.
#include "observer.h"

using namespace cpu_device::check;

extern const bool cpu_device_has_branches;
const bool cpu_device_has_branches = true;

#define CALLER __builtin_return_address(0)

namespace {

inline __attribute__((always_inline)) void note(Note what) {
  Tape& notes = here.log->notes;
  if (__builtin_expect(notes.at == notes.end, 0)) return observe_note(what);
  *notes.at++ = what;
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
