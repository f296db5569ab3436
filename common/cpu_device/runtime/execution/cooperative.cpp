// Grids, and clusters of blocks, whose blocks are all at work at the same time, each on a worker of
// its own, so that they can meet at a barrier; and the barrier of tiles larger than a warp.
#include "../../include/cooperative_groups.h"
#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_time.h"
#include "../device/lasting.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "engine.h"

#include <condition_variable>
#include <system_error>


namespace cpu_device {

// Where the blocks of one cooperative launch, or of one cluster, meet.
struct Meeting {
  std::mutex mutex;
  std::condition_variable all_here;
  uint64_t blocks = 0;   // that have begun or will
  uint64_t arrived = 0;  // at the barrier
  uint64_t resumed = 0;  // have gone on from the last one
  uint64_t left = 0;     // workers that no longer have a block
  uint64_t generation = 0;
  // Of the blocks of a cluster by their ranks: where the variables of their workers are. Those of a
  // block's shared memory have the same distance from there on each worker.
  std::atomic<char*> variables[kMaxBlocksOfCluster] = {};
};

void run_cooperatively(Grid* grid) {
  Meeting meeting;
  meeting.blocks = grid->blocks;
  grid->meeting = &meeting;
  grid->workers = static_cast<int>(grid->blocks);  // pieces of one block
  const auto work = [grid, &meeting] {
    work_on_this_thread(grid);
    std::unique_lock<std::mutex> lock(meeting.mutex);
    meeting.left++;
    meeting.all_here.notify_all();
    // Others of a cluster may follow pointers to what this block had in shared memory, by mistake: it stays.
    while (meeting.left < meeting.blocks && grid->error.load() == cudaSuccess)
      meeting.all_here.wait_until(lock, host_time() + std::chrono::milliseconds(20));
  };
  std::vector<std::thread> threads;
  try {
    for (uint64_t i = 0; i < grid->blocks; i++) threads.emplace_back(work);
  } catch (const std::system_error&) {
    grid->fail(cudaErrorCooperativeLaunchTooLarge,
               failure_at(grid->launch->site,
                          format("the system cannot create a thread for each of the %llu blocks of this "
                                 "cooperative launch",
                                 static_cast<unsigned long long>(grid->blocks)),
                          "use fewer and larger blocks."));
    meeting.all_here.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  grid->meeting = nullptr;
}

void run_clusters(Grid* grid) {
  const dim3& size = grid->launch->cluster;
  const uint64_t blocks = size.x * size.y * size.z, clusters = grid->blocks / blocks;
  for (uint64_t i = 0; i < clusters && grid->error.load() == cudaSuccess; i++) {
    Grid part;
    part.launch = grid->launch;
    part.number = grid->number;
    part.blocks = blocks;
    part.cluster = settings().order == Order::forward ? i : clusters - 1 - i;
    check::cluster_begins();
    run_cooperatively(&part);
    check::cluster_ends();
    grid->error = part.error.load();
    grid->failure = std::move(part.failure);
    grid->children.insert(grid->children.end(), part.children.begin(), part.children.end());
  }
}

// Any variable of this worker's does.
static char* own_variables() { return reinterpret_cast<char*>(&this_worker); }

Index begin_block_of_cluster(Grid* grid, unsigned rank) {
  const dim3 &size = grid->launch->cluster, &all = grid->launch->grid;
  grid->meeting->variables[rank] = own_variables();
  const uint64_t wide = all.x / size.x, high = all.y / size.y, at = grid->cluster;
  return {static_cast<unsigned>(at % wide * size.x + rank % size.x),
          static_cast<unsigned>(at / wide % high * size.y + rank / size.x % size.y),
          static_cast<unsigned>(at / wide / high * size.z + rank / size.x / size.y)};
}

dim3 cluster_size() { return in_kernel() ? this_worker->grid->launch->cluster : dim3{1, 1, 1}; }

void* address_in_cluster(const void* address, unsigned rank, Site site) {
  const dim3 size = cluster_size();
  const unsigned blocks = size.x * size.y * size.z;
  char* own = static_cast<char*>(const_cast<void*>(address));
  if (in_kernel() && rank >= blocks)
    this_worker->abort_grid(cudaErrorIllegalAddress, site,
                            format("block %u does not exist in a cluster of %u blocks,", rank, blocks) +
                                where_in_kernel(),
                            "use a rank from 0 to num_blocks() - 1.");
  if (blocks == 1) return own;
  Meeting* meeting = this_worker->grid->meeting;
  char* there = nullptr;  // until the block has begun, which it does
  while ((there = meeting->variables[rank]) == nullptr) {
    check::let_other_workers_run();
    std::this_thread::yield();
  }
  return there + (own - own_variables());
}

bool grid_is_cooperative() { return in_kernel() && this_worker->grid->launch->cooperative; }

// The block waits for the others; false if some of them never come.
static bool meet(Grid* grid, Meeting* meeting, Worker& worker, bool in_halves) {
  std::unique_lock<std::mutex> lock(meeting->mutex);
  const uint64_t mine = meeting->generation, before_mine = meeting->arrived++;
  if (meeting->arrived == meeting->blocks) {
    meeting->arrived = meeting->resumed = 0;
    meeting->generation++;
    cpu_device_changes++;
    if (grid->launch->cooperative)
      check::grid_met(worker);
    else
      check::cluster_met(in_halves);
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
    meeting->all_here.wait_until(lock, host_time() + std::chrono::milliseconds(20));
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

// One of the block's threads speaks for it at the barrier of the `group`; when all blocks have one
// there, everybody goes on.
static void barrier_of_blocks(const char* group, Site site, bool in_halves = false) {
  Worker& worker = *this_worker;
  Grid* grid = worker.grid;
  Meeting* meeting = grid->meeting;
  if (thread_in_block() == 0) {
    const bool complete = meet(grid, meeting, worker, in_halves);
    if (grid->error.load() != cudaSuccess) worker.leave_grid();
    if (!complete)
      worker.abort_grid(
          cudaErrorLaunchFailure, site,
          format("divergent %s.sync() in kernel %s: %llu of %llu blocks wait, the others have left the kernel", group,
                 grid->launch->type.name, static_cast<unsigned long long>(meeting->arrived),
                 static_cast<unsigned long long>(meeting->blocks)),
          format("all threads of all blocks must call %s.sync() the same number of times. Move it out of the branches.", group),
          "barrier");
  }
  if (in_halves) check::wait_in_cluster();
  barrier(site);
}

void grid_barrier(Site site) {
  barrier(site);  // also says what is wrong if the host calls this
  if (!grid_is_cooperative())
    this_worker->abort_grid(
        cudaErrorLaunchFailure, site,
        "grid.sync() in a launch that is not cooperative," + where_in_kernel(),
        "launch the kernel with cudaLaunchCooperativeKernel().");
  barrier_of_blocks("grid", site);
}

void cluster_barrier(Site site) {
  barrier(site);
  const dim3& size = this_worker->grid->launch->cluster;
  if (size.x * size.y * size.z > 1) barrier_of_blocks("cluster", site);
}

void cluster_arrive() {
  if (in_kernel()) check::cluster_arrived();
}

void cluster_wait(Site site) {
  check::wait_in_cluster();
  barrier(site);
  const dim3& size = this_worker->grid->launch->cluster;
  if (size.x * size.y * size.z > 1) barrier_of_blocks("cluster", site, true);
}

// ---- tiles larger than a warp ----

namespace {

struct TileMeeting {
  unsigned int first, count, arrived = 0;
  uint64_t block;  // which block of the worker's; an older one was left in the middle
  std::vector<uint64_t> values;
};
// Those that are open, and what each thread took part in last. Of one worker.
thread_local OfThread<std::vector<std::shared_ptr<TileMeeting>>> open_tiles;
thread_local OfThread<std::vector<std::shared_ptr<TileMeeting>>> held_tiles;

}  // namespace

const uint64_t* tile_exchange(unsigned int first, unsigned int count, uint64_t value, Site site,
                              bool is_barrier) {
  if (!in_kernel()) {
    explain(site, "host code calls an operation of a tile");
    exit(EXIT_FAILURE);
  }
  Worker& worker = *this_worker;
  const unsigned int thread = worker.current;
  if (first + count > worker.threads)
    worker.abort_grid(cudaErrorLaunchFailure, site,
                      format("a tile of %u threads does not fit a block of %u threads,", count, worker.threads) +
                          where_in_kernel(),
                      "choose a block size that is a multiple of the tile size.");
  auto found = std::find_if(open_tiles->begin(), open_tiles->end(), [&](const auto& meeting) {
    return meeting->first == first && meeting->count == count &&
           meeting->block == worker.blocks_begun;
  });
  if (found == open_tiles->end()) {
    if (open_tiles->size() > 2 * kMaxThreads) open_tiles->clear();
    auto meeting = std::make_shared<TileMeeting>();
    meeting->first = first;
    meeting->count = count;
    meeting->block = worker.blocks_begun;
    meeting->values.resize(count);
    found = open_tiles->insert(open_tiles->end(), std::move(meeting));
  }
  held_tiles->resize(kMaxThreads);
  (*held_tiles)[thread] = *found;
  TileMeeting& meeting = *(*held_tiles)[thread];
  meeting.values[thread - first] = value;
  if (++meeting.arrived == count) {
    open_tiles->erase(found);
    if (is_barrier) check::tile_met(worker, first, count);
    for (unsigned int i = first; i < first + count; i++)
      if (i != thread) worker.push_ready(i);
  } else {
    worker.wait(WaitKind::warp, site);
  }
  return meeting.values.data();
}

}  // namespace cpu_device
