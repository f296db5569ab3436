// A worker runs blocks. Their threads run one after the other on one fiber, as a plain loop, as long as
// none of them waits. A thread that waits keeps its fiber, and the loop continues on a new one with the
// next thread. When the last thread has arrived at a barrier, all continue in turn. A block never changes
// its worker, so shared memory can be thread-local.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "../check/check.h"
#include "../device/host_time.h"
#include "../device/settings.h"
#include "engine.h"

namespace cpu_device {

// The kernel's view of itself, see builtins.h; here they can be written.
__thread Index writable_thread_index __asm__("cpu_device_thread_index");
__thread Index writable_block_index __asm__("cpu_device_block_index");
__thread Index writable_block_size __asm__("cpu_device_block_size");
__thread Index writable_grid_size __asm__("cpu_device_grid_size");

// Dynamic shared memory: as much as the largest GPU gives one block.
alignas(128) __thread unsigned char dynamic_shared_memory[kMaxShared] __asm__(
    "cpu_device_dynamic_shared");

__thread Worker* this_worker = nullptr;

// ---- one worker ----

// The calling thread becomes this worker.
void Worker::begin_on_this_thread() {
  signal_stack.resize(64 * 1024);
  stack_t alternative{};
  alternative.ss_sp = signal_stack.data();
  alternative.ss_size = signal_stack.size();
  sigaltstack(&alternative, nullptr);
#ifdef CPU_DEVICE_ASAN
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  void* low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  main.stack = static_cast<unsigned char*>(low);
  main.stack_bytes = bytes;
#endif
  // Fibers that ran on another thread may hold addresses of its thread-local variables.
  idle.assign(all.rbegin(), all.rend());
  for (Fiber* fiber : all) reset_fiber(fiber, fiber_main);
}

// Null if there is no memory for a fiber: then the launch has failed.
Fiber* Worker::idle_fiber() {
  if (!idle.empty()) {
    Fiber* fiber = idle.back();
    idle.pop_back();
    return fiber;
  }
  Fiber* fiber = create_fiber(all.size(), all.empty() ? nullptr : all.back());
  if (fiber == nullptr) {
    grid->fail(cudaErrorLaunchOutOfResources,
               failure_at(grid->launch->site,
                          "not enough memory for the stacks of the block's threads",
                          "use fewer workers (CPU_DEVICE_THREADS), use fewer threads per block, or raise the limit on "
                          "virtual memory (ulimit -v)."));
    return nullptr;
  }
  reset_fiber(fiber, fiber_main);
  all.push_back(fiber);
  return fiber;
}

// The tiles of a kernel are local variables, and its blocks have one thread.
Fiber* Worker::tile_fiber() {
  if (large == nullptr) large = create_large_fiber();
  if (large == nullptr) return idle_fiber();
  reset_fiber(large, fiber_main);
  return large;
}

// Sets the block's coordinates; returns false when there are no more blocks.
bool Worker::next_block() {
  if (again) grid->fail(first_error, std::move(first_failure));  // no single thread does it
  if (position == end) {
    if (!grid->take(&position, &end)) return false;
    step_coordinates = false;
  } else if (grid->error.load(std::memory_order_relaxed) != cudaSuccess) {
    return false;
  }
  const Index& size = writable_grid_size;
  Index& at = writable_block_index;
  if (step_coordinates) {
    if (++at.x == size.x) {
      at.x = 0;
      if (++at.y == size.y) {
        at.y = 0;
        at.z++;
      }
    }
  } else {
    const uint64_t block = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(position) * grid->stride + grid->offset) % grid->blocks);
    if (grid->meeting != nullptr && !grid->launch->cooperative) {
      at = begin_block_of_cluster(grid, static_cast<unsigned>(block));
    } else {
      at.x = static_cast<unsigned>(block % size.x);
      at.y = static_cast<unsigned>(block / size.x % size.y);
      at.z = static_cast<unsigned>(block / size.x / size.y);
      step_coordinates = grid->stride == 1 && grid->offset == 0;
    }
  }
  position++;
  check::block_begins(*this);
  started = finished = waiting_count = 0;
  ready_head = ready_count = 0;
  barrier_true = 0;
  blocks_begun++;
  if (in_lockstep) {
    std::fill_n(lockstep, threads, LockstepLane{});
    for (unsigned i = 0; i < threads; i++) states[i].kind = WaitKind::running;
  }
  if (warps_used) reset_warps();
  return true;
}

// What every fiber does: start threads; when all have started, help those that can go on; when all
// have ended, take the next block.
void Worker::fiber_main() {
  fiber_entered();
  Worker& w = *this_worker;
  for (;;) {
    if (w.started < w.threads) {
      const unsigned thread = w.order[w.started++];
      w.current = thread;
      w.states[thread].kind = WaitKind::running;  // for debuggers: of the block before, it has ended
      writable_thread_index = w.index_of[thread];
      check::thread_begins(w, thread);
      w.run(w.arguments);
      check::thread_ends(w);
      w.finished++;
      w.states[w.current].kind = WaitKind::ended;
    } else if (w.finished == w.threads) {
      if (!w.next_block()) {
        Fiber* self = w.running;
        w.idle.push_back(self);
        w.running = &w.main;
        switch_stack(&self->stack_pointer, w.main.stack_pointer, &w.main);
      } else if (w.run_block != nullptr) {
        w.run_as_loops(writable_block_index, &writable_thread_index);
      }
    } else {
      if (w.ready_count == 0 && !w.release_if_stuck()) w.end_deadlock();
      Fiber* self = w.running;
      w.idle.push_back(self);
      const unsigned next = w.pop_ready();
      w.enter_thread(next);
      switch_stack(&self->stack_pointer, w.states[next].stack_pointer, w.running);
    }
  }
}

// Makes the thread the current one, just before it continues.
inline void Worker::enter_thread(unsigned thread) {
  current = thread;
  running = states[thread].fiber;
  writable_thread_index = index_of[thread];
  check::thread_continues(*this, thread);
}

// The current thread, which is noted as waiting, leaves its worker to another.
inline __attribute__((always_inline)) void Worker::leave_thread() {
  check::thread_waits(*this);
  ThreadState& self = states[current];
  self.fiber = running;
  if (__builtin_expect(started < threads, 0)) {
    Fiber* const next = idle_fiber();
    if (next == nullptr) leave_grid();
    running = next;
    switch_stack(&self.stack_pointer, running->stack_pointer, running);
    return;
  }
  if (__builtin_expect(ready_count == 0, 0) && !release_if_stuck()) end_deadlock();
  const unsigned next = pop_ready();
  ThreadState& other = states[next];
  if (&other == &self) return;
  enter_thread(next);
  switch_stack(&self.stack_pointer, other.stack_pointer, running);
}

void Worker::wait(WaitKind kind, Site site) {
  if (__builtin_expect(in_loops, 0)) waits_in_loops(site);
  ThreadState& self = states[current];
  self.kind = kind;
  self.file = site.file;
  self.line = site.line;
  leave_thread();
}

// All threads that wait at the block's barrier continue, in the order in which they arrived.
void Worker::release_barrier() {
  if (barriers_differ) {
    barriers_differ = false;
    end_deadlock();
  }
  barriers_passed++;
  check::barrier_passed(*this, {states[current].file, states[current].line});
  barrier_result = barrier_true;
  barrier_true = 0;
  std::swap(ready, waiting);
  ready_head = 0;
  ready_count = waiting_count;
  waiting_count = 0;
  if (check::order_of_run(settings().order) == Order::shuffle)
    for (unsigned i = ready_count; i > 1; i--) std::swap(ready[i - 1], ready[random() % i]);
}

inline __attribute__((always_inline)) void Worker::barrier(Site site) {
  if (__builtin_expect(in_loops, 0)) waits_in_loops(site);
  ThreadState& self = states[current];
  self.kind = WaitKind::barrier;
  self.file = site.file;
  self.line = site.line;
  if (waiting_count == 0) barrier_line = site.line;
  barriers_differ |= barrier_line != site.line;
  waiting[waiting_count++] = static_cast<uint16_t>(current);
  if (waiting_count == threads) release_barrier();
  leave_thread();
}

int Worker::barrier_count(bool predicate, Site site) {
  barrier_true += predicate;
  barrier(site);
  return barrier_result;
}

void Worker::preempt(unsigned number) {
  if (ready_count == 0 && started == threads) return;
  if (number != 0 && ready_count > 1)
    std::swap(ready[ready_head], ready[(ready_head + number % ready_count) % kMaxThreads]);
  states[current].kind = WaitKind::running;
  push_ready(current);
  leave_thread();
  if (grid->error.load(std::memory_order_relaxed) != cudaSuccess) leave_grid();
}

// Few turns are usually enough where the other thread runs on another core. In a checked run each volatile access may switch.
void Worker::polls(unsigned long long what, Site site) {
  constexpr unsigned kTurns = 64;
  if (in_loops || check::on) return;
  if (current != polling_thread) {
    polling_thread = current;
    for (Polled& one : polled) one = {};
  }
  Polled* found = nullptr;
  for (Polled& one : polled)
    if (one.what == what) found = &one;
  if (found == nullptr) {
    found = &polled[next_polled++ % std::size(polled)];
    *found = {what, 0};
  }
  // A thread that asks of several things waits always for the same one: its stack then shows that it makes no progress.
  if (++found->turns < (what == waited_for[current] ? kTurns : 2 * kTurns)) return;
  waited_for[current] = what;
  for (Polled& one : polled) one.turns = 0;
  let_others_run(WaitKind::yielding, site);
}

void Worker::yield() { let_others_run(WaitKind::yielding, grid->launch->site); }

void Grid::fail(cudaError_t reason, Failure why) {
  int none = cudaSuccess;
  // One explanation per launch: other workers often fail for the same reason.
  if (error.compare_exchange_strong(none, reason)) failure = std::move(why);
}

void Worker::abort_grid(cudaError_t error, Failure failure) {
  if (in_loops) begin_block_again(error, std::move(failure));
  if (check::on && grid->fault != cudaSuccess) {  // what comes after a fault may be its consequence
    error = grid->fault;
    failure = {};
  }
  grid->fail(error, std::move(failure));
  failure = {};  // what was moved from may still hold memory, and is never destroyed
  leave_grid();
}

void Worker::end_thread(cudaError_t error, Failure failure) {
  constexpr unsigned kMostFaults = 32;
  const bool alone = grid->meeting != nullptr || grid->launch->has_tiles || running == &main;
  if (in_loops || alone || !check::may_go_on_after_fault() || ++grid->faults > kMostFaults)
    abort_grid(error, std::move(failure));
  if (!failure.what.empty()) explain({failure.file.c_str(), failure.line}, failure.what, failure.hint, failure.kind);
  failure = {};
  if (grid->fault == cudaSuccess) grid->fault = error;
  check::note_fault();
  check::thread_ends(*this);
  finished++;
  states[current].kind = WaitKind::ended;
  reset_fiber(running, fiber_main);
  void* nowhere = nullptr;
  switch_stack(&nowhere, running->stack_pointer, running);
  __builtin_unreachable();
}

// Abandons all threads of the block: their stacks are used again.
void Worker::leave_grid() {
  aborted = true;
  running = &main;
  void* nowhere = nullptr;
  switch_stack(&nowhere, main.stack_pointer, &main);
  __builtin_unreachable();
}

// ---- a block that cannot go on ----

// On GPUs since Volta (compute capability 7.0) barriers and warp operations wait for the threads that have not
// left the kernel. An ordinary run does so where a kernel says that threads leave it early: not where they skip a
// barrier and go on, as in the book's dot product, which is a mistake that such GPUs hide. A checked run reports both.
bool Worker::exited_do_not_count() const {
  return (check::on && grid->fault != cudaSuccess) || settings().exited_may_miss || (!check::on && grid->launch->exit_line > 0);
}

bool Worker::release_if_stuck() {
  if (check::release_parked(*this)) return true;
  if (finished == 0 || started != threads || !exited_do_not_count()) return false;
  if (waiting_count > 0 && waiting_count + finished == threads) {
    note_exited("__syncthreads()");
    release_barrier();
    return true;
  }
  return release_warps_of_exited();
}

// ---- running a grid on this worker ----

void Worker::work(Grid* g) {
  grid = g;
  const Launch& launch = *g->launch;
  run = launch.type.run;
  in_lockstep = settings().lockstep;
  choose_loops(launch);
  arguments = launch.arguments_address();
  threads = launch.block.x * launch.block.y * launch.block.z;
  prepare_threads(launch.block);
  writable_block_size = {launch.block.x, launch.block.y, launch.block.z};
  writable_grid_size = {launch.grid.x, launch.grid.y, launch.grid.z};
  position = end = 0;
  started = finished = threads;  // as if a block had just ended
  aborted = false;
  barriers_differ = false;
  // What it was at before must not matter: which worker serves which blocks depends on when threads ended.
  last_progress = 0;
  idle_turns = spins = spinning_thread = 0;
  grid->active_workers++;
  grid->extra_on_its_way = false;
  grid->epoch++;
  in_kernel = true;
  check::worker_begins(*this);
  // Without a stack for its first thread a worker takes no block, and there is nothing to leave.
  Fiber* const first = launch.has_tiles ? tile_fiber() : idle_fiber();
  if (first != nullptr) {
    running = first;
    do switch_stack(&main.stack_pointer, running->stack_pointer, running);
    while (prepare_to_begin_again());
  }
  if (launch.has_tiles) idle.erase(std::remove(idle.begin(), idle.end(), large), idle.end());
  check::worker_ends();
  in_kernel = false;
  set_stuck(false);
  grid->active_workers--;
  grid->epoch++;
  if (aborted) {
    idle.assign(all.rbegin(), all.rend());
    for (Fiber* fiber : all) reset_fiber(fiber, fiber_main);
  }
}

void Worker::prepare_threads(dim3 block) {
  const Order wanted = check::order_of_run(settings().order);
  if (block.x != prepared.x || block.y != prepared.y || block.z != prepared.z || wanted != prepared_order) {
    unsigned i = 0;
    for (unsigned z = 0; z < block.z; z++)
      for (unsigned y = 0; y < block.y; y++)
        for (unsigned x = 0; x < block.x; x++) index_of[i++] = {x, y, z};
    std::iota(order, order + threads, 0);
    if (wanted == Order::reverse) std::reverse(order, order + threads);
    prepared = block;
    prepared_order = wanted;
  }
  if (wanted == Order::shuffle) {
    random.seed(settings().seed);
    for (unsigned i = threads; i > 1; i--) std::swap(order[i - 1], order[random() % i]);
  }
}

// ---- what kernels call ----

Index block_index() { return writable_block_index; }

bool in_kernel() { return this_worker != nullptr && this_worker->in_kernel; }

bool called_by_kernel() { return in_kernel(); }

static void only_in_kernels(const char* what, Site site) {
  if (in_kernel()) return;
  explain(site, std::string(what) + " is called by host code",
          "only kernels can call it. On the host, wait with cudaDeviceSynchronize().");
  exit(EXIT_FAILURE);
}

void barrier(Site site) {
  Worker* worker = this_worker;
  if (__builtin_expect(worker == nullptr || !worker->in_kernel, 0))
    only_in_kernels("__syncthreads", site);
  worker->barrier(site);
}

int barrier_count(bool predicate, Site site) {
  only_in_kernels("__syncthreads", site);
  return this_worker->barrier_count(predicate, site);
}

unsigned char* dynamic_shared() { return dynamic_shared_memory; }

void yield() {
  if (in_kernel())
    this_worker->yield();
  else
    std::this_thread::yield();
}

bool polls(unsigned long long what, Site site) {
  if (in_kernel()) this_worker->polls(what, site);
  return true;
}

void trap(const char* reason, Site site) {
  only_in_kernels("__trap", site);
  this_worker->abort_grid(cudaErrorLaunchFailure, site, reason + where_in_kernel());
}

void assertion_failed(const char* condition, Site site) {
  if (!in_kernel()) {
    fflush(stdout);
    fprintf(stderr, "%s:%d: Assertion `%s' failed.\n", site.file, site.line, condition);
    abort();
  }
  this_worker->abort_grid(cudaErrorAssert, site,
                          std::string("assertion `") + condition + "' failed" + where_in_kernel());
}

std::string where_in_kernel() {
  const Worker* w = this_worker;
  if (w == nullptr || w->grid == nullptr) return "";
  const Index& block = writable_block_index;
  // A loop over the threads may show which it is at (include/cpu_device/block_loops.h).
  if (w->in_loops && writable_thread_index.x == kNoThread)
    return format(" in kernel %s, block (%u,%u,%u)", w->grid->launch->type.name, block.x, block.y, block.z);
  const Index& thread = w->in_loops ? writable_thread_index : w->index_of[w->current];
  return format(" in kernel %s, thread (%u,%u,%u) of block (%u,%u,%u)", w->grid->launch->type.name,
                thread.x, thread.y, thread.z, block.x, block.y, block.z);
}

}  // namespace cpu_device
