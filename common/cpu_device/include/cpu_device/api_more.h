// The less usual part of the runtime interface: memory pools, attributes of streams, peers, what hints
// at caches. Where a GPU would only get faster by it, the call succeeds and changes nothing; where it
// would do what cannot be done here, it answers cudaErrorNotSupported.
#pragma once

#include <string.h>

#include "api.h"
#include "textures.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- memory pools: cudaMallocAsync takes from the device's memory at once ----
enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeManaged = 2
};
enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0,
  cudaMemHandleTypePosixFileDescriptor = 1,
  cudaMemHandleTypeWin32 = 2,
  cudaMemHandleTypeWin32Kmt = 4,
  cudaMemHandleTypeFabric = 8
};
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8,
  cudaMemPoolAttrAllocationType = 9,  // this and what follows: how the pool was made
  cudaMemPoolAttrExportHandleTypes = 10,
  cudaMemPoolAttrLocationId = 11,
  cudaMemPoolAttrLocationType = 12,
  cudaMemPoolAttrMaxPoolSize = 13,
  cudaMemPoolAttrHwDecompressEnabled = 14
};
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};
struct CUmemPoolHandle_st {
  unsigned long long attributes[9] = {0, 1, 1, 1, 0, 0, 0, 0, 0};
  int device = 0;
  cudaMemLocationType location = cudaMemLocationTypeDevice;  // otherwise pinned memory of the host
};
typedef CUmemPoolHandle_st* cudaMemPool_t;
namespace cpu_device {
// `pool` null: the device's present one.
cudaError_t allocate_from_pool(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream, Site site);
}  // namespace cpu_device
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
// Of a device, or of pinned memory.
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* how);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value);
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) {
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation*) {
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                           CPU_DEVICE_SITE) {
  return cpu_device::allocate_from_pool(cpu_device::plain(pointer), bytes, pool, stream, site);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                   CPU_DEVICE_SITE) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream, site);
}

// ---- streams ----
enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  cudaSynchronizationPolicy syncPolicy;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value, CPU_DEVICE_SITE);
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0,
                                            unsigned int = cudaMemAttachSingle) {
  return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                            unsigned int = 0, CPU_DEVICE_SITE) {
  return cudaEventRecord(event, stream, site);
}

// ---- launches with attributes ----
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel,
                                       void** arguments, CPU_DEVICE_SITE) {
  bool cooperative = false;
  dim3 cluster;
  for (unsigned int i = 0; i < how->numAttrs; i++) {
    const cudaLaunchAttribute& one = how->attrs[i];
    if (one.id == cudaLaunchAttributeCooperative) cooperative = one.val.cooperative != 0;
    if (one.id == cudaLaunchAttributeClusterDimension)
      cluster = {one.val.clusterDim.x, one.val.clusterDim.y, one.val.clusterDim.z};
  }
  return cpu_device::launch_by_address(kernel, how->gridDim, how->blockDim, arguments,
                                       how->dynamicSmemBytes, how->stream, cooperative, cluster,
                                       site);
}
// As many clusters as multiprocessors, which is what there is time for.
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void*,
                                                  const cudaLaunchConfig_t*) {
  return cudaDeviceGetAttribute(clusters, cudaDevAttrMultiProcessorCount, 0);
}
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void*,
                                                        const cudaLaunchConfig_t*) {
  *blocks = 8;
  return cudaSuccess;
}
template <typename... Parameters>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void (*)(Parameters...),
                                                  const cudaLaunchConfig_t* how) {
  return cudaOccupancyMaxActiveClusters(clusters, static_cast<const void*>(nullptr), how);
}
template <typename... Parameters>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, void (*)(Parameters...),
                                                        const cudaLaunchConfig_t* how) {
  return cudaOccupancyMaxPotentialClusterSize(blocks, static_cast<const void*>(nullptr), how);
}
namespace cpu_device {
// After a list of arguments no parameter can have a default: so the line of the call comes with the first one.
struct LaunchConfigOfCall {
  const cudaLaunchConfig_t* how;
  Site site;
  LaunchConfigOfCall(const cudaLaunchConfig_t* config, CPU_DEVICE_SITE) : how(config), site(site) {}
};
}  // namespace cpu_device
template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(cpu_device::LaunchConfigOfCall call, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
  const auto launch = [&](Parameters... converted) {
    void* pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&converted))..., nullptr};
    return cudaLaunchKernelExC(call.how, cpu_device::note_kernel(kernel), pointers, call.site);
  };
  return launch(static_cast<Arguments&&>(arguments)...);
}

// ---- functions of the driver interface by their names; nullptr if there is none ----
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result = nullptr);
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result = nullptr);

// ---- devices and their caches ----
constexpr unsigned int cudaDeviceBlockingSync = cudaDeviceScheduleBlockingSync;  // its older name
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4
};
inline cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr which, int device,
                                             int peer) {
  int can = 0;
  // A device is no peer of its own: as if it did not exist.
  const cudaError_t error = cudaDeviceCanAccessPeer(&can, device, device == peer ? -1 : peer);
  if (error == cudaSuccess) *value = which == cudaDevP2PAttrPerformanceRank ? 0 : can;
  return error;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
template <typename Kernel>
inline cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int, CPU_DEVICE_SITE) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return error;
  (void)site;
  return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int i = 0; i < count; i++) {
    char own[32];
    if (cudaDeviceGetPCIBusId(own, sizeof own, i) == cudaSuccess && strcmp(own, text) == 0) {
      *device = i;
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidValue;
}
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel kernel,
                                                                          int block_size,
                                                                          size_t shared_bytes,
                                                                          unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes);
}
template <typename Kernel, typename SharedBytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_size,
                                                                  Kernel kernel,
                                                                  SharedBytes shared_bytes,
                                                                  int limit = 0) {
  return cpu_device::occupancy_size(
      min_grid, block_size, cpu_device::address_of_kernel(kernel), limit,
      [](int threads, const void* how) -> size_t {
        return (*const_cast<SharedBytes*>(static_cast<const SharedBytes*>(how)))(threads);
      },
      &shared_bytes);
}

// ---- memory of other processes: there is none to be had ----
struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaIpcCloseMemHandle(void*) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return cudaErrorNotSupported;
}

// ---- memory in three dimensions ----
inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent,
                                CPU_DEVICE_SITE) {
  const size_t slice = memory.pitch * memory.ysize;
  for (size_t z = 0; z < extent.depth; z++) {
    const cudaError_t error = cudaMemset2D(static_cast<char*>(memory.ptr) + z * slice, memory.pitch,
                                           value, extent.width, extent.height, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                     cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  const size_t slice = memory.pitch * memory.ysize;
  for (size_t z = 0; z < extent.depth; z++) {
    const cudaError_t error =
        cudaMemset2DAsync(static_cast<char*>(memory.ptr) + z * slice, memory.pitch, value,
                          extent.width, extent.height, stream, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

#undef CPU_DEVICE_SITE
