// Clusters: blocks that meet, and touch each other's shared memory.
#include <array>
#include <vector>

#include "observer.h"
#include "clocks.h"
#include "happens_before.h"

namespace cpu_device::check {

static std::vector<Context*>& cluster_members() {
  static auto* all = new std::vector<Context*>;
  return *all;
}

void cluster_begins() {
  if (observing()) return;
  cluster_members().clear();
  note_ordering_atomic();  // threads of several blocks are ordered: all readers must be kept
}

void join_cluster(Context& c) {
  const dim3& size = current_launch()->cluster;
  c.in_cluster = size.x * size.y * size.z > 1;
  if (c.in_cluster) cluster_members().push_back(&c);
}

const std::vector<Context*>& members_of_cluster() { return cluster_members(); }

Context* holder_in_cluster(const Context& c, uintptr_t address) {
  for (Context* member : cluster_members())
    if (member != &c && member->local.contains(address)) return member;
  return nullptr;
}

bool same_cluster(uint64_t a, uint64_t b) {
  const dim3 &grid = current_launch()->grid, &size = current_launch()->cluster;
  const auto cluster_of = [&](uint64_t block) {
    const uint64_t x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
    return std::array<uint64_t, 3>{x / size.x, y / size.y, z / size.z};
  };
  return size.x * size.y * size.z > 1 && cluster_of(a) == cluster_of(b);
}

void cluster_arrived() {
  if (checking == nullptr) return;
  const Clock* const done = done_so_far(*checking);
  checking->threads[checking->who & 1023].arrived = done;
}

void wait_in_cluster() {
  if (checking != nullptr) checking->orders_nothing = true;
}

// Each thread knows what all did before they arrived.
void cluster_met_in_halves() {
  std::vector<Context*> members{checking};
  if (checking->in_cluster) members = cluster_members();
  const Clock* together = nullptr;
  for (Context* c : members) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) {
      together = joined(together, t.arrived);
      t.arrived = nullptr;
    }
  }
  for (Context* c : members) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) t.known = joined(t.known, together);
    c->own_clocks = true;
  }
}

// Each block has just passed a barrier of its own, and no thread has gone on from it: all that its
// threads did is of an earlier epoch, and all of them know the same.
void cluster_met(bool in_halves) {
  if (observing()) return;
  if (in_halves) return cluster_met_in_halves();
  const Clock* together = nullptr;
  for (const Context* c : cluster_members())
    if (c->active) together = joined(together, c->threads[0].known);
  for (const Context* c : cluster_members()) {
    if (!c->active) continue;
    together = add_clock({together, nullptr, c->block, c->epoch, 0, 0, 0, 0, 0, Scope::none, 0});
  }
  for (Context* c : cluster_members()) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) t.known = together;
    c->own_clocks = true;
  }
}

}  // namespace cpu_device::check
