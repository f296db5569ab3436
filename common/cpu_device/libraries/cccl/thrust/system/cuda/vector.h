// thrust::cuda::vector: the device's vector.
#pragma once
#include <thrust/device_vector.h>
#include <thrust/system/cuda/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
template <typename T, typename Allocator = thrust::device_allocator<T>>
using vector = thrust::device_vector<T, Allocator>;
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
