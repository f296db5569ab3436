// Bytes of host memory that came from device memory which nobody had written.
#pragma once

#include "state.h"

namespace cpu_device::check {

bool any_unwritten();
// Such bytes have come to the host by a copy to `base`.
void note_unwritten(uintptr_t at, size_t bytes, uintptr_t base, Site copy, Site allocated);
void forget_unwritten(uintptr_t low, uintptr_t high);
void host_reads_unwritten(uintptr_t low, uintptr_t high, unsigned place);
void note_rest_of_block(uintptr_t to, size_t copied, Site site);
void note_unset_input(uintptr_t to, uintptr_t from, size_t bytes);
// memcpy() and its relatives, called by the program.
void library_copy(void* to, const void* from, size_t bytes, const void* reads, const void* writes);

}  // namespace cpu_device::check
