// Who is ordered with whom. Decided by CUDA's rules on the program's threads, streams and events,
// never by the order in which this run executes them.
#include "happens_before.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "observer.h"
#include "../watch/watch.h"
#include "access_sets.h"
#include "child_kernels.h"
#include "clocks.h"
#include "findings.h"
#include "host_turns.h"
#include "lock_order.h"
#include "lost_updates.h"
#include "operations.h"
#include "release_acquire.h"
#include "segments.h"
#include "workers.h"

// Defined where a program that is linked uses fences or __syncwarp() (uses_*.cpp).
extern const bool cpu_device_uses_fences __attribute__((weak));
extern const bool cpu_device_uses_warp_barriers __attribute__((weak));

namespace cpu_device::check {

__thread Context* checking = nullptr;
__thread bool muted = false;

static bool has_fences() { return &cpu_device_uses_fences != nullptr; }

static bool orders_memory = false;  // an atomic of C++ has done so
void note_ordering_atomic() {
  if (!orders_memory) forget_memos();
  orders_memory = true;
}

bool precise() {
  return orders_memory || has_fences() || &cpu_device_uses_warp_barriers != nullptr;
}

bool barriers_order_all() { return !has_fences() && !orders_memory; }

namespace {

int launches_left = 0;
uint64_t launch_floor = 0;

std::vector<Context*>& contexts() {
  static auto* all = new std::vector<Context*>;
  return *all;
}

}  // namespace

void begin_launch_clocks(const Launch& launch) {
  if (launches_left == 0) forget_old_segments();
  running = &launch;
  first_of_launch = next_segment;
  launch_floor = all_ordered() && !children_overlap() ? next_segment : 0;
  if (all_done().empty()) remember(0, 0, launch.site, "", false);
  if (all_done().back().is_kernel) {  // launched by a kernel: after it, in the same operation
    all_done().push_back(all_done().back());
    all_done().back().first_segment = next_segment;
    all_done().back().site = launch.site;
  }
  name_child(&all_done().back());
  all_done().back().what = launch.type.name;
  all_done().back().is_kernel = true;
  if (launches_left == 0) clear_clocks();
  others().clear();
  begin_launch_atomics();
  forget_transitions();
  if (launches_left == 0) begin_launch_locks();
}

void end_launch_clocks() {
  running = nullptr;
  first_of_launch = next_segment;
}

bool launch_is_left() { return launches_left > 0; }

// Launches that have waited for the host: their timeline and step.
static std::set<std::pair<unsigned, uint64_t>>& ever_left() {
  static auto* all = new std::set<std::pair<unsigned, uint64_t>>;
  return *all;
}
bool was_left(const Done& operation) { return ever_left().count({operation.timeline, operation.step}) != 0; }

void leave_launch(LeftLaunch* left) {
  left->launch = running;
  left->first = first_of_launch;
  left->floor = launch_floor;
  left->any_left = any_left;
  left->next_segment = next_segment;
  left->done = all_done().size();
  left->mine = done_of(next_segment - 1);
  left->now = now;
  ever_left().emplace(left->mine.timeline, left->mine.step);
  left->published.swap(published());
  left->others.swap(others());
  launch_was_left = true;
  launches_left++;
  now = nullptr;
  end_launch_clocks();
}

void enter_launch(LeftLaunch* left) {
  running = left->launch;
  first_of_launch = left->first;
  launch_floor = left->floor;
  any_left = left->any_left;
  now = left->now;
  left->published.swap(published());
  left->others.swap(others());
  launches_left--;
  if (all_done().size() == left->done) return;
  all_done().push_back(left->mine);  // what comes now is the launch's again
  all_done().back().first_segment = next_segment;
  new_segment(0, 0);
  others().emplace_back(left->next_segment, next_segment);
}

void block_begins(Worker& worker) {
  if (observing()) return observe_block(worker);
  Context& c = *checking;
  watch::block_ends(worker);
  if (c.block_first != 0) block_ends(c);
  const Launch& launch = *worker.grid->launch;
  const Index at = block_index();
  c.block = at.x + uint64_t(launch.grid.x) * (at.y + uint64_t(launch.grid.y) * at.z);
  c.epoch = 0;
  c.floor = std::max(launch_floor, c.floor);
  c.block_first = c.epoch_first = c.block_segment = new_segment(c.block, 0);
  c.last_barrier = {nullptr, 0};
  refresh_shared(c);
  c.threads.begin_block(worker.threads);
  c.copies.clear();
  c.own_clocks = false;
  c.told_others = c.told_before = {};
  watch::block_begins(worker);
}

void reset_floor(Context& c) { c.floor = launch_floor; }

void thread_continues(Worker& worker, unsigned index) {
  if (observing()) return observe_thread_runs(worker);
  Context& c = *checking;
  if (__builtin_expect(write_races_open, 0)) settle_write_races();
  if (__builtin_expect(volatile_write_open, 0)) settle_volatile_write();
  const uint64_t own = c.threads.unchanged(index).segment;
  c.who = make_who(own != 0 ? own : c.block_segment, index);
  c.stack_low = reinterpret_cast<uintptr_t>(worker.running->stack);
  c.stack_bytes = worker.running->stack_bytes;
}

void thread_begins(Worker& worker, unsigned index) { thread_continues(worker, index); }

void thread_waits(Worker&) {
  if (observing()) observe_thread_waits();
}
void thread_ends(Worker&) {
  if (observing()) return observe_thread_ends();
  settle_volatile_write();
  forget_locks_of_thread(*checking, static_cast<unsigned>(checking->who & 1023));
}

void give_own_segment(Context& c, unsigned index) {
  c.threads[index].segment = new_segment(c.block, c.epoch);
  c.own_clocks = true;
  if ((c.who & 1023) == index) c.who = make_who(c.threads[index].segment, index);
}

void know(Context& c, uint64_t block, uint64_t last_segment) {
  const auto self = static_cast<uint16_t>(c.who & 1023);
  const Clock*& known = c.threads[self].known;
  known = add_clock({known, nullptr, block, 0, self, 0, last_segment, 0, 0, Scope::none, 0});
}

// Everything in the launch so far has happened before everything to come.
void grid_met(Worker&) {
  for (Context* c : contexts())
    if (c->active) c->floor = next_segment;
  launch_floor = next_segment;
}

void add_context(Context* c) { contexts().push_back(c); }
const std::vector<Context*>& all_contexts() { return contexts(); }

static bool told_of(const Clock* clock, const Done& operation) {
  return clock != nullptr && clock->host != nullptr && at(*clock->host, operation.timeline) >= operation.step;
}

bool ordered(const Context& c, Record earlier) {
  const uint64_t number = segment(earlier);
  if (number < c.floor || number <= 1) return true;
  if (number == c.who >> 10 && !c.own_clocks) return thread(earlier) == (c.who & 1023);
  if (!of_launch(number)) {
    const Done& other = done_of(number);
    return operation_ordered(other) || told_of(c.threads[c.who & 1023].known, other);
  }
  SegmentInfo info;
  if (!segment_info(number, &info)) return true;
  if (info.block == c.block) {
    if (info.epoch < c.epoch) return true;
    if (thread(earlier) == (c.who & 1023)) return true;
  }
  if (!c.own_clocks) return false;
  if (!is_in_some_clock(info.block, static_cast<uint32_t>(info.epoch), thread(earlier), number)) return false;
  return find_in(c.threads[c.who & 1023].known, info.block, static_cast<uint32_t>(info.epoch),
                 thread(earlier), number) != nullptr;
}

bool host_has_read(const Context& c, Record earlier) {
  if (of_launch(segment(earlier)) || !is_read(place(place_of(earlier)).access)) return false;
  const Done& read = done_of(segment(earlier));
  return read.host && told_of(c.threads[c.who & 1023].pending_device, read);
}

const Clock* through_word(const Context& c, Record earlier, uintptr_t address) {
  SegmentInfo info;
  if (!of_launch(segment(earlier)) || !segment_info(segment(earlier), &info)) return nullptr;
  for (const auto& word : c.threads[c.who & 1023].words) {
    if (address < word.address || address >= word.address + word.bytes || word.any == nullptr) continue;
    const Clock* found = find_in(word.any, info.block, static_cast<uint32_t>(info.epoch), thread(earlier), segment(earlier));
    if (found != nullptr) return found;
  }
  return nullptr;
}

const Clock* through_atomics(const Context& c, Record earlier) {
  SegmentInfo info;
  if (!of_launch(segment(earlier)) || !segment_info(segment(earlier), &info)) return nullptr;
  return find_in(c.threads[c.who & 1023].any, info.block, static_cast<uint32_t>(info.epoch),
                 thread(earlier), segment(earlier));
}

}  // namespace cpu_device::check
