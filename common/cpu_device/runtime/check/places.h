// The places in the program that access memory: each has a number that fits into a Record.
#pragma once

#include "state.h"

namespace cpu_device::check {

// The number of an access that the compiler tells of, by the return address of its hook.
unsigned find_place(const void* counter, Access access, unsigned bytes, Scope scope = Scope::system);
// The number of an access whose file and line were compiled in.
unsigned site_place(Site site, Access access, Scope scope, unsigned bytes);

// Marks a plain read that only guesses what a compare-and-swap then makes sure of.
void mark_guess(unsigned id);
bool is_guess(unsigned id);

// Marks a place at which a thread has read the same word twice in a row.
void mark_polled(unsigned id);
bool is_polled(unsigned id);

// As find_place(), with a cache for each worker.
inline unsigned place_id(Context& c, const void* counter, Access access, unsigned bytes,
                         Scope scope = Scope::system) {
  auto& slot = c.places[reinterpret_cast<uintptr_t>(counter) >> 1 & 1023];
  if (slot.counter != counter) {
    slot.counter = counter;
    slot.id = find_place(counter, access, bytes, scope);
  }
  return slot.id;
}

}  // namespace cpu_device::check
