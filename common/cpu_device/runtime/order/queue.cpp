// Streams, events, and the queue of work that waits. Asynchronous means late here: launches and
// asynchronous copies are only noted down, and run when CUDA's rules say that somebody must see
// their result. What is not asked for does not run, so a forgotten synchronization shows at once.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../execution/dynamic_parallelism.h"
#include "../faults/error_messages.h"
#include "../faults/signals.h"
#include "../memory/around_operations.h"
#include "background_start.h"
#include "graph_capture.h"
#include "queue.h"

struct CUevent_st {
  int device;
  bool timed;
  cpu_device::OperationPointer recorded;
  std::chrono::steady_clock::time_point time;
};

namespace cpu_device {

// The streams of a device.
struct StreamsOfDevice {
  Stream default_stream;
  std::vector<Stream*> created;  // by the program
};
static StreamsOfDevice& streams_of(int device) {
  static auto* all = [] {
    auto* of_each = new std::vector<StreamsOfDevice>(static_cast<size_t>(std::max(1, settings().devices)));
    for (size_t i = 0; i < of_each->size(); i++)
      (*of_each)[i].default_stream = {static_cast<int>(i), false, nullptr};
    return of_each;
  }();
  return (*all)[static_cast<size_t>(device)];
}

// All that has not run yet, oldest first; entries that are done are dropped when they come to the
// front.
static std::deque<OperationPointer>& pending() {
  static auto* queue = new std::deque<OperationPointer>;
  return *queue;
}
static std::set<Stream*>& live_streams() {
  static auto* streams = new std::set<Stream*>;
  return *streams;
}
static std::set<cudaEvent_t>& live_events() {
  static auto* events = new std::set<cudaEvent_t>;
  return *events;
}

static bool at_once = false;
bool host_runs_algorithms() { return at_once = true; }
bool runs_at_once() { return at_once; }

// A GPU's queue is finite too: beyond this many entries the oldest run.
static constexpr size_t kMaxPending = 1024;

// A host that waits so often, and never for what has been queued long before, polls: it copies a flag again
// and again, say. A GPU has begun that work by then.
static constexpr uint64_t kWaitsOfPolling = 256;
static uint64_t host_waits = 0;
static bool host_polls_beside(const Operation& operation) {
  return host_waits - operation.waits_before >= kWaitsOfPolling;
}
static void force_all(const std::vector<OperationPointer>& wanted);

// A stream of this thread of the host, on the current device, like one that it had created.
static Stream* stream_of_thread() {
  static thread_local std::map<int, Stream*> mine;
  Stream*& stream = mine[current_device()];
  if (live_streams().count(stream) == 0) {
    stream = new Stream{current_device(), false, nullptr};
    streams_of(stream->device).created.push_back(stream);
    live_streams().insert(stream);
  }
  return stream;
}

Stream* find_stream(cudaStream_t handle, Site site) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &streams_of(current_device()).default_stream;
  if (handle == cudaStreamPerThread) return stream_of_thread();
  Stream* stream = reinterpret_cast<Stream*>(handle);
  if (live_streams().count(stream) != 0) return stream;
  fail(cudaErrorInvalidResourceHandle, site,
       "this is not a stream: it was never created, or has been destroyed");
  return nullptr;
}

void know_stream(Stream* stream) { live_streams().insert(stream); }
void forget_stream(Stream* stream) { live_streams().erase(stream); }

void add_dependency(Operation& operation, const OperationPointer& on) {
  if (check::on && on != nullptr) check::after(operation, on->moment);
  if (on != nullptr && !on->done) operation.after.push_back(on);
}

static void note_at_exit(int status, void*) {
  stop_starting();
  if (status != 0) return;
  const Site failed = unnoticed_failure();
  if (failed.file != nullptr && !check::on) {
    fflush(stdout);
    fprintf(stderr,
            "CPU device: the kernel launched at %s:%d failed, and the program ends with exit code "
            "0 without "
            "having asked: what it printed since counts for nothing\n",
            failed.file, failed.line);
    return;
  }
  for (const OperationPointer& operation : pending()) {
    if (operation->done || operation->running || !operation->is_kernel) continue;
    explain(operation->site,
            "note: this launch never ran, because the program ended without waiting "
            "for it",
            "call cudaDeviceSynchronize(), or copy the result, before main() ends");
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

OperationPointer enqueue(Stream* stream, Site site, std::function<cudaError_t()> run,
                         bool is_kernel) {
  static uint64_t next_id = 0;
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
  operation->waits_before = host_waits;
  check::enqueued(*operation, *stream);
  add_dependency(*operation, stream->last);
  StreamsOfDevice& streams = streams_of(stream->device);
  // The default stream waits for the others and they wait for it, unless they asked not to.
  if (stream == &streams.default_stream) {
    for (const Stream* other : streams.created)
      if (!other->non_blocking) add_dependency(*operation, other->last);
  } else if (!stream->non_blocking) {
    add_dependency(*operation, streams.default_stream.last);
  }
  stream->last = operation;
  auto& queue = pending();
  queue.push_back(operation);
  while (!queue.empty() && queue.front()->done) queue.pop_front();
  if (queue.size() > kMaxPending && !host_polls_beside(*queue.front())) force_all({queue.front()});
  if (runs_at_once()) {
    force_all({operation});
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

static bool conflict(const Operation& one, const Operation& other) {
  for (const Operation::Range& a : one.ranges)
    for (const Operation::Range& b : other.ranges)
      if ((a.written || b.written) && a.low < b.high && b.low < a.high) return true;
  return false;
}

void set_ranges(const OperationPointer& operation, std::vector<Operation::Range> ranges) {
  operation->ranges = std::move(ranges);
  if (check::on || live_streams().empty()) return;  // a checked run knows what kernels touch, too
  for (const OperationPointer& other : pending()) {
    if (other->stream == operation->stream || other->done || !conflict(*operation, *other))
      continue;
    if (waits_for(*operation, *other)) continue;
    explain(
        operation->site,
        format("note: this %s and the %s in line %d use the same bytes, and nothing orders them: "
               "the result is right only if they happen to run in the right order",
               operation->what, other->what, other->site.line),
        "queue both in one stream, or let cudaStreamWaitEvent() wait for the other");
    return;
  }
}

// ---- kernels that run beside the host, which may have to tell them something before they end ----

static thread_local bool beside_host = false;
static std::atomic<int> running_beside{0};
static int device_beside = 0;  // of all that run so
static std::atomic<int> waiting_hosts{0};
constexpr auto kBetweenLooks = std::chrono::microseconds(100);

void run_beside_host() { beside_host = true; }
bool host_may_act() {
  return check::on ? check::host_may_act() : running_beside > 0 && waiting_hosts == 0;
}

// The host waits until the function says that it need not.
template <typename Function>
static void wait_until(const Function& over) {
  waiting_hosts++;
  while (!over()) host_lock().without([] { std::this_thread::sleep_for(kBetweenLooks); });
  waiting_hosts--;
}

// The operation's own work. Only of this is the host's lock free, and only for kernels.
static cudaError_t run_work(Operation& operation) {
  if (!beside_host || !operation.is_kernel || check::on) return operation.run();
  cudaError_t error = cudaSuccess;
  operation.running = true;
  device_beside = operation.device;
  running_beside++;
  host_lock().without([&] { error = operation.run(); });
  running_beside--;
  operation.running = false;
  return error;
}

static void run_here(Operation& operation);

// In a checked run: kernels that get nowhere are left, because the host has not asked for their end.
static thread_local bool may_leave = false;
class Leaving {
 public:
  explicit Leaving(bool leave) : before_(may_leave) { may_leave = leave; }
  ~Leaving() { may_leave = before_; }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  const bool before_;
};

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

// A copy of a few bytes to the device may be what a kernel of another stream waits for. On a GPU that kernel
// is at work by now, so it is here: only if it is seen waiting, the copy is known to be a flag.
static void begin_kernels_before(const Operation& copy) {
  static bool beginning = false;
  constexpr uintptr_t kFlagBytes = 16;
  const bool may_be_flag = !copy.ranges.empty() && copy.ranges[0].written &&
                           copy.ranges[0].high - copy.ranges[0].low <= kFlagBytes;
  if (beginning || !may_be_flag) return;
  beginning = true;
  const Leaving leaving(true);
  const std::vector<OperationPointer> all(pending().begin(), pending().end());
  for (const OperationPointer& other : all)
    if (other->id < copy.id && other->is_kernel && !other->done && !other->running) force_all({other});
  beginning = false;
}

// Afterwards it is done, or has been left.
static void run_now(Operation& operation) {
  if (check::on && check::takes_turns() && !operation.is_kernel) begin_kernels_before(operation);
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
  if (running_beside > 0 && device_beside != operation.device)
    wait_until([] { return running_beside == 0; });
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
  operation.done = true;
  operation.run = nullptr;
  operation.after.clear();
}

// Runs these and everything that they need. Of the operations that could be next it takes the one
// that was queued last, so that an order nobody asked for is not met by luck. No recursion: a chain
// may be long.
static void force_all(const std::vector<OperationPointer>& wanted) {
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
  const OpenDeviceMemory open;
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
  const Leaving leaving(!to_the_end);
  const StreamsOfDevice& streams = streams_of(index);
  std::vector<OperationPointer> ends{streams.default_stream.last};
  for (const Stream* stream : streams.created) ends.push_back(stream->last);
  // What destroyed streams left behind.
  for (const OperationPointer& operation : pending())
    if (operation->device == index) ends.push_back(operation);
  force_all(ends);
  for (const OperationPointer& end : ends)
    if (end != nullptr && end->done) check::host_waited_for(*end);
  red_zones_damaged({nullptr, 0}, "host code", true);
  return device(index).broken;
}

// A query must not wait; so that a loop of queries comes to an end, each runs one step. A kernel that has
// not ended after this time runs on beside the host: it may wait for what the host does next.
constexpr auto kPatienceOfQuery = std::chrono::milliseconds(300);

static void run_beside(const OperationPointer& operation) {
  if (!operation->running) {
    std::thread([operation] {
      run_beside_host();
      const Guard guard(host_lock());
      const OpenDeviceMemory open;
      if (!operation->done && !operation->running) run_now(*operation);
    }).detach();
  }
  const bool is_new = !operation->running;
  const auto end = std::chrono::steady_clock::now() + (is_new ? kPatienceOfQuery : kBetweenLooks);
  while (!operation->done && std::chrono::steady_clock::now() < end)
    host_lock().without([] { std::this_thread::sleep_for(kBetweenLooks); });
}

static cudaError_t query(const OperationPointer& end) {
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
    run_beside(keep);
    return cudaErrorNotReady;
  }
  const OpenDeviceMemory open;
  const Leaving leaving(true);
  run_now(*first);
  return cudaErrorNotReady;
}

// Called when the host has waited for something: what it polls by waiting for other things begins, and a
// kernel that has been left gets a turn.
static void begin_what_is_polled() {
  host_waits++;
  auto& queue = pending();
  while (!queue.empty() && queue.front()->done) queue.pop_front();
  for (size_t i = 0; i < queue.size(); i++) {
    const OperationPointer operation = queue[i];
    if (operation->done || (operation->running && !check::on)) continue;
    if (!operation->running && !host_polls_beside(*operation)) return;
    query(operation);
    if (!operation->running) return;
  }
}

void force(const OperationPointer& operation) {
  if (operation != nullptr && !operation->done) force_all({operation});
  begin_what_is_polled();
}

static bool check_event(cudaEvent_t event, Site site) {
  if (event != nullptr && live_events().count(event) != 0) return true;
  fail(cudaErrorInvalidResourceHandle, site,
       "this is not an event: it was never created, or has been destroyed");
  return false;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaDeviceSynchronize() {
  if (in_kernel()) return wait_for_children({nullptr, 0});
  const Guard guard(host_lock());
  return fail(synchronize_device(current_device()));
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

// ---- streams ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, Site site) {
  if (in_kernel()) {  // children run one after the other, in whatever stream
    *stream = nullptr;
    return cudaSuccess;
  }
  const Guard guard(host_lock());
  if (stream == nullptr || flags > cudaStreamNonBlocking)
    return fail(cudaErrorInvalidValue, site, "cudaStreamCreate: a null pointer or unknown flags");
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  Stream* created = new Stream{current_device(), flags == cudaStreamNonBlocking, nullptr};
  streams_of(created->device).created.push_back(created);
  live_streams().insert(created);
  *stream = reinterpret_cast<cudaStream_t>(created);
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream, Site site) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault, site);
}
// As an H200's: it runs nothing earlier here, but programs print it, and compare.
static constexpr int kGreatestPriority = -5;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority,
                                         Site site) {
  const cudaError_t error = cudaStreamCreateWithFlags(stream, flags, site);
  if (error == cudaSuccess && !in_kernel())
    reinterpret_cast<Stream*>(*stream)->priority = std::clamp(priority, kGreatestPriority, 0);
  return error;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return cudaSuccess;
}

// Gives `value(stream)`.
template <typename T, typename Value>
static cudaError_t ask_stream(cudaStream_t handle, T* result, Site site, const Value& value) {
  const Guard guard(host_lock());
  const Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (result == nullptr) return fail(cudaErrorInvalidValue);
  *result = static_cast<T>(value(*stream));
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, Site site) {
  return ask_stream(stream, flags, site, [](const Stream& it) {
    return it.non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, Site site) {
  return ask_stream(stream, priority, site, [](const Stream& it) { return it.priority; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, Site site) {
  return ask_stream(stream, device, site, [](const Stream& it) { return it.device; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id, Site site) {
  return ask_stream(stream, id, site,
                    [](const Stream& it) { return reinterpret_cast<uintptr_t>(&it); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle, Site site) {
  if (in_kernel()) return cudaSuccess;
  const Guard guard(host_lock());
  if (handle == nullptr)
    return fail(cudaErrorInvalidResourceHandle, site, "the default stream cannot be destroyed");
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  // Its work still runs, as late as ever: it stays in the queue.
  check::stream_destroyed(*stream, site);
  auto& streams = streams_of(stream->device).created;
  streams.erase(std::remove(streams.begin(), streams.end(), stream), streams.end());
  live_streams().erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr)
    return fail(cudaErrorStreamCaptureUnsupported, site,
                "a stream that is being captured cannot be waited for",
                "cudaStreamEndCapture(), cudaGraphInstantiate() and cudaGraphLaunch() first");
  const int owner = stream->device;
  force(stream->last);
  if (stream->last != nullptr) check::host_waited_for(*stream->last);
  return fail(device(owner).broken);
}

cudaError_t cudaStreamQuery(cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t state = query(stream->last);
  const cudaError_t broken = device(stream->device).broken;
  return broken != cudaSuccess ? fail(broken) : state;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr || !check_event(event, site)) return cudaErrorInvalidResourceHandle;
  if (wait_for_captured_event(event, stream)) return cudaSuccess;
  check::waits_for_event(event->recorded != nullptr, "the stream", site);
  if (event->recorded == nullptr || (event->recorded->done && !check::on)) return cudaSuccess;
  const OperationPointer wait = enqueue(stream, site, [] { return cudaSuccess; });
  if (check::on) check::after(*wait, event->recorded->moment);
  if (!wait->done && !event->recorded->done) wait->after.push_back(event->recorded);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, void (*function)(void*), void* data,
                               Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  note_host_function();
  const OperationPointer operation = enqueue(stream, site, [=] {
    function(data);
    return cudaSuccess;
  });
  operation->what = "host function";
  check::host_function(data, *operation);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data,
                                  unsigned int, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  note_host_function();
  const OperationPointer operation = enqueue(stream, site, [=] {
    callback(handle, cudaSuccess, data);
    return cudaSuccess;
  });
  operation->what = "callback";
  check::host_function(data, *operation);
  return cudaSuccess;
}

// ---- events ----

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (event == nullptr) return fail(cudaErrorInvalidValue, site, "cudaEventCreate: a null pointer");
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  *event = new CUevent_st{current_device(), (flags & cudaEventDisableTiming) == 0, nullptr, {}};
  live_events().insert(*event);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event, Site site) {
  return cudaEventCreateWithFlags(event, cudaEventDefault, site);
}
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags, Site site) {
  return cudaEventCreateWithFlags(event, flags, site);
}

cudaError_t cudaEventDestroy(cudaEvent_t event, Site site) {
  const Guard guard(host_lock());
  if (!check_event(event, site)) return cudaErrorInvalidResourceHandle;
  live_events().erase(event);
  forget_captured_event(event);
  // The queue may still hold work that sets its time.
  if (event->recorded == nullptr || event->recorded->done)
    delete event;
  else
    event->recorded->run = [event] {
      delete event;
      return cudaSuccess;
    };
  return cudaSuccess;
}

OperationPointer cpu_device::record(cudaEvent_t event, Stream* stream, Site site) {
  if (event->recorded != nullptr && !event->recorded->done)
    event->recorded->run = [] { return cudaSuccess; };  // recorded anew: the old time is not wanted
  event->recorded = enqueue(stream, site, [event] {
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
  return event->recorded;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr || !check_event(event, site)) return cudaErrorInvalidResourceHandle;
  if (stream->device != event->device)
    return fail(cudaErrorInvalidResourceHandle, site,
                "the event and the stream belong to different devices",
                "create both after cudaSetDevice() has chosen the device");
  if (stream->capture != nullptr) {
    capture_event(event, stream);
    return cudaSuccess;
  }
  forget_captured_event(event);
  record(event, stream, site);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event, Site site) {
  const Guard guard(host_lock());
  if (!check_event(event, site)) return cudaErrorInvalidResourceHandle;
  check::waits_for_event(event->recorded != nullptr, "the host", site);
  force(event->recorded);
  if (event->recorded != nullptr) check::host_waited_for(*event->recorded);
  return fail(device(event->device).broken);
}

cudaError_t cudaEventQuery(cudaEvent_t event, Site site) {
  const Guard guard(host_lock());
  if (!check_event(event, site)) return cudaErrorInvalidResourceHandle;
  const cudaError_t state = query(event->recorded);
  const cudaError_t broken = device(event->device).broken;
  return broken != cudaSuccess ? fail(broken) : state;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop, Site site) {
  const Guard guard(host_lock());
  if (!check_event(start, site) || !check_event(stop, site)) return cudaErrorInvalidResourceHandle;
  if (start->recorded == nullptr || stop->recorded == nullptr || !start->timed || !stop->timed)
    return fail(
        cudaErrorInvalidResourceHandle, site,
        start->timed && stop->timed ? "the time between events of which one was never recorded"
                                    : "the time between events of which one takes no time",
        "cudaEventRecord() both, and create them without cudaEventDisableTiming", "call-order");
  if (!start->recorded->done || !stop->recorded->done)
    return fail(cudaErrorNotReady, site, "the time is asked for before the event has happened",
                "cudaEventSynchronize(stop) before cudaEventElapsedTime()", "call-order");
  const cudaError_t broken = device(stop->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}
