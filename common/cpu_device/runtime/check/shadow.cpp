// What is known of each byte of memory that kernels touch.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "host_accesses.h"
#include "kernel_results.h"
#include "memory_names.h"
#include "shadow.h"
#include "unread_results.h"

// Where the program's __managed__ variables are, if it has any.
extern char __start_cpu_device_managed __attribute__((weak));
extern char __stop_cpu_device_managed __attribute__((weak));

namespace cpu_device::check {

Region arena;
size_t other_regions_known = 0;

namespace {

uintptr_t arena_next = kArena;

std::map<uintptr_t, Region>& other_regions() {
  static auto* all = new std::map<uintptr_t, Region>;
  return *all;
}

}  // namespace

void* map_zeros(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr,
            "CPU device: a checked run cannot reserve virtual memory for its bookkeeping. Raise the limit: "
            "ulimit -v unlimited\n");
    exit(2);
  }
  return memory;
}

Region make_region(uintptr_t low, size_t bytes) {
  Region region;
  region.low = low;
  region.bytes = bytes;
  region.words = static_cast<Cell*>(map_zeros(bytes / 4 * sizeof(Cell) + sizeof(Cell)));
  region.single = static_cast<Cell*>(map_zeros(bytes * sizeof(Cell)));
  region.byte_wise = static_cast<unsigned char*>(map_zeros((bytes >> kPageBits) + 1));
  return region;
}

void prepare_arena() {
  if (arena.low != 0) return;
  void* wanted = reinterpret_cast<void*>(kArena);
  if (mmap(wanted, kArenaBytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != wanted) {
    fprintf(stderr,
            "CPU device: a checked run cannot reserve 1 TB of virtual addresses for device memory. Raise the "
            "limit: ulimit -v unlimited\n");
    exit(2);
  }
  arena = make_region(kArena, kArenaBytes);
  read_units = static_cast<unsigned char*>(map_zeros(kArenaBytes >> kReadUnit));
  if (&__start_cpu_device_managed != &__stop_cpu_device_managed) {
    const auto low = reinterpret_cast<uintptr_t>(&__start_cpu_device_managed);
    registered(low, reinterpret_cast<uintptr_t>(&__stop_cpu_device_managed) - low);
  }
}

void* reserve(size_t bytes) {
  prepare_arena();
  if (bytes > kArena + kArenaBytes - arena_next) return nullptr;
  void* place = reinterpret_cast<void*>(arena_next);
  arena_next += bytes;
  return place;
}

// From now on each byte of the page is looked at by itself.
void split_page(Region& region, size_t page) {
  constexpr size_t kPage = size_t(1) << kPageBits;
  const size_t first = page << kPageBits;
  const size_t last = std::min(first + kPage, region.bytes);
  for (size_t at = first; at < last; at++) region.single[at] = region.words[at >> 2];
  region.byte_wise[page] = 1;
  // The words' cells are no longer needed.
  const auto from = reinterpret_cast<uintptr_t>(region.words + (first >> 2));
  const auto to = reinterpret_cast<uintptr_t>(region.words + (last >> 2));
  const uintptr_t begin = (from + page_bytes() - 1) / page_bytes() * page_bytes();
  const uintptr_t end = to / page_bytes() * page_bytes();
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void set_cells(Region& region, uintptr_t address, size_t bytes, Cell value) {
  for_cells(region, address, bytes, [&](Cell& cell, uintptr_t, unsigned) { cell = value; });
}

Region* find_region(uintptr_t address) {
  if (arena.contains(address)) return &arena;
  if (other_regions_known == 0) return nullptr;
  auto after = other_regions().upper_bound(address);
  if (after == other_regions().begin()) return nullptr;
  --after;
  return after->second.contains(address) ? &after->second : nullptr;
}

Region* add_region(uintptr_t address, size_t bytes) {
  Region& region = other_regions()[address];
  if (region.words == nullptr) region = make_region(address, bytes);
  other_regions_known = other_regions().size();
  return &region;
}

void note_other_results() {
  for (auto& [low, region] : other_regions()) note_kernel_results(region, low, region.bytes);
}

void allocated(uintptr_t base, size_t bytes, bool written, Site) {
  if (!arena.contains(base)) return;
  // The rest of the first and of the last page belongs to nobody.
  const uintptr_t low = base / page_bytes() * page_bytes(), end = base + bytes;
  const uintptr_t high = (end + page_bytes() - 1) / page_bytes() * page_bytes();
  set_cells(arena, low, base - low, {kBeyond, 0});
  set_cells(arena, end, high - end, {kBeyond, 0});
  if (written) set_cells(arena, base, bytes, {kWritten, 0});
}

void freed(uintptr_t base, size_t bytes) {
  Region* region = find_region(base);
  if (region != nullptr && !device_only(base)) note_kernel_results(*region, base, bytes);
  if (!arena.contains(base)) {
    other_regions().erase(base);
    other_regions_known = other_regions().size();
    return;
  }
  look_for_unread_results(base);
  const size_t first = base / page_bytes() * page_bytes();
  const size_t last = (base + bytes + page_bytes() - 1) / page_bytes() * page_bytes();
  for (size_t page = (first - kArena) >> kPageBits; page < (last - kArena) >> kPageBits; page++)
    arena.byte_wise[page] = 0;
  const size_t offset = first - kArena, length = last - first;
  madvise(arena.words + offset / 4, length / 4 * sizeof(Cell), MADV_DONTNEED);
  madvise(arena.single + offset, length * sizeof(Cell), MADV_DONTNEED);
}

void registered(uintptr_t base, size_t bytes) {
  if (arena.contains(base)) return;
  set_cells(*add_region(base, bytes), base, bytes, {kWritten, 0});
  watch_host();
}

// ---- the program's own memory ----

namespace {

struct Image {
  uintptr_t low, high;
  bool writable;
};
std::vector<Image>& images() {
  static auto* all = [] {
    auto* found = new std::vector<Image>;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          for (int i = 0; i < info->dlpi_phnum; i++) {
            const ElfW(Phdr)& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD) continue;
            const uintptr_t low = info->dlpi_addr + part.p_vaddr;
            static_cast<std::vector<Image>*>(data)->push_back(
                {low, low + part.p_memsz, (part.p_flags & PF_W) != 0});
          }
          return 0;
        },
        found);
    return found;
  }();
  return *all;
}

}  // namespace

// Code, constants and variables of the program and its libraries.
bool in_program(uintptr_t address) {
  for (const Image& image : images())
    if (address >= image.low && address < image.high) return true;
  return false;
}

// The writable part of the program itself, where __device__ variables are: the first image.
Region& globals() {
  static Region region = [] {
    for (const Image& image : images())
      if (image.writable) return make_region(image.low, image.high - image.low);
    return Region{};
  }();
  return region;
}

Region* find_any_region(uintptr_t address) {
  if (Region* region = find_region(address)) return region;
  return globals().contains(address) ? &globals() : nullptr;
}

// The thread-local variables of the program, for the calling thread. Among them are the arrays in
// shared memory; the others are ignored. `used`: the
// region of a thread that has ended, to be used again.
Region local_region(const Region* used) {
  struct Local {
    uintptr_t low = 0;
    size_t bytes = 0;
  } local;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* out = static_cast<Local*>(data);
        for (int i = 0; i < info->dlpi_phnum && info->dlpi_tls_data != nullptr; i++)
          if (info->dlpi_phdr[i].p_type == PT_TLS) {
            out->low = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
            out->bytes = info->dlpi_phdr[i].p_memsz;
          }
        return 1;  // only the program, which comes first
      },
      &local);
  const uintptr_t low = local.low & ~uintptr_t(63);
  const size_t bytes = (local.low + local.bytes - low + 63) & ~size_t(63);
  Region region = used != nullptr && used->bytes == bytes ? *used : make_region(low, bytes);
  region.low = low;
  std::fill_n(region.byte_wise, (bytes >> kPageBits) + 1, static_cast<unsigned char>(0));
  for (size_t i = 0; i < bytes / 4; i++) region.words[i].write = kIgnored;
  return region;
}

}  // namespace cpu_device::check
