// Types and functions of the driver interface, see ../cuda.h. Names, values and meanings are CUDA's;
// errors have the numbers of the runtime's.
#pragma once

#include <stdint.h>

#include "api.h"
#include "api_queries.h"
#include "textures.h"

// name, value
#define CPU_DEVICE_DRIVER_ERRORS(X) \
  X(CUDA_SUCCESS, 0) \
  X(CUDA_ERROR_INVALID_VALUE, 1) \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2) \
  X(CUDA_ERROR_NOT_INITIALIZED, 3) \
  X(CUDA_ERROR_DEINITIALIZED, 4) \
  X(CUDA_ERROR_PROFILER_DISABLED, 5) \
  X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6) \
  X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7) \
  X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8) \
  X(CUDA_ERROR_STUB_LIBRARY, 34) \
  X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36) \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46) \
  X(CUDA_ERROR_NO_DEVICE, 100) \
  X(CUDA_ERROR_INVALID_DEVICE, 101) \
  X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102) \
  X(CUDA_ERROR_INVALID_IMAGE, 200) \
  X(CUDA_ERROR_INVALID_CONTEXT, 201) \
  X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202) \
  X(CUDA_ERROR_MAP_FAILED, 205) \
  X(CUDA_ERROR_UNMAP_FAILED, 206) \
  X(CUDA_ERROR_ARRAY_IS_MAPPED, 207) \
  X(CUDA_ERROR_ALREADY_MAPPED, 208) \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209) \
  X(CUDA_ERROR_ALREADY_ACQUIRED, 210) \
  X(CUDA_ERROR_NOT_MAPPED, 211) \
  X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212) \
  X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213) \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214) \
  X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215) \
  X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216) \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
  X(CUDA_ERROR_INVALID_PTX, 218) \
  X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219) \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220) \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221) \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222) \
  X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223) \
  X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224) \
  X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225) \
  X(CUDA_ERROR_CONTAINED, 226) \
  X(CUDA_ERROR_INVALID_SOURCE, 300) \
  X(CUDA_ERROR_FILE_NOT_FOUND, 301) \
  X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302) \
  X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303) \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304) \
  X(CUDA_ERROR_INVALID_HANDLE, 400) \
  X(CUDA_ERROR_ILLEGAL_STATE, 401) \
  X(CUDA_ERROR_LOSSY_QUERY, 402) \
  X(CUDA_ERROR_NOT_FOUND, 500) \
  X(CUDA_ERROR_NOT_READY, 600) \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700) \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702) \
  X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703) \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704) \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705) \
  X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708) \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709) \
  X(CUDA_ERROR_ASSERT, 710) \
  X(CUDA_ERROR_TOO_MANY_PEERS, 711) \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713) \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714) \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715) \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716) \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717) \
  X(CUDA_ERROR_INVALID_PC, 718) \
  X(CUDA_ERROR_LAUNCH_FAILED, 719) \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720) \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721) \
  X(CUDA_ERROR_NOT_PERMITTED, 800) \
  X(CUDA_ERROR_NOT_SUPPORTED, 801) \
  X(CUDA_ERROR_SYSTEM_NOT_READY, 802) \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803) \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804) \
  X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805) \
  X(CUDA_ERROR_MPS_RPC_FAILURE, 806) \
  X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807) \
  X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808) \
  X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809) \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810) \
  X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811) \
  X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900) \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901) \
  X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904) \
  X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905) \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906) \
  X(CUDA_ERROR_CAPTURED_EVENT, 907) \
  X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908) \
  X(CUDA_ERROR_TIMEOUT, 909) \
  X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910) \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911) \
  X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912) \
  X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913) \
  X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914) \
  X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915) \
  X(CUDA_ERROR_KEY_ROTATION, 916) \
  X(CUDA_ERROR_UNKNOWN, 999)

enum CUresult {
#define CPU_DEVICE_ERROR(name, value) name = value,
  CPU_DEVICE_DRIVER_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
};

// The values are those of cudaDeviceAttr.
enum CUdevice_attribute {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
  CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
  CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
  CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
  CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
  CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
  CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
  CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
  CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
  CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
  CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
  CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
  CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
  CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,
  CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
  CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
  CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
  CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120
};

typedef int CUdevice;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
struct CUctx_st;
typedef CUctx_st* CUcontext;
struct CUmod_st;
typedef CUmod_st* CUmodule;
struct CUfunc_st;
typedef CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef CUuuid_st CUuuid;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
enum CUcomputemode { CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3 };
struct CUexecAffinityParam;
struct CUctxCigParam;
// What a context may be limited to (multiprocessors, graphics): nothing, here.
struct CUctxCreateParams {
  CUexecAffinityParam* execAffinityParams;
  int numExecAffinityParams;
  CUctxCigParam* cigParams;
};
enum CUjit_option : int;
struct CUlinkState_st;
typedef CUlinkState_st* CUlinkState;
typedef cudaMemLocation CUmemLocation;
typedef cudaMemLocationType CUmemLocationType;
constexpr cudaMemLocationType CU_MEM_LOCATION_TYPE_INVALID = cudaMemLocationTypeInvalid,
                              CU_MEM_LOCATION_TYPE_DEVICE = cudaMemLocationTypeDevice,
                              CU_MEM_LOCATION_TYPE_HOST = cudaMemLocationTypeHost,
                              CU_MEM_LOCATION_TYPE_NONE = cudaMemLocationTypeInvalid,
                              CU_MEM_LOCATION_TYPE_HOST_NUMA = cudaMemLocationTypeHostNuma,
                              CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = cudaMemLocationTypeHostNumaCurrent;

enum CUctx_flags {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_BLOCKING_SYNC = 4,
  CU_CTX_MAP_HOST = 8,
  CU_CTX_LMEM_RESIZE_TO_MAX = 16
};
enum CUstream_flags { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum CUevent_flags {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4
};
enum CUmemAttach_flags {
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_MEM_ATTACH_HOST = 2,
  CU_MEM_ATTACH_SINGLE = 4
};
enum CUmemorytype {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
};
enum CUpointer_attribute {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_MAPPED = 13,
  CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
};
struct CUdevprop {
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory,
      SIMDWidth, memPitch, regsPerBlock, clockRate, textureAlign;
};
struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch, WidthInBytes, Height;
};
enum CUlimit { CU_LIMIT_STACK_SIZE = 0, CU_LIMIT_PRINTF_FIFO_SIZE = 1, CU_LIMIT_MALLOC_HEAP_SIZE = 2 };
enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};
#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2
#define CU_LAUNCH_PARAM_END (reinterpret_cast<void*>(0))
#define CU_LAUNCH_PARAM_BUFFER_POINTER (reinterpret_cast<void*>(1))
#define CU_LAUNCH_PARAM_BUFFER_SIZE (reinterpret_cast<void*>(2))
#define CU_STREAM_LEGACY cudaStreamLegacy
#define CU_STREAM_PER_THREAD cudaStreamPerThread
#define CUDA_CB
#define CUDAAPI

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);

// ---- devices ----
CUresult cuDeviceGet(CUdevice* device, int ordinal, CPU_DEVICE_SITE);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device,
                              CPU_DEVICE_SITE);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);

// ---- contexts: each is of one device, and one is current in a host thread ----
CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device, CPU_DEVICE_SITE);
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                     CUdevice device, CPU_DEVICE_SITE);  // CUDA 13's
CUresult cuCtxDestroy(CUcontext context, CPU_DEVICE_SITE);
CUresult cuCtxDetach(CUcontext context, CPU_DEVICE_SITE);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context, CPU_DEVICE_SITE);
CUresult cuCtxPushCurrent(CUcontext context, CPU_DEVICE_SITE);
CUresult cuCtxPopCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version);
CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxSynchronize();
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDevicePrimaryCtxRelease(CUdevice device, CPU_DEVICE_SITE);
CUresult cuDevicePrimaryCtxReset(CUdevice device, CPU_DEVICE_SITE);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);

// ---- memory ----
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned int element_bytes, CPU_DEVICE_SITE);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuMemFree(CUdeviceptr pointer, CPU_DEVICE_SITE);
CUresult cuMemAllocHost(void** pointer, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device_pointer, void* pointer, unsigned int flags,
                                   CPU_DEVICE_SITE);
CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer);
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuMemHostUnregister(void* pointer, CPU_DEVICE_SITE);
CUresult cuMemFreeHost(void* pointer, CPU_DEVICE_SITE);

// ---- addresses and memory apart ----
typedef unsigned long long CUmemGenericAllocationHandle;
enum CUmemAllocationType {
  CU_MEM_ALLOCATION_TYPE_INVALID = 0,
  CU_MEM_ALLOCATION_TYPE_PINNED = 1,
  CU_MEM_ALLOCATION_TYPE_MANAGED = 2
};
typedef CUmemAllocationType CUmemAllocationType_enum;
enum CUmemAllocationHandleType {
  CU_MEM_HANDLE_TYPE_NONE = 0,
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1
};
enum CUmemAllocationGranularity_flags {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
};
enum CUmemAccess_flags {
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
};
struct CUmemAllocationProp {
  CUmemAllocationType type;
  union {
    CUmemAllocationHandleType requestedHandleTypes, requestedHandleType;
  };
  CUmemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
};
struct CUmemAccessDesc {
  CUmemLocation location;
  CUmemAccess_flags flags;
};
CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* what,
                                       CUmemAllocationGranularity_flags which, CPU_DEVICE_SITE);
CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags, CPU_DEVICE_SITE);
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemCreate(CUmemGenericAllocationHandle* memory, size_t bytes,
                     const CUmemAllocationProp* what, unsigned long long flags, CPU_DEVICE_SITE);
CUresult cuMemRelease(CUmemGenericAllocationHandle memory, CPU_DEVICE_SITE);
CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle memory, unsigned long long flags, CPU_DEVICE_SITE);
CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* memory, void* pointer, CPU_DEVICE_SITE);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what, CUmemGenericAllocationHandle memory,
                                                CPU_DEVICE_SITE);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer,
                        CPU_DEVICE_SITE);
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                        size_t count, CPU_DEVICE_SITE);

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream,
                       CPU_DEVICE_SITE);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream,
                           CPU_DEVICE_SITE);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream,
                           CPU_DEVICE_SITE);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream,
                           CPU_DEVICE_SITE);
// `count` values of 1, 2 or 4 bytes.
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count, CPU_DEVICE_SITE);
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count, CPU_DEVICE_SITE);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count, CPU_DEVICE_SITE);
CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream,
                         CPU_DEVICE_SITE);
CUresult cuMemsetD32Async(CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream,
                          CPU_DEVICE_SITE);
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer,
                              CPU_DEVICE_SITE);

// ---- streams and events ----
CUresult cuStreamCreate(CUstream* stream, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuStreamDestroy(CUstream stream, CPU_DEVICE_SITE);
CUresult cuStreamSynchronize(CUstream stream, CPU_DEVICE_SITE);
CUresult cuStreamQuery(CUstream stream, CPU_DEVICE_SITE);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuEventCreate(CUevent* event, unsigned int flags, CPU_DEVICE_SITE);
CUresult cuEventDestroy(CUevent event, CPU_DEVICE_SITE);
CUresult cuEventRecord(CUevent event, CUstream stream, CPU_DEVICE_SITE);
CUresult cuEventSynchronize(CUevent event, CPU_DEVICE_SITE);
CUresult cuEventQuery(CUevent event, CPU_DEVICE_SITE);
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent stop, CPU_DEVICE_SITE);

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what, CPU_DEVICE_SITE);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream, CPU_DEVICE_SITE);
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer,
                               CPU_DEVICE_SITE);
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device, CPU_DEVICE_SITE);

// ---- modules: what nvcc -ptx and -cubin of the CPU device make, and NVRTC. Code for GPUs cannot run
// here: CUDA_ERROR_NOT_SUPPORTED. ----
CUresult cuModuleLoad(CUmodule* module, const char* file, CPU_DEVICE_SITE);
CUresult cuModuleLoadData(CUmodule* module, const void* image, CPU_DEVICE_SITE);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                            CUjit_option* options, void** values, CPU_DEVICE_SITE);
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image, CPU_DEVICE_SITE);
CUresult cuModuleUnload(CUmodule module, CPU_DEVICE_SITE);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name,
                             CPU_DEVICE_SITE);
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name,
                           CPU_DEVICE_SITE);

// ---- kernels of the program itself, as cudaGetFuncBySymbol() gives them ----
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function,
                            CPU_DEVICE_SITE);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value,
                            CPU_DEVICE_SITE);
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** arguments, void** extra, CPU_DEVICE_SITE);

// ---- the rest is the runtime's, under other names ----
namespace cpu_device {
CUresult ready_for(const void* object, Site site);
// What `call` returns, if the driver is initialized and there is a context: that of the object, or the current one.
template <typename Call>
inline CUresult if_ready(const void* object, Site site, Call call) {
  const CUresult state = ready_for(object, site);
  return state == CUDA_SUCCESS ? static_cast<CUresult>(call()) : state;
}
}  // namespace cpu_device
inline CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority,
                                           CPU_DEVICE_SITE) {
  return cpu_device::if_ready(nullptr, site, [&] { return cudaStreamCreateWithPriority(stream, flags, priority, site); });
}
inline CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags, CPU_DEVICE_SITE) {
  return cpu_device::if_ready(stream, site, [&] { return cudaStreamGetFlags(stream, flags, site); });
}
inline CUresult cuStreamGetPriority(CUstream stream, int* priority, CPU_DEVICE_SITE) {
  return cpu_device::if_ready(stream, site, [&] { return cudaStreamGetPriority(stream, priority, site); });
}
inline CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void*), void* data,
                                 CPU_DEVICE_SITE) {
  return cpu_device::if_ready(stream, site, [&] { return cudaLaunchHostFunc(stream, function, data, site); });
}
inline CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return cpu_device::if_ready(nullptr, {nullptr, 0}, [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text);
inline CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream,
                                CPU_DEVICE_SITE) {
  return cpu_device::if_ready(stream, site,
                              [&] { return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream, site); });
}
inline CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream, CPU_DEVICE_SITE) {
  return cpu_device::if_ready(stream, site, [&] { return cudaFreeAsync(reinterpret_cast<void*>(pointer), stream, site); });
}
inline CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int block_size,
                                                            size_t shared_bytes) {
  return static_cast<CUresult>(cpu_device::occupancy(blocks, nullptr, block_size, shared_bytes));
}
inline CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, CUfunction kernel,
                                                 size_t (*shared_bytes)(int), size_t always, int limit) {
  const struct {
    size_t (*by_size)(int);
    size_t always;
  } how = {shared_bytes, always};
  return static_cast<CUresult>(cpu_device::occupancy_size(
      min_grid, block_size, kernel, limit,
      [](int threads, const void* told) {
        const auto* one = static_cast<const decltype(how)*>(told);
        return one->by_size != nullptr ? one->by_size(threads) : one->always;
      },
      &how));
}
typedef enum {
  CU_FUNC_CACHE_PREFER_NONE = 0,
  CU_FUNC_CACHE_PREFER_SHARED = 1,
  CU_FUNC_CACHE_PREFER_L1 = 2,
  CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;
inline CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }

#undef CPU_DEVICE_SITE

// Programs ask for these by their exported names now and then.
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemFree_v2 cuMemFree
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuCtxCreate_v2 cuCtxCreate
#define cuCtxCreate_v4 cuCtxCreate
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
