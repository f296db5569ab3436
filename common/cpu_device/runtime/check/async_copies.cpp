// Copies from global to shared memory in the background. The accesses of each copy belong to a segment of their
// own, for which no barrier waits. They happen before a thread's next step once it has waited for the copy, and
// before that of other threads once these meet the thread.
#include "../../include/cpu_device/async_copies.h"

#include <algorithm>

#include "observer.h"
#include "accesses.h"
#include "happens_before.h"
#include "places.h"
#include "async_copies.h"

namespace cpu_device::check {

static CopiesOfThread& copies_of_this_thread(Context& c) {
  if (c.copies.empty()) c.copies.resize(c.threads.size());
  return c.copies[c.who & 1023];
}

static void copy_in_background(Context& c, const void* to, const void* from, size_t bytes,
                               size_t zeros, const void* barrier, Site site) {
  note_ordering_atomic();
  CopiesOfThread& mine = copies_of_this_thread(c);
  const uint64_t before = c.who, segment = new_segment(c.block | kBackground, 0);
  mine.open.push_back(segment);
  if (barrier != nullptr) mine.given.emplace_back(barrier, segment);
  c.own_clocks = true;
  c.who = make_who(segment, static_cast<unsigned>(c.who & 1023));
  const auto size = static_cast<unsigned>(bytes + zeros);
  if (bytes > 0)
    check_range(c, reinterpret_cast<uintptr_t>(from), bytes,
                site_place(site, Access::read, Scope::none, size));
  check_range(c, reinterpret_cast<uintptr_t>(to), size,
              site_place(site, Access::write, Scope::none, size));
  c.who = before;
}

static void copies_done(Context& c, CopiesOfThread& mine, uint64_t last) {
  const auto after = std::upper_bound(mine.open.begin(), mine.open.end(), last);
  if (after == mine.open.begin()) return;
  mine.open.erase(mine.open.begin(), after);
  know(c, c.block | kBackground, last);
}

uint64_t oldest_copy(const Context& c) {
  uint64_t oldest = UINT64_MAX;
  for (const CopiesOfThread& one : c.copies)
    if (!one.open.empty()) oldest = std::min(oldest, one.open.front());
  return oldest;
}

bool is_open_copy(const Context& c, unsigned thread, uint64_t segment) {
  if (thread >= c.copies.size()) return false;
  const auto& open = c.copies[thread].open;
  return std::binary_search(open.begin(), open.end(), segment);
}

}  // namespace cpu_device::check

namespace cpu_device {

using namespace check;

void async_copy(void* to, const void* from, size_t bytes, size_t zeros, const void* barrier,
                Site site) {
  if (checking != nullptr) {
    copy_in_background(*checking, to, from, bytes, zeros, barrier, site);
  } else if (observing()) {
    kernel_reads(from, bytes, site);
    kernel_writes(to, bytes + zeros, site);
  }
  __builtin_memcpy(to, from, bytes);
  __builtin_memset(static_cast<char*>(to) + bytes, 0, zeros);
}

void async_copy_aligned(void* to, const void* from, size_t bytes, size_t zeros, Site site) {
  const size_t size = bytes + zeros;
  const auto check_address = [&](const void* address, Access access) {
    if (checking == nullptr || size == 0 || reinterpret_cast<uintptr_t>(address) % size == 0) return;
    misaligned(*checking, site_place(site, access, Scope::none, static_cast<unsigned>(size)),
               reinterpret_cast<uintptr_t>(address), static_cast<unsigned>(size));
  };
  check_address(from, Access::read);
  check_address(to, Access::write);
  async_copy(to, from, bytes, zeros, nullptr, site);
}

void async_commit() {
  if (checking == nullptr) return;
  CopiesOfThread& mine = copies_of_this_thread(*checking);
  mine.batches.push_back(mine.open.empty() ? 0 : mine.open.back());
}

void async_wait_prior(size_t newest) {
  if (checking == nullptr) return;
  CopiesOfThread& mine = copies_of_this_thread(*checking);
  if (mine.batches.size() <= newest) return;
  const auto waited = mine.batches.end() - static_cast<long>(newest);
  copies_done(*checking, mine, *std::max_element(mine.batches.begin(), waited));
  mine.batches.erase(mine.batches.begin(), waited);
}

void async_arrives(const void* barrier) {
  if (checking == nullptr) return;
  CopiesOfThread& mine = copies_of_this_thread(*checking);
  for (auto one = mine.given.rbegin(); one != mine.given.rend(); ++one)
    if (one->first == barrier) {
      copies_done(*checking, mine, one->second);
      break;
    }
  mine.given.erase(std::remove_if(mine.given.begin(), mine.given.end(),
                                  [&](const auto& one) { return one.first == barrier; }),
                   mine.given.end());
}

}  // namespace cpu_device
