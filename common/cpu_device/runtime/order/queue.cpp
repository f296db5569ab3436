// The queue of work that has not run yet. Asynchronous means late here: launches and asynchronous copies are
// only noted, and run when CUDA's rules let the host see their result. An operation that nothing waits for does not
// run, so a forgotten synchronization shows at once.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>
#include <utility>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "../memory/around_operations.h"
#include "background_start.h"
#include "graph_capture.h"
#include "pending.h"
#include "streams.h"

namespace cpu_device {

std::deque<OperationPointer>& pending() {
  static auto* queue = new std::deque<OperationPointer>;
  return *queue;
}

static bool at_once = false;
bool host_runs_algorithms() { return at_once = true; }
bool runs_at_once() { return at_once; }

// A GPU's queue is finite too: beyond this many entries the oldest run.
static constexpr size_t kMaxPending = 1024;

void add_dependency(Operation& operation, const OperationPointer& on) {
  if (check::on && on != nullptr) check::after(operation, on->moment);
  if (on != nullptr && !on->done) operation.after.push_back(on);
}

static void note_at_exit(int status, void*) {
  stop_background_start();
  if (status != 0) return;
  const Site failed = unnoticed_failure();
  if (failed.file != nullptr && !check::on) {
    fflush(stdout);
    fprintf(stderr,
            "CPU device: the kernel launched at %s:%d failed, and the program ended with exit code 0 without checking for "
            "errors. Do not trust its output after that.\n",
            failed.file, failed.line);
    return;
  }
  for (const OperationPointer& operation : pending()) {
    if (operation->done || operation->running || !operation->is_kernel) continue;
    explain(operation->site,
            "note: this launch never ran, because the program ended without waiting for it",
            "call cudaDeviceSynchronize(), or copy the result, before main() ends.");
    return;
  }
}

bool nothing_is_queued() {
  if (!host_lock().try_lock()) return false;
  const auto& all = pending();
  const bool nothing =
      std::all_of(all.begin(), all.end(), [](const OperationPointer& one) { return one->done; });
  host_lock().unlock();
  return nothing;
}

static bool kernel_was_queued = false;
bool any_kernel_was_queued() { return kernel_was_queued; }

OperationPointer enqueue(Stream* stream, Site site, std::function<cudaError_t()> run,
                         bool is_kernel) {
  static uint64_t next_id = 0;
  kernel_was_queued |= is_kernel;
  if (next_id == 0) on_exit(note_at_exit, nullptr);
  auto operation = std::make_shared<Operation>();
  operation->id = ++next_id;
  operation->stream = stream;
  operation->device = stream->device;
  operation->is_kernel = is_kernel;
  operation->site = site;
  if (stream->capture != nullptr) {
    write_into(stream->capture, stream, site, std::move(run), is_kernel);
    operation->done = true;
    return operation;
  }
  note_queued();
  operation->run = std::move(run);
  operation->waits_before = waits_of_host();
  check::enqueued(*operation, *stream);
  add_dependency(*operation, stream->last);
  StreamsOfDevice& streams = streams_of(stream->device);
  // The default stream waits for the others and they wait for it, unless they asked not to.
  if (stream == &streams.default_stream) {
    for (const Stream* other : streams.created)
      if (!other->non_blocking) add_dependency(*operation, other->last);
    for (const OperationPointer& last : streams.left_behind) add_dependency(*operation, last);
    streams.left_behind.clear();  // what comes later waits for this operation
  } else if (!stream->non_blocking) {
    add_dependency(*operation, streams.default_stream.last);
  }
  stream->last = operation;
  auto& queue = pending();
  queue.push_back(operation);
  while (!queue.empty() && queue.front()->done) queue.pop_front();
  if (queue.size() > kMaxPending && !is_polled(*queue.front())) complete_all({queue.front()});
  if (runs_at_once()) {
    complete_all({operation});
    check::host_waited_for(*operation);
  }
  return operation;
}

// Whether everything `later` waits for contains `earlier`.
static bool waits_for(const Operation& later, const Operation& earlier) {
  std::vector<const Operation*> before{&later};
  std::unordered_set<const Operation*> seen{&later};
  for (size_t i = 0; i < before.size(); i++)
    for (const OperationPointer& next : before[i]->after) {
      if (next.get() == &earlier) return true;
      if (!next->done && seen.insert(next.get()).second) before.push_back(next.get());
    }
  return false;
}

// Whether a range contains at least one of the bytes from `low` to `high`.
static bool has_some(const Operation::Range& range, uintptr_t low, uintptr_t high) {
  if (range.rows == 0) return range.low < high && low < range.high;
  if (high <= range.low) return false;
  const size_t last = std::min<size_t>((high - 1 - range.low) / range.pitch, range.rows - 1);  // row that begins before `high`
  return range.low + last * range.pitch + range.width > low;
}
static bool overlap(const Operation::Range& a, const Operation::Range& b) {
  if (a.rows == 0) return has_some(b, a.low, a.high);
  if (!has_some(b, a.low, a.low + (a.rows - 1) * a.pitch + a.width)) return false;
  for (size_t row = 0; row < a.rows; row++) {
    const uintptr_t low = a.low + row * a.pitch;
    if (has_some(b, low, low + a.width)) return true;
  }
  return false;
}

static bool conflict(const Operation& one, const Operation& other) {
  for (const Operation::Range& a : one.ranges)
    for (const Operation::Range& b : other.ranges)
      if ((a.written || b.written) && overlap(a, b) && (one.device == other.device || !is_device_variable(a.low)))
        return true;
  return false;
}

void set_ranges(const OperationPointer& operation, std::vector<Operation::Range> ranges) {
  operation->ranges = std::move(ranges);
  operation->ranges_known = std::none_of(operation->ranges.begin(), operation->ranges.end(),
                                         [](const Operation::Range& range) { return range.low == range.high; });
  if (check::on || operation->ranges.empty() || !any_stream_exists()) return;  // a checked run also knows what kernels access
  for (const OperationPointer& other : pending()) {
    if (other->stream == operation->stream || other->done || !conflict(*operation, *other))
      continue;
    if (waits_for(*operation, *other)) continue;
    explain(
        operation->site,
        format("note: this %s and the %s in line %d access the same memory in no defined order",
               operation->what, other->what, other->site.line),
        "work in different streams runs in any order. Queue both in one stream, or let cudaStreamWaitEvent() wait for "
        "the other one.");
    return;
  }
}

bool others_could_run(const Operation& operation) {
  std::unordered_set<const Operation*> behind{&operation};
  for (const OperationPointer& other : pending()) {
    if (other->done || other.get() == &operation) continue;
    const bool waits = std::any_of(other->after.begin(), other->after.end(),
                                   [&](const OperationPointer& before) { return behind.count(before.get()) != 0; });
    if (!waits) return true;
    behind.insert(other.get());
  }
  return false;
}

}  // namespace cpu_device
