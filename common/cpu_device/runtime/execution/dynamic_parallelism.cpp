// Launches by kernels. A child runs after its parent, as late as CUDA allows. If the parent waits for its
// children (cudaDeviceSynchronize() in a kernel, which CUDA had until version 12), they run on a thread of
// their own.
#include <algorithm>
#include <thread>

#include "../check/check.h"
#include "../faults/error_messages.h"
#include "dynamic_parallelism.h"
#include "engine.h"
#include "launch.h"

namespace cpu_device {

// CUDA's limit on launches within launches.
static constexpr int kMaxDepth = 24;

void launch_from_kernel(std::shared_ptr<Launch> child) {
  check::forbid_schedules();
  Worker& worker = *this_worker;
  child->depth = worker.grid->launch->depth + 1;
  child->device = worker.grid->launch->device;
  const Index at = block_index();
  const dim3 grid = worker.grid->launch->grid;
  child->launching_block = at.x + uint64_t(grid.x) * (at.y + uint64_t(grid.y) * at.z);
  if (child->depth > kMaxDepth)
    worker.abort_grid(cudaErrorLaunchMaxDepthExceeded, child->site,
                      format("kernels launch kernels %d levels deep: %s", child->depth, child->type.name),
                      "let the recursion of launches end.");
  const std::lock_guard<std::mutex> guard(worker.grid->children_lock);
  check::kernel_launches(child.get());
  worker.grid->children.push_back(std::move(child));
}

static std::vector<std::shared_ptr<Launch>> take_children(Grid* grid) {
  const std::lock_guard<std::mutex> guard(grid->children_lock);
  std::vector<std::shared_ptr<Launch>> taken;
  taken.swap(grid->children);
  return taken;
}

// The tails come after all others, and after what those have launched.
cudaError_t run_children(Grid* grid) {
  auto children = take_children(grid);
  if (children.empty()) return cudaSuccess;
  std::stable_partition(children.begin(), children.end(), [](const auto& child) { return !child->is_tail; });
  cudaError_t error = cudaSuccess;
  check::children_begin();
  for (const auto& child : children) {
    if (error != cudaSuccess) break;
    check::child_begins(*child);
    error = run_grid(*child);
    check::child_ends(*child);
  }
  check::children_end();
  return error;
}

cudaError_t wait_for_children(Site site) {
  Worker& worker = *this_worker;
  if (check::on)
    worker.abort_grid(cudaErrorNotSupported, site,
                      "a checked run does not support cudaDeviceSynchronize()" + where_in_kernel(),
                      "CUDA 12 removed this call. Put the code that needs the children's results into a kernel that is "
                      "launched after them, in the same stream or in cudaStreamTailLaunch.");
  cudaError_t error = cudaSuccess;
  std::thread([&] {
    for (const auto& child : take_children(worker.grid))
      if (error == cudaSuccess) error = run_grid(*child, true);
  }).join();
  cpu_device_changes++;
  if (error != cudaSuccess)
    worker.abort_grid(error, site, "the child kernel launched" + where_in_kernel() + " failed");
  return cudaSuccess;
}

}  // namespace cpu_device
