// The functions of CUDA's runtime interface. Each takes, as a last argument that nobody writes, the
// place where it is called, so that an explanation can name it. Errors are CUDA's.
#pragma once

#include <stddef.h>

#include <type_traits>
#include <utility>

#include "errors.h"
#include "launch.h"
#include "properties.h"
#include "site.h"
#include "vector_types.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- devices ----
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device, CPU_DEVICE_SITE);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device, CPU_DEVICE_SITE);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device,
                                   CPU_DEVICE_SITE);
// The device that matches most of the fields of `wanted` that are not 0; as in CUDA the best match,
// which need not satisfy them.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaDeviceSynchronize();
#define __cudaDeviceSynchronizeDeprecationAvoidance cudaDeviceSynchronize  // as older versions of CUB call it
cudaError_t cudaDeviceReset();
cudaError_t cudaThreadSynchronize();  // gone from CUDA 13
cudaError_t cudaThreadExit();         // gone from CUDA 13
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);

enum {
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceMapHost = 8,
  cudaDeviceLmemResizeToMax = 16
};
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);

enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);

enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);

// ---- memory ----
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

namespace cpu_device {
// A pointer to any pointer, also to one whose target is const.
template <typename T>
inline void** plain(T** pointer) {
  return (void**)pointer;  // NOLINT: no cast of C++ does this in one step
}
cudaError_t allocate(void** pointer, size_t bytes, Site site);
// The same, of memory that the stream's work may use from here on, and that cudaFree() does not wait for.
cudaError_t allocate_in_order(void** pointer, size_t bytes, cudaStream_t stream, Site site);
cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height, Site site);
cudaError_t allocate_host(void** pointer, size_t bytes, unsigned int flags, Site site);
cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags, Site site);
cudaError_t copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                           Site site);
cudaError_t copy_from_symbol(void* to, const void* symbol, size_t symbol_bytes, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                             Site site);
cudaError_t symbol_address(void** pointer, void* symbol, size_t bytes);
template <typename T>
inline void* plain_address(const T& symbol) {
  return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(symbol)));
}
}  // namespace cpu_device

template <typename T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes, CPU_DEVICE_SITE) {
  return cpu_device::allocate(cpu_device::plain(pointer), bytes, site);
}
cudaError_t cudaFree(void* pointer, CPU_DEVICE_SITE);

template <typename T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height,
                                   CPU_DEVICE_SITE) {
  return cpu_device::allocate_pitched(cpu_device::plain(pointer), pitch, width, height, site);
}

enum {
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4
};
enum {
  cudaHostRegisterDefault = 0,
  cudaHostRegisterPortable = 1,
  cudaHostRegisterMapped = 2,
  cudaHostRegisterIoMemory = 4,
  cudaHostRegisterReadOnly = 8
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };

template <typename T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags, CPU_DEVICE_SITE) {
  return cpu_device::allocate_host(cpu_device::plain(pointer), bytes, flags, site);
}
template <typename T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0,
                                  CPU_DEVICE_SITE) {
  return cpu_device::allocate_host(cpu_device::plain(pointer), bytes, flags, site);
}
template <typename T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal, CPU_DEVICE_SITE) {
  return cpu_device::allocate_managed(cpu_device::plain(pointer), bytes, flags, site);
}
constexpr int cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2;
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};
// Hints, as CUDA 13 takes them and as CUDA 12 did.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation to,
                                 unsigned int flags, cudaStream_t stream = nullptr,
                                 CPU_DEVICE_SITE);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int to_device,
                                 cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location, CPU_DEVICE_SITE);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          CPU_DEVICE_SITE);

cudaError_t cudaFreeHost(void* pointer, CPU_DEVICE_SITE);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags,
                                     CPU_DEVICE_SITE);
template <typename T>
inline cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer,
                                            unsigned int flags, CPU_DEVICE_SITE) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), host_pointer, flags,
                                  site);
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host_pointer);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags, CPU_DEVICE_SITE);
cudaError_t cudaHostUnregister(void* pointer, CPU_DEVICE_SITE);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                       CPU_DEVICE_SITE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
// Pitches and width are in bytes, height in rows.
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind, CPU_DEVICE_SITE);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes, CPU_DEVICE_SITE);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr,
                            CPU_DEVICE_SITE);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height,
                         CPU_DEVICE_SITE);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes,
                           CPU_DEVICE_SITE);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags, CPU_DEVICE_SITE);
cudaError_t cudaDeviceDisablePeerAccess(int peer, CPU_DEVICE_SITE);

template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream, CPU_DEVICE_SITE) {
  return cpu_device::allocate_in_order(cpu_device::plain(pointer), bytes, stream, site);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, CPU_DEVICE_SITE);

// ---- variables of the device: __device__ and __constant__ ----
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                      CPU_DEVICE_SITE) {
  return cpu_device::copy_to_symbol(cpu_device::plain_address(symbol),
                                    sizeof(T), from, bytes, offset, kind, nullptr, false, site);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  return cpu_device::copy_to_symbol(cpu_device::plain_address(symbol),
                                    sizeof(T), from, bytes, offset, kind, stream, true, site);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                        CPU_DEVICE_SITE) {
  return cpu_device::copy_from_symbol(to, cpu_device::plain_address(symbol),
                                      sizeof(T), bytes, offset, kind, nullptr, false, site);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  return cpu_device::copy_from_symbol(to, cpu_device::plain_address(symbol),
                                      sizeof(T), bytes, offset, kind, stream, true, site);
}
template <typename P, typename T>
inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return cpu_device::symbol_address(cpu_device::plain(pointer),
                                    cpu_device::plain_address(symbol), sizeof(T));
}
template <typename T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

// ---- pointers ----
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// ---- streams and events ----
struct CUevent_st;
typedef CUevent_st* cudaEvent_t;

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
#define cudaEventRecordDefault 0x00
#define cudaEventWaitDefault 0x00
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4 };
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

cudaError_t cudaStreamCreate(cudaStream_t* stream, CPU_DEVICE_SITE);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, CPU_DEVICE_SITE);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority,
                                         CPU_DEVICE_SITE);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream, CPU_DEVICE_SITE);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, CPU_DEVICE_SITE);
cudaError_t cudaStreamQuery(cudaStream_t stream, CPU_DEVICE_SITE);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0,
                                CPU_DEVICE_SITE);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* data,
                               CPU_DEVICE_SITE);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags, CPU_DEVICE_SITE);

cudaError_t cudaEventCreate(cudaEvent_t* event, CPU_DEVICE_SITE);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags, CPU_DEVICE_SITE);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, CPU_DEVICE_SITE);
cudaError_t cudaEventDestroy(cudaEvent_t event, CPU_DEVICE_SITE);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaEventSynchronize(cudaEvent_t event, CPU_DEVICE_SITE);
cudaError_t cudaEventQuery(cudaEvent_t event, CPU_DEVICE_SITE);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop, CPU_DEVICE_SITE);

// ---- kernels ----
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
namespace cpu_device {
cudaError_t set_kernel_attribute(cudaFuncAttribute attribute, int value, Site site);
cudaError_t get_kernel_attributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t occupancy(int* blocks, const void* kernel, int block_size, size_t shared_bytes);
// `shared_bytes`: of a block of this many threads, told the context; none without it.
cudaError_t occupancy_size(int* min_grid, int* block_size, const void* kernel, int limit,
                           size_t (*shared_bytes)(int threads, const void* context) = nullptr,
                           const void* context = nullptr);
}  // namespace cpu_device

template <typename Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute attribute, int value,
                                        CPU_DEVICE_SITE) {
  return cpu_device::set_kernel_attribute(attribute, value, site);
}
template <typename Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cpu_device::get_kernel_attributes(attributes, cpu_device::address_of_kernel(kernel));
}
template <typename Kernel>
inline cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel kernel,
                                                                 int block_size, size_t shared_bytes) {
  return cpu_device::occupancy(blocks, cpu_device::address_of_kernel(kernel), block_size, shared_bytes);
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, Kernel kernel,
                                                      size_t shared_bytes = 0, int limit = 0) {
  return cpu_device::occupancy_size(
      min_grid, block_size, cpu_device::address_of_kernel(kernel), limit,
      [](int, const void* bytes) { return *static_cast<const size_t*>(bytes); }, &shared_bytes);
}

// `arguments[i]` points to the i-th argument. The kernel may be given as its address, (void*)kernel.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                             CPU_DEVICE_SITE);
// All blocks are at work at the same time, and can meet: cooperative_groups::this_grid().sync().
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                        CPU_DEVICE_SITE);
template <typename... Parameters>
inline cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                    void** arguments, size_t shared_bytes = 0,
                                    cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  return cudaLaunchKernel(static_cast<const void*>(cpu_device::note_kernel(kernel)), grid, block,
                          arguments, shared_bytes, stream, site);
}
template <typename... Parameters>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                               void** arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  return cudaLaunchCooperativeKernel(static_cast<const void*>(cpu_device::note_kernel(kernel)),
                                     grid, block, arguments, shared_bytes, stream, site);
}

#undef CPU_DEVICE_SITE
