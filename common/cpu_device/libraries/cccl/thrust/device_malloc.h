// thrust::device_malloc(): memory of cudaMalloc's, as on a GPU, so that a program may also copy to and from it with
// cudaMemcpy(). Thrust's host backend would take it from malloc().
#pragma once

#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>
#include <thrust/system/cpp/memory_resource.h>

#include <new>

THRUST_NAMESPACE_BEGIN
// n bytes; throws std::bad_alloc.
inline device_ptr<void> device_malloc(const std::size_t n) {
  void* memory = nullptr;
  if (cpu_device::thrust_device_memory(&memory, n) != cudaSuccess) throw std::bad_alloc();
  return device_ptr<void>(memory);
}
// n elements, not constructed; throws std::bad_alloc.
template <typename T>
device_ptr<T> device_malloc(const std::size_t n) {
  return device_ptr<T>(static_cast<T*>(device_malloc(n * sizeof(T)).get()));
}
THRUST_NAMESPACE_END
