// Operators and functions that work element by element: + - * / comparisons, logic, select, conversions.
#pragma once

#include "tile_values.h"

namespace cuda::tiles {

// ---- how results are rounded, and what else a function may be told ----

enum class rounding_mode : unsigned char {
  round_ties_to_even,
  round_toward_zero,
  round_toward_negative,
  round_toward_positive,
  round_approximate,
  round_full,
  round_ties_to_away
};
enum class subnormals_rounding_mode : unsigned char {
  preserve_subnormals,
  round_subnormals_to_zero
};
enum class saturation_mode : unsigned char { saturate_none, saturate_finite };
enum class nan_propagation_mode : unsigned char { suppress_nan, propagate_nan };

namespace detail {
template <auto Value>
struct Choice {
  using value_type = decltype(Value);
  static constexpr value_type value = Value;
  constexpr operator value_type() const noexcept { return value; }
  constexpr value_type operator()() const noexcept { return value; }
};
}  // namespace detail

template <rounding_mode Value>
struct rounding_mode_constant : detail::Choice<Value> {
  using type = rounding_mode_constant;
};
template <subnormals_rounding_mode Value>
struct subnormals_rounding_mode_constant : detail::Choice<Value> {
  using type = subnormals_rounding_mode_constant;
};
template <saturation_mode Value>
struct saturation_mode_constant : detail::Choice<Value> {
  using type = saturation_mode_constant;
};
template <nan_propagation_mode Value>
struct nan_propagation_mode_constant : detail::Choice<Value> {
  using type = nan_propagation_mode_constant;
};
using round_ties_to_even_t = rounding_mode_constant<rounding_mode::round_ties_to_even>;
using round_toward_zero_t = rounding_mode_constant<rounding_mode::round_toward_zero>;
using round_toward_negative_t = rounding_mode_constant<rounding_mode::round_toward_negative>;
using round_toward_positive_t = rounding_mode_constant<rounding_mode::round_toward_positive>;
using round_approximate_t = rounding_mode_constant<rounding_mode::round_approximate>;
using round_full_t = rounding_mode_constant<rounding_mode::round_full>;
using round_ties_to_away_t = rounding_mode_constant<rounding_mode::round_ties_to_away>;
using preserve_subnormals_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::preserve_subnormals>;
using round_subnormals_to_zero_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::round_subnormals_to_zero>;
using saturate_none_t = saturation_mode_constant<saturation_mode::saturate_none>;
using saturate_finite_t = saturation_mode_constant<saturation_mode::saturate_finite>;
using suppress_nan_t = nan_propagation_mode_constant<nan_propagation_mode::suppress_nan>;
using propagate_nan_t = nan_propagation_mode_constant<nan_propagation_mode::propagate_nan>;
constexpr rounding_mode default_rounding_mode() noexcept {
  return rounding_mode::round_ties_to_even;
}
constexpr subnormals_rounding_mode default_subnormals_rounding_mode() noexcept {
  return subnormals_rounding_mode::preserve_subnormals;
}
constexpr nan_propagation_mode default_nan_propagation_mode() noexcept {
  return nan_propagation_mode::suppress_nan;
}
using default_rounding_mode_t = rounding_mode_constant<default_rounding_mode()>;
using default_subnormals_rounding_mode_t =
    subnormals_rounding_mode_constant<default_subnormals_rounding_mode()>;
using default_nan_propagation_mode_t =
    nan_propagation_mode_constant<default_nan_propagation_mode()>;

namespace detail {

// Rounded as the CPU does it: to the nearest. What a GPU computes less exactly is more exact here.
template <rounding_mode Mode>
consteval void check_rounding() {
  static_assert(Mode == rounding_mode::round_ties_to_even ||
                    Mode == rounding_mode::round_approximate || Mode == rounding_mode::round_full,
                "the CPU device rounds results of tiles to the nearest number; other rounding "
                "modes are not there");
}

// function(one, other) of elements that have been made `As`, with a result of type Result's elements.
template <typename Result, typename As, typename Function, typename T, typename U>
CPU_DEVICE_UNCHECKED Result combine(const Function& function, const T& one, const U& other) {
  return each<Result>(
      [&](const Element<T>& x, const Element<U>& y) {
        return convert<Element<Result>>(function(plain(convert<As>(x)), plain(convert<As>(y))));
      },
      one, other);
}
template <typename Result, typename Function, typename T, typename U>
CPU_DEVICE_UNCHECKED Result combine(const Function& function, const T& one, const U& other) {
  return combine<Result, Element<Result>>(function, one, other);
}
template <typename Function, typename T>
CPU_DEVICE_UNCHECKED T transform(const Function& function, const T& it) {
  return each<T>(
      [&](const Element<T>& x) { return convert<Element<T>>(function(plain(x))); }, it);
}

// Whole numbers wrap around, as on a GPU.
template <typename T, typename Function>
CPU_DEVICE_UNCHECKED constexpr T wrapping(const Function& function, T x, T y) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using U = std::make_unsigned_t<T>;
    using Wide = std::conditional_t<(sizeof(U) < 4), unsigned, U>;
    return static_cast<T>(function(static_cast<Wide>(static_cast<U>(x)),
                                   static_cast<Wide>(static_cast<U>(y))));
  } else {
    return static_cast<T>(function(x, y));
  }
}

struct Plus {
  template <typename T>
  CPU_DEVICE_UNCHECKED constexpr T operator()(T x, T y) const {
    return wrapping([](auto a, auto b) { return a + b; }, x, y);
  }
};
struct Minus {
  template <typename T>
  CPU_DEVICE_UNCHECKED constexpr T operator()(T x, T y) const {
    return wrapping([](auto a, auto b) { return a - b; }, x, y);
  }
};
struct Times {
  template <typename T>
  CPU_DEVICE_UNCHECKED constexpr T operator()(T x, T y) const {
    return wrapping([](auto a, auto b) { return a * b; }, x, y);
  }
};
struct Divided {
  template <typename T>
  CPU_DEVICE_UNCHECKED constexpr T operator()(T x, T y) const {
    return static_cast<T>(x / y);
  }
};
// The other number where one is NaN, as fmax(), or NaN.
template <bool largest, bool keep_nan>
struct Extreme {
  template <typename T>
  CPU_DEVICE_UNCHECKED constexpr T operator()(T x, T y) const {
    if constexpr (std::is_floating_point_v<T>) {
      if constexpr (keep_nan)
        return x != x || (y == y && (largest ? x > y : x < y)) ? x : y;
      else
        return y != y || (largest ? x > y : x < y) ? x : y;
    } else {
      return (largest ? x > y : x < y) ? x : y;
    }
  }
};

}  // namespace detail

// ---- arithmetic ----

#define CPU_DEVICE_ARITHMETIC(SIGN, NAME, FUNCTION)                                            \
  template <arithmetic_tile T, arithmetic_tile U>                                              \
    requires arithmetic_tile_convertible<T, U>                                                 \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> operator SIGN(                       \
      const T& one, const U& other) noexcept {                                                 \
    return detail::combine<arithmetic_tile_conversion_t<T, U>>(detail::FUNCTION(), one, other); \
  }                                                                                            \
  template <arithmetic_tile T, arithmetic_tile U>                                              \
    requires arithmetic_tile_convertible<T, U>                                                 \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> NAME(const T& one,                   \
                                                               const U& other) noexcept {      \
    return detail::combine<arithmetic_tile_conversion_t<T, U>>(detail::FUNCTION(), one, other); \
  }                                                                                            \
  template <rounding_mode Mode = default_rounding_mode(),                                      \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),          \
            arithmetic_tile T, arithmetic_tile U>                                              \
    requires arithmetic_tile_convertible<T, U>                                                 \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> NAME(                                \
      const T& one, const U& other, rounding_mode_constant<Mode>,                              \
      subnormals_rounding_mode_constant<Subnormals> = {}) noexcept {                           \
    detail::check_rounding<Mode>();                                                            \
    return NAME(one, other);                                                                   \
  }
CPU_DEVICE_ARITHMETIC(+, add, Plus)
CPU_DEVICE_ARITHMETIC(-, sub, Minus)
CPU_DEVICE_ARITHMETIC(*, mul, Times)
CPU_DEVICE_ARITHMETIC(/, div, Divided)
#undef CPU_DEVICE_ARITHMETIC

template <arithmetic_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED arithmetic_tile_promotion_t<T> operator+(const T& it) noexcept {
  return arithmetic_tile_promotion_t<T>(it);
}
template <arithmetic_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED T operator-(const T& it) noexcept {
  return detail::transform(
      [](auto x) {
        if constexpr (std::is_integral_v<decltype(x)>)
          return detail::Minus()(decltype(x)(), x);
        else
          return -x;
      },
      it);
}

// ---- whole numbers ----

#define CPU_DEVICE_WHOLE(NAME, EXPRESSION)                                                      \
  template <integral_tile T, integral_tile U>                                                   \
    requires arithmetic_tile_convertible<T, U>                                                  \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> NAME(const T& one,                    \
                                                               const U& other) noexcept {       \
    return detail::combine<arithmetic_tile_conversion_t<T, U>>(                                 \
        [](auto x, auto y) { return EXPRESSION; }, one, other);                                 \
  }
CPU_DEVICE_WHOLE(operator%, x % y)
CPU_DEVICE_WHOLE(operator&, x & y)
CPU_DEVICE_WHOLE(operator|, x | y)
CPU_DEVICE_WHOLE(operator^, x ^ y)
CPU_DEVICE_WHOLE(ceildiv, x / y + (x % y != 0 && (x < 0) == (y < 0)))
CPU_DEVICE_WHOLE(floordiv, x / y - (x % y != 0 && (x < 0) != (y < 0)))
#undef CPU_DEVICE_WHOLE

// The upper half of the product of the bits as unsigned numbers, also where the elements are signed: Tile IR's
// mulhii has no other form.
template <integral_tile T, integral_tile U>
  requires arithmetic_tile_convertible<T, U>
CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> mulhi(const T& one,
                                                              const U& other) noexcept {
  return detail::combine<arithmetic_tile_conversion_t<T, U>>(
      [](auto x, auto y) {
        using X = decltype(x);
        constexpr int kBits = 8 * sizeof(X);
        constexpr auto kMask = ~static_cast<unsigned __int128>(0) >> (128 - kBits);
        return static_cast<X>(((x & kMask) * (y & kMask)) >> kBits);
      },
      one, other);
}
template <integral_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED T operator~(const T& it) noexcept {
  return detail::transform(
      [](auto x) {
        if constexpr (std::is_same_v<decltype(x), bool>)
          return !x;
        else
          return static_cast<decltype(x)>(~x);
      },
      it);
}
template <integral_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<T>> operator<<(
    const T& one, const U& other) noexcept {
  using E = tile_element_t<T>;
  return detail::each<mutual_broadcast_t<T, U, E>>(
      [](E x, tile_element_t<U> y) {
        return static_cast<E>(static_cast<unsigned long long>(x) << y);
      },
      one, other);
}
template <integral_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<T>> operator>>(
    const T& one, const U& other) noexcept {
  using E = tile_element_t<T>;
  return detail::each<mutual_broadcast_t<T, U, E>>(
      [](E x, tile_element_t<U> y) { return static_cast<E>(x >> y); }, one, other);
}

// ---- comparisons ----

#define CPU_DEVICE_COMPARE(SIGN)                                                                \
  template <arithmetic_tile T, arithmetic_tile U>                                               \
    requires arithmetic_tile_comparable<T, U>                                                   \
  CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, bool> operator SIGN(const T& one,               \
                                                                    const U& other) noexcept {  \
    return detail::combine<mutual_broadcast_t<T, U, bool>,                                      \
                           detail::CommonScalar<tile_element_t<T>, tile_element_t<U>>>(         \
        [](auto x, auto y) { return x SIGN y; }, one, other);                                   \
  }                                                                                             \
  template <pointer_tile T, pointer_tile U>                                                     \
    requires(broadcast_compatible<T, U> &&                                                      \
             pointer_comparable<tile_element_t<T>, tile_element_t<U>> &&                        \
             (detail::is_tile<T> || detail::is_tile<U>))                                        \
  CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, bool> operator SIGN(const T& one,               \
                                                                    const U& other) noexcept {  \
    return detail::each<mutual_broadcast_t<T, U, bool>>(                                        \
        [](tile_element_t<T> x, tile_element_t<U> y) { return x SIGN y; }, one, other);         \
  }
CPU_DEVICE_COMPARE(<)
CPU_DEVICE_COMPARE(<=)
CPU_DEVICE_COMPARE(>)
CPU_DEVICE_COMPARE(>=)
CPU_DEVICE_COMPARE(==)
CPU_DEVICE_COMPARE(!=)
#undef CPU_DEVICE_COMPARE

template <pointer_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, bool> operator==(const T& it,
                                                             decltype(nullptr)) noexcept {
  return it == tile_element_t<T>();
}
template <pointer_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, bool> operator!=(const T& it,
                                                             decltype(nullptr)) noexcept {
  return it != tile_element_t<T>();
}

// ---- logic: both sides are computed, unlike with two numbers ----

template <bool_tile_convertible T, bool_tile_convertible U>
  requires(broadcast_compatible<T, U> && (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, bool> operator&&(const T& one,
                                                               const U& other) noexcept {
  return detail::each<mutual_broadcast_t<T, U, bool>>(
      [](const tile_element_t<T>& x, const tile_element_t<U>& y) {
        return static_cast<bool>(detail::convert<bool>(x) & detail::convert<bool>(y));
      },
      one, other);
}
template <bool_tile_convertible T, bool_tile_convertible U>
  requires(broadcast_compatible<T, U> && (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, bool> operator||(const T& one,
                                                               const U& other) noexcept {
  return detail::each<mutual_broadcast_t<T, U, bool>>(
      [](const tile_element_t<T>& x, const tile_element_t<U>& y) {
        return static_cast<bool>(detail::convert<bool>(x) | detail::convert<bool>(y));
      },
      one, other);
}
template <bool_tile_convertible T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, bool> operator!(const T& it) noexcept {
  return detail::each<tile_with_element_t<T, bool>>(
      [](const tile_element_t<T>& x) { return !detail::convert<bool>(x); }, it);
}
template <tile_like T, bool_tile_convertible Condition>
  requires broadcastable_to<Condition, tile_shape_t<T>>
CPU_DEVICE_UNCHECKED T select(const Condition& condition, const T& where_true,
                              const T& where_false) noexcept {
  return detail::each<T>(
      [](const tile_element_t<Condition>& c, const tile_element_t<T>& x,
         const tile_element_t<T>& y) { return detail::convert<bool>(c) ? x : y; },
      condition, where_true, where_false);
}

// ---- the larger and the smaller ----

#define CPU_DEVICE_EXTREME(NAME, LARGEST)                                                        \
  template <arithmetic_tile T, arithmetic_tile U>                                                \
    requires arithmetic_tile_convertible<T, U>                                                   \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> NAME(const T& one,                     \
                                                               const U& other) noexcept {        \
    return detail::combine<arithmetic_tile_conversion_t<T, U>>(                                  \
        detail::Extreme<LARGEST, false>(), one, other);                                          \
  }                                                                                              \
  template <nan_propagation_mode Nan,                                                            \
            subnormals_rounding_mode Subnormals = default_subnormals_rounding_mode(),            \
            arithmetic_tile T, arithmetic_tile U>                                                \
    requires arithmetic_tile_convertible<T, U>                                                   \
  CPU_DEVICE_UNCHECKED arithmetic_tile_conversion_t<T, U> NAME(                                  \
      const T& one, const U& other, nan_propagation_mode_constant<Nan>,                          \
      subnormals_rounding_mode_constant<Subnormals> = {}) noexcept {                             \
    return detail::combine<arithmetic_tile_conversion_t<T, U>>(                                  \
        detail::Extreme<LARGEST, Nan == nan_propagation_mode::propagate_nan>(), one, other);     \
  }
CPU_DEVICE_EXTREME(max, true)
CPU_DEVICE_EXTREME(min, false)
#undef CPU_DEVICE_EXTREME

// ---- conversions ----

template <scalar E, tile_like T>
  requires tile_convertible_to<T, tile_with_element_t<T, E>>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, E> element_cast(const T& it) noexcept {
  return detail::each<tile_with_element_t<T, E>>(
      [](const tile_element_t<T>& x) { return detail::convert<E>(x); }, it);
}
template <scalar E, tile_like T, rounding_mode Mode>
  requires tile_convertible_to<T, tile_with_element_t<T, E>>
CPU_DEVICE_UNCHECKED tile_with_element_t<T, E> element_cast(const T& it,
                                                            rounding_mode_constant<Mode>) noexcept {
  detail::check_rounding<Mode>();
  return element_cast<E>(it);
}
// To whole numbers; what is too large becomes the largest.
template <scalar E, basic_floating_point_tile T, saturation_mode Mode>
  requires(std::is_integral_v<E> && tile_convertible_to<T, tile_with_element_t<T, E>>)
CPU_DEVICE_UNCHECKED tile_with_element_t<T, E> element_cast(
    const T& it, saturation_mode_constant<Mode>) noexcept {
  return detail::each<tile_with_element_t<T, E>>(
      [](const tile_element_t<T>& it) {
        const auto x = static_cast<double>(detail::plain(it));
        if (x != x) return E();
        if (x >= static_cast<double>(std::numeric_limits<E>::max()))
          return std::numeric_limits<E>::max();
        if (x <= static_cast<double>(std::numeric_limits<E>::min()))
          return std::numeric_limits<E>::min();
        return static_cast<E>(x);
      },
      it);
}
// The same bits as another type.
template <scalar E, tile_like T>
  requires(sizeof(E) == sizeof(tile_element_t<T>))
CPU_DEVICE_UNCHECKED tile_with_element_t<T, E> element_bitcast(const T& it) noexcept {
  return detail::each<tile_with_element_t<T, E>>(
      [](const tile_element_t<T>& x) {
        E bits;
        __builtin_memcpy(&bits, &x, sizeof bits);
        return bits;
      },
      it);
}

// ---- tiles of pointers ----

namespace detail {
template <typename T>
concept object_pointers = pointer_tile<T> && !std::is_void_v<std::remove_pointer_t<Element<T>>>;
}  // namespace detail

template <pointer_tile T>
  requires detail::is_tile<T>
CPU_DEVICE_UNCHECKED T operator+(const T& it) noexcept {
  return it;
}
template <pointer_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && detail::object_pointers<T> &&
           (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<T>> operator+(
    const T& pointers, const U& steps) noexcept {
  return detail::each<mutual_broadcast_t<T, U, tile_element_t<T>>>(
      [](tile_element_t<T> p, tile_element_t<U> n) { return p + n; }, pointers, steps);
}
template <integral_tile T, pointer_tile U>
  requires(broadcast_compatible<T, U> && detail::object_pointers<U> &&
           (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<U>> operator+(
    const T& steps, const U& pointers) noexcept {
  return pointers + steps;
}
template <pointer_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && detail::object_pointers<T> &&
           (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, tile_element_t<T>> operator-(
    const T& pointers, const U& steps) noexcept {
  return detail::each<mutual_broadcast_t<T, U, tile_element_t<T>>>(
      [](tile_element_t<T> p, tile_element_t<U> n) { return p - n; }, pointers, steps);
}
template <pointer_tile T, pointer_tile U>
  requires(broadcast_compatible<T, U> && detail::object_pointers<T> && detail::object_pointers<U> &&
           pointer_comparable<tile_element_t<T>, tile_element_t<U>> &&
           (detail::is_tile<T> || detail::is_tile<U>))
CPU_DEVICE_UNCHECKED mutual_broadcast_t<T, U, ptrdiff_t> operator-(const T& one,
                                                                   const U& other) noexcept {
  return detail::each<mutual_broadcast_t<T, U, ptrdiff_t>>(
      [](tile_element_t<T> x, tile_element_t<U> y) { return x - y; }, one, other);
}

}  // namespace cuda::tiles
