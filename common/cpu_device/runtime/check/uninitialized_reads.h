// Reads of memory that is not initialized yet.
//
// Threads run one after the other here, so a read may come before a write that is merely not ordered with
// it. That is a race, and reported as one when the write comes. What is left at the end of the block or
// the launch was read without having been written.
#pragma once

#include "state.h"

namespace cpu_device::check {

// Notes such a read of a thread, unless it may be of padding.
void read_early(Context& c, unsigned place, uintptr_t address, unsigned bytes);
// A thread writes the word that is not ordered after the threads that read it.
void written_late(uintptr_t address);
void forget_early();
// Reports what nobody has written since: at the end of a block (only its shared memory), of a launch, and of
// the program.
// Of memory that a kernel frees.
void tell_early_of(Context& c, uintptr_t base, size_t bytes);
void tell_early(Context& c, bool shared_only);
void tell_late();

// g++ does not tell of structures that functions return into memory. What is not as it was when the
// memory was fresh has been written.
bool looks_fresh(uintptr_t address, unsigned bytes);
void fill_as_fresh(uintptr_t address, size_t bytes);

}  // namespace cpu_device::check
