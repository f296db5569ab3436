// What programs ask about streams, functions, memory and limits, and copies between devices of
// boxes.
#pragma once

#include "api_more.h"
#include "arrays.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- streams ----
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, CPU_DEVICE_SITE);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, CPU_DEVICE_SITE);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, CPU_DEVICE_SITE);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id, CPU_DEVICE_SITE);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value,
                                   CPU_DEVICE_SITE);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from, CPU_DEVICE_SITE);
// Of launches by kernels: after the parent, or next to it. Children run after their parent here.
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(0x3))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(0x4))

// ---- functions ----
struct CUfunc_st;
typedef CUfunc_st* cudaFunction_t;
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* kernel, CPU_DEVICE_SITE);
template <typename... Parameters>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, void (*kernel)(Parameters...),
                                       CPU_DEVICE_SITE) {
  return cudaGetFuncBySymbol(function, static_cast<const void*>(cpu_device::note_kernel(kernel)),
                             site);
}
// A kernel's handle is its address, so that it can be launched like one.
struct CUkern_st;
typedef CUkern_st* cudaKernel_t;
cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* kernel, CPU_DEVICE_SITE);
template <typename... Parameters>
inline cudaError_t cudaGetKernel(cudaKernel_t* handle, void (*kernel)(Parameters...), CPU_DEVICE_SITE) {
  return cudaGetKernel(handle, static_cast<const void*>(cpu_device::note_kernel(kernel)), site);
}
// The kernel's own name, where a GPU gives a mangled one.
cudaError_t cudaFuncGetName(const char** name, const void* kernel, CPU_DEVICE_SITE);
template <typename... Parameters>
inline cudaError_t cudaFuncGetName(const char** name, void (*kernel)(Parameters...), CPU_DEVICE_SITE) {
  return cudaFuncGetName(name, static_cast<const void*>(cpu_device::note_kernel(kernel)), site);
}
// Grids of a stream run one after the other: nothing begins early, and there is nothing to wait for.
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline void cudaGridDependencySynchronize() {}
template <typename Kernel>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Kernel, int blocks,
                                                             int) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  if (error != cudaSuccess || blocks < 1)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  *bytes = properties.sharedMemPerMultiprocessor / static_cast<size_t>(blocks);
  if (*bytes > properties.sharedMemPerBlock) *bytes = properties.sharedMemPerBlock;
  return cudaSuccess;
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size,
                                                               Kernel kernel,
                                                               size_t shared_bytes = 0,
                                                               int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid, block_size, kernel, shared_bytes, limit);
}
template <typename Kernel, typename SharedBytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid, int* block_size, Kernel kernel, SharedBytes shared_bytes, int limit = 0,
    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_size, kernel, shared_bytes,
                                                        limit);
}

// ---- managed memory ----
enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation = 2,
  cudaMemRangeAttributeAccessedBy = 3,
  cudaMemRangeAttributeLastPrefetchLocation = 4
};
// What cudaMemAdvise() and cudaMemPrefetchAsync() said last of the allocation.
cudaError_t cudaMemRangeGetAttribute(void* value, size_t value_bytes, cudaMemRangeAttribute which,
                                     const void* pointer, size_t bytes, CPU_DEVICE_SITE);
cudaError_t cudaMemRangeGetAttributes(void** values, size_t* value_bytes,
                                      cudaMemRangeAttribute* which, size_t count,
                                      const void* pointer, size_t bytes, CPU_DEVICE_SITE);

// ---- boxes of two devices ----
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};
inline cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what,
                                         cudaStream_t stream = nullptr, CPU_DEVICE_SITE) {
  const cudaMemcpy3DParms same{
      what->srcArray, what->srcPos, what->srcPtr, what->dstArray,
      what->dstPos,   what->dstPtr, what->extent, cudaMemcpyDeviceToDevice};
  return cudaMemcpy3DAsync(&same, stream, site);
}
inline cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what, CPU_DEVICE_SITE) {
  return cudaMemcpy3DPeerAsync(what, nullptr, site);
}
inline cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                          cudaArray_const_t from, size_t from_x, size_t from_y,
                                          size_t bytes,
                                          cudaMemcpyKind kind = cudaMemcpyDeviceToDevice,
                                          CPU_DEVICE_SITE) {
  return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, bytes, 1, kind, site);
}

#undef CPU_DEVICE_SITE
