// Memory of the driver interface: allocations, copies and fills, pointers.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../memory/pools.h"
#include "../order/queue.h"
#include "driver.h"

using namespace cpu_device;

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  if (const CUresult state = ready({nullptr, 0}); state != CUDA_SUCCESS) return state;
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
  CPU_DEVICE_READY_FOR(address(pointer));
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
  CPU_DEVICE_READY_FOR(pointer);
  return result(cudaHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), pointer, flags,
                                         site));
}
CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer) {
  if (const CUresult state = ready({nullptr, 0}); state != CUDA_SUCCESS) return state;
  return result(cudaHostGetFlags(flags, pointer));
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
  CPU_DEVICE_READY_FOR(pointer);
  return result(cudaFreeHost(pointer, site));
}

static CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  CPU_DEVICE_READY;
  return result(cudaMemcpy(to, from, bytes, kind, site));
}
static CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, CUstream stream,
                     Site site) {
  CPU_DEVICE_READY_FOR(stream);
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

template <typename T>
static CUresult set(CUdeviceptr pointer, T value, size_t count, CUstream handle, Site site) {
  const CUresult state = ready_for(handle, site);
  if (state != CUDA_SUCCESS) return state;
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return result(cudaErrorInvalidResourceHandle);
  const Block* block = find_block(address(pointer));
  if (pointer % sizeof(T) != 0 || block == nullptr ||
      count > (block->base + block->bytes - pointer) / sizeof(T))
    return result(fail(cudaErrorInvalidValue, site,
                       format("%zu values of %zu bytes exceed the allocation in device memory",
                              count, sizeof(T)),
                       "the size is a number of values, not of bytes. Reduce it."));
  enqueue(stream, site, [=] {
    std::fill_n(static_cast<T*>(address(pointer)), count, value);
    return cudaSuccess;
  });
  return CUDA_SUCCESS;
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
CUresult cuMemsetD16Async(CUdeviceptr pointer, unsigned short value, size_t count, CUstream stream,
                          Site site) {
  return set(pointer, value, count, stream, site);
}
CUresult cuMemsetD32Async(CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream,
                          Site site) {
  return set(pointer, value, count, stream, site);
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer, Site site) {
  CPU_DEVICE_READY_FOR(address(pointer));
  const Guard guard(host_lock());
  const Block* block = find_block(address(pointer));
  if (block == nullptr)
    return result(fail(cudaErrorInvalidValue, site, "the pointer does not point to device memory"));
  if (base != nullptr) *base = number(reinterpret_cast<void*>(block->base));
  if (bytes != nullptr) *bytes = block->bytes;
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer,
                               Site site) {
  CPU_DEVICE_READY_FOR(address(pointer));
  cudaPointerAttributes all;
  cudaPointerGetAttributes(&all, address(pointer));
  if (all.type == cudaMemoryTypeUnregistered)
    return result(fail(cudaErrorInvalidValue, site, "the pointer does not point to memory that CUDA allocated"));
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
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<int*>(value) = 1;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      *static_cast<CUmemoryPool*>(value) = pool_of_allocation(address(pointer));
      return CUDA_SUCCESS;
  }
  return result(fail(cudaErrorInvalidValue));
}
// Memory that CUDA did not allocate has no attributes but its address on the host, which is no error here.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values, CUdeviceptr pointer,
                                Site site) {
  CPU_DEVICE_READY_FOR(address(pointer));
  cudaPointerAttributes all;
  cudaPointerGetAttributes(&all, address(pointer));
  for (unsigned int i = 0; i < count; i++) {
    if (all.type == cudaMemoryTypeUnregistered) {
      const bool is_pointer = attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE &&
                              attributes[i] != CU_POINTER_ATTRIBUTE_IS_MANAGED &&
                              attributes[i] != CU_POINTER_ATTRIBUTE_MAPPED &&
                              attributes[i] != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
      memset(values[i], 0, is_pointer ? sizeof(void*) : sizeof(int));
      if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(values[i]) = -2;
      if (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER) *static_cast<void**>(values[i]) = address(pointer);
      continue;
    }
    const CUresult state = cuPointerGetAttribute(values[i], attributes[i], pointer, site);
    if (state != CUDA_SUCCESS) return state;
  }
  return CUDA_SUCCESS;
}
