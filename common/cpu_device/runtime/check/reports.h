// What is found wrong with accesses: told here by those who decide on it, put into words by the files of
// messages.
#pragma once

#include "findings.h"

namespace cpu_device::check {

// Of two accesses of a launch, or of a thread and an earlier operation.
void report_race(Context& c, Record earlier, Record now, uintptr_t address, unsigned bytes,
                 bool shared);
// Of a volatile read that no fence orders after a volatile write: held back, because threads may read the word
// again and again. tell_volatile_races() reports those whose reads never did.
void hold_volatile_race(Context& c, Record earlier, Record now, uintptr_t address, unsigned bytes);
void tell_volatile_races();
// A block has ended, or ends, whose shared memory another block of its cluster uses.
void report_left_block(Context& c, Record use, uintptr_t address, unsigned bytes, uint64_t owner);
// An atomic overwrites what another thread has written since this one looked at the word; or a
// compare-and-swap whose result is ignored finds something else than the thread has read.
struct LostUpdate {
  uint64_t read, now, written;
};
void report_lost_update(Context& c, uintptr_t address, unsigned bytes, LostUpdate values, bool is_swap, Site site);
// An atomicCAS() succeeds with a value whose link, at `stale`, is of an older value.
void report_stale_copy(Context& c, uintptr_t address, uintptr_t stale, unsigned bytes, LostUpdate values, Site site);
// Of two operations.
void report_operations(Record earlier, unsigned place, uintptr_t address, const char* what, Site site);
// Of one access of a thread: "out-of-bounds", "uninitialized", "misaligned", "wrong-side".
void report_access(const char* kind, Context* c, unsigned place, uintptr_t address, unsigned bytes);
Finding explain_access(const char* kind, Context* c, unsigned place, uintptr_t address,
                       unsigned bytes);
// Of host code.
void report_unwritten(unsigned place, Site copy, Site allocated, size_t offset);
void report_short_copy(unsigned place, Site copy, Site allocated, size_t copied, size_t bytes);
void report_host(Record earlier, Record now, uintptr_t address, size_t bytes);
void report_host_on_device(unsigned place, uintptr_t address);
void report_host_early(unsigned place, uintptr_t address, unsigned bytes);

}  // namespace cpu_device::check
