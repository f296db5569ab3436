// Grids whose blocks are all at work at the same time, each on a worker of its own, so that they can
// meet at a barrier of the grid; and the barrier of tiles larger than a warp.
#include "../include/cooperative_groups.h"

#include <condition_variable>
#include <system_error>

#include "engine.h"

namespace cpu_device {

// Where the blocks of one cooperative launch meet.
struct Meeting {
  std::mutex mutex;
  std::condition_variable all_here;
  uint64_t blocks = 0;   // that have begun or will
  uint64_t arrived = 0;  // at the barrier
  uint64_t resumed = 0;  // have gone on from the last one
  uint64_t left = 0;     // workers that have no block any more
  uint64_t generation = 0;
};

void run_cooperatively(Grid* grid) {
  Meeting meeting;
  meeting.blocks = grid->blocks;
  grid->meeting = &meeting;
  grid->workers = static_cast<int>(grid->blocks);  // pieces of one block
  const auto work = [grid, &meeting] {
    work_on_this_thread(grid);
    const std::lock_guard<std::mutex> guard(meeting.mutex);
    meeting.left++;
    meeting.all_here.notify_all();
  };
  std::vector<std::thread> threads;
  try {
    for (uint64_t i = 0; i < grid->blocks; i++) threads.emplace_back(work);
  } catch (const std::system_error&) {
    int none = cudaSuccess;
    if (grid->error.compare_exchange_strong(none, cudaErrorCooperativeLaunchTooLarge))
      grid->failure = {grid->launch->site.file, grid->launch->site.line,
                       format("the system gives no thread for each of the %llu blocks of this "
                              "cooperative launch",
                              static_cast<unsigned long long>(grid->blocks)),
                       "fewer and larger blocks"};
    meeting.all_here.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  grid->meeting = nullptr;
}

bool grid_is_cooperative() { return in_kernel() && this_worker->grid->meeting != nullptr; }

// The block waits for the others; false if some of them never come.
static bool meet(Grid* grid, Meeting* meeting, Worker& worker) {
  std::unique_lock<std::mutex> lock(meeting->mutex);
  const uint64_t mine = meeting->generation, before_mine = meeting->arrived++;
  if (meeting->arrived == meeting->blocks) {
    meeting->arrived = meeting->resumed = 0;
    meeting->generation++;
    cpu_device_changes++;
    check::grid_met(worker);
    meeting->all_here.notify_all();
    return true;
  }
  check::pause_worker();
  bool nobody_else_comes = false;
  const auto failed = [&] { return grid->error.load() != cudaSuccess; };
  // In a checked run they go on in the order in which they came.
  const auto may_go_on = [&] {
    return meeting->generation != mine && (!check::on || meeting->resumed == before_mine);
  };
  while (!may_go_on() && !failed() && !nobody_else_comes) {
    meeting->all_here.wait_for(lock, std::chrono::milliseconds(20));
    if (meeting->generation != mine || failed()) continue;
    nobody_else_comes = meeting->arrived + meeting->left == meeting->blocks && meeting->left > 0;
    worker.set_stuck(true);
  }
  const uint64_t place_in_queue = check::queue_worker();
  meeting->resumed++;
  if (check::on) meeting->all_here.notify_all();
  lock.unlock();
  check::resume_worker(place_in_queue);
  worker.set_stuck(false);
  return !nobody_else_comes;
}

// The last of the block's threads that comes to the grid's barrier speaks for it; when all blocks
// have one there, everybody goes on.
void grid_barrier(Site site) {
  barrier(site);  // also says what is wrong if the host calls this
  Worker& worker = *this_worker;
  Grid* grid = worker.grid;
  Meeting* meeting = grid->meeting;
  if (meeting == nullptr)
    worker.abort_grid(cudaErrorLaunchFailure, site,
                      "a barrier of the grid in a launch that is not cooperative" + where_in_kernel(),
                      "launch the kernel with cudaLaunchCooperativeKernel()");
  if (thread_in_block() == 0) {
    const bool complete = meet(grid, meeting, worker);
    if (grid->error.load() != cudaSuccess) worker.leave_grid();
    if (!complete)
      worker.abort_grid(
          cudaErrorLaunchFailure, site,
          format("%llu of the %llu blocks of kernel %s wait at the grid's barrier, the others have "
                 "left the kernel",
                 static_cast<unsigned long long>(meeting->arrived),
                 static_cast<unsigned long long>(meeting->blocks), grid->launch->type.name),
          "grid.sync() must be reached by every thread of every block, equally often", "barrier");
  }
  barrier(site);
}

// ---- tiles larger than a warp ----

namespace {

struct TileMeeting {
  unsigned int first, count, arrived = 0;
  uint64_t block;  // which block of the worker's; an older one was left in the middle
  std::vector<uint64_t> values;
};
// Those that are open, and what each thread took part in last. Of one worker.
thread_local std::vector<std::shared_ptr<TileMeeting>> open_tiles;
thread_local std::vector<std::shared_ptr<TileMeeting>> held_tiles;

}  // namespace

const uint64_t* tile_exchange(unsigned int first, unsigned int count, uint64_t value, Site site,
                              bool is_barrier) {
  if (!in_kernel()) {
    explain(site, "an operation of a tile is called by host code");
    exit(EXIT_FAILURE);
  }
  Worker& worker = *this_worker;
  const unsigned int thread = worker.current;
  if (first + count > worker.threads)
    worker.abort_grid(cudaErrorLaunchFailure, site,
                      format("a tile of %u threads in a block of %u", count, worker.threads) +
                          where_in_kernel(),
                      "the block's size must be a multiple of the tile's");
  auto found = std::find_if(open_tiles.begin(), open_tiles.end(), [&](const auto& meeting) {
    return meeting->first == first && meeting->count == count &&
           meeting->block == worker.blocks_begun;
  });
  if (found == open_tiles.end()) {
    if (open_tiles.size() > 2 * kMaxThreads) open_tiles.clear();
    auto meeting = std::make_shared<TileMeeting>();
    meeting->first = first;
    meeting->count = count;
    meeting->block = worker.blocks_begun;
    meeting->values.resize(count);
    found = open_tiles.insert(open_tiles.end(), std::move(meeting));
  }
  held_tiles.resize(kMaxThreads);
  held_tiles[thread] = *found;
  TileMeeting& meeting = *held_tiles[thread];
  meeting.values[thread - first] = value;
  if (++meeting.arrived == count) {
    open_tiles.erase(found);
    if (is_barrier) check::tile_met(worker, first, count);
    for (unsigned int i = first; i < first + count; i++)
      if (i != thread) worker.push_ready(i);
  } else {
    worker.wait(WaitKind::warp, site);
  }
  return meeting.values.data();
}

}  // namespace cpu_device
