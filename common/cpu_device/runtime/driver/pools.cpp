// Memory pools, batches of copies and streams of the driver interface: the runtime's, under other names.
#include "../faults/error_messages.h"
#include "driver.h"

using namespace cpu_device;

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* how, Site site) {
  CPU_DEVICE_READY_FOR(how);
  if (pool == nullptr || how == nullptr) return result(fail(cudaErrorInvalidValue));
  cudaMemPoolProps same{};
  same.allocType = static_cast<cudaMemAllocationType>(how->allocType);
  same.handleTypes = static_cast<cudaMemAllocationHandleType>(how->handleTypes);
  same.location = how->location;
  same.maxSize = how->maxSize;
  same.usage = how->usage;
  return result(cudaMemPoolCreate(pool, &same));
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) { return result(cudaMemPoolDestroy(pool)); }
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return result(cudaMemPoolSetAttribute(pool, which, value));
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return result(cudaMemPoolGetAttribute(pool, which, value));
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) { return result(cudaMemPoolTrimTo(pool, bytes)); }
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc*, size_t) {
  return result(cudaMemPoolSetAccess(pool, nullptr, 0));
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  cudaMemAccessFlags same = cudaMemAccessFlagsProtNone;
  const cudaError_t error = cudaMemPoolGetAccess(&same, pool, location);
  *flags = static_cast<CUmemAccess_flags>(same);
  return result(error);
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  return result(cudaDeviceGetDefaultMemPool(pool, device));
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device, Site site) {
  const CUresult state = device_ready(device, site);
  if (state != CUDA_SUCCESS) return state == CUDA_ERROR_INVALID_DEVICE ? CUDA_ERROR_INVALID_VALUE : state;  // as measured
  return result(cudaDeviceGetMemPool(pool, device));
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool, Site site) {
  CPU_DEVICE_CHECK_DEVICE(device);
  return result(cudaDeviceSetMemPool(device, pool));
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type, Site site) {
  if (!driver_initialized()) return not_initialized(site);
  return result(cudaMemGetDefaultMemPool(pool, location, static_cast<cudaMemAllocationType>(type)));
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(allocate_from_pool(reinterpret_cast<void**>(pointer), bytes, pool, stream, site));
}

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* bytes, size_t count, CUmemcpyAttributes*,
                            size_t*, size_t, CUstream stream, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  for (size_t i = 0; i < count; i++) {
    const CUresult error = cuMemcpyAsync(to[i], from[i], bytes[i], stream, site);
    if (error != CUDA_SUCCESS) return error;
  }
  return CUDA_SUCCESS;
}

// ---- streams ----

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context, Site site) {
  CUdevice device = 0;
  const CUresult state = cuStreamGetDevice(stream, &device, site);
  return state != CUDA_SUCCESS ? state : cuDevicePrimaryCtxRetain(context, device, site);
}
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* part, Site site) {
  if (part != nullptr) *part = nullptr;
  return cuStreamGetCtx(stream, context, site);
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaStreamGetDevice(stream, device, site));
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaStreamGetId(stream, id, site));
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  // The two types of error have the same numbers.
  return result(cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), data, flags, site));
}
