// Device memory is closed to host code while no work of a device runs, and to the kernels of other devices
// that are no peers.
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <vector>

#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/queue.h"
#include "around_operations.h"
#include "closed_memory.h"

namespace cpu_device {

namespace {

// Which allocations are closed to the host, see OpenDeviceMemory. With several devices all are, as
// far as possible: they are also closed to the other devices.
constexpr size_t kMaxClosed = 32, kMaxClosedSeveral = 1000;

struct Pages {
  void* start;
  size_t bytes;
  int device;
};
std::map<uintptr_t, Pages>& closed_pages() {
  static auto* all = new std::map<uintptr_t, Pages>;
  return *all;
}
int open_depth = 0;

bool should_close(size_t bytes) {
  if (runs_at_once()) return false;  // the host works on it
  if (settings().devices > 1) return closed_pages().size() < kMaxClosedSeveral;
  return bytes <= kMaxClosedBytes && closed_pages().size() < kMaxClosed;
}

}  // namespace

bool close_to_host(uintptr_t base, void* start, size_t bytes, int device) {
  if (!should_close(bytes)) return false;
  closed_pages()[base] = {start, bytes, device};
  if (open_depth == 0) mprotect(start, bytes, PROT_NONE);
  return true;
}
void forget_closed(uintptr_t base) { closed_pages().erase(base); }

static void open_pages(const Pages& pages) { mprotect(pages.start, pages.bytes, PROT_READ | PROT_WRITE); }

OpenDeviceMemory::OpenDeviceMemory(const std::optional<std::vector<AddressRange>>& touched) : all_(!touched) {
  const bool all_are_open = open_depth > 0;
  if (all_) open_depth++;
  if (all_are_open) return;
  for (const auto& entry : closed_pages()) {
    const Pages& pages = entry.second;
    const auto start = reinterpret_cast<uintptr_t>(pages.start), end = start + pages.bytes;
    const auto is_here = [=](const AddressRange& range) { return range.low < end && start < range.high; };
    if (!all_ && std::none_of(touched->begin(), touched->end(), is_here)) continue;
    open_pages(pages);
    if (!all_) opened_.push_back({start, end});
  }
}

// Calls function(pages) for what a kernel on `device` must not touch.
template <typename Function>
static void for_foreign_memory(int index, const Function& function) {
  if (settings().devices == 1) return;
  const std::vector<bool>& peers = device(index).peers;
  for (const auto& entry : closed_pages())
    if (entry.second.device != index && !peers[static_cast<size_t>(entry.second.device)])
      function(entry.second);
}

CloseForeignMemory::CloseForeignMemory(int device) : device_(device) {
  for_foreign_memory(device_, [](const Pages& p) { mprotect(p.start, p.bytes, PROT_NONE); });
}

CloseForeignMemory::~CloseForeignMemory() {
  for_foreign_memory(device_, open_pages);
}

OpenDeviceMemory::~OpenDeviceMemory() {
  for (const AddressRange& range : opened_)
    mprotect(reinterpret_cast<void*>(range.low), range.high - range.low, PROT_NONE);
  if (!all_ || --open_depth > 0) return;
  for (const auto& entry : closed_pages())
    mprotect(entry.second.start, entry.second.bytes, PROT_NONE);
}

}  // namespace cpu_device

using namespace cpu_device;

// ---- peers: all virtual devices can access each other's memory, once the program has enabled it ----

cudaError_t cudaDeviceCanAccessPeer(int* can, int index, int peer) {
  if (index < 0 || peer < 0 || index >= settings().devices || peer >= settings().devices)
    return fail(cudaErrorInvalidDevice);
  *can = index != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (flags != 0) return refuse_flags("cudaDeviceEnablePeerAccess", flags, "0", site);
  if (!check_device(peer, site, "cudaDeviceEnablePeerAccess")) return cudaErrorInvalidDevice;
  if (peer == current_device())
    return fail(cudaErrorPeerAccessUnsupported, site, "a device cannot be its own peer");
  if (device(current_device()).peers[static_cast<size_t>(peer)])
    return fail(cudaErrorPeerAccessAlreadyEnabled);
  device(current_device()).peers[static_cast<size_t>(peer)] = true;
  calls::note("device %d may access memory of device %d", current_device(), peer);
  return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer, Site site) {
  const Guard guard(host_lock());
  if (!check_device(peer, site, "cudaDeviceDisablePeerAccess")) return cudaErrorInvalidDevice;
  if (!device(current_device()).peers[static_cast<size_t>(peer)]) return fail(cudaErrorPeerAccessNotEnabled);
  synchronize_device(current_device());  // what is queued may still use it
  device(current_device()).peers[static_cast<size_t>(peer)] = false;
  calls::note("device %d may no longer access memory of device %d", current_device(), peer);
  return cudaSuccess;
}
