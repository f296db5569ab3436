// What CCCL 3 has taken away, and programs of years before it use: CUB's own operators and iterators.
#pragma once
#pragma GCC system_header  // CCCL 3.3 calls some of these deprecated

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

CUB_NAMESPACE_BEGIN

#define CPU_DEVICE_OPERATOR(NAME, RESULT)          \
  struct NAME {                                    \
    template <typename T, typename U>              \
    constexpr auto operator()(T&& t, U&& u) const { \
      return RESULT;                               \
    }                                              \
  };
CPU_DEVICE_OPERATOR(Equality, t == u)
CPU_DEVICE_OPERATOR(Inequality, t != u)
CPU_DEVICE_OPERATOR(Sum, t + u)
CPU_DEVICE_OPERATOR(Difference, t - u)
CPU_DEVICE_OPERATOR(Division, t / u)
CPU_DEVICE_OPERATOR(Max, t < u ? u : t)
CPU_DEVICE_OPERATOR(Min, u < t ? u : t)
#undef CPU_DEVICE_OPERATOR

template <typename T, typename Offset = ptrdiff_t>
using CountingInputIterator = THRUST_NS_QUALIFIER::counting_iterator<T>;
template <typename T, typename Offset = ptrdiff_t>
using ConstantInputIterator = THRUST_NS_QUALIFIER::constant_iterator<T>;
template <typename T, typename Operation, typename Iterator, typename Offset = ptrdiff_t>
using TransformInputIterator = THRUST_NS_QUALIFIER::transform_iterator<Operation, Iterator, T>;

CUB_NAMESPACE_END
