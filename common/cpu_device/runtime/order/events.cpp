// Events: each is an operation of the stream that records it.
#include <chrono>
#include <set>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/host_time.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "graph_capture.h"
#include "pending.h"
#include "streams.h"

struct CUevent_st {
  int device;
  bool timed;
  cpu_device::OperationPointer recorded;
  std::chrono::steady_clock::time_point time;
};

using namespace cpu_device;

static std::set<cudaEvent_t>& live_events() {
  static auto* events = new std::set<cudaEvent_t>;
  return *events;
}

static bool check_event(cudaEvent_t event, Site site) {
  if (event != nullptr && live_events().count(event) != 0) return true;
  fail(cudaErrorInvalidResourceHandle, site,
       "not an event: it was never created, or was already destroyed");
  return false;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (event == nullptr) return fail(cudaErrorInvalidValue, site, "cudaEventCreate: the pointer is NULL");
  if ((flags & ~(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)) != 0)
    return fail(cudaErrorInvalidValue, site, format("cudaEventCreateWithFlags: there are no flags 0x%x", flags));
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  *event = new CUevent_st{current_device(), (flags & cudaEventDisableTiming) == 0, nullptr, {}};
  live_events().insert(*event);
  check::object_made("event", reinterpret_cast<uintptr_t>(*event), site);
  if (flags != 0) calls::note("an event with flags %u", flags);
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
  calls::forget(event);
  check::object_released("event", reinterpret_cast<uintptr_t>(event));
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

static std::chrono::steady_clock::time_point time_of(int device) {
  if (!calls::wanted()) return host_time();
  const std::chrono::duration<double, std::milli> since(static_cast<double>(calls::steps(device)) * calls::step_ms());
  return std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(since));
}

OperationPointer cpu_device::record(cudaEvent_t event, Stream* stream, Site site) {
  if (event->recorded != nullptr && !event->recorded->done)
    event->recorded->run = [] { return cudaSuccess; };  // recorded again: the old time is no longer needed
  event->recorded = enqueue(stream, site, [event] {
    event->time = time_of(event->device);
    return cudaSuccess;
  });
  set_ranges(event->recorded, {});
  return event->recorded;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle, Site site) {
  if (in_kernel()) {  // see cudaStreamWaitEvent()
    check::kernel_records_event(event, handle);
    return cudaSuccess;
  }
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr || !check_event(event, site)) return cudaErrorInvalidResourceHandle;
  if (stream->device != event->device)
    return fail(cudaErrorInvalidResourceHandle, site,
                "the event and the stream belong to different devices",
                "create both after cudaSetDevice() has selected the device.");
  if (stream->capture != nullptr) {
    calls::note("capture: record %s in %s", calls::name("event", event), calls::name("stream", handle));
    capture_event(event, stream);
    return cudaSuccess;
  }
  forget_captured_event(event);
  calls::note("record %s in %s", calls::name("event", event), calls::name("stream", handle));
  record(event, stream, site);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event, Site site) {
  const Guard guard(host_lock());
  if (!check_event(event, site)) return cudaErrorInvalidResourceHandle;
  calls::note("wait for %s", calls::name("event", event));
  check::waits_for_event(event->recorded != nullptr, "the host", site);
  complete(event->recorded);
  if (event->recorded != nullptr) check::host_waited_for(*event->recorded);
  return fail(device(event->device).broken);
}

cudaError_t cudaEventQuery(cudaEvent_t event, Site site) {
  const Guard guard(host_lock());
  if (!check_event(event, site)) return cudaErrorInvalidResourceHandle;
  const cudaError_t state = poll(event->recorded);
  const cudaError_t broken = device(event->device).broken;
  return broken != cudaSuccess ? fail(broken) : state;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop, Site site) {
  const Guard guard(host_lock());
  if (!check_event(start, site) || !check_event(stop, site)) return cudaErrorInvalidResourceHandle;
  if (start->recorded == nullptr || stop->recorded == nullptr || !start->timed || !stop->timed)
    return fail(
        cudaErrorInvalidResourceHandle, site,
        start->timed && stop->timed ? "cudaEventElapsedTime() with an event that was never recorded"
                                    : "cudaEventElapsedTime() with an event that does not measure time",
        "record both events with cudaEventRecord(), and create them without cudaEventDisableTiming.", "call-order");
  if (!start->recorded->done || !stop->recorded->done)
    return fail(cudaErrorNotReady, site, "cudaEventElapsedTime() before the event has completed",
                "call cudaEventSynchronize(stop) before cudaEventElapsedTime().", "call-order");
  const cudaError_t broken = device(stop->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  if (check::on && stop->recorded->id == start->recorded->id + 1 && !runs_at_once())
    explain(stop->recorded->site, "note: nothing was queued between the two events whose time is measured",
            "record the first event before the work and the second one after it.", "call-order");
  *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  calls::note("time from %s to %s: %.0f steps", calls::name("event", start), calls::name("event", stop),
              static_cast<double>(*ms / calls::step_ms()));
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int, Site site) {
  if (in_kernel()) {  // children run in the order in which they were launched, so the event has happened
    check::kernel_waits_for_event(handle, event);
    return cudaSuccess;
  }
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr || !check_event(event, site)) return cudaErrorInvalidResourceHandle;
  calls::note("%s waits for %s", calls::name("stream", handle), calls::name("event", event));
  if (wait_for_captured_event(event, stream)) return cudaSuccess;
  check::waits_for_event(event->recorded != nullptr, "the stream", site);
  // In the default stream, even waiting for what is over is work, for which other streams wait.
  const bool is_default = stream == &streams_of(stream->device).default_stream;
  if (event->recorded == nullptr || (event->recorded->done && !is_default && !check::on)) return cudaSuccess;
  const OperationPointer wait = enqueue(stream, site, [] { return cudaSuccess; });
  set_ranges(wait, {});
  if (check::on) check::after(*wait, event->recorded->moment);
  if (!wait->done && !event->recorded->done) wait->after.push_back(event->recorded);
  return cudaSuccess;
}
