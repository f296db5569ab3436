// What the threads of kernels do, noted while they do it and read when their warp is put together
// (../profile/warp_replay.h). The hooks write into the log of the thread that runs; all that a thread
// does often ends here, without a call of the observer.
#pragma once

#include <memory>

#include "state.h"

extern "C" const char __executable_start __attribute__((visibility("hidden")));

namespace cpu_device::check {

// Functions that change no floating-point register (branches.cpp says why), and what is inlined there.
#if defined(__x86_64__) && !defined(__clang__)
#define NO_FLOATS __attribute__((target("general-regs-only")))
#else
#define NO_FLOATS
#endif

// Where the memory is. The stack of a thread, its index and its parameters are none of these, and
// accesses to them are not told.
enum class Space : unsigned char {
  global,    // cudaMalloc() and its relatives, mapped and managed memory, __device__ variables
  shared,    // __shared__, and the dynamic kind
  constant,  // __constant__
};

// A note says what a thread does, and nothing that differs between the lanes of a warp that do the
// same: the address of an access stands in a list of its own. From the highest bits: 2 bits of
// What; then
//   block: 30 bits, how deep the stack is there, the highest of them set; 32 bits of the address
//   behind its hook. Or all of that address, where the stack is as deep as before.
//   comparison: 32 bits of the address behind its hook
//   access: 1 bit, whether an atomic's result is used; 2 bits of Space, 4 of Access, 16 bits of
//   bytes;
//           32 bits, the number of its place
using Note = uint64_t;
enum class What : unsigned char { block, access, barrier, comparison };

constexpr unsigned kBytesAt = 32, kAccessAt = 48, kSpaceAt = 52, kUsedAt = 54, kWhatAt = 62;
NO_FLOATS constexpr __attribute__((always_inline)) Note make_note(What what, uint64_t rest = 0) {
  return uint64_t(what) << kWhatAt | rest;
}
constexpr What what_of(Note note) { return static_cast<What>(note >> kWhatAt); }
constexpr uintptr_t kDepth = 1 << 29;
constexpr bool has_depth(Note block) { return (block >> 32 & kDepth) != 0; }
constexpr uint32_t depth_of(Note block) { return block >> 32 & 0x3fffffff; }
constexpr unsigned place_of_note(Note access) { return static_cast<uint32_t>(access); }
constexpr unsigned bytes_of(Note access) { return access >> kBytesAt & 0xffff; }
constexpr Access access_of(Note access) { return static_cast<Access>(access >> kAccessAt & 15); }
constexpr Space space_of(Note access) { return static_cast<Space>(access >> kSpaceAt & 3); }
constexpr bool result_used(Note access) { return (access >> kUsedAt & 1) != 0; }

// Return addresses of hooks are counted from the program's beginning, except in notes.
inline uint32_t code_of(const void* counter) {
  return static_cast<uint32_t>(static_cast<const char*>(counter) - &__executable_start);
}
inline uint32_t code_of(Note note) {
  return static_cast<uint32_t>(note - reinterpret_cast<uintptr_t>(&__executable_start));
}
inline const void* counter_of(uint32_t code) { return &__executable_start + code; }

NO_FLOATS inline __attribute__((always_inline)) Note block_note(const void* counter, uintptr_t depth) {
  return uint64_t(depth & 0x3fffffff) << 32 |
         static_cast<uint32_t>(reinterpret_cast<uintptr_t>(counter));
}
NO_FLOATS inline __attribute__((always_inline)) Note comparison_note(const void* counter) {
  return make_note(What::comparison, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(counter)));
}
constexpr Note access_note(unsigned place, Access access, Space space, size_t bytes, bool used) {
  return make_note(What::access, uint64_t(used) << kUsedAt | uint64_t(space) << kSpaceAt |
                                     uint64_t(access) << kAccessAt | uint64_t(bytes) << kBytesAt |
                                     place);
}

// Numbers that are written at one end and read at the other.
class Tape {
 public:
  uint64_t* at = nullptr;    // where the next one goes
  uint64_t* end = nullptr;   // no further without add(); see hold()
  uint64_t* next = nullptr;  // the first that has not been read

  void move(size_t bytes) { at = reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(at) + bytes); }
  size_t room() const { return static_cast<size_t>(end - at); }
  size_t pending() const { return static_cast<size_t>(at - next); }
  void clear() { at = next = room_.get(); }
  void add(uint64_t number);
  void make_room();  // for one more
  // Until release(), all numbers come through add(), which each writer must call.
  void hold() {
    end = at;
    held_ = true;
  }
  void release() {
    end = room_.get() + capacity_;
    held_ = false;
  }

 private:
  std::unique_ptr<uint64_t[]> room_;
  size_t capacity_ = 0;
  bool held_ = false;
};

struct Log {
  Tape notes, addresses;
  uintptr_t stack_low = 0, stack_top = 0;  // of the thread that writes
  // What a block or a comparison takes: nothing if it need not be known where the thread is.
  size_t way_bytes = sizeof(Note);
  uintptr_t depth_top = 0;  // kDepth above the top: as far as that it is to where the stack ends

  void use_stack(uintptr_t low, size_t bytes) {
    stack_low = low;
    stack_top = low + bytes;
    depth_top = stack_top + kDepth;
  }
  NO_FLOATS inline __attribute__((always_inline)) bool of_thread() const { return stack_top != 0; }
};

// The thread that runs.
struct Running {
  Worker* worker;
  unsigned thread;  // number of the thread in its block: x first, then y, then z
  unsigned warp() const { return thread / 32; }
  unsigned lane() const { return thread % 32; }
};

// A range of addresses.
struct Range {
  uintptr_t low, high;  // `high` is after it
  NO_FLOATS inline __attribute__((always_inline)) bool contains(uintptr_t address) const {
    return address >= low && address < high;
  }
};

// A place in the program, and what is to be noted when it accesses this memory: nothing if the note
// is 0. With an alignment, that of elements there, the observer is told each time. One is in one
// line of the cache, and found by a shift.
struct alignas(64) KnownPlace {
  const void* counter;
  Range memory;
  Note note;
  size_t alignment;
};

// What is known of the thread that this worker runs; plain data, which the hooks reach without a
// call.
struct Here {
  Log* log;  // the one that is nobody's and has no room, or one for the host's way, which nobody reads, if no thread of a
             // kernel runs, or the observer is at work
  uintptr_t repeated;  // an address that is read again and again
  unsigned repeats;
  bool result_ignored;  // of the atomic that comes next
  bool others_wanted;   // to run before this thread goes on
  Running running;
};
extern __thread Here here __attribute__((tls_model("initial-exec")));
extern __thread KnownPlace known_places[512] __attribute__((tls_model("initial-exec")));

NO_FLOATS inline __attribute__((always_inline)) KnownPlace& known_place(const void* counter) {
  return known_places[reinterpret_cast<uintptr_t>(counter) >> 1 & 511];
}

// In branches.cpp: of all accesses, since it may be another thread's or another launch's memory
// now.
void forget_quiet_addresses() __attribute__((weak));

// A thread that reads the same word this often waits for somebody.
constexpr unsigned kMostRepeats = 512;

NO_FLOATS inline __attribute__((always_inline)) bool in_stack(uintptr_t address) {
  return address >= here.log->stack_low && address < here.log->stack_top;
}

// In a kernel, and not in the observer itself.
NO_FLOATS inline __attribute__((always_inline)) bool observes_here() { return here.log->of_thread(); }

// An access of a place that is known, but for which there is no room, or of which the observer is
// told.
void observe_known(const KnownPlace& place, uintptr_t address);

// What becomes of an access at a place that is known: noted, or it need not be; observe_known() is to be
// called; or there is more to find out about it, which observe() does. What need not be noted at this place
// is kept in *quiet, if there is one. Whole, and without floating-point registers, since the hooks of
// branches.cpp must not change these.
enum class Noting { done, told, unknown };
NO_FLOATS inline __attribute__((always_inline)) Noting try_to_note(uintptr_t address,
                                                                   const void* counter, bool reads,
                                                                   uintptr_t* quiet) {
  Log& log = *here.log;
  const KnownPlace& known = known_place(counter);
  const bool is_known = known.counter == counter && known.memory.contains(address);
  if (is_known ? known.note == 0 : in_stack(address)) {
    if (quiet != nullptr) *quiet = address;
    return Noting::done;
  }
  if (!is_known) return Noting::unknown;
  const bool told = known.alignment != 0 || log.notes.at == log.notes.end ||
                    log.addresses.at == log.addresses.end;
  if (told && !observes_here()) return Noting::unknown;
  if (reads) {
    if (here.repeated != address) {
      here.repeated = address;
      here.repeats = 0;
    } else if (here.repeats + 1 >= kMostRepeats) {
      return Noting::unknown;
    } else {
      here.repeats++;
    }
  }
  if (told) return Noting::told;
  *log.notes.at++ = known.note;
  *log.addresses.at++ = address;
  return Noting::done;
}

// Notes an access if there is nothing to find out about it; false if observe() has to.
inline bool note_access(uintptr_t address, const void* counter, bool reads) {
  const Noting noting = try_to_note(address, counter, reads, nullptr);
  if (noting == Noting::told) observe_known(known_place(counter), address);
  return noting != Noting::unknown;
}

}  // namespace cpu_device::check
