// One worker: the part of the engine that other files need to see.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../device/device.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "fiber.h"
#include "launch.h"

namespace cpu_device {

struct Index {
  unsigned int x, y, z;
};

// Blocks that wait for each other, each on a worker of its own: about as many as on a large GPU, and
// their stacks take 1 or 2 GB.
constexpr int kMaxBlocksAtOnce = 512, kMaxThreadsAtOnce = 256 * 1024;

constexpr unsigned kMaxBlocksOfCluster = 16;

struct WarpState;

// Of threadIdx.x while a loop over the threads does not say which it is at.
constexpr unsigned kNoThread = ~0u;

enum class WaitKind : unsigned char { running, barrier, warp, part, yielding, spinning, held, parked, ended };

// A thread's part in warps that run in lockstep, see atomics.cpp.
struct LockstepLane {
  enum Phase : unsigned char { elsewhere, arrived, swapped, held } phase = elsewhere;
  bool lost = false;
  Site site{nullptr, 0};
  unsigned steps = 0;     // of warp-synchronous code
  unsigned meetings = 0;  // in warp operations: __syncwarp(), a shuffle, a vote
};

// A thread of the block that is running on a worker.
struct ThreadState {
  void* stack_pointer = nullptr;  // while it waits
  Fiber* fiber = nullptr;         // the same, the owner of that stack
  const char* file = nullptr;     // where it waits
  int line = 0;
  WaitKind kind = WaitKind::running;
};

// Why a launch ended early.
struct Failure {
  std::string file;
  int line = 0;
  std::string what, hint;
  const char* kind = "other";  // what a checked run calls it
};

inline Failure failure_at(Site site, std::string what, std::string hint = "",
                          const char* kind = "other") {
  return {site.file == nullptr ? "" : site.file, site.line, std::move(what), std::move(hint), kind};
}

// Hands out blocks in pieces: large ones first, so that a million blocks cost few atomic
// operations, small ones at the end, so that all workers finish together.
struct Grid {
  const Launch* launch;
  uint64_t number = 0;  // in the order in which grids began, from 1
  uint64_t blocks;
  int workers;
  uint64_t stride = 1, offset = 0;  // order of blocks: (i * stride + offset) % blocks
  std::atomic<uint64_t> next{0};
  std::atomic<int> error{cudaSuccess};
  Failure failure;
  // Of a checked run, in which the other threads go on after a fault: the first one, and how many there were.
  cudaError_t fault = cudaSuccess;
  unsigned faults = 0;
  std::atomic<bool> is_noted{false};
  Failure note;  // what is worth saying of a grid that has not failed
  // How many workers are at work, and how many of those see no progress; `epoch` counts changes.
  std::atomic<int> active_workers{0}, stuck_workers{0};
  std::atomic<unsigned> epoch{0};
  // Blocks that were handed out and not begun, and workers beyond one per core: for blocks that wait
  // for each other, which a GPU has on its multiprocessors at the same time.
  std::mutex extra_lock;
  std::atomic<bool> any_returned{false};
  std::vector<std::pair<uint64_t, uint64_t>> returned;
  std::vector<std::thread> extra_workers;
  std::atomic<bool> extra_on_its_way{false};
  // Launches by this grid's threads, which run after it, see dynamic_parallelism.cpp.
  std::mutex children_lock;
  std::vector<std::shared_ptr<Launch>> children;
  struct Meeting* meeting = nullptr;  // of a cooperative launch or a cluster, see cooperative.cpp
  uint64_t cluster = 0;               // which one it is, if it is a cluster's part of a launch

  void give_back(uint64_t first, uint64_t last);
  // Starts a worker if there are blocks for it; false if there are none, or too many workers.
  bool add_worker();
  void add_worker_in_line();

  bool take(uint64_t* first, uint64_t* last) {
    if (any_returned.load(std::memory_order_relaxed) && take_returned(first, last)) return true;
    uint64_t start = next.load(std::memory_order_relaxed);
    for (;;) {
      if (start >= blocks || error.load(std::memory_order_relaxed) != cudaSuccess) return false;
      const uint64_t piece = std::max<uint64_t>(1, (blocks - start) / (8 * workers));
      if (next.compare_exchange_weak(start, start + piece, std::memory_order_relaxed)) {
        *first = start;
        *last = start + piece;
        return true;
      }
    }
  }
  bool take_returned(uint64_t* first, uint64_t* last);
  void fail(cudaError_t reason, Failure why);
  bool has_waiting_blocks() const {
    return next.load(std::memory_order_relaxed) < blocks || any_returned;
  }
};

// Threads of a block that ask the clock again and again until so much time has passed wait one after the other here, and at the
// same time on a GPU. What one of them has waited has passed for the next one, too, as soon as it is seen to wait.
class PassedTime {
 public:
  // What the clock says. `now`: the processor's. `thread`: the one that asks, of the worker's block with this number.
  long long ticks(uint64_t block, uint64_t thread, long long now);

 private:
  static constexpr int kWaits = 4;             // who asks so often waits,
  static constexpr long long kAtOnce = 2000;   // if so few ticks lie between two questions that it can do nothing else
  uint64_t block_ = 0, thread_ = 0;
  int asked_ = 0;
  long long first_ = 0, last_ = 0;             // when it began to ask, and asked last
  long long shift_ = 0, longest_ = 0;          // what has passed for it; what one of the block's threads has waited
};

struct Worker {
  void begin_on_this_thread();
  void work(Grid* grid);           // takes blocks until there are none left
  void barrier(Site site);
  int barrier_count(bool predicate, Site site);
  void yield();                    // others of the block first
  void polls(unsigned long long what, Site site);
  void spin(Site site);            // the same, after an atomic without effect
  void let_others_run(WaitKind kind, Site site);
  void take_turn(WaitKind kind, Site site, const void* frame);
  // Another thread of the block goes on, if there is one: the first that is ready, or one of the others by
  // this number. The current one is ready as before.
  void preempt(unsigned number);
  void set_stuck(bool now, bool moving = false);
  // The current thread waits until another calls push_ready() for it.
  void wait(WaitKind kind, Site site);
  // Ends the launch with an error that is explained. Nothing is destroyed on the way, so callers
  // must not hold memory.
  [[noreturn]] void abort_grid(cudaError_t error, Failure failure);
  [[noreturn]] void abort_grid(cudaError_t error, Site site, std::string what,
                               std::string hint = "", const char* kind = "other") {
    abort_grid(error, failure_at(site, std::move(what), std::move(hint), kind));
  }
  [[noreturn]] void leave_grid();
  // After a fault of the current thread. In a checked run, only this thread ends, and the launch when all have: so
  // mistakes of other threads are found in the same run. Otherwise as abort_grid().
  [[noreturn]] void end_thread(cudaError_t error, Failure failure);

  void push_ready(unsigned thread) {
    ready[(ready_head + ready_count++) % kMaxThreads] = static_cast<uint16_t>(thread);
  }
  unsigned pop_ready() {
    const unsigned thread = ready[ready_head];
    ready_head = (ready_head + 1) % kMaxThreads;
    ready_count--;
    return thread;
  }

  static void fiber_main();
  Fiber* idle_fiber();
  Fiber* tile_fiber();
  void leave_thread();
  void enter_thread(unsigned thread);
  void go_idle();
  bool next_block();
  void release_barrier();
  bool release_if_stuck();
  bool exited_do_not_count() const;
  bool release_warps_of_exited();
  void note_exited(const char* what);
  void note(Failure text);
  [[noreturn]] void end_deadlock();
  [[nodiscard]] Failure explain_deadlock() const;
  void prepare_threads(dim3 block);
  void reset_warps();

  // Blocks as loops over their threads, see block_loops.cpp.
  void choose_loops(const Launch& launch);
  void run_as_loops(const Index& at, Index* shown_thread);
  [[noreturn]] void waits_in_loops(Site site);
  [[noreturn]] void begin_block_again(cudaError_t error, Failure failure);
  bool prepare_to_begin_again();
  bool (*run_block)(const void*, const BlockPlace&) = nullptr;  // null: thread by thread
  const void* block_arguments = nullptr;
  bool in_loops = false;     // the block function is running
  bool again = false;        // it failed, and the threads of this block run one by one, to tell which it was
  bool leave_for_again = false;
  cudaError_t first_error = cudaSuccess;
  Failure first_failure;

  // The grid.
  Grid* grid = nullptr;
  void (*run)(const void*) = nullptr;
  const void* arguments = nullptr;
  uint64_t position = 0, end = 0;   // of the piece of blocks in hand
  bool step_coordinates = false;

  // The block: thread numbers count x first, then y, then z, as CUDA's warps do.
  unsigned threads = 0;
  unsigned started = 0, finished = 0;
  unsigned current = 0;             // the thread that is running
  unsigned waiting_count = 0;       // at the barrier
  unsigned ready_head = 0, ready_count = 0;
  int barrier_true = 0, barrier_result = 0;
  int barrier_line = 0;             // where the first of those at the barrier waits
  bool barriers_differ = false;     // and another thread waits at another barrier
  uint16_t* waiting = queues[0];
  uint16_t* ready = queues[1];
  uint16_t queues[2][kMaxThreads];
  uint16_t order[kMaxThreads];      // in which threads are started
  Index index_of[kMaxThreads];
  ThreadState states[kMaxThreads];
  dim3 prepared{0, 0, 0};
  Order prepared_order = Order::forward;
  WarpState* warps = nullptr;       // made when a kernel first uses warp operations
  bool warps_used = false;          // by this block
  bool in_lockstep = false;         // each block begins with no lane ahead of another
  LockstepLane lockstep[kMaxThreads];

  PassedTime passed_time;

  // Progress, for threads that spin.
  unsigned spinning_thread = 0, spins = 0, idle_turns = 0, polling_thread = 0, next_polled = 0;
  struct Polled {  // a loop or a word of which the running thread has asked lately
    unsigned long long what;
    unsigned turns;
  } polled[8] = {};
  unsigned long long waited_for[kMaxThreads] = {};
  uint64_t barriers_passed = 0, blocks_begun = 0, last_progress = 0;
  bool stuck = false;
  unsigned seen_epoch = 0, looks = 0;
  std::chrono::steady_clock::time_point seen_since, stuck_since, last_look;
  uint64_t contents_of[kMaxThreads] = {};
  // std::mt19937, but for the program's copies of its functions, which may be instrumented.
  std::mersenne_twister_engine<uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7, 0x9d2c5680,
                               15, 0xefc60000, 18, 1812433253>
      random{1};

  // Fibers.
  Fiber main;                       // the worker's own stack
  Fiber* running = nullptr;
  std::vector<Fiber*> all, idle;
  Fiber* large = nullptr;           // for tile kernels
  bool in_kernel = false, aborted = false;
  std::vector<unsigned char> signal_stack;
};

extern __thread Worker* this_worker;
Index block_index();  // of the block that this worker runs

// The calling thread, which is not the program's, takes blocks of the grid until there are none left.
void work_on_this_thread(Grid* grid);
// Runs a grid whose blocks must all be at work at the same time.
void run_cooperatively(Grid* grid);
// Runs the clusters of a grid one after the other.
void run_clusters(Grid* grid);
// The coordinates of a block of such a cluster. Its worker is this one from now on.
Index begin_block_of_cluster(Grid* grid, unsigned rank);
// Runs what the grid's threads have launched.
cudaError_t run_children(Grid* grid);

// ", in kernel k, block (1,0,0), thread (5,0,0)" of the calling thread.
std::string where_in_kernel();

}  // namespace cpu_device
