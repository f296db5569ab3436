// Each access of the program's code arrives here, through the functions that g++ calls with
// -fsanitize=thread; the sanitizer's own library is not linked.
#include "accesses.h"

#include "observer.h"
#include "../watch/watch.h"
#include "access_sets.h"
#include "findings.h"
#include "host_accesses.h"
#include "lost_updates.h"
#include "memory_names.h"
#include "places.h"
#include "races.h"
#include "reports.h"
#include "schedules.h"
#include "shadow.h"
#include "source_lines.h"
#include "unread_results.h"
#include "variables.h"

namespace cpu_device::check {

uint64_t accesses_checked = 0, launches_checked = 0;

namespace {

void elsewhere(Context& c, uintptr_t address, unsigned bytes, Access access, unsigned place_number);

// Places in our own headers that have read the runtime's memory: textures, for example.
unsigned char harmless[size_t(1) << kPlaceBits];

template <unsigned bytes, bool is_write>
inline void check_words(Context& c, Region& region, uintptr_t address, unsigned id, Where where) {
  const Record fresh = record_of(c.who, id);
  const uintptr_t offset = address - region.low;
  if (__builtin_expect(
          bytes >= 4 && region.byte_wise[offset >> kPageBits] == 0 && (offset & 3) == 0, 1)) {
    const uint64_t low = where == Where::shared ? c.block_first : 1;
    const uint64_t high = where == Where::shared ? c.epoch_first : c.floor;
    Cell* cell = region.words + (offset >> 2);
    for (unsigned i = 0; i < bytes / 4; i++, cell++) {
      const Record reads = cell->reads;
      if (!quick<is_write>(*cell, c.who, fresh, low, high))
        check_cell(c, *cell, address + 4 * i, 4, fresh, where);
      else if (is_write && where == Where::global)
        note_forgotten_reads(address, reads);
    }
    return;
  }
  for (uintptr_t at = address; at < address + bytes; at++)
    if (const size_t page = (at - region.low) >> kPageBits; region.byte_wise[page] == 0) {
      if (bytes >= 4 && (at & 3) == 0 && at + 4 <= address + bytes) {
        check_cell(c, region.words[(at - region.low) >> 2], at, 4, fresh, where);
        at += 3;
        continue;
      }
      split_page(region, page);
      at--;
    } else {
      const uint64_t low = where == Where::shared ? c.block_first : 1;
      const uint64_t high = where == Where::shared ? c.epoch_first : c.floor;
      Cell& cell = region.single[at - region.low];
      const Record reads = cell.reads;
      if (!quick<is_write>(cell, c.who, fresh, low, high))
        check_cell(c, cell, at, 1, fresh, where);
      else if (is_write && where == Where::global)
        note_forgotten_reads(at, reads);
    }
}

}  // namespace

// An access of any size and kind, cell by cell.
void check_range(Context& c, uintptr_t address, size_t bytes, unsigned id) {
  Region* region;
  Where where = Where::global;
  Context* holder = &c;
  if (arena.contains(address)) {
    region = &arena;
  } else if (address - c.stack_low < c.stack_bytes) {
    return;
  } else if (c.local.contains(address)) {
    region = &c.local;
    where = c.in_cluster ? Where::cluster : Where::shared;
  } else if (c.in_cluster && (holder = holder_in_cluster(c, address)) != nullptr) {
    region = &holder->local;
    where = Where::cluster;
    if (!holder->active) report_left_block(c, record_of(c.who, id), address, static_cast<unsigned>(bytes), holder->block);
  } else if ((region = find_region(address)) != nullptr) {
    where = Where::variable;
  } else if (globals().contains(address)) {
    region = &globals();
    where = Where::variable;
    kernel_variable(c, address, bytes, id);
  } else {
    elsewhere(c, address, static_cast<unsigned>(bytes), place(id).access, id);
    return;
  }
  if (where == Where::variable && !is_read(place(id).access)) {
    if (logs_writes) log_write(address, bytes);
    if (schedule != 0) note_write(c, address);
  }
  if (__builtin_expect(watch::recording, 0)) {
    const uint64_t who = c.who;  // of a copy in the background, perhaps: other threads run meanwhile
    watch::access(c, address, bytes, id);
    c.who = who;
  }
  const Record fresh = record_of(c.who, id);
  if (address + bytes > region->low + region->bytes) bytes = region->low + region->bytes - address;
  for_cells(*region, address, bytes, [&](Cell& cell, uintptr_t at, unsigned width) {
    if (where == Where::cluster) forget_old_block(*holder, cell);
    check_cell(c, cell, at, width, fresh, where);
  });
}

// A GPU ends the launch here. We end the thread, and the launch when the others are done.
[[noreturn]] void misaligned(Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  report_access("misaligned", &c, id, address, bytes);
  flush_findings();
  c.worker->end_thread(cudaErrorMisalignedAddress, Failure{});
}

namespace {

// The usual cases of a plain access, without a call; false if there is more to it.
template <unsigned bytes, bool is_write>
inline __attribute__((always_inline)) bool try_cells(const Context& c, const Region& region, uintptr_t address,
                                                     Record fresh, uint64_t low, uint64_t high) {
  const uintptr_t offset = address - region.low;
  const bool byte_wise = region.byte_wise[offset >> kPageBits] != 0;
  if (byte_wise != (bytes < 4)) return false;
  constexpr unsigned kCells = bytes < 4 ? bytes : bytes / 4;
  Cell* const cells = bytes < 4 ? region.single + offset : region.words + (offset >> 2);
  for (unsigned i = 0; i < kCells; i++) {
    const Record reads = cells[i].reads;
    if (!quick<is_write>(cells[i], c.who, fresh, low, high)) return false;
    // Even if they were atomics: to look costs more than a note that is left out.
    if (is_write && &region == &arena && reads != 0) note_read_at(address);
  }
  return true;
}

template <unsigned bytes, bool is_write>
inline __attribute__((always_inline)) bool try_quickly(Context& c, uintptr_t address, const void* counter) {
  if (address - c.stack_low < c.stack_bytes) return true;
  const auto& slot = c.places[reinterpret_cast<uintptr_t>(counter) >> 1 & 1023];
  if (slot.counter != counter || address % bytes != 0 || watch::recording || time_is_up) return false;
  if (is_write ? schedule != 0 : c.repeated == address) return false;
  const Record fresh = record_of(c.who, slot.id);
  bool done = false;
  if (address >> kArenaBits == kArena >> kArenaBits) {
    done = try_cells<bytes, is_write>(c, arena, address, fresh, 1, c.floor);
  } else if (c.local.contains(address)) {
    const uintptr_t offset = address - c.local.low;
    if (c.local.byte_wise[offset >> kPageBits] == 0 && c.local.words[offset >> 2].write == kIgnored) return true;
    if (c.in_cluster) return false;
    done = try_cells<bytes, is_write>(c, c.local, address, fresh, c.block_first, c.epoch_first);
  } else {
    if (is_write || c.in_cluster || other_regions_known != 0) return false;
    if (!is_variable(address)) return harmless[slot.id] != 0;
    return reads_as_before(address, slot.id) && try_cells<bytes, false>(c, *variables_region, address, fresh, 0, c.floor);
  }
  if (!done) return false;
  accesses_checked++;
  if (!is_write) {
    c.repeated = address;
    c.repeats = 0;
  }
  return true;
}

template <unsigned bytes, Access access>
inline __attribute__((noinline)) void kernel_access(Context& c, uintptr_t address, const void* counter) {
  constexpr bool is_write = access == Access::write;
  if (arena.contains(address)) {
    accesses_checked++;
    const unsigned id = place_id(c, counter, access, bytes);
    if (__builtin_expect(watch::recording, 0)) watch::access(c, address, bytes, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) {
      misaligned(c, id, address, bytes);
    }
    if (access == Access::read)
      note_repeated(c, address, id);
    else
      stop_if_asked(c, id);
    if (is_write && __builtin_expect(schedule != 0, 0)) note_write(c, address);
    if (is_plain(access))
      check_words<bytes, is_write>(c, arena, address, id, Where::global);
    else
      check_range(c, address, bytes, id);
    return;
  }
  if (address - c.stack_low < c.stack_bytes) return;
  if (c.local.contains(address)) {
    // threadIdx and its like are read all the time.
    const uintptr_t offset = address - c.local.low;
    if (c.local.byte_wise[offset >> kPageBits] == 0 &&
        c.local.words[offset >> 2].write == kIgnored)
      return;
    accesses_checked++;
    const unsigned id = place_id(c, counter, access, bytes);
    if (__builtin_expect(watch::recording, 0)) watch::access(c, address, bytes, id);
    if (access == Access::read)
      note_repeated(c, address, id);
    else
      stop_if_asked(c, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) {
      misaligned(c, id, address, bytes);
    }
    if (is_plain(access) && !c.in_cluster)
      check_words<bytes, is_write>(c, c.local, address, id, Where::shared);
    else
      check_range(c, address, bytes, id);
    return;
  }
  const unsigned id = place_id(c, counter, access, bytes);
  if (c.in_cluster && holder_in_cluster(c, address) != nullptr) {
    accesses_checked++;
    if (access == Access::read) note_repeated(c, address, id);
    if (bytes > 1 && (address & (bytes - 1)) != 0) misaligned(c, id, address, bytes);
  }
  check_range(c, address, bytes, id);
}

// Memory that no kernel should know of.
void elsewhere(Context& c, uintptr_t address, unsigned bytes, Access, unsigned id) {
  if (harmless[id] != 0) return;
  if (in_program(address)) return;
  const Program& p = place(id);
  if (p.counter != nullptr && is_own_header(p)) {
    harmless[id] = 1;
    return;
  }
  if (!is_mapped(address)) return;  // it faults, and that is explained
  report_access("wrong-side", &c, id, address, bytes);
  flush_findings();
  c.worker->end_thread(cudaErrorIllegalAddress, Failure{});
}

template <unsigned bytes, Access access>
inline __attribute__((always_inline)) void any_access(const void* address, const void* counter) {
  Context* c = checking;
  if (c != nullptr) {
    if (!try_quickly<bytes, access == Access::write>(*c, reinterpret_cast<uintptr_t>(address), counter))
      kernel_access<bytes, access>(*c, reinterpret_cast<uintptr_t>(address), counter);
  } else if (!observing()) {
    host(reinterpret_cast<uintptr_t>(address), bytes, access, counter);
  } else if (!note_access(reinterpret_cast<uintptr_t>(address), counter, is_read(access)))
    host(reinterpret_cast<uintptr_t>(address), bytes, access, counter);
}

void range_access(const void* address, size_t bytes, Access access, const void* counter) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (bytes == 0) return;
  if (Context* c = checking)
    check_range(*c, at, bytes, place_id(*c, counter, access, 0));
  else if (in_stack(at))
    return;
  else if (observing() && observes_here())
    observe(at, bytes, access, find_place(counter, access, 0), counter);
  else
    host(at, bytes, access, counter);
}

}  // namespace

void access_from(const void* counter, const void* address, size_t bytes, Access access) {
  const auto of_size = [&](auto size) {
    if (is_read(access))
      any_access<size, Access::read>(address, counter);
    else
      any_access<size, Access::write>(address, counter);
  };
  switch (bytes) {
    case 1: return of_size(std::integral_constant<unsigned, 1>());
    case 2: return of_size(std::integral_constant<unsigned, 2>());
    case 4: return of_size(std::integral_constant<unsigned, 4>());
    case 8: return of_size(std::integral_constant<unsigned, 8>());
    default: return of_size(std::integral_constant<unsigned, 16>());
  }
}

void range_from(const void* counter, const void* address, size_t bytes, Access access) {
  range_access(address, bytes, access, counter);
}

void look_at_reads(Record set, const std::function<void(Record)>& look) {
  for_set(set, [&](Record r) {
    look(r);
    return true;
  });
}

void library_access(const void* address, size_t bytes, bool is_write, const void* counter) {
  if (checking == nullptr && !host_is_watched && !arena.contains(reinterpret_cast<uintptr_t>(address)))
    return;
  range_access(address, bytes, is_write ? Access::write : Access::read, counter);
}

// As try_cells(), for a number of whole words that is not known when this is compiled.
static bool try_words(const Context& c, uintptr_t address, size_t bytes, unsigned id) {
  if (!arena.contains(address) || (address | bytes) % 4 != 0 || watch::recording) return false;
  for (uintptr_t at = address; at < address + bytes; at += 4)
    if (!try_cells<4, false>(c, arena, at, record_of(c.who, id), 1, c.floor)) return false;
  return true;
}

void kernel_reads(const void* address, size_t bytes, Site site) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const unsigned id = site_place(site, Access::read, Scope::none, static_cast<unsigned>(bytes));
  accesses_checked++;
  if (Context* c = checking) {
    if (!try_words(*c, at, bytes, id)) check_range(*c, at, bytes, id);
  } else if (observing() && observes_here())
    observe(at, static_cast<unsigned>(bytes), Access::read, id);
}

void kernel_writes(const void* address, size_t bytes, Site site) {
  if (observes_here())
    observe(reinterpret_cast<uintptr_t>(address), static_cast<unsigned>(bytes), Access::write,
            site_place(site, Access::write, Scope::none, static_cast<unsigned>(bytes)));
}

}  // namespace cpu_device::check

using namespace cpu_device::check;

#define HOOK extern "C" __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define HOOKS(BYTES)                                                                               \
  HOOK void __tsan_read##BYTES(void* address) { any_access<BYTES, Access::read>(address, CALLER); } \
  HOOK void __tsan_write##BYTES(void* address) {                                                   \
    any_access<BYTES, Access::write>(address, CALLER);                                             \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS
#define UNALIGNED_HOOKS(BYTES)                                  \
  HOOK void __tsan_unaligned_read##BYTES(void* address) {       \
    range_access(address, BYTES, Access::read, CALLER);         \
  }                                                             \
  HOOK void __tsan_unaligned_write##BYTES(void* address) {      \
    range_access(address, BYTES, Access::write, CALLER);        \
  }
UNALIGNED_HOOKS(2)
UNALIGNED_HOOKS(4)
UNALIGNED_HOOKS(8)
UNALIGNED_HOOKS(16)
HOOK void __tsan_read_range(void* address, size_t bytes) {
  range_access(address, bytes, Access::read, CALLER);
}
HOOK void __tsan_write_range(void* address, size_t bytes) {
  range_access(address, bytes, Access::write, CALLER);
}
HOOK void __tsan_vptr_read(void** address) { range_access(address, 8, Access::read, CALLER); }
HOOK void __tsan_vptr_update(void** address, void*) {
  range_access(address, 8, Access::write, CALLER);
}
HOOK void __tsan_init() {}
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}
