// Accesses of host code: to memory that the device uses, too, and what functions in streams touch.
#pragma once

#include <mutex>
#include <unordered_map>

#include "observer.h"
#include "places.h"
#include "variables.h"

namespace cpu_device::check {

extern bool host_is_watched;
void watch_host();
std::recursive_mutex& host_mutex();
// Threads whose flags the host may see: those of which a fence is known, and the last segment before it.
std::unordered_map<uint64_t, uint64_t>& fenced();
void note_flag(const Context& c);
// An atomic of C++ in host code.
void host_atomic(const void* address, unsigned bytes, Access access, const void* counter);
std::unique_lock<std::recursive_mutex> stop_host_code();
// A kernel has been left: the host's accesses are counted.
void expect_turns();

void host_access(uintptr_t address, size_t bytes, Access access, const void* counter);
inline void host(uintptr_t address, size_t bytes, Access access, const void* counter) {
  if (__builtin_expect(is_variable(address), 0) && !muted && !observing()) {
    const std::lock_guard<std::recursive_mutex> guard(host_mutex());
    host_variable(address, bytes, !is_read(access), find_place(counter, access, 0));
  }
  if (__builtin_expect(arena.contains(address) || host_is_watched, 0))
    host_access(address, bytes, access, counter);
}

}  // namespace cpu_device::check
