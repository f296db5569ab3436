// What goes along one dimension of a tile: sums and other reductions, which leave a size of 1 there, and
// running sums (scans).
#pragma once

#include "tile_elementwise.h"
#include "tile_shapes.h"

namespace cuda::tiles {

namespace detail {

template <typename S, size_t dimension, size_t... I>
auto reduced_shape(std::index_sequence<I...>)
    -> shape<(I == dimension ? 1 : S::static_extent(I))...>;
template <typename T, size_t dimension>
using ReducedShape =
    decltype(reduced_shape<Shape<T>, dimension>(std::make_index_sequence<Shape<T>::rank()>()));

// Where the elements along a dimension are: element i of line (outer, inner) is at
// (outer * length + i) * inner_count + inner.
template <typename T, size_t dimension>
struct Lines {
  static constexpr size_t length = Shape<T>::static_extent(dimension);
  static constexpr size_t inner = distance<Shape<T>>(dimension);
  static constexpr size_t outer = elements_of<Shape<T>>() / length / inner;
};

// In halves: element i and element i + length / 2 first, as a GPU does it, and with the small error of
// pairwise summation. `values` is used up.
template <size_t length, size_t inner, typename E, typename Function>
CPU_DEVICE_UNCHECKED void fold(E* values, const Function& function) {
  for (size_t half = length / 2; half > 0; half /= 2)
#pragma GCC ivdep
    for (size_t i = 0; i < half * inner; i++)
      values[i] = function(values[i], values[i + half * inner]);
}

// What elements are added as: numbers of 16 bits as float, so that a sum is rounded only once.
template <typename E>
using Accumulator = decltype(plain(std::declval<E>()));

template <size_t dimension, typename T, typename Function>
CPU_DEVICE_UNCHECKED tile<Element<T>, ReducedShape<T, dimension>> reduce(
    const T& it, const Function& function) {
  using L = Lines<T, dimension>;
  using A = Accumulator<Element<T>>;
  tile<Element<T>, ReducedShape<T, dimension>> result;
  tile<A, shape<L::length, L::inner>> values;
  for (size_t outer = 0; outer < L::outer; outer++) {
    constexpr size_t count = L::length * L::inner;
    for (size_t i = 0; i < count; i++)
      values.cpu_device_values[i] = plain(it.cpu_device_values[outer * count + i]);
    fold<L::length, L::inner>(values.cpu_device_values, function);
    for (size_t i = 0; i < L::inner; i++)
      result.cpu_device_values[outer * L::inner + i] =
          convert<Element<T>>(values.cpu_device_values[i]);
  }
  return result;
}

template <bool forward, size_t dimension, typename T, typename Function>
CPU_DEVICE_UNCHECKED T scan(const T& it, const Function& function) {
  using L = Lines<T, dimension>;
  using A = Accumulator<Element<T>>;
  T result;
  for (size_t outer = 0; outer < L::outer; outer++) {
    tile<A, shape<L::inner>> running;
    for (size_t step = 0; step < L::length; step++) {
      const size_t at = (outer * L::length + (forward ? step : L::length - 1 - step)) * L::inner;
      for (size_t i = 0; i < L::inner; i++) {
        const A x = plain(it.cpu_device_values[at + i]);
        running.cpu_device_values[i] = step == 0 ? x : function(running.cpu_device_values[i], x);
        result.cpu_device_values[at + i] = convert<Element<T>>(running.cpu_device_values[i]);
      }
    }
  }
  return result;
}

// The index of the largest or smallest element along a dimension, the first of several.
template <bool largest, size_t dimension, typename T>
CPU_DEVICE_UNCHECKED auto place_of_extreme(const T& it) {
  using L = Lines<T, dimension>;
  tile<typename T::index_type, ReducedShape<T, dimension>> result;
  for (size_t line = 0; line < L::outer * L::inner; line++) {
    const size_t first = line / L::inner * L::length * L::inner + line % L::inner;
    size_t best = 0;
    for (size_t i = 1; i < L::length; i++) {
      const auto x = plain(it.cpu_device_values[first + i * L::inner]);
      const auto y = plain(it.cpu_device_values[first + best * L::inner]);
      if (largest ? x > y : x < y) best = i;
    }
    result.cpu_device_values[line] = static_cast<typename T::index_type>(best);
  }
  return result;
}

template <auto dimension, typename T>
concept has_dimension =
    is_tile<T> && dimension >= 0 && static_cast<size_t>(dimension) < tile_rank_v<T>;

}  // namespace detail

template <tile_like T, size_t dimension>
  requires(dimension < tile_rank_v<T>)
using reduction_result_t = tile<tile_element_t<T>, detail::ReducedShape<T, dimension>>;

#define CPU_DEVICE_REDUCTION(NAME, CONCEPT, FUNCTION)                                       \
  template <integral auto Dimension, CONCEPT T>                                             \
    requires detail::has_dimension<Dimension, T>                                            \
  CPU_DEVICE_UNCHECKED reduction_result_t<T, static_cast<size_t>(Dimension)> NAME(          \
      const T& it, integral_constant<Dimension> = {}) noexcept {                            \
    return detail::reduce<static_cast<size_t>(Dimension)>(it, FUNCTION);                    \
  }
#define CPU_DEVICE_ROUNDED_REDUCTION(NAME)                                                  \
  template <integral auto Dimension, rounding_mode Mode,                                    \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),       \
            arithmetic_tile T>                                                              \
    requires detail::has_dimension<Dimension, T>                                            \
  CPU_DEVICE_UNCHECKED auto NAME(const T& it, integral_constant<Dimension> dimension,       \
                                 rounding_mode_constant<Mode>,                              \
                                 subnormals_rounding_mode_constant<Subnormals> = {}) noexcept { \
    detail::check_rounding<Mode>();                                                         \
    return NAME(it, dimension);                                                             \
  }
#define CPU_DEVICE_NAN_REDUCTION(NAME, LARGEST)                                             \
  template <integral auto Dimension, nan_propagation_mode Nan,                              \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),       \
            arithmetic_tile T>                                                              \
    requires detail::has_dimension<Dimension, T>                                            \
  CPU_DEVICE_UNCHECKED auto NAME(const T& it, integral_constant<Dimension>,                 \
                                 nan_propagation_mode_constant<Nan>,                        \
                                 subnormals_rounding_mode_constant<Subnormals> = {}) noexcept { \
    return detail::reduce<static_cast<size_t>(Dimension)>(                                  \
        it, detail::Extreme<LARGEST, Nan == nan_propagation_mode::propagate_nan>());        \
  }
CPU_DEVICE_REDUCTION(sum, arithmetic_tile, detail::Plus())
CPU_DEVICE_REDUCTION(prod, arithmetic_tile, detail::Times())
CPU_DEVICE_REDUCTION(reduce_max, arithmetic_tile, (detail::Extreme<true, false>()))
CPU_DEVICE_REDUCTION(reduce_min, arithmetic_tile, (detail::Extreme<false, false>()))
CPU_DEVICE_REDUCTION(reduce_bitand, integral_tile,
                     [](auto x, auto y) { return static_cast<decltype(x)>(x & y); })
CPU_DEVICE_REDUCTION(reduce_bitor, integral_tile,
                     [](auto x, auto y) { return static_cast<decltype(x)>(x | y); })
CPU_DEVICE_REDUCTION(reduce_bitxor, integral_tile,
                     [](auto x, auto y) { return static_cast<decltype(x)>(x ^ y); })
CPU_DEVICE_ROUNDED_REDUCTION(sum)
CPU_DEVICE_ROUNDED_REDUCTION(prod)
CPU_DEVICE_NAN_REDUCTION(reduce_max, true)
CPU_DEVICE_NAN_REDUCTION(reduce_min, false)
#undef CPU_DEVICE_REDUCTION
#undef CPU_DEVICE_ROUNDED_REDUCTION
#undef CPU_DEVICE_NAN_REDUCTION

template <integral auto Dimension, bool_tile_convertible T>
  requires detail::has_dimension<Dimension, T>
CPU_DEVICE_UNCHECKED reduction_result_t<tile_with_element_t<T, bool>, static_cast<size_t>(Dimension)>
all_of(const T& it, integral_constant<Dimension> = {}) noexcept {
  return detail::reduce<static_cast<size_t>(Dimension)>(
      tile_with_element_t<T, bool>(it), [](bool x, bool y) { return static_cast<bool>(x & y); });
}
template <integral auto Dimension, bool_tile_convertible T>
  requires detail::has_dimension<Dimension, T>
CPU_DEVICE_UNCHECKED reduction_result_t<tile_with_element_t<T, bool>, static_cast<size_t>(Dimension)>
any_of(const T& it, integral_constant<Dimension> = {}) noexcept {
  return detail::reduce<static_cast<size_t>(Dimension)>(
      tile_with_element_t<T, bool>(it), [](bool x, bool y) { return static_cast<bool>(x | y); });
}
template <integral auto Dimension, arithmetic_tile T>
  requires detail::has_dimension<Dimension, T>
CPU_DEVICE_UNCHECKED auto max_element(const T& it, integral_constant<Dimension> = {}) noexcept {
  return detail::place_of_extreme<true, static_cast<size_t>(Dimension)>(it);
}
template <integral auto Dimension, arithmetic_tile T>
  requires detail::has_dimension<Dimension, T>
CPU_DEVICE_UNCHECKED auto min_element(const T& it, integral_constant<Dimension> = {}) noexcept {
  return detail::place_of_extreme<false, static_cast<size_t>(Dimension)>(it);
}

// ---- scans: each element with all before it, or with all after it ----

enum class scan_direction : unsigned char { forward, backward };
template <scan_direction Value>
struct scan_direction_constant : detail::Choice<Value> {
  using type = scan_direction_constant;
};
using scan_forward_t = scan_direction_constant<scan_direction::forward>;
using scan_backward_t = scan_direction_constant<scan_direction::backward>;

#define CPU_DEVICE_SCAN(NAME, FUNCTION)                                                       \
  template <integral auto Dimension, scan_direction Direction = scan_direction::forward,      \
            arithmetic_tile T>                                                                \
    requires detail::has_dimension<Dimension, T>                                              \
  CPU_DEVICE_UNCHECKED T NAME(const T& it, integral_constant<Dimension> = {},                 \
                              scan_direction_constant<Direction> = {}) noexcept {             \
    return detail::scan<Direction == scan_direction::forward, static_cast<size_t>(Dimension)>( \
        it, FUNCTION());                                                                      \
  }                                                                                           \
  template <integral auto Dimension, rounding_mode Mode,                                      \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),         \
            scan_direction Direction = scan_direction::forward, arithmetic_tile T>            \
    requires detail::has_dimension<Dimension, T>                                              \
  CPU_DEVICE_UNCHECKED T NAME(const T& it, integral_constant<Dimension> dimension,            \
                              rounding_mode_constant<Mode>,                                   \
                              subnormals_rounding_mode_constant<Subnormals> = {},             \
                              scan_direction_constant<Direction> direction = {}) noexcept {   \
    detail::check_rounding<Mode>();                                                           \
    return NAME(it, dimension, direction);                                                    \
  }
CPU_DEVICE_SCAN(partial_sum, detail::Plus)
CPU_DEVICE_SCAN(partial_prod, detail::Times)
#undef CPU_DEVICE_SCAN

}  // namespace cuda::tiles
