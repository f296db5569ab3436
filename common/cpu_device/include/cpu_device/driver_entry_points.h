// The type that a function of the driver interface has in CUDA: without the line of the call, which ours take as
// their last parameter.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "site.h"

namespace cpu_device {

template <typename Result, typename Parameters, typename Index>
struct FirstOf;
template <typename Result, typename Parameters, size_t... Index>
struct FirstOf<Result, Parameters, std::index_sequence<Index...>> {
  using type = Result(std::tuple_element_t<Index, Parameters>...);
};

template <typename Type>
struct InCuda {
  using type = Type;
};
template <typename Result, typename... Parameters>
struct InCuda<Result(Parameters...)> {
  static constexpr size_t kCount = sizeof...(Parameters);
  static constexpr bool kTakesSite = (std::is_same_v<Parameters, Site> || ...);
  using type = typename FirstOf<Result, std::tuple<Parameters...>,
                                std::make_index_sequence<kTakesSite ? kCount - 1 : kCount>>::type;
};
template <typename Type>
using CudaForm = typename InCuda<Type>::type;

}  // namespace cpu_device
