// In place of Thrust's own header of this name: the same reduction, in the shape of a tree as on a GPU.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/function.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include <cpu_device/reduce_pairwise.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <typename Policy, typename Iterator, typename Value, typename Operation>
Value reduce(execution_policy<Policy>&, Iterator begin, Iterator end, Value initial, Operation operation) {
  thrust::detail::wrapped_function<Operation, Value> wrapped{operation};
  // A tree combines results with each other. An operation that only takes a result and an element, as some
  // programs use on the host, goes from element to element.
  if constexpr (std::is_convertible_v<decltype(*begin), Value> &&
                std::is_invocable_r_v<Value, Operation&, Value&, Value&>) {
    return cpu_device::reduce_pairwise<Value>(begin, end, initial, wrapped);
  } else {
    for (; begin != end; ++begin) initial = wrapped(initial, *begin);
    return initial;
  }
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
