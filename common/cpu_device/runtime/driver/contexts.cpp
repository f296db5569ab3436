// Initialization and contexts of the driver interface: nothing works before cuInit(), and most calls need a
// current context.
#include <algorithm>
#include <atomic>
#include <set>
#include <vector>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/lasting.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/queue.h"
#include "driver.h"
#include "runtime_use.h"

struct CUctx_st {
  int device;
  unsigned int flags;
  bool primary;
};

using namespace cpu_device;

namespace {

std::atomic<bool> initialized{false};
// Of this host thread, the current one last. The runtime's calls work without any: they use the
// device's primary context.
thread_local OfThread<std::vector<CUctx_st*>> stack;
// The runtime's device of this host thread before the first context was pushed: it comes back with the last pop.
thread_local int device_below = 0;

std::set<CUctx_st*>& live_contexts() {
  static auto* all = new std::set<CUctx_st*>;
  return *all;
}

}  // namespace

static std::atomic<bool> runtime_used{false};
void cpu_device::note_runtime_use() {
  if (stack->empty()) runtime_used.store(true, std::memory_order_relaxed);
}
bool cpu_device::runtime_in_use() { return runtime_used.load(std::memory_order_relaxed); }

bool cpu_device::driver_initialized() { return initialized; }
CUresult cpu_device::not_initialized(Site site) {
  return result(fail(cudaErrorInitializationError, site, "the driver interface is not initialized",
                     "call cuInit(0) first."));
}
CUresult cpu_device::no_context(Site site) {
  if (!initialized && !runtime_in_use()) return not_initialized(site);
  return result(fail(cudaErrorDeviceUninitialized, site, "there is no current context",
                     "call cuCtxCreate() first, or cuDevicePrimaryCtxRetain() and cuCtxSetCurrent()."));
}

CUresult cpu_device::ready(Site site) {
  if (stack->empty() && runtime_in_use()) {
    initialized = true;
    return CUDA_SUCCESS;
  }
  if (!initialized) return not_initialized(site);
  return stack->empty() ? no_context(site) : CUDA_SUCCESS;
}

CUresult cpu_device::ready_for(const void* object, Site site) {
  return initialized && object != nullptr ? CUDA_SUCCESS : ready(site);
}

CUresult cpu_device::device_ready(CUdevice index, Site site) {
  if (!initialized && !runtime_in_use()) return not_initialized(site);
  if (index >= 0 && index < settings().devices) return CUDA_SUCCESS;
  return result(fail(cudaErrorInvalidDevice, site, format("device %d does not exist", index)));
}

namespace {

CUresult check_context(CUcontext context, Site site) {
  const Guard guard(host_lock());
  if (!initialized) return not_initialized(site);
  if (live_contexts().count(context) != 0) return CUDA_SUCCESS;
  return result(fail(cudaErrorDeviceUninitialized, site,
                     "not a context: it was never created, or was already destroyed"));
}

CUctx_st* new_context(int device, unsigned int flags, bool primary) {
  const Guard guard(host_lock());
  auto* context = new CUctx_st{device, flags, primary};
  live_contexts().insert(context);
  return context;
}

CUctx_st*& primary_context(int device) {
  static auto* all = new std::vector<CUctx_st*>(static_cast<size_t>(std::max(1, settings().devices)));
  return (*all)[static_cast<size_t>(device)];
}

void use_top_of_stack() {
  if (!stack->empty()) cudaSetDevice(stack->back()->device);
}
void push(CUctx_st* context) {
  if (stack->empty()) device_below = current_device();
  stack->push_back(context);
  use_top_of_stack();
}

}  // namespace

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return result(fail(cudaErrorInvalidValue));
  if (settings().devices == 0) return result(fail(cudaErrorNoDevice));
  initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *context = new_context(device, flags, false);
  push(*context);
  return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device,
                     Site site) {
  if (parameters != nullptr && (parameters->numExecAffinityParams != 0 || parameters->cigParams != nullptr))
    return result(fail(cudaErrorNotSupported, site, "the CPU device does not support contexts with CUctxCreateParams",
                       "pass NULL to cuCtxCreate() instead of CUctxCreateParams."));
  return cuCtxCreate(context, flags, device, site);
}
CUresult cuCtxDestroy(CUcontext context, Site site) {
  if (context == nullptr && !driver_initialized()) return CUDA_ERROR_INVALID_VALUE;
  const CUresult state = check_context(context, site);
  if (state != CUDA_SUCCESS) return state;
  const Guard guard(host_lock());
  synchronize_device(context->device);
  stack->erase(std::remove(stack->begin(), stack->end(), context), stack->end());
  use_top_of_stack();
  if (context->primary) primary_context(context->device) = nullptr;
  live_contexts().erase(context);
  delete context;
  return CUDA_SUCCESS;
}
CUresult cuCtxDetach(CUcontext context, Site site) { return cuCtxDestroy(context, site); }
// The thread's context; where the runtime is in use, its device's primary one, which it makes current. Or null.
static CUctx_st* current_context() {
  if (!stack->empty()) return stack->back();
  if (!runtime_in_use()) return nullptr;
  initialized = true;
  CUctx_st*& primary = primary_context(current_device());
  if (primary == nullptr) primary = new_context(current_device(), 0, true);
  return primary;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!initialized && !runtime_in_use()) return not_initialized({nullptr, 0});
  *context = current_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context, Site site) {
  if (!initialized && !runtime_in_use()) return not_initialized(site);
  if (context != nullptr) {
    const CUresult state = check_context(context, site);
    if (state != CUDA_SUCCESS) return state;
  }
  if (stack->empty())
    device_below = current_device();
  else
    stack->pop_back();
  if (context != nullptr) stack->push_back(context);
  use_top_of_stack();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context, Site site) {
  const CUresult state = check_context(context, site);
  if (state != CUDA_SUCCESS) return state;
  push(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (stack->empty()) return no_context({nullptr, 0});
  if (context != nullptr) *context = stack->back();
  if (stack->size() == 1) cudaSetDevice(device_below);  // before the pop: it is no use of the runtime by the program
  stack->pop_back();
  use_top_of_stack();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  const CUctx_st* const context = current_context();
  if (context == nullptr) return no_context({nullptr, 0});
  *device = context->device;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  const CUctx_st* const context = current_context();
  if (context == nullptr) return no_context({nullptr, 0});
  *flags = context->flags;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  if (const CUresult state = ready({nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  if (const CUresult state = ready({nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxSynchronize() {
  const CUctx_st* const context = current_context();
  if (context == nullptr) return no_context({nullptr, 0});
  const Guard guard(host_lock());
  return result(fail(synchronize_device(context->device)));
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  const Guard guard(host_lock());
  CUctx_st*& primary = primary_context(device);
  if (primary == nullptr) primary = new_context(device, 0, true);
  *context = primary;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxReset(CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(device);
  const cudaError_t error = cudaDeviceReset();
  cudaSetDevice(before);
  return result(error);
}
static std::atomic<unsigned int> primary_flags[kMostDevices];
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (const CUresult state = device_ready(device, {nullptr, 0}); state != CUDA_SUCCESS) return state;
  *flags = primary_flags[device];
  *active = primary_context(device) != nullptr;
  return CUDA_SUCCESS;
}
// Kept, and of no effect: how a host thread waits is no matter here.
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  if (const CUresult state = device_ready(device, {nullptr, 0}); state != CUDA_SUCCESS) return state;
  constexpr unsigned int kSchedule = 0x07;  // CU_CTX_SCHED_MASK
  constexpr unsigned int kKnown = 0xff & ~0x08u;  // CU_CTX_FLAGS_MASK without CU_CTX_MAP_HOST, which an H200 refuses here
  const unsigned int schedule = flags & kSchedule;
  if ((flags & ~kKnown) != 0 || (schedule & (schedule - 1)) != 0) return result(cudaErrorInvalidValue);
  primary_flags[device] = flags;
  return CUDA_SUCCESS;
}
