// Runs a grid: spreads its blocks over workers, one per core, and starts more for blocks that wait for
// each other.
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "../check/check.h"
#include "../device/host_time.h"
#include "../device/settings.h"
#include "../faults/signals.h"
#include "debugger.h"
#include "blocks_at_once.h"
#include "engine.h"

namespace cpu_device {

namespace {

// Workers whose threads have ended, for later threads: a program may start a host thread for each
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
    hide_from_debugger();
  }
};

Worker& worker_of_this_thread() {
  if (this_worker == nullptr) {
    install_fault_handlers();
    answer_quit_signal();
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
    show_to_debugger(worker);
    thread_local Retirement at_the_end;
    (void)at_the_end;
  }
  return *this_worker;
}

// Threads that help the one that runs a grid. They poll for work for a moment before they sleep,
// because a program often launches kernel after kernel.
class Helpers {
 public:
  explicit Helpers(int count) {
    try {
      for (int i = 0; i < count; i++) std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {  // the system gives no more: fewer are enough
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
      const auto patience = host_time() + std::chrono::microseconds(50);
      while (announced_.load(std::memory_order_acquire) == seen &&
             host_time() < patience)
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

bool waits_in_vain(Grid& grid) {
  constexpr int kEnough = 64;
  const int active = grid.active_workers;
  if (active < kEnough || grid.meeting != nullptr) return false;
  const Launch& launch = *grid.launch;
  if (grid.blocks <= static_cast<uint64_t>(most_blocks_at_once(launch.block, launch.shared_bytes))) return false;
  const std::lock_guard<std::mutex> guard(grid.extra_lock);
  uint64_t begun = grid.next;
  for (const auto& [first, last] : grid.returned) begun -= last - first;
  return begun <= static_cast<uint64_t>(active);
}

bool Grid::add_worker() {
  if (!has_waiting_blocks()) return false;
  if (meeting != nullptr) return true;  // each block has a thread of its own, which is late
  const std::lock_guard<std::mutex> guard(extra_lock);
  if (extra_on_its_way) return true;
  const uint64_t threads = uint64_t(launch->block.x) * launch->block.y * launch->block.z;
  if (workers + extra_workers.size() >= kMaxBlocksAtOnce ||
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

// In a checked run, when it comes must not depend on the time that the system takes to start a thread.
void Grid::add_worker_in_line() {
  const size_t before = extra_workers.size();
  const uint64_t in_line = check::workers_in_line();
  if (add_worker() && extra_workers.size() > before) check::wait_for_workers_in_line(in_line + 1);
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

// Blocks side by side, each on a system thread of its own, that take turns.
static void run_side_by_side(Grid* grid, int count) {
  check::hold_first_turn();
  std::vector<std::thread> threads;
  try {
    for (int i = 1; i < count; i++) {
      threads.emplace_back([grid] { work_on_this_thread(grid); });
      check::wait_for_workers_in_line(threads.size());
    }
  } catch (const std::system_error&) {  // the system gives no more: fewer do it, too
  }
  worker_of_this_thread().work(grid);
  for (std::thread& thread : threads) thread.join();
}

static cudaError_t run_once(const Launch& launch, bool alone) {
  // The helpers serve one grid at a time. A second one runs only while the host continues.
  static std::atomic<int> grids_at_work{0};
  alone |= grids_at_work++ > 0;
  cpu_device_lockstep = settings().lockstep;
  static std::atomic<uint64_t> grids{0};
  Grid grid;
  grid.launch = &launch;
  grid.number = ++grids;
  grid.blocks = static_cast<uint64_t>(launch.grid.x) * launch.grid.y * launch.grid.z;
  grid.workers = settings().workers;
  const Order order = check::order_of_run(settings().order);
  if (order == Order::reverse) {
    grid.stride = grid.blocks - 1;  // i -> blocks - 1 - i
    grid.offset = grid.blocks - 1;
  } else if (order == Order::shuffle && grid.blocks > 2) {
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
  } else if (const int at_once = check::blocks_at_once(grid.blocks); at_once > 1) {
    run_side_by_side(&grid, at_once);
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
  if (grid.fault != cudaSuccess) grid.fail(grid.fault, {});
  const auto error = static_cast<cudaError_t>(grid.error.load());
  const Failure& failure = grid.failure;
  check::launch_ends(launch, error);
  if (error != cudaSuccess && !failure.what.empty())
    explain({failure.file.c_str(), failure.line}, failure.what, failure.hint, failure.kind);
  if (error == cudaSuccess && grid.is_noted) note_once(launch, grid.note);
  return error == cudaSuccess ? run_children(&grid) : error;
}

cudaError_t run_grid(const Launch& launch, bool alone) {
  check::begin_schedules(launch);
  cudaError_t error = run_once(launch, alone);
  while (check::next_schedule(launch, &error)) error = run_once(launch, alone);
  return error;
}

}  // namespace cpu_device
