// What happens before the threads that have met at a barrier of a block, warp, tile or grid.
#include <algorithm>
#include <vector>

#include "observer.h"
#include "../watch/watch.h"
#include "async_copies.h"
#include "clocks.h"
#include "happens_before.h"
#include "segments.h"

namespace cpu_device::check {

// What the threads of a group know together.
static void share(std::vector<ThreadClock*>& group, bool forget_own_block) {
  const Clock *known = nullptr, *release_block = nullptr, *release_device = nullptr,
              *pending_block = nullptr, *pending_device = nullptr, *any = nullptr;
  for (const ThreadClock* t : group) {
    known = joined(known, t->known);
    release_block = joined(release_block, t->release_block);
    release_device = joined(release_device, t->release_device);
    pending_block = joined(pending_block, t->pending_block);
    pending_device = joined(pending_device, t->pending_device);
    any = joined(any, t->any);
  }
  uint64_t fenced = 0;
  for (const ThreadClock* t : group) fenced = std::max(fenced, t->fenced);
  if (forget_own_block && barriers_order_all()) known = nullptr;
  for (ThreadClock* t : group) {
    t->known = known;
    t->release_block = release_block;
    t->release_device = release_device;
    t->pending_block = pending_block;
    t->pending_device = pending_device;
    t->any = any;
    t->fenced = fenced;
  }
}

static std::vector<Site>& all_barriers() {
  static auto* all = new std::vector<Site>;
  return *all;
}
const std::vector<Site>& barriers_passed() { return all_barriers(); }

static void note_barrier(Site site) {
  for (const Site& known : all_barriers())
    if (known.line == site.line && known.file == site.file) return;
  all_barriers().push_back(site);
}

void barrier_passed(Worker& worker, Site site) {
  if (observing()) return;
  Context& c = *checking;
  if (c.orders_nothing) {
    c.orders_nothing = false;
    if (!c.in_cluster) cluster_met_in_halves();  // a block alone
    return;
  }
  watch::barrier_passed(worker, site);
  c.epoch++;
  c.block_segment = c.epoch_first = new_segment(c.block, c.epoch);
  if (site.line != c.last_barrier.line || site.file != c.last_barrier.file) note_barrier(site);
  c.last_barrier = site;
  if (!c.own_clocks) return;
  if (!c.copies.empty()) c.epoch_first = std::min(c.epoch_first, oldest_copy(c));
  std::vector<ThreadClock*> all;
  for (ThreadClock& t : c.threads) all.push_back(&t);
  share(all, true);
  for (ThreadClock& t : c.threads) t.segment = 0;
}

// Lanes of one or several warps in a row, from `warp` on, have met.
static void met(Worker& worker, unsigned warp, const std::vector<unsigned>& masks) {
  Context& c = *checking;
  std::vector<ThreadClock*> lanes;
  for (unsigned i = 0; i < 32 * masks.size(); i++)
    if ((masks[i / 32] >> i % 32 & 1) && 32 * warp + i < worker.threads)
      lanes.push_back(&c.threads[32 * warp + i]);
  share(lanes, false);
  const Clock* together = lanes[0]->known;
  for (unsigned i = 0; i < masks.size(); i++) {
    together = add_clock({together, nullptr, c.block, c.epoch, static_cast<uint16_t>(32 * (warp + i)),
                      masks[i], next_segment - 1, 0, 0, Scope::none, 0});
  }
  const uint64_t fresh = new_segment(c.block, c.epoch);
  for (ThreadClock* t : lanes) {
    t->known = together;
    t->segment = fresh;
  }
  c.own_clocks = true;
  const unsigned self = c.who & 1023;
  c.who = make_who(fresh, self);
}

void lanes_met(Worker& worker, unsigned warp, unsigned mask, Site) {
  if (!observing()) met(worker, warp, {mask});
}

void tile_met(Worker& worker, unsigned first, unsigned count) {
  if (!observing()) met(worker, first / 32, std::vector<unsigned>(count / 32, 0xffffffffu));
}

// What the calling thread has done so far. What it does from now on is no part of that.
const Clock* done_so_far(Context& c) {
  note_ordering_atomic();
  const auto self = static_cast<uint16_t>(c.who & 1023);
  const Clock* const result = add_clock({c.threads[self].known, nullptr, c.block, c.epoch, self, 0, c.who >> 10, 0, 0, Scope::none, 0});
  give_own_segment(c, self);
  return result;
}

void part_arrives(unsigned number, bool is_first) {
  if (checking == nullptr) return;
  const Clock*& all = checking->part_barriers[number];
  if (is_first) all = nullptr;
  all = joined(all, done_so_far(*checking));
}

void part_passes(unsigned number, const uint16_t* waiting, unsigned count) {
  if (checking == nullptr) return;
  Context& c = *checking;
  for (unsigned i = 0; i < count; i++)
    c.threads[waiting[i]].known = joined(c.threads[waiting[i]].known, c.part_barriers[number]);
  c.own_clocks = true;
}

}  // namespace cpu_device::check
