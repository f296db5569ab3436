// What CCCL 3 has taken away, and most programs derive their functors from.
#pragma once
#include_next <thrust/functional.h>
#include <thrust/version.h>

#if THRUST_VERSION >= 300000
THRUST_NAMESPACE_BEGIN
template <typename Argument, typename Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <typename First, typename Second, typename Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
THRUST_NAMESPACE_END
#endif
