// Uninitialized memory. On a GPU it holds whatever was there before; here it holds a pattern that is easy to
// see. Small blocks are filled at once, large ones piece by piece at first use: until then a piece cannot be
// accessed, and the fault of the first access fills it.
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cwchar>
#include <map>
#include <vector>

#include "../check/check.h"
#include "uninitialized_memory.h"

namespace cpu_device {

namespace {

// 0x7ffb, repeated: NaN as a floating-point number of 2, 4 or 8 bytes, and as an integer of 2,
// 4 or 8 bytes nearly the largest there is.
constexpr wchar_t kPattern = kFreshWord;
static_assert(sizeof(wchar_t) == 4, "wmemset() fills words of 4 bytes");

// Programs that measure an allocation allocate 64 MB as well, ten thousand times.
constexpr size_t kFillAtOnce = size_t(32) << 20;
constexpr size_t kLeaveZeros = size_t(64) << 20;  // more than that, where it may not be late
constexpr size_t kHugePage = size_t(2) << 20;
// Each piece that was filled may be a mapping of its own, and their number is limited.
constexpr size_t kMostPieces = 1024;

struct Region {
  uintptr_t start, end;
  size_t piece;  // bytes
  enum State : char { untouched, at_work, filled };
  std::vector<State> state;  // of each piece
};
std::map<uintptr_t, Region>& regions() {
  static auto* all = new std::map<uintptr_t, Region>;
  return *all;
}

// Not a mutex: the handler of a fault also takes it. Its holder accesses no memory of a region.
std::atomic_flag busy = ATOMIC_FLAG_INIT;
class Busy {
 public:
  Busy() {
    while (busy.test_and_set(std::memory_order_acquire)) yield_processor();
  }
  ~Busy() { busy.clear(std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  static void yield_processor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
};

void fill(void* memory, size_t bytes) {
  wmemset(static_cast<wchar_t*>(memory), kPattern, bytes / sizeof(wchar_t));
}

// Memory elsewhere is filled and then moved to its place, so that no thread reads a half-filled piece.
bool fill_elsewhere(uintptr_t start, size_t bytes) {
  void* room = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  const auto from = reinterpret_cast<uintptr_t>(room);
  const size_t before = (kHugePage - from % kHugePage) % kHugePage;
  void* const memory = reinterpret_cast<void*>(from + before);
  madvise(memory, bytes, MADV_HUGEPAGE);
  fill(memory, bytes);
  const bool moved = mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                            reinterpret_cast<void*>(start)) != MAP_FAILED;
  if (!moved) munmap(memory, bytes);
  if (before > 0) munmap(room, before);
  munmap(reinterpret_cast<void*>(from + before + bytes), kHugePage - before);
  return moved;
}

}  // namespace

void fill_uninitialized(void* memory, size_t bytes, bool may_be_late) {
  const auto start = reinterpret_cast<uintptr_t>(memory);
  // A checked run recognizes uninitialized memory by the pattern.
  if (bytes <= (may_be_late ? kFillAtOnce : kLeaveZeros) || check::on) return fill(memory, bytes);
  if (!may_be_late) return;
  // The part before the first huge page at once.
  const size_t before = (kHugePage - start % kHugePage) % kHugePage;
  fill(memory, before);
  Region region{start + before, start + bytes, 0, {}};
  const size_t rest = bytes - before;
  region.piece = (rest / kMostPieces + kHugePage - 1) / kHugePage * kHugePage;
  region.state.resize((rest + region.piece - 1) / region.piece);
  if (mprotect(reinterpret_cast<void*>(region.start), rest, PROT_NONE) != 0) return;
  const Busy lock;
  regions()[region.start] = std::move(region);
}

bool fill_on_fault(const void* address) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  uintptr_t start;
  size_t bytes;
  Region::State* state;
  {
    const Busy lock;
    auto after = regions().upper_bound(a);
    if (after == regions().begin()) return false;
    Region& region = std::prev(after)->second;
    if (a >= region.end) return false;
    const size_t number = (a - region.start) / region.piece;
    state = &region.state[number];
    if (*state == Region::at_work) sched_yield();  // another thread is; then the fault comes again
    if (*state != Region::untouched) return true;
    *state = Region::at_work;
    start = region.start + number * region.piece;
    bytes = std::min<size_t>(region.piece, region.end - start);
  }
  // If no more mappings are to be had, or no memory: without the pattern.
  const bool usable =
      fill_elsewhere(start, bytes) ||
      mprotect(reinterpret_cast<void*>(start), bytes, PROT_READ | PROT_WRITE) == 0;
  const Busy lock;
  *state = Region::filled;
  return usable;
}

void forget_uninitialized(uintptr_t start, size_t bytes) {
  const Busy lock;
  regions().erase(regions().lower_bound(start), regions().lower_bound(start + bytes));
}

}  // namespace cpu_device
