// Streams: what programs create, wait for and poll, and host functions in them.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <set>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/lasting.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "background_start.h"
#include "graph_capture.h"
#include "pending.h"
#include "streams.h"

namespace cpu_device {

StreamsOfDevice& streams_of(int device) {
  static auto* all = [] {
    auto* of_each = new std::vector<StreamsOfDevice>(static_cast<size_t>(std::max(1, settings().devices)));
    for (size_t i = 0; i < of_each->size(); i++)
      (*of_each)[i].default_stream = {static_cast<int>(i), false, nullptr};
    return of_each;
  }();
  return (*all)[static_cast<size_t>(device)];
}

static std::set<Stream*>& live_streams() {
  static auto* streams = new std::set<Stream*>;
  return *streams;
}
bool any_stream_exists() { return !live_streams().empty(); }

// The stream of this host thread on the current device. It behaves like one that the program created.
static Stream* stream_of_thread() {
  static thread_local OfThread<std::map<int, Stream*>> mine;
  Stream*& stream = (*mine)[current_device()];
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
       "not a stream: it was never created, or was already destroyed");
  return nullptr;
}

void register_stream(Stream* stream) { live_streams().insert(stream); }
void unregister_stream(Stream* stream) { live_streams().erase(stream); }

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, Site site) {
  if (in_kernel()) {  // children run one after the other, in whatever stream; a checked run tells streams apart
    static std::atomic<uintptr_t> made{0};
    *stream = check::on ? reinterpret_cast<cudaStream_t>(++made << 12) : nullptr;
    return cudaSuccess;
  }
  const Guard guard(host_lock());
  if (stream == nullptr || flags > cudaStreamNonBlocking)
    return fail(cudaErrorInvalidValue, site, "cudaStreamCreate: the pointer is NULL, or the flags do not exist");
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  Stream* created = new Stream{current_device(), flags == cudaStreamNonBlocking, nullptr};
  streams_of(created->device).created.push_back(created);
  live_streams().insert(created);
  *stream = reinterpret_cast<cudaStream_t>(created);
  check::object_made("stream", reinterpret_cast<uintptr_t>(created), site);
  if (flags != 0) calls::note("a stream with flags %u", flags);
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
  if (error == cudaSuccess && priority != 0 && calls::wanted()) {
    const Guard guard(host_lock());
    calls::note("a stream of priority %d", priority);
  }
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

// ---- attributes ----
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value, Site site) {
  return ask_stream(stream, value, site, [attribute](const Stream& it) {
    cudaStreamAttrValue answer = {};
    // By its bytes: before one is set, it is none of the values of cudaSynchronizationPolicy.
    if (attribute == cudaLaunchAttributeSynchronizationPolicy) memcpy(&answer.syncPolicy, &it.policy, sizeof it.policy);
    if (attribute == cudaLaunchAttributeAccessPolicyWindow) answer.accessPolicyWindow = it.window;
    if (attribute == cudaLaunchAttributePriority) answer.priority = it.priority;
    return answer;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute, const cudaStreamAttrValue* value,
                                   Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  if (attribute == cudaLaunchAttributeSynchronizationPolicy) {
    int policy;
    memcpy(&policy, &value->syncPolicy, sizeof policy);
    if (policy < cudaSyncPolicyAuto || policy > cudaSyncPolicyBlockingSync)
      return fail(cudaErrorInvalidValue, site, format("%d is no cudaSynchronizationPolicy", policy),
                  "use cudaSyncPolicyAuto, cudaSyncPolicySpin, cudaSyncPolicyYield or cudaSyncPolicyBlockingSync.");
    stream->policy = policy;
  }
  if (attribute == cudaLaunchAttributeAccessPolicyWindow) stream->window = value->accessPolicyWindow;
  if (attribute == cudaLaunchAttributePriority) stream->priority = std::clamp(value->priority, kGreatestPriority, 0);
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from, Site site) {
  const Guard guard(host_lock());
  Stream *target = find_stream(to, site), *source = find_stream(from, site);
  if (target == nullptr || source == nullptr) return cudaErrorInvalidResourceHandle;
  target->policy = source->policy;
  target->window = source->window;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle, Site site) {
  if (in_kernel()) return cudaSuccess;
  const Guard guard(host_lock());
  if (handle == nullptr)
    return fail(cudaErrorInvalidResourceHandle, site, "the default stream cannot be destroyed");
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  // Its work stays in the queue, and runs later.
  calls::forget(stream);
  check::stream_destroyed(*stream, site);
  check::object_released("stream", reinterpret_cast<uintptr_t>(stream));
  StreamsOfDevice& streams = streams_of(stream->device);
  if (!stream->non_blocking && stream->last != nullptr && !stream->last->done)
    streams.left_behind.push_back(stream->last);
  streams.created.erase(std::remove(streams.created.begin(), streams.created.end(), stream), streams.created.end());
  live_streams().erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr)
    return refuse_in_capture(stream, site, "cannot wait for a stream that is being captured",
                             "call cudaStreamEndCapture(), cudaGraphInstantiate() and cudaGraphLaunch() first.");
  calls::note("wait for %s", calls::name("stream", handle));
  const int owner = stream->device;
  // Waiting for the default stream is waiting for the others, too, unless they asked not to.
  std::vector<OperationPointer> ends{stream->last};
  const StreamsOfDevice& streams = streams_of(owner);
  if (stream == &streams.default_stream) {
    for (const Stream* other : streams.created)
      if (!other->non_blocking) ends.push_back(other->last);
    ends.insert(ends.end(), streams.left_behind.begin(), streams.left_behind.end());
  }
  complete_all(ends);
  complete(stream->last);
  for (const OperationPointer& end : ends)
    if (end != nullptr && end->done) check::host_waited_for(*end);
  return fail(device(owner).broken);
}

cudaError_t cudaStreamQuery(cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t state = poll(stream->last);
  const cudaError_t broken = device(stream->device).broken;
  return broken != cudaSuccess ? fail(broken) : state;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, void (*function)(void*), void* data,
                               Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  note_host_function();
  calls::note("host function in %s", calls::name("stream", handle));
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
