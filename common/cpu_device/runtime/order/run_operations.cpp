// Runs queued operations in an order that their dependencies allow.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <queue>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/host_time.h"
#include "../execution/dynamic_parallelism.h"
#include "../faults/error_messages.h"
#include "../faults/signals.h"
#include "../memory/around_operations.h"
#include "pending.h"
#include "streams.h"

namespace cpu_device {

// How many waits of the host make polling, see pending.h.
static constexpr uint64_t kWaitsOfPolling = 256;
static uint64_t host_waits = 0;
uint64_t waits_of_host() { return host_waits; }
bool is_polled(const Operation& operation) {
  return host_waits - operation.waits_before >= kWaitsOfPolling;
}

// ---- kernels that run at the same time as the host, which may signal them before they end ----

static thread_local bool concurrent_with_host = false;
static std::atomic<int> running_concurrently{0};
static int device_of_those = 0;  // of all that run so
static std::atomic<int> waiting_hosts{0};
constexpr auto kPollInterval = std::chrono::microseconds(100);

void run_concurrently_with_host() { concurrent_with_host = true; }
bool host_may_act() {
  return check::on ? check::host_may_act() : running_concurrently > 0 && waiting_hosts == 0;
}

// The host waits until the function says that it need not.
template <typename Function>
static void wait_until(const Function& over) {
  waiting_hosts++;
  while (!over()) host_lock().without([] { std::this_thread::sleep_for(kPollInterval); });
  waiting_hosts--;
}

// The operation's own work. Only during this is the host's lock free, and only for kernels.
static cudaError_t run_work(Operation& operation) {
  if (!concurrent_with_host || !operation.is_kernel || check::on) return operation.run();
  cudaError_t error = cudaSuccess;
  operation.running = true;
  device_of_those = operation.device;
  running_concurrently++;
  host_lock().without([&] { error = operation.run(); });
  running_concurrently--;
  operation.running = false;
  return error;
}

static void run_here(Operation& operation);

// In a checked run: while one of these exists, kernels that make no progress are left unfinished, because the
// host does not wait for their end.
static thread_local bool may_leave = false;
class LeaveKernels {
 public:
  explicit LeaveKernels(bool leave) : before_(may_leave) { may_leave = leave; }
  ~LeaveKernels() { may_leave = before_; }
  LeaveKernels(const LeaveKernels&) = delete;
  LeaveKernels& operator=(const LeaveKernels&) = delete;

 private:
  const bool before_;
};

// A copy of a few bytes to the device may be the flag that a kernel of another stream waits for. On a GPU that
// kernel runs by now, so it starts here: if it then waits, the copy is known to be a flag.
static void start_kernels_before(const Operation& copy) {
  static bool beginning = false;
  constexpr uintptr_t kFlagBytes = 16;
  const bool may_be_flag = !copy.ranges.empty() && copy.ranges[0].written &&
                           copy.ranges[0].high - copy.ranges[0].low <= kFlagBytes;
  if (beginning || !may_be_flag) return;
  beginning = true;
  const LeaveKernels leaving(true);
  const std::vector<OperationPointer> all(pending().begin(), pending().end());
  for (const OperationPointer& other : all)
    if (other->id < copy.id && other->is_kernel && !other->done && !other->running) complete_all({other});
  beginning = false;
}

// Afterwards the operation is done, or has been left unfinished.
static void run_now(Operation& operation) {
  if (check::on && check::takes_turns() && !operation.is_kernel) start_kernels_before(operation);
  if (check::on && check::kernel_waits()) check::end_kernels_of_other_devices(operation.device);
  if (check::on && operation.is_kernel &&
      (check::kernel_waits() || (check::takes_turns() && (may_leave || others_could_run(operation))))) {
    check::run_in_turns(operation, !may_leave, [&operation] {
      const OpenDeviceMemory open;
      run_here(operation);
    });
    return;
  }
  if (operation.running) {
    wait_until([&] { return operation.done; });
    return;
  }
  // Variables have one place for all devices, see select_device_variables().
  if (running_concurrently > 0 && device_of_those != operation.device)
    wait_until([] { return running_concurrently == 0; });
  run_here(operation);
}

static void run_here(Operation& operation) {
  thread_local const bool accepts_faults = (accept_faults(), true);
  (void)accepts_faults;
  Device& owner = device(operation.device);
  if (owner.broken == cudaSuccess) {
    select_device_variables(operation.device);
    check::operation_begins(operation);
    cudaError_t error = run_work(operation);
    check::operation_ends(operation);
    if (error == cudaSuccess && operation.is_kernel &&
        red_zones_damaged(operation.site, "this kernel", false))
      error = cudaErrorIllegalAddress;
    if (error != cudaSuccess) {
      owner.broken = error;
      if (operation.is_kernel) note_failure(operation.site);
    }
  }
  if (operation.is_work()) calls::step(operation.device);
  operation.done = true;
  operation.run = nullptr;
  operation.after.clear();
}

// What these operations access, if that is known of all of them.
static std::optional<std::vector<AddressRange>> known_ranges(const std::vector<OperationPointer>& operations) {
  std::vector<AddressRange> all;
  if (check::on) return std::nullopt;  // a copy may let a kernel begin
  for (const OperationPointer& operation : operations) {
    if (!operation->ranges_known) return std::nullopt;
    for (const Operation::Range& range : operation->ranges) all.push_back({range.low, range.high});
  }
  return all;
}

// Of the operations that could be next it takes the one that was queued last, so that an order that the
// program does not enforce is not met by luck. No recursion: a chain may be long.
void complete_all(const std::vector<OperationPointer>& wanted) {
  std::vector<OperationPointer> needed;
  std::unordered_set<Operation*> seen;
  for (const OperationPointer& operation : wanted)
    if (operation != nullptr && !operation->done && seen.insert(operation.get()).second)
      needed.push_back(operation);
  if (needed.empty()) return;
  std::unordered_map<Operation*, std::vector<Operation*>> followers;
  std::unordered_map<Operation*, size_t> waits;
  for (size_t i = 0; i < needed.size(); i++) {
    // By value: needed grows.
    const OperationPointer operation = needed[i];
    for (const OperationPointer& before : operation->after) {
      if (before->done) continue;
      followers[before.get()].push_back(operation.get());
      waits[operation.get()]++;
      if (seen.insert(before.get()).second) needed.push_back(before);
    }
  }
  const auto older = [](const Operation* a, const Operation* b) { return a->id < b->id; };
  std::priority_queue<Operation*, std::vector<Operation*>, decltype(older)> ready(older);
  for (const OperationPointer& operation : needed)
    if (waits[operation.get()] == 0) ready.push(operation.get());
  const OpenDeviceMemory open(known_ranges(needed));
  while (!ready.empty()) {
    Operation* const next = ready.top();
    ready.pop();
    if (!next->done) run_now(*next);
    if (!next->done) continue;
    for (Operation* follower : followers[next])
      if (--waits[follower] == 0) ready.push(follower);
  }
}

cudaError_t synchronize_device(int index, bool to_the_end) {
  const LeaveKernels leaving(!to_the_end);
  const StreamsOfDevice& streams = streams_of(index);
  std::vector<OperationPointer> ends{streams.default_stream.last};
  for (const Stream* stream : streams.created) ends.push_back(stream->last);
  // Operations of streams that were destroyed.
  for (const OperationPointer& operation : pending())
    if (operation->device == index) ends.push_back(operation);
  complete_all(ends);
  for (const OperationPointer& end : ends)
    if (end != nullptr && end->done) check::host_waited_for(*end);
  red_zones_damaged({nullptr, 0}, "host code", true);
  return device(index).broken;
}

// A kernel that has not ended this long after a poll continues at the same time as the host: it may wait for
// what the host does next.
constexpr auto kPatienceOfPoll = std::chrono::milliseconds(300);

static void run_concurrently(const OperationPointer& operation) {
  if (!operation->running) {
    std::thread([operation] {
      run_concurrently_with_host();
      const Guard guard(host_lock());
      const OpenDeviceMemory open;
      if (!operation->done && !operation->running) run_now(*operation);
    }).detach();
  }
  const bool is_new = !operation->running;
  const auto end = host_time() + (is_new ? kPatienceOfPoll : kPollInterval);
  while (!operation->done && host_time() < end)
    host_lock().without([] { std::this_thread::sleep_for(kPollInterval); });
}

cudaError_t poll(const OperationPointer& end) {
  if (end != nullptr && end->done) check::host_waited_for(*end);
  if (end == nullptr || end->done) return cudaSuccess;
  Operation* first = end.get();
  OperationPointer keep = end;
  while (!first->after.empty()) {
    OperationPointer undone;
    for (const OperationPointer& before : first->after)
      if (!before->done) undone = before;
    if (undone == nullptr) break;
    keep = undone;
    first = undone.get();
  }
  if (first->is_kernel && !check::on) {
    run_concurrently(keep);
    return cudaErrorNotReady;
  }
  const OpenDeviceMemory open;
  const LeaveKernels leaving(true);
  run_now(*first);
  return cudaErrorNotReady;
}

// Called when the host has waited for an operation: others that it polls start, and a kernel that was left
// unfinished gets a turn.
static void start_polled_work() {
  host_waits++;
  auto& queue = pending();
  while (!queue.empty() && queue.front()->done) queue.pop_front();
  for (size_t i = 0; i < queue.size(); i++) {
    const OperationPointer operation = queue[i];
    if (operation->done || (operation->running && !check::on)) continue;
    if (!operation->running && !is_polled(*operation)) return;
    poll(operation);
    if (!operation->running) return;
  }
}

void complete(const OperationPointer& operation) {
  if (operation != nullptr && !operation->done) complete_all({operation});
  start_polled_work();
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaDeviceSynchronize() {
  if (in_kernel()) return wait_for_children({nullptr, 0});
  const Guard guard(host_lock());
  calls::note("wait for device %d", current_device());
  return fail(synchronize_device(current_device()));
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
