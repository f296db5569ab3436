// The tile: an array whose shape is part of its type. It is a value, copied like a number.
#pragma once

#include <bit>

#include "tile_elements.h"

namespace cuda::tiles {

namespace detail {

// Numbers of 8 and 16 bits are computed with as float.
template <typename T>
inline constexpr bool is_wrapped = is_float<T> && !std::is_floating_point_v<T>;
template <typename T>
CPU_DEVICE_UNCHECKED constexpr auto plain(const T& it) {
  if constexpr (is_wrapped<T>)
    return static_cast<float>(it);
  else
    return it;
}

// One element as another type.
template <typename To, typename From>
CPU_DEVICE_UNCHECKED constexpr To convert(const From& it) {
  if constexpr (std::is_same_v<From, To>)
    return it;
  else if constexpr (is_wrapped<To> && std::is_same_v<From, double>)
    return To(it);
  else if constexpr (is_wrapped<To>)
    return To(static_cast<float>(plain(it)));
  else if constexpr (std::is_same_v<To, bool>)
    return plain(it) != decltype(plain(it))();
  else
    return static_cast<To>(plain(it));
}

}  // namespace detail

template <typename Element, typename Shape>
class tile final {
  static_assert(detail::is_scalar<Element>,
                "the elements of a tile are numbers or pointers to numbers, without const");
  static_assert(tile_shape<Shape>,
                "each size of a tile is a power of two, as in shape<64, 32>, and known when the "
                "program is compiled; a tile has at most 16,777,216 elements");
  static constexpr size_t kSize = shape_size_v<Shape>;
  static constexpr size_t kBytes = kSize * sizeof(Element);

 public:
  using element_type = Element;
  using shape_type = Shape;
  using rank_type = typename Shape::rank_type;
  using index_type = typename Shape::index_type;

  // Not for programs. Vector instructions like whole cache lines.
  alignas(kBytes > 64 ? 64 : kBytes) Element cpu_device_values[kSize];

  tile() = default;

  template <tile_like Other>
    requires tile_convertible_to<Other, tile>
  CPU_DEVICE_UNCHECKED explicit(!non_narrowing_tile_convertible_to<Other, tile>)
      tile(const Other& other) noexcept {
    if constexpr (detail::is_tile<Other>) {
      for (size_t i = 0; i < kSize; i++)
        cpu_device_values[i] = detail::convert<Element>(other.cpu_device_values[i]);
    } else {
      cpu_device_values[0] = detail::convert<Element>(other);
    }
  }

  // From a list of constants as long as the tile: tile<int, shape<4>> t({1, 2, 3, 4});
  template <scalar From, size_t n0>
    requires(Shape::rank() == 1 && n0 == kSize && scalar_convertible_to<From, Element>)
  consteval explicit(!non_narrowing_scalar_convertible_to<From, Element>)
      tile(const From (&list)[n0]) noexcept
      : cpu_device_values{} {
    for (size_t i = 0; i < n0; i++) cpu_device_values[i] = detail::convert<Element>(list[i]);
  }
  template <scalar From, size_t n0, size_t n1>
    requires(same_shape<Shape, shape<n0, n1>> && scalar_convertible_to<From, Element>)
  consteval explicit(!non_narrowing_scalar_convertible_to<From, Element>)
      tile(const From (&list)[n0][n1]) noexcept
      : cpu_device_values{} {
    for (size_t i = 0; i < kSize; i++)
      cpu_device_values[i] = detail::convert<Element>(list[i / n1][i % n1]);
  }
  template <scalar From, size_t n0, size_t n1, size_t n2>
    requires(same_shape<Shape, shape<n0, n1, n2>> && scalar_convertible_to<From, Element>)
  consteval explicit(!non_narrowing_scalar_convertible_to<From, Element>)
      tile(const From (&list)[n0][n1][n2]) noexcept
      : cpu_device_values{} {
    for (size_t i = 0; i < kSize; i++)
      cpu_device_values[i] =
          detail::convert<Element>(list[i / (n1 * n2)][i / n2 % n1][i % n2]);
  }

  // A tile of one element is as good as a number.
  template <scalar Other>
    requires(kSize == 1 && scalar_convertible_to<Element, Other>)
  CPU_DEVICE_UNCHECKED explicit operator Other() const noexcept {
    return detail::convert<Other>(cpu_device_values[0]);
  }
};

template <scalar E>
tile(E) -> tile<std::remove_cv_t<E>, shape<>>;
template <typename E, size_t n0>
tile(const E (&)[n0]) -> tile<E, shape<n0>>;
template <typename E, size_t n0, size_t n1>
tile(const E (&)[n0][n1]) -> tile<E, shape<n0, n1>>;
template <typename E, size_t n0, size_t n1, size_t n2>
tile(const E (&)[n0][n1][n2]) -> tile<E, shape<n0, n1, n2>>;

namespace detail {

template <typename T>
CPU_DEVICE_UNCHECKED constexpr auto element(const T& it, [[maybe_unused]] size_t i) {
  if constexpr (is_tile<T>)
    return it.cpu_device_values[i];
  else
    return it;
}

// A tile of shape To whose rows, or columns, or all elements, are repetitions of `it`'s. `stride[d]`: how far
// apart neighbors along dimension d are in `it`; 0 where they are the same.
template <typename To, typename From>
CPU_DEVICE_UNCHECKED auto repeat(const From& it) {
  using S = Shape<From>;
  constexpr size_t rank = To::rank(), size = elements_of<To>();
  tile<Element<From>, To> result;
  if constexpr (elements_of<S>() == 1) {
    for (size_t i = 0; i < size; i++) result.cpu_device_values[i] = element(it, 0);
  } else {
    constexpr size_t last = To::static_extent(rank - 1);
    constexpr bool moves = padded_extent<S>(rank - 1, rank) != 1;
    for (size_t row = 0; row < size / last; row++) {
      size_t from = 0, step = 1, rest = row;
      if constexpr (moves) step = last;
      for (size_t d = rank - 1; d-- > 0;) {
        if (padded_extent<S>(d, rank) != 1) {
          from += rest % To::static_extent(d) * step;
          step *= To::static_extent(d);
        }
        rest /= To::static_extent(d);
      }
      Element<From>* const to = result.cpu_device_values + row * last;
      const Element<From>* const source = it.cpu_device_values + from;
      for (size_t i = 0; i < last; i++) to[i] = source[moves ? i : 0];
    }
  }
  return result;
}

// `it` as an operand of a loop over the elements of a tile of shape To.
template <typename To, typename From>
CPU_DEVICE_UNCHECKED decltype(auto) spread(const From& it) {
  if constexpr (!is_tile<From> || are_same_shape<Shape<From>, To>())
    return (it);
  else if constexpr (elements_of<Shape<From>>() == 1)
    return Element<From>(it.cpu_device_values[0]);
  else
    return repeat<To>(it);
}

template <typename Result, typename Function, typename... Operands>
CPU_DEVICE_UNCHECKED Result each_spread(const Function& function, const Operands&... operands) {
  Result result;
  constexpr size_t size = elements_of<Shape<Result>>();
#pragma GCC ivdep
  for (size_t i = 0; i < size; i++)
    result.cpu_device_values[i] = function(element(operands, i)...);
  return result;
}

// The result of a function of corresponding elements: a tile, or a scalar if all operands are scalars.
template <typename Result, typename Function, typename... Operands>
CPU_DEVICE_UNCHECKED Result each(const Function& function, const Operands&... operands) {
  if constexpr (is_tile<Result>)
    return each_spread<Result>(function, spread<Shape<Result>>(operands)...);
  else
    return function(operands...);
}

}  // namespace detail

// ---- tiles from nothing ----

template <tile_like T>
CPU_DEVICE_UNCHECKED T full(tile_element_t<T> value) noexcept {
  return detail::each<T>([](tile_element_t<T> x) { return x; }, value);
}
template <numeric_tile T>
CPU_DEVICE_UNCHECKED T zeros() noexcept {
  return full<T>(detail::convert<tile_element_t<T>>(0));
}
template <numeric_tile T>
CPU_DEVICE_UNCHECKED T ones() noexcept {
  return full<T>(detail::convert<tile_element_t<T>>(1));
}
// 0, 1, 2 ... row after row.
template <integral_tile T>
  requires(tile_size_v<T> - 1 <= static_cast<unsigned long long>(
                                     std::numeric_limits<tile_element_t<T>>::max()))
CPU_DEVICE_UNCHECKED T iota() noexcept {
  if constexpr (detail::is_tile<T>) {
    T result;
    for (size_t i = 0; i < tile_size_v<T>; i++)
      result.cpu_device_values[i] = static_cast<tile_element_t<T>>(i);
    return result;
  } else {
    return T();
  }
}

}  // namespace cuda::tiles
