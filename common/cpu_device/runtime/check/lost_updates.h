// Updates that are lost although each access is atomic: a thread reads a word, another one changes it, and
// the first one writes what it made of the old value.
#pragma once

#include "state.h"

namespace cpu_device::check {

// Before an atomicExch(); `learns`: its result is used.
void note_exchange(Context& c, uintptr_t address, unsigned bytes, uint64_t fresh, bool learns, Site site);
// Before an atomicCAS(); `guesses`: it expects what the thread has read there, as far as it is known.
void note_swap(Context& c, uintptr_t address, unsigned bytes, uint64_t expected, uint64_t desired, bool guesses,
               bool learns, Site site);
// Before another atomic, a load or a volatile read. True: the thread has looked there before.
bool note_look(Context& c, uintptr_t address, unsigned bytes, bool learns);
// A write of a thread, under another schedule than the first one.
void note_write(Context& c, uintptr_t address);
// Before a volatile write. What it has written shows later: settle_volatile_write(), where another thread may go on.
void note_volatile_write(Context& c, uintptr_t address, unsigned bytes, unsigned place_number);
extern bool volatile_write_open;
void settle_volatile_write();
// After an atomic has stored.
void note_word_after_store(Context& c, uintptr_t address);
void forget_transitions();

}  // namespace cpu_device::check
