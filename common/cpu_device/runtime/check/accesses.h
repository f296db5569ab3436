// Accesses of kernels, of any size and kind.
#pragma once

#include <functional>

#include "source_lines.h"
#include "watchdog.h"

namespace cpu_device::check {

void check_range(Context& c, uintptr_t address, size_t bytes, unsigned place);
void kernel_writes(const void* address, size_t bytes, Site site);
enum class Point : unsigned char;
// False if its result is ignored.
bool atomic_access(const void* address, unsigned bytes, Site site, Access access, Point kind);
void atomic_at(const void* address, unsigned bytes, Access access, Scope scope,
               const void* counter);
void observe_at(const void* address, unsigned bytes, Access access, const void* counter);
void atomic_stored(const void* address, Site site, bool continues);
void volatile_access(const void* address, unsigned bytes, bool is_write, const void* counter);

// Ends the launch if the watchdog wants it.
inline void stop_if_asked(Context& c, unsigned id) {
  if (__builtin_expect(time_is_up, 0)) stop_endless(c, lasting_site(place(id)));
}

// A thread that reads the same word again and again waits for somebody: others may run.
inline void note_repeated(Context& c, uintptr_t address, unsigned id) {
  stop_if_asked(c, id);
  if (c.repeated != address) {
    c.repeated = address;
    c.repeats = 0;
    return;
  }
  if (__builtin_expect(++c.repeats >= 512, 0)) {
    c.repeats = 0;
    c.worker->let_others_run(WaitKind::spinning, lasting_site(place(id)));
  }
}
[[noreturn]] void misaligned(Context& c, unsigned place, uintptr_t address, unsigned bytes);
void look_at_reads(Record set, const std::function<void(Record)>& look);
// memcpy() and its relatives, called by the program.
void library_access(const void* address, size_t bytes, bool is_write, const void* counter);

}  // namespace cpu_device::check
