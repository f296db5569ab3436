// Launches, and their workers, which take turns in a checked run.
#include "workers.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "observer.h"
#include "../watch/watch.h"
#include "access_sets.h"
#include "findings.h"
#include "happens_before.h"
#include "lost_updates.h"
#include "reports.h"
#include "sarif.h"
#include "shadow.h"
#include "uninitialized_reads.h"
#include "watchdog.h"

namespace cpu_device::check {

// Each launch has one: another one may run while a launch is left (host_turns.cpp), whose worker keeps its own.
struct Baton {
  std::mutex mutex;
  uint64_t next = 0, serving = 0;
  std::condition_variable lined_up;
  // Of each place in the queue, whom to wake: of hundreds of workers, only the one whose turn it is.
  std::unordered_map<uint64_t, std::condition_variable*> waiting;
  bool held = false;  // the first turn: workers are still to come

  void wake_next() {
    const auto found = waiting.find(serving);
    if (found != waiting.end() && !held) found->second->notify_one();
  }
};
static thread_local Baton* baton = nullptr;  // of the launch that this worker is at

uint64_t queue_worker() {
  const std::lock_guard<std::mutex> lock(baton->mutex);
  baton->lined_up.notify_all();
  return baton->next++;
}
static void wait_for_baton(uint64_t place_in_queue) {
  std::unique_lock<std::mutex> lock(baton->mutex);
  const auto is_next = [&] { return !baton->held && baton->serving == place_in_queue; };
  if (is_next()) return;
  std::condition_variable turn;
  baton->waiting[place_in_queue] = &turn;
  turn.wait(lock, is_next);
  baton->waiting.erase(place_in_queue);
}
static void give_baton() {
  const std::lock_guard<std::mutex> lock(baton->mutex);
  baton->serving++;
  baton->wake_next();
}

// The thread that has held the first turn.
static thread_local bool holds_first_turn = false;
void hold_first_turn() {
  current_launch()->baton->held = true;
  holds_first_turn = true;
}
static void release_first_turn() {
  if (!holds_first_turn) return;
  holds_first_turn = false;
  const std::lock_guard<std::mutex> lock(baton->mutex);
  baton->held = false;
  baton->wake_next();
}
uint64_t workers_in_line() {
  Baton& its = *current_launch()->baton;
  const std::lock_guard<std::mutex> lock(its.mutex);
  return its.next;
}
void wait_for_workers_in_line(uint64_t count) {
  Baton& its = *current_launch()->baton;
  std::unique_lock<std::mutex> lock(its.mutex);
  its.lined_up.wait(lock, [&] { return its.next >= count; });
}

void launch_begins(const Launch& launch) {
  launch.baton = new Baton;
  if (observing()) return observer->launch_begins(launch);
  launches_checked++;
  if (is_child()) count_child();
  begin_launch_sets(launch.device);
  begin_launch_clocks(launch);
  has_fault = false;
  watch_time();
  watch::launch_begins(launch, settings().workers);
}

void block_ends(Context& c) { tell_early(c, true); }

// Shared memory goes with its block: what other blocks of the cluster did to it must have been before that.
static void leave_cluster(Context& c) {
  const uint64_t me = c.who;
  const auto known = [&](Record use) {
    for (unsigned t = 0; t < c.threads.size(); t++) {
      c.who = make_who(c.block_segment, t);
      if (ordered(c, use)) return true;
    }
    return false;
  };
  const auto look = [&](Record use, uintptr_t at, unsigned bytes) {
    if (segment(use) < c.block_first || block_of(use) == c.block || known(use)) return;
    report_left_block(c, use, at, bytes, c.block);
  };
  const auto look_at = [&](uintptr_t base, size_t bytes) {
    for_cells(c.local, base, bytes, [&](Cell& cell, uintptr_t at, unsigned width) {
      if ((cell.write & kBeyond) != 0) return;
      look(cell.write, at, width);
      for_set(cell.reads, [&](Record use) {
        look(use, at, width);
        return true;
      });
    });
  };
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr) look_at(v.base, v.bytes);
  look_at(reinterpret_cast<uintptr_t>(dynamic_shared()), std::min(current_launch()->shared_bytes, kMaxShared));
  c.who = me;
}

void cluster_ends() {
  if (observing()) return;
  for (Context* c : members_of_cluster()) tell_early(*c, true);
}

void launch_ends(const Launch& launch, cudaError_t error) {
  delete launch.baton;
  launch.baton = nullptr;
  if (observing()) return;
  watch::launch_ends(error);
  for (Context* c : all_contexts()) tell_early(*c, false);
  flush_findings();
  if (is_child()) count_child();
  end_launch_clocks();
}

// Contexts outlive their threads: a launch whose blocks wait for each other starts many threads.
static std::vector<Context*>& spare_contexts() {
  static auto* all = new std::vector<Context*>;
  return *all;
}
static std::mutex& spare_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
static Context* spare_context() {
  const std::lock_guard<std::mutex> guard(spare_mutex());
  if (spare_contexts().empty()) {
    auto* fresh = new Context;
    fresh->local = local_region(nullptr);
    add_context(fresh);
    return fresh;
  }
  Context* context = spare_contexts().back();
  spare_contexts().pop_back();
  context->local = local_region(&context->local);
  context->shared.clear();
  return context;
}
struct OwnContext {
  Context* context = nullptr;
  ~OwnContext() {
    if (context == nullptr) return;
    const std::lock_guard<std::mutex> guard(spare_mutex());
    spare_contexts().push_back(context);
    context = nullptr;  // a static object's destructor may launch a kernel
  }
};

void worker_begins(Worker& worker) {
  static thread_local OwnContext held;
  baton = worker.grid->launch->baton;
  const uint64_t turn = queue_worker();
  release_first_turn();
  watch::worker_arrives();
  wait_for_baton(turn);
  if (observing()) return observe_worker_begins(worker);
  if (held.context == nullptr) held.context = spare_context();
  Context* mine = held.context;
  mine->worker = &worker;
  mine->changes = &cpu_device_changes;
  mine->system_thread = pthread_self();
  mine->active = true;
  mine->variables = reinterpret_cast<uintptr_t>(&this_worker);
  join_cluster(*mine);
  reset_floor(*mine);
  prepare_dynamic_shared(*mine, worker.grid->launch->shared_bytes);
  checking = mine;
}

void worker_ends() {
  time_is_up = false;
  if (observing()) observe_worker_ends();
  if (checking != nullptr) {
    watch::worker_ends(*checking->worker);
    if (checking->in_cluster && checking->block_first >= launch_first() &&
        checking->worker->grid->error.load() == cudaSuccess)
      leave_cluster(*checking);
    checking->active = false;
  }
  checking = nullptr;
  give_baton();
}

int most_workers() {
  constexpr int kSideBySide = 16;
  return watch::wanted() ? kSideBySide : 1;
}

// A kernel that waits for the host, or that is watched, ends at once.
bool may_go_on_after_fault() { return checking != nullptr && !runs_in_turns && !launch_is_left() && !watch::wanted(); }
void note_fault() {
  has_fault = true;
  forget_early();  // the thread that should write it may have ended
}

bool release_parked(Worker& worker) { return watch::release_parked(worker); }

static thread_local Context* paused = nullptr;
void pause_worker() {
  settle_write_races();
  settle_volatile_write();
  paused = checking;
  checking = nullptr;
  give_baton();
}
void resume_worker(uint64_t place_in_queue) {
  wait_for_baton(place_in_queue);
  checking = paused;
}
// In line again before the next one's turn, so that the order is always the same.
void let_other_workers_run() {
  const uint64_t turn = queue_worker();
  pause_worker();
  resume_worker(turn);
}

void refresh_shared(Context& c) {
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr) fill_as_fresh(v.base, v.bytes);
  const size_t dynamic = std::min(current_launch()->shared_bytes, kMaxShared);
  fill_as_fresh(reinterpret_cast<uintptr_t>(dynamic_shared()), dynamic);
}

void prepare_dynamic_shared(Context& c, size_t bytes) {
  const auto base = reinterpret_cast<uintptr_t>(dynamic_shared());
  bytes = std::min(bytes, kMaxShared);
  c.dynamic.clear();
  set_cells(c.local, base, bytes, {0, 0});
  set_cells(c.local, base + bytes, kMaxShared - bytes, {kBeyond, 0});
}

}  // namespace cpu_device::check

using namespace cpu_device::check;

namespace cpu_device {

// A variable in shared memory, or the gap behind one, at its declaration.
void shared_variable(const void* base, size_t bytes, size_t element, const char* name,
                     const char* type, const bool* padding) {
  Context* c = checking;
  const auto at = reinterpret_cast<uintptr_t>(base);
  if (observing()) return observe_shared_variable({at, bytes, element, name, type, padding});
  if (c == nullptr) return;
  for (const SharedVariable& known : c->shared)
    if (known.base == at) return;
  c->shared.push_back({at, bytes, element, name, type, padding});
  if (!c->local.contains(at)) return;
  set_cells(c->local, at, bytes, {name == nullptr ? kBeyond : 0, 0});
  if (name != nullptr) fill_as_fresh(at, bytes);
}

void dynamic_shared_variable(const void* base, size_t element, const char* name) {
  const auto at = reinterpret_cast<uintptr_t>(base);
  if (observing()) return observe_shared_variable({at, current_shared_bytes(), element, name, nullptr, nullptr});
  Context* c = checking;
  if (c != nullptr && c->dynamic.empty()) c->dynamic.push_back({at, 0, element, name, nullptr, nullptr});
}

}  // namespace cpu_device
