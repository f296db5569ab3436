// Runs grids. Blocks are spread over workers, one per core. On its worker, a block's threads run one
// after the other on one fiber, as a plain loop, for as long as none of them waits. A thread that
// waits keeps the fiber it is on, and the loop goes on, on a fresh one, with the next thread. When
// the last thread has arrived at a barrier, they go on in turn. A block never changes its worker, so
// shared memory can be thread-local.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <numeric>
#include <random>
#include <system_error>
#include <thread>

#include "../check/check.h"
#include "../device/settings.h"
#include "../faults/signals.h"
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

// The calling thread is going to be this worker.
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
  // Fibers of another thread's time may remember where its thread-local variables were.
  idle.assign(all.rbegin(), all.rend());
  for (Fiber* fiber : all) reset_fiber(fiber, fiber_main);
}

// nullptr, and the launch has failed, if there is no memory for one.
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
                          "there is no memory for the stacks of the block's threads",
                          "fewer workers (CPU_DEVICE_THREADS), fewer threads per block, or a higher "
                          "limit on virtual memory (ulimit -v)"));
    return nullptr;
  }
  reset_fiber(fiber, fiber_main);
  all.push_back(fiber);
  return fiber;
}

// Sets the block's coordinates; returns false when there are no more blocks.
bool Worker::next_block() {
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
  if (settings().lockstep) {
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
      }
    } else {
      if (w.ready_count == 0 && !w.release_if_stuck()) w.end_stuck();
      Fiber* self = w.running;
      w.idle.push_back(self);
      const unsigned next = w.pop_ready();
      w.enter_thread(next);
      switch_stack(&self->stack_pointer, w.states[next].stack_pointer, w.running);
    }
  }
}

// Sets the scene for a thread that is about to go on.
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
  if (__builtin_expect(ready_count == 0, 0) && !release_if_stuck()) end_stuck();
  const unsigned next = pop_ready();
  ThreadState& other = states[next];
  if (&other == &self) return;
  enter_thread(next);
  switch_stack(&self.stack_pointer, other.stack_pointer, running);
}

void Worker::wait(WaitKind kind, Site site) {
  ThreadState& self = states[current];
  self.kind = kind;
  self.file = site.file;
  self.line = site.line;
  leave_thread();
}

// Everybody who waits at the block's barrier goes on, first come first served.
void Worker::release_barrier() {
  if (barriers_differ) {
    barriers_differ = false;
    end_stuck();
  }
  barriers_passed++;
  check::barrier_passed(*this, {states[current].file, states[current].line});
  barrier_result = barrier_true;
  barrier_true = 0;
  std::swap(ready, waiting);
  ready_head = 0;
  ready_count = waiting_count;
  waiting_count = 0;
  if (settings().order == Order::shuffle)
    for (unsigned i = ready_count; i > 1; i--) std::swap(ready[i - 1], ready[random() % i]);
}

inline __attribute__((always_inline)) void Worker::barrier(Site site) {
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

void Worker::yield() { let_others_run(WaitKind::yielding, grid->launch->site); }

void Grid::fail(cudaError_t reason, Failure why) {
  int none = cudaSuccess;
  // One explanation per launch: other workers often fail for the same reason.
  if (error.compare_exchange_strong(none, reason)) failure = std::move(why);
}

void Worker::abort_grid(cudaError_t error, Failure failure) {
  grid->fail(error, std::move(failure));
  failure = {};  // what was moved from may still hold memory, and is never destroyed
  leave_grid();
}

// Leaves all threads of the block where they are: their stacks are used anew.
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
  return settings().exited_may_miss || (!check::on && grid->launch->exit_line > 0);
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

// Once per grid; run_grid() prints it.
void Worker::note(Failure text) {
  if (!grid->is_noted.exchange(true)) grid->note = std::move(text);
}

void Worker::note_exited(const char* what) {
  if (settings().exited_may_miss || grid->is_noted) return;
  const Index& at = writable_block_index;
  Site site = grid->launch->site;
  for (unsigned i = 0; i < threads; i++)
    if (states[i].kind == WaitKind::barrier || states[i].kind == WaitKind::warp)
      site = {states[i].file, states[i].line};
  note(failure_at(
      site,
      format("note: %u of %u threads of kernel %s, block (%u,%u,%u), left (line %d) before a %s that the others "
             "reach",
             finished, threads, grid->launch->type.name, at.x, at.y, at.z, grid->launch->exit_line, what),
      "on GPUs since Volta, and here, threads that have left no longer count; on older ones the kernel hung. A "
      "checked run (nvcc --check) reports it. Let threads without work skip the work, not the barrier",
      "barrier"));
}

// "0-31, 64" of the threads for which the function holds.
template <typename Predicate>
static std::string thread_list(unsigned threads, const Predicate& holds) {
  std::string text;
  int ranges = 0;
  for (unsigned i = 0; i < threads; i++) {
    if (!holds(i)) continue;
    unsigned last = i;
    while (last + 1 < threads && holds(last + 1)) last++;
    if (++ranges > 8) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(i) +
            (last > i ? "-" + std::to_string(last) : "");
    i = last;
  }
  return text;
}

void Worker::end_stuck() { abort_grid(cudaErrorLaunchFailure, explain_stuck()); }

Failure Worker::explain_stuck() const {
  struct Group {
    WaitKind kind;
    const char* doing;  // what its threads do
    unsigned count = 0;
  };
  Group groups[] = {{WaitKind::barrier, "wait at __syncthreads()"},
                    {WaitKind::warp, "wait in a warp operation"},
                    {WaitKind::spinning, "spin at an atomic that never changes anything"},
                    {WaitKind::yielding, "wait in a loop"},
                    {WaitKind::held, "have succeeded, and wait for their warp to leave the loop"},
                    {WaitKind::part, "wait at a barrier of part of the block"}};
  const auto waits = [this](unsigned i, WaitKind kind) {
    return (i != current || kind != WaitKind::yielding) && states[i].kind == kind;
  };
  std::string details;
  Site first = grid->launch->site;
  int different_barriers = 0;
  for (Group& group : groups) {
    // The threads of a group by the line where they wait.
    std::map<std::pair<std::string, int>, unsigned> lines;
    for (unsigned i = 0; i < threads; i++)
      if (waits(i, group.kind)) lines[{states[i].file, states[i].line}]++;
    for (const auto& line : lines) {
      if (group.count == 0 && details.empty()) first = {nullptr, 0};
      group.count += line.second;
      if (group.kind == WaitKind::barrier) different_barriers++;
      details += format("\n    %u %s, line %d: threads ", line.second, group.doing,
                        line.first.second) +
                 thread_list(threads, [&](unsigned i) {
                   return waits(i, group.kind) && states[i].line == line.first.second &&
                          states[i].file == line.first.first;
                 });
      for (unsigned i = 0; first.file == nullptr && i < threads; i++)
        if (waits(i, group.kind)) first = {states[i].file, states[i].line};
    }
  }
  if (finished > 0)
    details += format("\n    %u have left the kernel: threads ", finished) +
               thread_list(threads, [&](unsigned i) { return states[i].kind == WaitKind::ended; });

  const bool at_barrier = groups[0].count > 0, in_warp = groups[1].count > 0;
  const bool spinning = groups[2].count + groups[3].count > 0, held = groups[4].count > 0;
  const char *title, *hint, *kind = "no-progress";
  std::string begun;
  if (spinning && !held && grid->has_waiting_blocks()) {
    title = "blocks wait for blocks that have not begun";
    hint = "a barrier across all blocks needs a grid that fits on the device at once: fewer blocks, "
           "each with a loop over the data; or two launches, the second of which begins when the first "
           "has ended (if they wait for a lock: one that is never released, or taken twice)";
    begun = format("\n    of %llu blocks, %d are at work, and none of these ends: a GPU, too, begins "
                   "a block only where another has ended, once its multiprocessors are full",
                   static_cast<unsigned long long>(grid->blocks), grid->active_workers.load());
  } else if (held) {
    title = "livelock of a warp in lockstep";
    hint = "lanes of one warp must not compete for a lock: let one lane at a time do it, or use no lock "
           "(since Volta each lane goes its own way, and this ends)";
  } else if (spinning) {
    title = "nobody makes progress";
    hint = at_barrier ? "a thread that waits at a barrier cannot release the lock it holds"
                      : "a lock that is never released, or taken twice; or a flag that nobody sets";
  } else if (in_warp) {
    kind = "shuffle";
    title = "a warp operation that not all its lanes reach";
    hint = "name in the mask exactly the lanes that come here, and let all of them come";
  } else if (groups[5].count > 0) {
    kind = "barrier";
    title = "a barrier of part of the block that too few threads reach";
    hint = "as many threads as bar.sync names must come there, with bar.sync or bar.arrive of the same barrier";
  } else if (different_barriers > 1) {
    kind = "barrier";
    title = "threads of one block meet at different barriers";
    hint = "all threads of the block must reach the same __syncthreads(): move it out of the branches";
  } else {
    kind = "barrier";
    title = "divergent barrier";
    hint = "a __syncthreads() must be reached by every thread of the block: move it out of the if, and "
           "let threads without work skip the work, not the barrier (on GPUs since Volta, threads that "
           "left no longer count, so it may seem to work there; CPU_DEVICE_EXITED_THREADS=ignore does so)";
  }
  const Index& at = writable_block_index;
  return {first.file == nullptr ? "" : first.file, first.line,
          format("%s in kernel %s, block (%u,%u,%u) of %u threads: some wait for what never comes",
                 title, grid->launch->type.name, at.x, at.y, at.z, threads) +
              details + begun,
          hint, kind};
}

// ---- running a grid on this worker ----

void Worker::work(Grid* g) {
  grid = g;
  const Launch& launch = *g->launch;
  run = launch.type.run;
  arguments = launch.arguments_address();
  threads = launch.block.x * launch.block.y * launch.block.z;
  prepare_threads(launch.block);
  writable_block_size = {launch.block.x, launch.block.y, launch.block.z};
  writable_grid_size = {launch.grid.x, launch.grid.y, launch.grid.z};
  position = end = 0;
  started = finished = threads;  // as if a block had just ended
  aborted = false;
  barriers_differ = false;
  grid->active_workers++;
  grid->extra_on_its_way = false;
  grid->epoch++;
  in_kernel = true;
  check::worker_begins(*this);
  // Without a stack for its first thread a worker takes no block, and there is nothing to leave.
  Fiber* const first = idle_fiber();
  if (first != nullptr) {
    running = first;
    switch_stack(&main.stack_pointer, running->stack_pointer, running);
  }
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
  if (block.x != prepared.x || block.y != prepared.y || block.z != prepared.z) {
    unsigned i = 0;
    for (unsigned z = 0; z < block.z; z++)
      for (unsigned y = 0; y < block.y; y++)
        for (unsigned x = 0; x < block.x; x++) index_of[i++] = {x, y, z};
    std::iota(order, order + threads, 0);
    if (settings().order == Order::reverse) std::reverse(order, order + threads);
    prepared = block;
  }
  if (settings().order == Order::shuffle) {
    random.seed(settings().seed);
    for (unsigned i = threads; i > 1; i--) std::swap(order[i - 1], order[random() % i]);
  }
}

// ---- all workers ----

namespace {

// Workers whose threads have ended, for threads to come: a program may start a host thread for each
// device again and again, and a worker has stacks for as many threads as its largest block.
struct Retired {
  std::mutex mutex;
  std::vector<Worker*> workers;
};
Retired& retired() {
  static auto* all = new Retired;
  return *all;
}

// Retires the thread's worker when the thread ends.
struct Retirement {
  ~Retirement() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    const std::lock_guard<std::mutex> guard(retired().mutex);
    retired().workers.push_back(this_worker);
    this_worker = nullptr;
  }
};

Worker& worker_of_this_thread() {
  if (this_worker == nullptr) {
    install_fault_handlers();
    Worker* worker = nullptr;
    {
      const std::lock_guard<std::mutex> guard(retired().mutex);
      if (!retired().workers.empty()) {
        worker = retired().workers.back();
        retired().workers.pop_back();
      }
    }
    if (worker == nullptr) worker = new Worker;
    worker->begin_on_this_thread();
    this_worker = worker;
    thread_local Retirement at_the_end;
    (void)at_the_end;
  }
  return *this_worker;
}

// Threads that help the one that waits for a grid. They watch for work for a moment before they
// sleep, because a program often launches kernel after kernel.
class Helpers {
 public:
  explicit Helpers(int count) {
    try {
      for (int i = 0; i < count; i++) std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {  // the system gives no more: fewer do it, too
    }
  }

  void help(Grid* grid) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      grid_ = grid;
      announced_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
  }

  // Lets no more helpers in, and waits for those that are at work.
  void finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    grid_ = nullptr;
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void run() {
    block_program_signals();
    Worker& worker = worker_of_this_thread();
    uint64_t seen = 0;
    for (;;) {
      const auto patience = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (announced_.load(std::memory_order_acquire) == seen &&
             std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return announced_.load(std::memory_order_relaxed) != seen; });
      seen = announced_.load(std::memory_order_relaxed);
      Grid* grid = grid_;
      if (grid == nullptr) continue;
      busy_++;
      lock.unlock();
      worker.work(grid);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::atomic<uint64_t> announced_{0};
  Grid* grid_ = nullptr;
  int busy_ = 0;
};

}  // namespace

void Grid::give_back(uint64_t first, uint64_t last) {
  const std::lock_guard<std::mutex> guard(extra_lock);
  returned.emplace_back(first, last);
  any_returned = true;
}

bool Grid::take_returned(uint64_t* first, uint64_t* last) {
  const std::lock_guard<std::mutex> guard(extra_lock);
  if (returned.empty() || error.load(std::memory_order_relaxed) != cudaSuccess) return false;
  *first = returned.back().first;
  *last = returned.back().second;
  returned.pop_back();
  any_returned = !returned.empty();
  return true;
}

bool Grid::add_worker() {
  if (!has_waiting_blocks()) return false;
  if (meeting != nullptr) return true;  // each block has a thread of its own, which is late
  const std::lock_guard<std::mutex> guard(extra_lock);
  if (extra_on_its_way) return true;
  const uint64_t threads = uint64_t(launch->block.x) * launch->block.y * launch->block.z;
  if (extra_workers.size() >= kMaxBlocksAtOnce ||
      (workers + extra_workers.size() + 1) * threads > kMaxThreadsAtOnce)
    return false;
  extra_on_its_way = true;
  try {
    extra_workers.emplace_back([this] {
      block_program_signals();
      worker_of_this_thread().work(this);
    });
  } catch (const std::system_error&) {  // the system gives no further thread
    extra_on_its_way = false;
    return false;
  }
  return true;
}

void work_on_this_thread(Grid* grid) {
  block_program_signals();
  worker_of_this_thread().work(grid);
}

// A kernel that is launched a thousand times is worth one note.
static void note_once(const Launch& launch, const Failure& note) {
  static std::mutex lock;
  static auto* noted = new std::set<std::pair<std::string, std::string>>;
  const std::lock_guard<std::mutex> guard(lock);
  if (noted->insert({launch.type.name, note.file + ":" + std::to_string(note.line)}).second)
    explain({note.file.c_str(), note.line}, note.what, note.hint, note.kind);
}

cudaError_t run_grid(const Launch& launch, bool alone) {
  // The helpers serve one grid at a time. Another one runs meanwhile only while the host goes on.
  static std::atomic<int> grids_at_work{0};
  alone |= grids_at_work++ > 0;
  cpu_device_lockstep = settings().lockstep;
  Grid grid;
  grid.launch = &launch;
  grid.blocks = static_cast<uint64_t>(launch.grid.x) * launch.grid.y * launch.grid.z;
  grid.workers = settings().workers;
  if (settings().order == Order::reverse) {
    grid.stride = grid.blocks - 1;  // i -> blocks - 1 - i
    grid.offset = grid.blocks - 1;
  } else if (settings().order == Order::shuffle && grid.blocks > 2) {
    std::mt19937 random(settings().seed);
    grid.offset = random() % grid.blocks;
    do grid.stride = 1 + random() % (grid.blocks - 1);
    while (std::gcd(grid.stride, grid.blocks) != 1);
  }
  Worker& worker = worker_of_this_thread();
  check::launch_begins(launch);
  if (launch.cooperative) {
    run_cooperatively(&grid);
  } else if (launch.cluster.x * launch.cluster.y * launch.cluster.z > 1) {
    run_clusters(&grid);
  } else if (grid.blocks == 1 || settings().workers == 1 || alone) {
    worker.work(&grid);
  } else {
    static Helpers* helpers = new Helpers(settings().workers - 1);
    helpers->help(&grid);
    worker.work(&grid);
    helpers->finish();
  }
  // Only those at work add one, so the list is complete when all that are in it have ended.
  for (size_t i = 0;; i++) {
    std::thread extra;
    {
      const std::lock_guard<std::mutex> guard(grid.extra_lock);
      if (i == grid.extra_workers.size()) break;
      extra = std::move(grid.extra_workers[i]);
    }
    extra.join();
  }
  grids_at_work--;
  const auto error = static_cast<cudaError_t>(grid.error.load());
  const Failure& failure = grid.failure;
  check::launch_ends(launch, error);
  if (error != cudaSuccess && !failure.what.empty())
    explain({failure.file.c_str(), failure.line}, failure.what, failure.hint, failure.kind);
  if (error == cudaSuccess && grid.is_noted) note_once(launch, grid.note);
  return error == cudaSuccess ? run_children(&grid) : error;
}

// ---- what kernels call ----

Index block_index() { return writable_block_index; }

bool in_kernel() { return this_worker != nullptr && this_worker->in_kernel; }

bool called_by_kernel() { return in_kernel(); }

static void only_in_kernels(const char* what, Site site) {
  if (in_kernel()) return;
  explain(site, std::string(what) + " is called by host code",
          "it is for kernels; the host waits with cudaDeviceSynchronize()");
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

long long clock_ticks() {
  cpu_device_changes++;  // who looks at the clock may wait for the time, which does pass
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

std::string where_in_kernel() {
  const Worker* w = this_worker;
  if (w == nullptr || w->grid == nullptr) return "";
  const Index& block = writable_block_index;
  const Index& thread = w->index_of[w->current];
  return format(" in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", w->grid->launch->type.name,
                block.x, block.y, block.z, thread.x, thread.y, thread.z);
}

}  // namespace cpu_device
