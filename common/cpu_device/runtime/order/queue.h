// Streams, and the queue of work that has not run yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "../check/check.h"

namespace cpu_device {

struct Operation;
using OperationPointer = std::shared_ptr<Operation>;

struct Capture;  // see graph.cpp

struct Stream {
  int device;
  bool non_blocking;  // does not wait for the default stream
  OperationPointer last;
  Capture* capture = nullptr;  // what is queued is written into a graph instead
  unsigned timeline = 0;  // see check::Moment
  // Only remembered:
  int priority = 0;
  int policy = -1;  // a cudaSynchronizationPolicy; -1, as on an H200, before one is set
  cudaAccessPolicyWindow window = {};
};

// Of events, and of what only waits.
constexpr const char* kNoWork = "operation";

struct Operation {
  uint64_t id;
  const Stream* stream = nullptr;  // may be destroyed by now: to compare, not to follow
  int device;
  bool is_kernel = false;
  bool done = false;
  bool running = false;  // on another thread, at the same time as the host
  uint64_t waits_before = 0;  // of the host, when this was queued
  const char* what = kNoWork;
  check::Moment moment;
  Site site;
  std::function<cudaError_t()> run;
  std::vector<OperationPointer> after;  // must be done before
  // Bytes of device memory that it accesses: of copies and fills, and none of events.
  struct Range {
    uintptr_t low, high;  // high: exclusive
    bool written;
    size_t pitch = 0, width = 0, rows = 0;  // of rows with gaps: bytes; low and high are the same then
  };
  std::vector<Range> ranges;
  bool ranges_known = false;  // all of them: rows with gaps have an empty one

  bool is_work() const { return is_kernel || what != kNoWork; }
};

// The stream of a handle; null (and the error is explained) if there is none.
Stream* find_stream(cudaStream_t handle, Site site);

// Adds work at the end of the stream.
OperationPointer enqueue(Stream* stream, Site site, std::function<cudaError_t()> run,
                         bool is_kernel = false);
// Records the event after the work that is in the stream now.
OperationPointer record(cudaEvent_t event, Stream* stream, Site site);
// Notes all that a queued copy or fill accesses, and says so if other queued work accesses the
// same bytes and nothing orders the two.
void set_ranges(const OperationPointer& operation, std::vector<Operation::Range> ranges);
// `operation` must not run before `on`, which may be null.
void add_dependency(Operation& operation, const OperationPointer& on);

// Runs the operation and all that it depends on, if that has not happened yet.
void complete(const OperationPointer& operation);
// Runs all that a device has queued; its error, if any. In a checked run a kernel that makes no progress
// may be left unfinished.
cudaError_t synchronize_device(int device, bool to_the_end = true);

// Whether nothing is queued and nothing runs; also false while another thread holds the queues.
bool nothing_is_queued();
// Whether the program has launched a kernel.
bool any_kernel_was_queued();
// Whether work is queued that need not wait for this operation.
bool others_could_run(const Operation& operation);
// True if work runs as soon as it is queued, see include/cpu_device/host_algorithms.h.
bool runs_at_once();
bool host_runs_algorithms();

// From now on, queued work that the calling thread runs does not stop the host, which goes on.
void run_concurrently_with_host();
// Whether a kernel may wait for the host: the host goes on at the same time, and does not wait for it.
bool host_may_act();

}  // namespace cpu_device
