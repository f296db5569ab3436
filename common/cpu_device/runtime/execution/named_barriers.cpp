// The 16 barriers of a block that PTX knows by their numbers: bar.sync and bar.arrive, for the block or a part of it.
// Each counts the threads that come, until as many are there as they say; then those in bar.sync go on.
#include "../check/check.h"
#include "../device/device.h"
#include "../faults/error_messages.h"
#include "engine.h"

namespace cpu_device {

namespace {

struct PartBarrier {
  unsigned expected = 0, arrived = 0;
  unsigned waiting = 0;
  uint16_t who[kMaxThreads];  // of those that wait
};
constexpr unsigned kBarriers = 16;
struct PartBarriers {
  uint64_t block = 0;  // which one of the worker's; an older one may have left them in the middle
  PartBarrier all[kBarriers];
};
thread_local PartBarriers* of_this_worker = nullptr;

PartBarriers& barriers_of(const Worker& worker) {
  if (of_this_worker == nullptr) of_this_worker = new PartBarriers;  // never destroyed: others may be in a kernel
  if (of_this_worker->block != worker.blocks_begun) {
    of_this_worker->block = worker.blocks_begun;
    for (PartBarrier& one : of_this_worker->all) one.arrived = one.waiting = 0;
  }
  return *of_this_worker;
}

void refuse_wrong_count(Worker& worker, const PartBarrier& it, unsigned number, unsigned count, Site site) {
  const unsigned whole = (worker.threads + 31) / 32 * 32;
  const char* const title = "invalid barrier for part of the block: ";
  if (number >= kBarriers)
    worker.abort_grid(cudaErrorIllegalInstruction, site,
                      title + format("its number is %u,", number) + where_in_kernel(),
                      "use a number from 0 to 15.", "barrier");
  if (count % 32 != 0 || count > whole)
    worker.abort_grid(cudaErrorIllegalInstruction, site,
                      title + format("it names %u threads of a block of %u,", count, worker.threads) + where_in_kernel(),
                      "name a multiple of 32 threads, and no more than the block has.", "barrier");
  if (it.arrived > 0 && it.expected != count)
    worker.abort_grid(cudaErrorIllegalInstruction, site,
                      title + format("it names %u threads, but others wait at barrier %u with %u,", count, number,
                                     it.expected) +
                          where_in_kernel(),
                      "name the same number of threads in every bar.sync and bar.arrive of a barrier.", "barrier");
}

}  // namespace

void part_barrier(unsigned int number, unsigned int count, bool waits, Site site) {
  if (!in_kernel()) {
    explain(site, "host code calls a barrier of a block");
    exit(EXIT_FAILURE);
  }
  Worker& worker = *this_worker;
  const unsigned whole = (worker.threads + 31) / 32 * 32;
  if (count == 0) count = whole;
  if (number == 0 && waits && count == whole) return barrier(site);  // as __syncthreads()
  PartBarriers& barriers = barriers_of(worker);
  PartBarrier& it = barriers.all[number % kBarriers];
  refuse_wrong_count(worker, it, number, count, site);
  check::part_arrives(number, it.arrived == 0);
  it.expected = count;
  // Threads that the last warp lacks count as if they were there.
  it.arrived += worker.current + 1 == worker.threads ? 1 + whole - worker.threads : 1;
  if (waits) it.who[it.waiting++] = static_cast<uint16_t>(worker.current);
  if (it.arrived < count) {
    if (waits) worker.wait(WaitKind::part, site);
    return;
  }
  check::part_passes(number, it.who, it.waiting);
  cpu_device_changes++;
  for (unsigned i = 0; i < it.waiting; i++)
    if (it.who[i] != worker.current) worker.push_ready(it.who[i]);
  it.arrived = it.waiting = 0;
}

}  // namespace cpu_device
