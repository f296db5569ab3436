// What kernels have written and the host has got: the values, as the host may copy them on.
#include "kernel_results.h"

#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "../memory/allocations.h"
#include "access_sets.h"
#include "host_accesses.h"
#include "observer.h"
#include "shadow.h"

namespace cpu_device::check {

namespace {

constexpr size_t kMostBytes = size_t(64) << 20;  // of which values are kept
constexpr size_t kSizes[] = {1, 2, 4, 8};

// The bytes as they were, run after run. Few programs ask for them. The tables of their values take far longer to
// make, so they are made when a program asks.
struct Run {
  uintptr_t low;
  size_t bytes, at;  // where they are in `memory`
};
struct Results {
  size_t bytes = 0;
  std::vector<Run> runs;
  std::vector<unsigned char> memory;
  std::unordered_set<uint64_t> values[4];  // of each size: of short runs, and of those that were in `memory` once
};
Results& results() {
  static auto* all = new Results;
  return *all;
}

bool is_of_kernel(Record r) {
  static uint64_t last = 0;  // neighbors mostly are of one block
  static bool last_is = false;
  if (segment(r) <= 1 || (r & (kSet | kBeyond)) != 0) return false;
  if (segment(r) == last) return last_is;
  last = segment(r);
  return last_is = done_of(last).is_kernel;
}

uint64_t value_at(const void* address, size_t bytes) {
  uint64_t value = 0;
  memcpy(&value, address, bytes);
  return value;
}

// Elements begin where their size divides the address.
void add_values(uintptr_t low, const unsigned char* memory, size_t bytes) {
  for (size_t i = 0; i < 4; i++) {
    const size_t size = kSizes[i], skipped = (size - low % size) % size;
    for (size_t at = skipped; at + size <= bytes; at += size) results().values[i].insert(value_at(memory + at, size));
  }
}

void keep(uintptr_t low, uintptr_t high) {
  constexpr size_t kShort = 64;  // to remember where such a run was costs more than its values
  Results& all = results();
  const size_t bytes = high - low;
  all.bytes += bytes;
  if (all.bytes > kMostBytes) return;
  const auto* from = reinterpret_cast<const unsigned char*>(low);
  if (bytes < kShort) return add_values(low, from, bytes);
  all.runs.push_back({low, bytes, all.memory.size()});
  all.memory.insert(all.memory.end(), from, from + bytes);
}

void make_tables() {
  Results& all = results();
  for (const Run& run : all.runs) add_values(run.low, all.memory.data() + run.at, run.bytes);
  all.runs.clear();
  all.memory = {};
}

}  // namespace

Record write_of_kernel(const Cell& cell) {
  if (is_of_kernel(cell.write)) return cell.write;
  Record atomic = 0;
  for_set(cell.reads, [&](Record r) {
    if (is_of_kernel(r) && !is_read(place(place_of(r)).access)) atomic = r;
    return atomic == 0;
  });
  return atomic;
}

void note_kernel_results(Region& region, uintptr_t address, size_t bytes) {
  const Muted muted;
  uintptr_t low = 0, high = 0;  // a run of bytes that a kernel has written
  Record write = 0, reads = 0;  // of the last word; neighbors mostly have the same
  bool by_kernel = false;
  for_cells(region, address, bytes, [&](const Cell& cell, uintptr_t at, unsigned size) {
    if ((cell.write != write || cell.reads != reads) && !(by_kernel && is_of_kernel(cell.write))) {
      write = cell.write;
      reads = cell.reads;
      by_kernel = write_of_kernel(cell) != 0;
    }
    if (!by_kernel) return;
    if (at != high) {
      if (low != high) keep(low, high);
      low = at;
    }
    high = at + size;
  });
  if (low != high) keep(low, high);
}

// What lies in the host's own memory now.
static void note_host_memory() {
  for_all_blocks([](const Block& block) {
    Region* region = find_region(block.base);
    if (region == &arena && (block.kind == MemoryKind::pinned || block.kind == MemoryKind::managed))
      note_kernel_results(*region, block.base, block.bytes);
  });
  note_other_results();
}

}  // namespace cpu_device::check

size_t cpu_device_kernel_bytes() {
  if (cpu_device::check::observing()) return SIZE_MAX;
  cpu_device::check::note_host_memory();
  return cpu_device::check::results().bytes;
}

bool cpu_device_from_kernel(const void* element, size_t bytes) {
  const cpu_device::check::Muted muted;
  if (!cpu_device::check::results().runs.empty()) cpu_device::check::make_tables();
  for (size_t i = 0; i < 4; i++)
    if (cpu_device::check::kSizes[i] == bytes)
      return cpu_device::check::results().values[i].count(cpu_device::check::value_at(element, bytes)) != 0;
  return false;
}
