// Locks that threads take by tickets: a thread adds one to a word, waits until another word holds the number that it
// got, and adds one to that word when it leaves.
#pragma once

#include "state.h"

namespace cpu_device::check {

// After an atomic of a kernel has changed the word.
void note_change_of_word(Context& c, uintptr_t address);
// A volatile write: what the thread waits for from now on is not its ticket.
void note_volatile_change(Context& c);
// A thread looks at a word, with an atomic that changes nothing or a volatile access: it may wait for a ticket, or for
// other threads.
void note_waiting_look(Context& c, uintptr_t address, unsigned bytes, unsigned place);

}  // namespace cpu_device::check
