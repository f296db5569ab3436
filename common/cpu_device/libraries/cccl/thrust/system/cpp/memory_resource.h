// Where vectors of Thrust's host backend get their memory. Host vectors have an allocator of their
// own (std::allocator), so this is the memory of device vectors: cudaMalloc's, as on a GPU.
#pragma once

#include <new>

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/mr/new.h>
#include <thrust/system/cpp/pointer.h>

namespace cpu_device {

// Allocates by `Allocate`, a function like cudaMalloc.
template <cudaError_t (*Allocate)(void**, size_t)>
class ThrustMemory final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* pointer = nullptr;
    if (Allocate(&pointer, bytes == 0 ? 1 : bytes) != cudaSuccess) throw std::bad_alloc();
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t, std::size_t) override { cudaFree(pointer); }
};
inline cudaError_t thrust_device_memory(void** pointer, size_t bytes) {
  return cudaMalloc(pointer, bytes);
}
inline cudaError_t thrust_managed_memory(void** pointer, size_t bytes) {
  return cudaMallocManaged(pointer, bytes);
}

}  // namespace cpu_device

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {
using native_resource =
    thrust::mr::fancy_pointer_resource<cpu_device::ThrustMemory<cpu_device::thrust_device_memory>,
                                       thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<cpu_device::ThrustMemory<cpu_device::thrust_managed_memory>,
                                       thrust::cpp::universal_pointer<void>>;
}  // namespace detail
using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;
}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
