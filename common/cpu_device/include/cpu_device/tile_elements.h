// Which types can be elements of a tile, and what comes out of an operation on two of them.
#pragma once

#include "tile_extents.h"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e5m2;
struct __nv_fp8_e4m3;
struct __nv_tf32;

namespace cuda::tiles {

template <typename Element, typename Shape>
class tile;

namespace detail {

template <typename T>
inline constexpr bool is_tile = false;
template <typename E, typename S>
inline constexpr bool is_tile<tile<E, S>> = true;

template <typename T>
struct Parts {
  using Element = T;
  using Shape = shape<>;
};
template <typename E, typename S>
struct Parts<tile<E, S>> {
  using Element = E;
  using Shape = S;
};
template <typename T>  // what a parameter deduces of a kernel's own parameter
struct Parts<T* __restrict__> {
  using Element = T*;
  using Shape = shape<>;
};
template <typename T>
using Element = typename Parts<std::remove_cv_t<T>>::Element;
template <typename T>
using Shape = typename Parts<std::remove_cv_t<T>>::Shape;

// Floating-point types by what they can hold: 0 is none, and a type holds all numbers of those in its list.
template <typename T>
inline constexpr int float_rank = 0;
template <>
inline constexpr int float_rank<__nv_fp8_e4m3> = 1;
template <>
inline constexpr int float_rank<__nv_fp8_e5m2> = 1;
template <>
inline constexpr int float_rank<__half> = 2;
template <>
inline constexpr int float_rank<__nv_bfloat16> = 2;
template <>
inline constexpr int float_rank<__nv_tf32> = 3;
template <>
inline constexpr int float_rank<float> = 4;
template <>
inline constexpr int float_rank<double> = 5;

template <typename T>
inline constexpr bool is_float = float_rank<T> > 0;
// Those that can be added and multiplied.
template <typename T>
inline constexpr bool is_basic_float = is_float<T> && float_rank<T> != 1 && float_rank<T> != 3;
template <typename T>
inline constexpr bool is_arithmetic = std::is_integral_v<T> || is_basic_float<T>;
template <typename T>
inline constexpr bool is_number = std::is_integral_v<T> || is_float<T>;
template <typename T>
inline constexpr bool is_pointer = false;
template <typename T>
inline constexpr bool is_pointer<T*> =
    is_number<std::remove_cv_t<T>> || std::is_void_v<T>;
template <typename T>
inline constexpr bool is_pointer<T* __restrict__> = is_pointer<T*>;
template <typename T>
inline constexpr bool is_scalar = is_number<T> || is_pointer<T>;

}  // namespace detail

template <typename T>
concept tile_like = detail::is_scalar<std::remove_cv_t<T>> || detail::is_tile<std::remove_cv_t<T>>;
template <typename T>
concept pointer_tile = tile_like<T> && detail::is_pointer<detail::Element<T>>;
template <typename T>
concept numeric_tile = tile_like<T> && detail::is_number<detail::Element<T>>;
template <typename T>
concept arithmetic_tile = numeric_tile<T> && detail::is_arithmetic<detail::Element<T>>;
template <typename T>
concept floating_point_tile = numeric_tile<T> && detail::is_float<detail::Element<T>>;
template <typename T>
concept basic_floating_point_tile =
    floating_point_tile<T> && arithmetic_tile<T> && detail::is_basic_float<detail::Element<T>>;
template <typename T>
concept restricted_floating_point_tile =
    floating_point_tile<T> && !detail::is_basic_float<detail::Element<T>>;
template <typename T>
concept integral_tile = arithmetic_tile<T> && std::is_integral_v<detail::Element<T>>;

template <typename T>
concept scalar = tile_like<T> && detail::is_scalar<std::remove_cv_t<T>>;
template <typename T>
concept pointer_scalar = pointer_tile<T> && scalar<T>;
template <typename T>
concept numeric_scalar = numeric_tile<T> && scalar<T>;
template <typename T>
concept arithmetic_scalar = arithmetic_tile<T> && scalar<T>;
template <typename T>
concept floating_point_scalar = floating_point_tile<T> && scalar<T>;
template <typename T>
concept basic_floating_point_scalar = basic_floating_point_tile<T> && scalar<T>;
template <typename T>
concept restricted_floating_point_scalar = restricted_floating_point_tile<T> && scalar<T>;
template <typename T>
concept integral_scalar = integral_tile<T> && scalar<T>;

template <tile_like T>
using tile_element_t = detail::Element<T>;
template <tile_like T>
using tile_shape_t = detail::Shape<T>;
template <tile_like T>
inline constexpr size_t tile_rank_v = tile_shape_t<T>::rank();
template <tile_like T>
inline constexpr size_t tile_size_v = shape_size_v<tile_shape_t<T>>;

template <typename T, typename U>
concept broadcastable_to =
    tile_like<T> && tile_shape<U> && shape_broadcastable_to<detail::Shape<T>, U>;
template <typename T, typename U>
concept broadcast_compatible =
    tile_like<T> && tile_like<U> &&
    shape_broadcast_compatible<detail::Shape<T>, detail::Shape<U>> &&
    tile_shape<shape_broadcast_t<detail::Shape<T>, detail::Shape<U>>>;

// ---- conversions ----

namespace detail {

// How far right a type stands among the integers, and among those of the same size. Unlike in C++,
// small ones are not made int first.
template <typename T>
consteval int integer_rank() {
  using U = std::remove_cv_t<T>;
  if (std::is_same_v<U, bool>) return 0;
  if (sizeof(U) == 1) return 1;
  if (sizeof(U) == 2) return 2;
  if (std::is_same_v<U, long> || std::is_same_v<U, unsigned long>) return 4;
  if (std::is_same_v<U, long long> || std::is_same_v<U, unsigned long long>) return 5;
  return 3;
}
template <typename T>
consteval int rank_within() {
  if (std::is_same_v<T, char> || std::is_same_v<T, wchar_t>) return 0;
  if (std::is_same_v<T, char8_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>)
    return 1;
  return 2;
}

template <typename From, typename To>
concept narrows_not = requires(From it) { To{it}; };

template <typename Signed, typename Unsigned>
struct MixedSigns {
  static constexpr bool wins = integer_rank<Unsigned>() > integer_rank<Signed>();
  static constexpr bool holds = narrows_not<Unsigned, Signed>;
  static auto pick() {
    if constexpr (wins)
      return Unsigned();
    else if constexpr (holds)
      return Signed();
    else
      return std::make_unsigned_t<Signed>();
  }
  using type = decltype(pick());
};

template <typename T, typename U>
auto common_scalar() {
  if constexpr (std::is_same_v<T, U>) {
    return std::type_identity<T>();
  } else if constexpr (is_float<T> && is_float<U>) {
    if constexpr (float_rank<T> < float_rank<U>)
      return std::type_identity<U>();
    else
      return std::type_identity<T>();
  } else if constexpr (is_float<T>) {
    return std::type_identity<T>();
  } else if constexpr (is_float<U>) {
    return std::type_identity<U>();
  } else if constexpr (std::is_signed_v<T> && !std::is_signed_v<U>) {
    return std::type_identity<typename MixedSigns<T, U>::type>();
  } else if constexpr (!std::is_signed_v<T> && std::is_signed_v<U>) {
    return std::type_identity<typename MixedSigns<U, T>::type>();
  } else if constexpr (integer_rank<T>() != integer_rank<U>()) {
    return std::type_identity<
        std::conditional_t<(integer_rank<T>() < integer_rank<U>()), U, T>>();
  } else {
    return std::type_identity<std::conditional_t<(rank_within<T>() < rank_within<U>()), U, T>>();
  }
}
template <typename T, typename U>
using CommonScalar =
    typename decltype(common_scalar<std::remove_cv_t<T>, std::remove_cv_t<U>>())::type;

// Whether values of T may change when they become U's.
template <typename T, typename U>
consteval bool narrows() {
  if constexpr (std::is_same_v<T, U>)
    return false;
  else if constexpr (is_float<T> && is_float<U>)
    return float_rank<T> >= float_rank<U> || (float_rank<T> == 1 && float_rank<U> == 1);
  else if constexpr (is_float<T> || is_float<U>)
    return is_number<T> && is_number<U>;
  else if constexpr (std::is_integral_v<T> && std::is_integral_v<U>)
    return !narrows_not<T, U>;
  else
    return is_pointer<T> && std::is_same_v<U, bool>;
}
template <typename T, typename U>
concept scalar_narrows = narrows<std::remove_cv_t<T>, std::remove_cv_t<U>>();
// The same, but whole numbers may become floating-point ones.
template <typename T, typename U>
concept operand_narrows = scalar_narrows<T, U> && !(std::is_integral_v<T> && is_float<U>);
template <typename T, typename U>
concept unordered = is_float<T> && is_float<U> && float_rank<T> == float_rank<U> &&
                    !std::is_same_v<T, U>;

// A tile, or a scalar where nothing of it is a tile.
template <typename E, typename S, bool scalar>
using Make = typename std::conditional_t<scalar, std::type_identity<E>,
                                         std::type_identity<tile<E, S>>>::type;
template <typename T, typename E>
using WithElement = Make<E, Shape<T>, !is_tile<std::remove_cv_t<T>>>;
template <typename T, typename U, typename E>
using Together = Make<E, shape_broadcast_t<Shape<T>, Shape<U>>,
                      !is_tile<std::remove_cv_t<T>> && !is_tile<std::remove_cv_t<U>>>;

// The element of a sum: a scalar takes the type of the tile that it is added to.
template <typename T, typename U>
using SumElement = std::conditional_t<
    is_tile<std::remove_cv_t<T>> == is_tile<std::remove_cv_t<U>>,
    CommonScalar<Element<T>, Element<U>>,
    std::conditional_t<is_tile<std::remove_cv_t<T>>, Element<T>, Element<U>>>;

template <typename From, typename To>
concept pointers_convert =
    is_pointer<From> && is_pointer<To> && std::is_convertible_v<From, To>;
template <typename From, typename To>
concept scalars_convert = (is_number<From> && is_number<To>) ||
                          (is_pointer<From> && std::is_same_v<To, bool>) ||
                          pointers_convert<From, To>;

}  // namespace detail

template <typename T, typename U>
concept scalar_convertible_to =
    scalar<T> && scalar<U> && detail::scalars_convert<std::remove_cv_t<T>, std::remove_cv_t<U>>;
template <typename T, typename U>
concept non_narrowing_scalar_convertible_to =
    scalar_convertible_to<T, U> && !detail::scalar_narrows<T, U>;
template <typename T, typename U>
concept pointer_comparable = pointer_scalar<T> && pointer_scalar<U> && requires(T one, U other) {
  one == other;
};

template <tile_like T, scalar E>
using tile_with_element_t = detail::WithElement<T, std::remove_cv_t<E>>;
template <tile_like T, tile_like U, scalar E>
  requires broadcast_compatible<T, U>
using mutual_broadcast_t = detail::Together<T, U, std::remove_cv_t<E>>;

template <typename T, typename U>
concept arithmetic_tile_convertible =
    arithmetic_tile<T> && arithmetic_tile<U> && broadcast_compatible<T, U> &&
    !detail::unordered<detail::Element<T>, detail::Element<U>> &&
    !detail::operand_narrows<detail::Element<T>, detail::SumElement<T, U>> &&
    !detail::operand_narrows<detail::Element<U>, detail::SumElement<T, U>>;
template <arithmetic_tile T, arithmetic_tile U>
  requires arithmetic_tile_convertible<T, U>
using arithmetic_tile_conversion_t = detail::Together<T, U, detail::SumElement<T, U>>;

template <typename T, typename U>
concept arithmetic_tile_comparable =
    arithmetic_tile<T> && arithmetic_tile<U> && broadcast_compatible<T, U> &&
    !detail::unordered<detail::Element<T>, detail::Element<U>> &&
    !detail::operand_narrows<detail::Element<T>,
                             detail::CommonScalar<detail::Element<T>, detail::Element<U>>> &&
    !detail::operand_narrows<detail::Element<U>,
                             detail::CommonScalar<detail::Element<T>, detail::Element<U>>>;
template <arithmetic_tile T, arithmetic_tile U>
  requires arithmetic_tile_comparable<T, U>
using arithmetic_tile_comparison_t =
    detail::Together<T, U, detail::CommonScalar<detail::Element<T>, detail::Element<U>>>;

namespace detail {
template <typename T>
struct Promoted {
  using type = T;
};
template <typename T>
  requires std::is_integral_v<Element<T>>
struct Promoted<T> {
  using type = WithElement<T, decltype(+std::declval<Element<T>>())>;
};
}  // namespace detail
template <arithmetic_tile T>
using arithmetic_tile_promotion_t = typename detail::Promoted<std::remove_cv_t<T>>::type;

template <typename T, typename U>
concept tile_convertible_to =
    tile_like<T> && tile_like<U> &&
    scalar_convertible_to<detail::Element<T>, detail::Element<U>> &&
    same_shape<detail::Shape<T>, detail::Shape<U>>;
template <typename T, typename U>
concept non_narrowing_tile_convertible_to =
    tile_convertible_to<T, U> &&
    non_narrowing_scalar_convertible_to<detail::Element<T>, detail::Element<U>>;
template <typename T>
concept bool_tile_convertible =
    tile_like<T> && tile_convertible_to<T, detail::WithElement<T, bool>>;

}  // namespace cuda::tiles
