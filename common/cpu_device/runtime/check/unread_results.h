// What kernels write to device memory and nothing ever reads.
#pragma once

#include "access_sets.h"

namespace cpu_device::check {

// Of each 256 bytes of device memory: whether something has read there that the cells no longer show. Allocations
// begin at such an address.
constexpr unsigned kReadUnit = 8;
extern unsigned char* read_units;
inline void note_read_at(uintptr_t address) { read_units[(address - kArena) >> kReadUnit] = 1; }

// Of a cell's reads and atomics. A set of both has been noted when it was made.
inline bool any_read(Record reads) {
  if (reads == 0) return false;
  return (reads & kSet) != 0 ? only_reads(reads) : is_read(place(place_of(reads)).access);
}
// A cell of device memory is about to forget these.
inline void note_forgotten_reads(uintptr_t address, Record reads) {
  if (any_read(reads)) note_read_at(address);
}

// The host gets something from the device.
void note_host_gets();
// The memory is about to be freed.
void look_for_unread_results(uintptr_t base);
// At the end of the program, as CPU_DEVICE_UNREAD says.
void note_unread_results();

}  // namespace cpu_device::check
