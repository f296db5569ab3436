// What kernels write to device memory and nothing ever reads: not a byte of the allocation, from the first launch
// to the end of the program. A program that reads part of a result knows what it wants.
#include "unread_results.h"

#include <stdio_ext.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "findings.h"
#include "kernel_results.h"
#include "leaks.h"
#include "shadow.h"
#include "source_lines.h"

namespace cpu_device::check {

unsigned char* read_units = nullptr;

namespace {

constexpr size_t kMostBytes = size_t(256) << 20;  // of an allocation that is looked at
bool a_call_failed = false, host_gets = false;

// Where memory was allocated, and by which launch of which kernel it was written.
using Written = std::tuple<std::string, int, int, std::string>;
struct Unread {
  Site launch{nullptr, 0};
  size_t count = 0, bytes = 0;
};
std::map<Written, Unread>& unread() {
  static auto* all = new std::map<Written, Unread>;
  return *all;
}

// The kernels that wrote something which is read, or which the host can read: what else they write may be left alone.
std::set<std::string>& useful_kernels() {
  static auto* all = new std::set<std::string>;
  return *all;
}
// Looks at some cells of the block, which mostly are of one kernel.
void note_useful_kernels(const Block& block) {
  constexpr size_t kMostCells = 1024;
  const size_t step = std::max<size_t>(block.bytes / kMostCells / 4 * 4, 4);
  uint64_t last = 0;
  for (uintptr_t at = block.base; at + 4 <= block.base + block.bytes; at += step)
    for_cells(arena, at, 4, [&](const Cell& cell, uintptr_t, unsigned) {
      const Record write = write_of_kernel(cell);
      if (write != 0 && segment(write) != last) useful_kernels().insert(done_of(last = segment(write)).what);
    });
}

bool was_read(const Block& block) {
  const uintptr_t low = (block.base - kArena) >> kReadUnit;
  const uintptr_t high = (block.base + block.bytes - 1 - kArena) >> kReadUnit;
  for (uintptr_t unit = low; unit <= high; unit++)
    if (read_units[unit] != 0) return true;
  return false;
}

// A write of a kernel to the block, if nothing has read there; else 0.
Record unread_write(const Block& block) {
  Record found = 0;
  bool read = was_read(block);
  if (!read)
    for_cells(arena, block.base, block.bytes, [&](const Cell& cell, uintptr_t, unsigned) {
      if (read || (cell.write == 0 && cell.reads == 0)) return;
      read = any_read(cell.reads);
      if (found == 0) found = write_of_kernel(cell);
    });
  return read ? 0 : found;
}

void look_at(const Block& block) {
  if (!arena.contains(block.base) || block.bytes == 0) return;
  const bool may_tell = block.kind == MemoryKind::device && is_of_host_call(block) && block.site.line > 0 && block.bytes <= kMostBytes;
  const Record write = may_tell ? unread_write(block) : 0;
  if (write == 0) return note_useful_kernels(block);
  const Done& by = done_of(segment(write));
  Unread& one = unread()[{place_of_call(block.site).file, block.site.line, by.site.line, by.what}];
  one.launch = by.site;
  one.count++;
  one.bytes += block.bytes;
}

}  // namespace

// A program that prints nothing and takes nothing from the device shows no result to anyone, this one or another.
static bool shows_results() { return host_gets || __fbufsize(stdout) > 0; }

void note_host_gets() { host_gets = true; }
void call_failed() { a_call_failed = true; }

void read_unseen(const void* address) {
  if (const Block* block = find_block(address); block != nullptr && arena.contains(block->base)) note_read_at(block->base);
}

void look_for_unread_results(uintptr_t base) {
  const Muted quiet;
  const Block* block = find_block(reinterpret_cast<const void*>(base));
  if (block != nullptr) look_at(*block);
}

void note_unread_results() {
  const Told told = told_as("CPU_DEVICE_UNREAD");
  // Algorithms on the host read memory that nobody sees; a program that met an error has left the rest out.
  if (told == Told::no || a_call_failed || runs_at_once() || !shows_results()) return;
  const Muted quiet;
  for_all_blocks(look_at);
  for (auto one = unread().begin(); one != unread().end();)
    one = useful_kernels().count(std::get<3>(one->first)) != 0 ? unread().erase(one) : std::next(one);
  constexpr size_t kMostTold = 8;
  size_t listed = 0;
  Finding finding;
  finding.kind = "unread-result";
  finding.level = told == Told::as_error ? "error" : "note";
  finding.title = "a kernel writes to memory that nothing ever reads";
  for (const auto& [written, one] : unread()) {
    const auto& [file, line, launch, kernel] = written;
    if (listed == 0) finding.place = {file, line};
    if (++listed > kMostTold) {
      finding.details += format("\n    and %zu more", unread().size() - kMostTold);
      break;
    }
    finding.details += format("\n    %zu bytes allocated in line %d", one.bytes, line) +
                       (one.count > 1 ? format(" (%zu times)", one.count) : std::string()) +
                       format(": kernel %s writes there, launched in line %d", kernel.c_str(), launch);
  }
  if (listed == 0) return;
  finding.hint = "copy the result to the host with cudaMemcpy() after the launch, and check which pointer the copies read. "
                 "If the memory is not needed, remove it.";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check
