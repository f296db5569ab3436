// The driver interface, continued: memory pools, batches of copies, kernels without a context (libraries),
// launches with attributes, and functions by their names. Pools, nodes and attributes are the runtime's.
#pragma once

#include <string>

#include "driver.h"
#include "graphs.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- memory pools ----
typedef cudaMemPool_t CUmemoryPool;
typedef cudaMemPoolAttr CUmemPool_attribute;
constexpr cudaMemPoolAttr CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = cudaMemPoolReuseFollowEventDependencies,
                          CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = cudaMemPoolReuseAllowOpportunistic,
                          CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = cudaMemPoolReuseAllowInternalDependencies,
                          CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = cudaMemPoolAttrReleaseThreshold,
                          CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = cudaMemPoolAttrReservedMemCurrent,
                          CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = cudaMemPoolAttrReservedMemHigh,
                          CU_MEMPOOL_ATTR_USED_MEM_CURRENT = cudaMemPoolAttrUsedMemCurrent,
                          CU_MEMPOOL_ATTR_USED_MEM_HIGH = cudaMemPoolAttrUsedMemHigh,
                          CU_MEMPOOL_ATTR_ALLOCATION_TYPE = cudaMemPoolAttrAllocationType,
                          CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES = cudaMemPoolAttrExportHandleTypes,
                          CU_MEMPOOL_ATTR_LOCATION_ID = cudaMemPoolAttrLocationId,
                          CU_MEMPOOL_ATTR_LOCATION_TYPE = cudaMemPoolAttrLocationType,
                          CU_MEMPOOL_ATTR_MAX_POOL_SIZE = cudaMemPoolAttrMaxPoolSize;
struct CUmemPoolProps {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* how, CPU_DEVICE_SITE);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, size_t count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device, CPU_DEVICE_SITE);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool, CPU_DEVICE_SITE);
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type,
                                CPU_DEVICE_SITE);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream,
                                 CPU_DEVICE_SITE);

// ---- several copies in one call, in order ----
enum CUmemcpySrcAccessOrder {
  CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0,
  CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1,
  CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2,
  CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3
};
enum cudaMemcpySrcAccessOrder {
  cudaMemcpySrcAccessOrderInvalid = 0,
  cudaMemcpySrcAccessOrderStream = 1,
  cudaMemcpySrcAccessOrderDuringApiCall = 2,
  cudaMemcpySrcAccessOrderAny = 3
};
struct CUmemcpyAttributes {
  CUmemcpySrcAccessOrder srcAccessOrder;
  CUmemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* bytes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* first_of_each, size_t attribute_count,
                            CUstream stream, CPU_DEVICE_SITE);
CUresult cuMemsetD16Async(CUdeviceptr pointer, unsigned short value, size_t count, CUstream stream,
                          CPU_DEVICE_SITE);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer, CPU_DEVICE_SITE);

// ---- streams ----
struct CUgreenCtx_st;  // part of a device, which the CPU device does not divide
typedef CUgreenCtx_st* CUgreenCtx;
typedef cudaHostFn_t CUhostFn;
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void* data);
enum CUevent_wait_flags { CU_EVENT_WAIT_DEFAULT = 0, CU_EVENT_WAIT_EXTERNAL = 1 };
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context, CPU_DEVICE_SITE);
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* part, CPU_DEVICE_SITE);
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device, CPU_DEVICE_SITE);
CUresult cuStreamGetId(CUstream stream, unsigned long long* id, CPU_DEVICE_SITE);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags,
                             CPU_DEVICE_SITE);

// ---- libraries: modules that belong to no context. A kernel is the function of that name. ----
struct CUlib_st;
typedef CUlib_st* CUlibrary;
typedef cudaKernel_t CUkernel;
enum CUlibraryOption { CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0, CU_LIBRARY_BINARY_IS_PRESERVED = 1 };
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* options, void** values,
                           unsigned int count, CUlibraryOption* library_options, void** library_values,
                           unsigned int library_count, CPU_DEVICE_SITE);
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                               unsigned int count, CUlibraryOption* library_options, void** library_values,
                               unsigned int library_count, CPU_DEVICE_SITE);
CUresult cuLibraryUnload(CUlibrary library, CPU_DEVICE_SITE);
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name, CPU_DEVICE_SITE);
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name, CPU_DEVICE_SITE);
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name,
                             CPU_DEVICE_SITE);
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel, CPU_DEVICE_SITE);
CUresult cuKernelGetName(const char** name, CUkernel kernel, CPU_DEVICE_SITE);
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device,
                              CPU_DEVICE_SITE);
CUresult cuFuncGetName(const char** name, CUfunction function, CPU_DEVICE_SITE);
CUresult cuFuncLoad(CUfunction function);

// ---- launches with attributes ----
typedef cudaLaunchAttributeID CUlaunchAttributeID;
typedef cudaLaunchAttributeID CUkernelNodeAttrID;
typedef cudaLaunchAttributeValue CUlaunchAttributeValue;
typedef cudaLaunchAttributeValue CUkernelNodeAttrValue;
constexpr cudaLaunchAttributeID CU_LAUNCH_ATTRIBUTE_IGNORE = cudaLaunchAttributeIgnore,
                                CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = cudaLaunchAttributeAccessPolicyWindow,
                                CU_LAUNCH_ATTRIBUTE_COOPERATIVE = cudaLaunchAttributeCooperative,
                                CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = cudaLaunchAttributeSynchronizationPolicy,
                                CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = cudaLaunchAttributeClusterDimension,
                                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION =
                                    cudaLaunchAttributeProgrammaticStreamSerialization,
                                CU_LAUNCH_ATTRIBUTE_PRIORITY = cudaLaunchAttributePriority;
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};
struct CUlaunchConfig {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
};
CUresult cuLaunchKernelEx(const CUlaunchConfig* how, CUfunction function, void** arguments, void** extra,
                          CPU_DEVICE_SITE);
typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void** kernelParams;
  void** extra;
};
CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* what, CPU_DEVICE_SITE);

// ---- functions by their names, in CUDA's form: the pointer's type is CUDA's, without the line of the call ----
enum CUdriverProcAddress_flags {
  CU_GET_PROC_ADDRESS_DEFAULT = 0,
  CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
  CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
};
enum CUdriverProcAddressQueryResult {
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
};
CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* result);
namespace cpu_device {
// For programs that would load the driver's library: not null, and one of its functions.
inline void* driver_library() { return const_cast<char*>("libcuda.so.1"); }
// `name`: as the library has it, where cuGetProcAddress_v2 is what programs call cuGetProcAddress.
inline void* driver_function(const char* name) {
  const std::string all = name;
  const size_t version = all.rfind("_v");
  void* function = nullptr;
  cuGetProcAddress(all.substr(0, version).c_str(), &function, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
  return function;
}
}  // namespace cpu_device

// ---- what the CPU device does not have: each call fails and says so ----
enum CUgreenCtxCreate_flags { CU_GREEN_CTX_DEFAULT_STREAM = 1 };
struct CUdevResourceDesc_st;
typedef CUdevResourceDesc_st* CUdevResourceDesc;
CUresult cuGreenCtxCreate(CUgreenCtx* part, CUdevResourceDesc what, CUdevice device, unsigned int flags,
                          CPU_DEVICE_SITE);
CUresult cuGreenCtxDestroy(CUgreenCtx part, CPU_DEVICE_SITE);
CUresult cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx part, CPU_DEVICE_SITE);
CUresult cuGreenCtxGetId(CUgreenCtx part, unsigned long long* id, CPU_DEVICE_SITE);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID which, const CUkernelNodeAttrValue* value,
                                       CPU_DEVICE_SITE);
enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
};
enum CUtensorMapInterleave {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
};
enum CUtensorMapSwizzle {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B
};
enum CUtensorMapL2promotion {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
};
struct alignas(128) CUtensorMap {
  cuuint64_t opaque[16];
};
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill, CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
