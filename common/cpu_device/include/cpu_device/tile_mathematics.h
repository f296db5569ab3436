// Functions such as sqrt() and exp(), element by element. They are as exact as the C library's, in float
// for numbers of 16 bits.
#pragma once

#include <cmath>

#include "tile_elementwise.h"

namespace cuda::tiles {

#define CPU_DEVICE_FUNCTION(NAME, EXPRESSION)                                        \
  template <basic_floating_point_tile T>                                             \
  CPU_DEVICE_UNCHECKED T NAME(const T& it) noexcept {                                \
    return detail::transform([](auto x) { return EXPRESSION; }, it);                 \
  }
CPU_DEVICE_FUNCTION(ceil, std::ceil(x))
CPU_DEVICE_FUNCTION(floor, std::floor(x))
CPU_DEVICE_FUNCTION(cos, std::cos(x))
CPU_DEVICE_FUNCTION(cosh, std::cosh(x))
CPU_DEVICE_FUNCTION(sin, std::sin(x))
CPU_DEVICE_FUNCTION(sinh, std::sinh(x))
CPU_DEVICE_FUNCTION(tan, std::tan(x))
CPU_DEVICE_FUNCTION(log, std::log(x))
CPU_DEVICE_FUNCTION(log2, std::log2(x))
#undef CPU_DEVICE_FUNCTION

#define CPU_DEVICE_ROUNDED_FUNCTION(NAME, DEFAULT, EXPRESSION)                       \
  template <rounding_mode Mode = rounding_mode::DEFAULT,                             \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(), \
            basic_floating_point_tile T>                                             \
  CPU_DEVICE_UNCHECKED T NAME(const T& it, rounding_mode_constant<Mode> = {},        \
                              subnormals_rounding_mode_constant<Subnormals> = {}) noexcept { \
    detail::check_rounding<Mode>();                                                  \
    return detail::transform([](auto x) { return EXPRESSION; }, it);                 \
  }
CPU_DEVICE_ROUNDED_FUNCTION(exp, round_full, std::exp(x))
CPU_DEVICE_ROUNDED_FUNCTION(tanh, round_full, std::tanh(x))
CPU_DEVICE_ROUNDED_FUNCTION(sqrt, round_ties_to_even, std::sqrt(x))
#undef CPU_DEVICE_ROUNDED_FUNCTION

#define CPU_DEVICE_SUBNORMAL_FUNCTION(NAME, EXPRESSION)                              \
  template <subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(), \
            basic_floating_point_tile T>                                             \
  CPU_DEVICE_UNCHECKED T NAME(                                                       \
      const T& it, subnormals_rounding_mode_constant<Subnormals> = {}) noexcept {    \
    return detail::transform([](auto x) { return EXPRESSION; }, it);                 \
  }
CPU_DEVICE_SUBNORMAL_FUNCTION(exp2, std::exp2(x))
CPU_DEVICE_SUBNORMAL_FUNCTION(rsqrt, decltype(x)(1) / std::sqrt(x))
#undef CPU_DEVICE_SUBNORMAL_FUNCTION

template <arithmetic_tile T>
CPU_DEVICE_UNCHECKED T abs(const T& it) noexcept {
  return detail::transform(
      [](auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
          return std::fabs(x);
        else if constexpr (std::is_signed_v<decltype(x)>)
          return x < 0 ? detail::Minus()(decltype(x)(), x) : x;
        else
          return x;
      },
      it);
}
template <floating_point_tile T>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, bool> isnan(const T& it) {
  return detail::each<tile_with_element_t<T, bool>>(
      [](const tile_element_t<T>& x) { return detail::plain(x) != detail::plain(x); }, it);
}
template <floating_point_tile T>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, bool> isinf(const T& it) {
  return detail::each<tile_with_element_t<T, bool>>(
      [](const tile_element_t<T>& x) { return std::isinf(detail::plain(x)); }, it);
}
// What a division that rounds towards zero leaves.
template <arithmetic_tile T, arithmetic_tile U>
  requires arithmetic_tile_convertible<T, U>
CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> remainder(const T& one,
                                                                  const U& other) noexcept {
  return detail::combine<arithmetic_tile_conversion_t<T, U>>(
      [](auto x, auto y) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
          return std::fmod(x, y);
        else
          return x % y;
      },
      one, other);
}
template <basic_floating_point_tile T, arithmetic_tile U>
  requires arithmetic_tile_convertible<T, U>
CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> pow(const T& base,
                                                            const U& exponent) noexcept {
  return detail::combine<arithmetic_tile_conversion_t<T, U>>(
      [](auto x, auto y) { return std::pow(x, y); }, base, exponent);
}
template <basic_floating_point_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && sizeof(tile_element_t<U>) <= 4)
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<T>> powi(const T& base,
                                                                      const U& exponent) noexcept {
  using E = tile_element_t<T>;
  return detail::each<mutual_broadcast_t<T, U, E>>(
      [](const E& x, const tile_element_t<U>& n) {
        return detail::convert<E>(std::pow(static_cast<double>(detail::plain(x)), n));
      },
      base, exponent);
}
template <arithmetic_tile T, arithmetic_tile U>
  requires(arithmetic_tile_convertible<T, U> &&
           basic_floating_point_tile<arithmetic_tile_conversion_t<T, U>>)
CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> atan2(const T& y, const U& x) noexcept {
  return detail::combine<arithmetic_tile_conversion_t<T, U>>(
      [](auto a, auto b) { return std::atan2(a, b); }, y, x);
}
// x * y + sum, rounded once.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),
          arithmetic_tile T, arithmetic_tile U, basic_floating_point_tile Sum>
  requires(broadcastable_to<T, tile_shape_t<Sum>> && broadcastable_to<U, tile_shape_t<Sum>> &&
           non_narrowing_scalar_convertible_to<tile_element_t<T>, tile_element_t<Sum>> &&
           non_narrowing_scalar_convertible_to<tile_element_t<U>, tile_element_t<Sum>>)
CPU_DEVICE_UNCHECKED Sum fma(const T& x, const U& y, const Sum& sum,
                             rounding_mode_constant<Mode> = {},
                             subnormals_rounding_mode_constant<Subnormals> = {}) noexcept {
  detail::check_rounding<Mode>();
  using E = tile_element_t<Sum>;
  return detail::each<Sum>(
      [](const tile_element_t<T>& a, const tile_element_t<U>& b, const E& c) {
        if constexpr (std::is_same_v<E, double>)
          return std::fma(detail::convert<double>(a), detail::convert<double>(b), c);
        else  // a product of two floats is exact in double, and the sum nearly so
          return detail::convert<E>(static_cast<float>(
              static_cast<double>(detail::plain(detail::convert<E>(a))) *
                  static_cast<double>(detail::plain(detail::convert<E>(b))) +
              static_cast<double>(detail::plain(c))));
      },
      x, y, sum);
}

}  // namespace cuda::tiles
