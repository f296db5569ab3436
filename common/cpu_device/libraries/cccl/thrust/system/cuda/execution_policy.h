// thrust::cuda::par and its stream: here the backend that runs on the host, which runs at once.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
struct par_t : thrust::system::cpp::detail::par_t {
  const par_t& on(cudaStream_t) const { return *this; }
};
static const par_t par{};
static const par_t par_nosync{};
using thrust::system::cpp::tag;
template <typename Derived>
using execution_policy = thrust::system::cpp::execution_policy<Derived>;
}  // namespace cuda
}  // namespace system
namespace cuda = system::cuda;
THRUST_NAMESPACE_END
