// The driver interface (cuInit, cuMemAlloc ...) over the runtime's functions. What it adds: nothing
// works before cuInit(), and most things need a current context.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <set>
#include <vector>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../execution/kernels.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../order/queue.h"
#include "driver.h"

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
thread_local std::vector<CUctx_st*> stack;

std::set<CUctx_st*>& live_contexts() {
  static auto* all = new std::set<CUctx_st*>;
  return *all;
}

CUresult not_initialized(Site site) {
  return result(fail(cudaErrorInitializationError, site, "the driver interface is not initialized",
                     "call cuInit(0) first"));
}
CUresult no_context(Site site) {
  return result(fail(cudaErrorDeviceUninitialized, site, "there is no current context",
                     "cuCtxCreate(), or cuDevicePrimaryCtxRetain() and cuCtxSetCurrent(), first"));
}

}  // namespace

static std::atomic<bool> runtime_used{false};
void cpu_device::note_runtime_use() {
  if (stack.empty()) runtime_used.store(true, std::memory_order_relaxed);
}
bool cpu_device::runtime_in_use() { return runtime_used.load(std::memory_order_relaxed); }

// Empty (CUDA_SUCCESS) if the call may go on. A program that has begun with the runtime interface has
// initialized the driver, and made the device's primary context current, as on a GPU.
CUresult cpu_device::ready(Site site) {
  if (stack.empty() && runtime_in_use()) {
    initialized = true;
    return CUDA_SUCCESS;
  }
  if (!initialized) return not_initialized(site);
  return stack.empty() ? no_context(site) : CUDA_SUCCESS;
}

namespace {

CUresult check_device(CUdevice index, Site site) {
  if (!initialized) return not_initialized(site);
  if (index >= 0 && index < settings().devices) return CUDA_SUCCESS;
  return result(fail(cudaErrorInvalidDevice, site, format("there is no device %d", index)));
}

CUresult check_context(CUcontext context, Site site) {
  const Guard guard(host_lock());
  if (!initialized) return not_initialized(site);
  if (live_contexts().count(context) != 0) return CUDA_SUCCESS;
  return result(fail(cudaErrorDeviceUninitialized, site,
                     "this is not a context: it was never created, or has been destroyed"));
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
  if (!stack.empty()) cudaSetDevice(stack.back()->device);
}

void* address(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }
CUdeviceptr number(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

template <typename T>
CUresult set(CUdeviceptr pointer, T value, size_t count, CUstream handle, Site site) {
  const CUresult state = ready(site);
  if (state != CUDA_SUCCESS) return state;
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return result(cudaErrorInvalidResourceHandle);
  const Block* block = find_block(address(pointer));
  if (pointer % sizeof(T) != 0 || block == nullptr ||
      count > (block->base + block->bytes - pointer) / sizeof(T))
    return result(fail(cudaErrorInvalidValue, site,
                       format("%zu values of %zu bytes do not lie in one piece of device memory",
                              count, sizeof(T)),
                       "the size counts values, not bytes"));
  enqueue(stream, site, [=] {
    std::fill_n(static_cast<T*>(address(pointer)), count, value);
    return cudaSuccess;
  });
  return CUDA_SUCCESS;
}

}  // namespace

#define CPU_DEVICE_READY                      \
  do {                                        \
    const CUresult state = ready(site);       \
    if (state != CUDA_SUCCESS) return state;  \
  } while (0)
#define CPU_DEVICE_CHECK_DEVICE(index)                     \
  do {                                                     \
    const CUresult state = check_device(index, site);      \
    if (state != CUDA_SUCCESS) return state;               \
  } while (0)

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return result(fail(cudaErrorInvalidValue));
  if (settings().devices == 0) return result(fail(cudaErrorNoDevice));
  initialized = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define CPU_DEVICE_ERROR(error_name, value) \
  case error_name:                          \
    *name = #error_name;                    \
    return CUDA_SUCCESS;
    CPU_DEVICE_DRIVER_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  const char* name = nullptr;
  *text = nullptr;
  if (cuGetErrorName(error, &name) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

// ---- devices ----

CUresult cuDeviceGet(CUdevice* device, int ordinal, Site site) {
  CPU_DEVICE_CHECK_DEVICE(ordinal);
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  if (!initialized) return not_initialized({nullptr, 0});
  *count = settings().devices;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  if (name == nullptr || length < 1) return result(fail(cudaErrorInvalidValue));
  snprintf(name, static_cast<size_t>(length), "%s", properties().name);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *uuid = properties().uuid;
  uuid->bytes[15] = static_cast<char>(device);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *bytes = properties().totalGlobalMem;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  switch (attribute) {  // what only the driver interface knows of
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: *value = 1; return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: *value = 0; return CUDA_SUCCESS;
    default: break;
  }
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device, site));
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *major = properties().major;
  *minor = properties().minor;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return result(cudaDeviceGetPCIBusId(text, length, device));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

// ---- contexts ----

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  *context = new_context(device, flags, false);
  stack.push_back(*context);
  use_top_of_stack();
  return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device,
                     Site site) {
  if (parameters != nullptr && (parameters->numExecAffinityParams != 0 || parameters->cigParams != nullptr))
    return result(fail(cudaErrorNotSupported, site, "a context with a share of the multiprocessors or of graphics",
                       "give cuCtxCreate() a null pointer in place of its CUctxCreateParams"));
  return cuCtxCreate(context, flags, device, site);
}
CUresult cuCtxDestroy(CUcontext context, Site site) {
  const CUresult state = check_context(context, site);
  if (state != CUDA_SUCCESS) return state;
  const Guard guard(host_lock());
  synchronize_device(context->device);
  stack.erase(std::remove(stack.begin(), stack.end(), context), stack.end());
  use_top_of_stack();
  if (context->primary) primary_context(context->device) = nullptr;
  live_contexts().erase(context);
  delete context;
  return CUDA_SUCCESS;
}
CUresult cuCtxDetach(CUcontext context, Site site) { return cuCtxDestroy(context, site); }
// The thread's context; where the runtime is in use, its device's primary one, which it makes current. Or null.
static CUctx_st* current_context() {
  if (!stack.empty()) return stack.back();
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
  if (context != nullptr) {
    const CUresult state = check_context(context, site);
    if (state != CUDA_SUCCESS) return state;
  }
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
  use_top_of_stack();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context, Site site) {
  const CUresult state = check_context(context, site);
  if (state != CUDA_SUCCESS) return state;
  stack.push_back(context);
  use_top_of_stack();
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (stack.empty()) return no_context({nullptr, 0});
  if (context != nullptr) *context = stack.back();
  stack.pop_back();
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
  return result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxSynchronize() {
  if (stack.empty()) return no_context({nullptr, 0});
  const Guard guard(host_lock());
  return result(fail(synchronize_device(stack.back()->device)));
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
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (!initialized || device < 0 || device >= settings().devices)
    return result(fail(cudaErrorInvalidDevice));
  *flags = 0;
  *active = primary_context(device) != nullptr;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned int) { return CUDA_SUCCESS; }

// ---- memory ----

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  if (stack.empty()) return no_context({nullptr, 0});
  return result(cudaMemGetInfo(free_bytes, total_bytes));
}
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  if (bytes == 0) return result(fail(cudaErrorInvalidValue, site, "cuMemAlloc of 0 bytes"));
  return result(allocate(reinterpret_cast<void**>(pointer), bytes, site));
}
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned int, Site site) {
  CPU_DEVICE_READY;
  return result(allocate_pitched(reinterpret_cast<void**>(pointer), pitch, width, height, site));
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(allocate_managed(reinterpret_cast<void**>(pointer), bytes, flags, site));
}
CUresult cuMemFree(CUdeviceptr pointer, Site site) {
  CPU_DEVICE_READY;
  return result(cudaFree(address(pointer), site));
}
CUresult cuMemAllocHost(void** pointer, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  return result(allocate_host(pointer, bytes, 0, site));
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(allocate_host(pointer, bytes, flags, site));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device_pointer, void* pointer, unsigned int flags,
                                   Site site) {
  CPU_DEVICE_READY;
  return result(cudaHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), pointer, flags,
                                         site));
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaHostRegister(pointer, bytes, flags, site));
}
CUresult cuMemHostUnregister(void* pointer, Site site) {
  CPU_DEVICE_READY;
  return result(cudaHostUnregister(pointer, site));
}
CUresult cuMemFreeHost(void* pointer, Site site) {
  CPU_DEVICE_READY;
  return result(cudaFreeHost(pointer, site));
}

static CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  CPU_DEVICE_READY;
  return result(cudaMemcpy(to, from, bytes, kind, site));
}
static CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, CUstream stream,
                     Site site) {
  CPU_DEVICE_READY;
  return result(cudaMemcpyAsync(to, from, bytes, kind, stream, site));
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes, Site site) {
  return copy(address(to), address(from), bytes, cudaMemcpyDefault, site);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes, Site site) {
  return copy(address(to), from, bytes, cudaMemcpyHostToDevice, site);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes, Site site) {
  return copy(to, address(from), bytes, cudaMemcpyDeviceToHost, site);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes, Site site) {
  return copy(address(to), address(from), bytes, cudaMemcpyDeviceToDevice, site);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, Site site) {
  return copy(address(to), address(from), bytes, cudaMemcpyDefault, stream, site);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream,
                           Site site) {
  return copy(address(to), from, bytes, cudaMemcpyHostToDevice, stream, site);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream, Site site) {
  return copy(to, address(from), bytes, cudaMemcpyDeviceToHost, stream, site);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream,
                           Site site) {
  return copy(address(to), address(from), bytes, cudaMemcpyDeviceToDevice, stream, site);
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count, Site site) {
  return set(pointer, value, count, nullptr, site);
}
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count, Site site) {
  return set(pointer, value, count, nullptr, site);
}
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count, Site site) {
  return set(pointer, value, count, nullptr, site);
}
CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream,
                         Site site) {
  return set(pointer, value, count, stream, site);
}
CUresult cuMemsetD32Async(CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream,
                          Site site) {
  return set(pointer, value, count, stream, site);
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer, Site site) {
  CPU_DEVICE_READY;
  const Guard guard(host_lock());
  const Block* block = find_block(address(pointer));
  if (block == nullptr)
    return result(fail(cudaErrorInvalidValue, site, "the pointer is of no device memory"));
  if (base != nullptr) *base = number(reinterpret_cast<void*>(block->base));
  if (bytes != nullptr) *bytes = block->bytes;
  return CUDA_SUCCESS;
}

// ---- streams and events ----

CUresult cuStreamCreate(CUstream* stream, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamCreateWithFlags(stream, flags, site));
}
CUresult cuStreamDestroy(CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamDestroy(stream, site));
}
CUresult cuStreamSynchronize(CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamSynchronize(stream, site));
}
CUresult cuStreamQuery(CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamQuery(stream, site));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamWaitEvent(stream, event, flags, site));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventCreateWithFlags(event, flags, site));
}
CUresult cuEventDestroy(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventDestroy(event, site));
}
CUresult cuEventRecord(CUevent event, CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventRecord(event, stream, site));
}
CUresult cuEventSynchronize(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventSynchronize(event, site));
}
CUresult cuEventQuery(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventQuery(event, site));
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent stop, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventElapsedTime(ms, start, stop, site));
}

// ---- kernels of the program itself: cudaGetFuncBySymbol() gives them ----

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function,
                            Site site) {
  CPU_DEVICE_READY;
  cudaFuncAttributes all;
  get_kernel_attributes(&all, function);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      break;
    default: *value = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute attribute, int value, Site site) {
  CPU_DEVICE_READY;
  return result(set_kernel_attribute(static_cast<cudaFuncAttribute>(attribute), value, site));
}
// `extra` names one buffer in which the arguments lie as the members of a struct do.
static bool unpack_arguments(CUfunction function, void** extra, std::vector<void*>* arguments,
                             Site site) {
  char* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<size_t*>(extra[1]);
  }
  size_t needed = 0;
  for (const size_t offset : kernel_offsets(function, &needed)) arguments->push_back(buffer + offset);
  if (bytes >= needed) return true;
  fail(cudaErrorInvalidValue, site,
       format("the buffer holds %zu bytes, and the kernel's arguments take %zu", bytes, needed));
  return false;
}
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** arguments, void** extra, Site site) {
  CPU_DEVICE_READY;
  std::vector<void*> unpacked;
  if (extra != nullptr) {
    if (!unpack_arguments(function, extra, &unpacked, site)) return CUDA_ERROR_INVALID_VALUE;
    arguments = unpacked.data();
  }
  return result(cudaLaunchKernel(static_cast<const void*>(function), dim3(grid_x, grid_y, grid_z),
                                 dim3(block_x, block_y, block_z), arguments, shared_bytes, stream,
                                 site));
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer,
                               Site site) {
  CPU_DEVICE_READY;
  cudaPointerAttributes all;
  cudaPointerGetAttributes(&all, address(pointer));
  if (all.type == cudaMemoryTypeUnregistered)
    return result(fail(cudaErrorInvalidValue, site, "the pointer is of no memory of CUDA's"));
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return cuCtxGetCurrent(static_cast<CUcontext*>(value));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned int*>(value) =
          all.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = number(all.devicePointer);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *static_cast<void**>(value) = all.hostPointer;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned int*>(value) = all.type == cudaMemoryTypeManaged;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = all.device;
      return CUDA_SUCCESS;
  }
  return result(fail(cudaErrorInvalidValue));
}
CUresult cuDeviceGetProperties(CUdevprop* p, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  const cudaDeviceProp& from = properties();
  *p = {from.maxThreadsPerBlock,
        {from.maxThreadsDim[0], from.maxThreadsDim[1], from.maxThreadsDim[2]},
        {from.maxGridSize[0], from.maxGridSize[1], from.maxGridSize[2]},
        static_cast<int>(from.sharedMemPerBlock),
        static_cast<int>(from.totalConstMem),
        from.warpSize,
        static_cast<int>(from.memPitch),
        from.regsPerBlock,
        from.clockRate,
        static_cast<int>(from.textureAlignment)};
  return CUDA_SUCCESS;
}
