// Products of matrices: mma() and matmul(). The loops for float and double are the runtime's, which has
// them for the vector instructions of several machines (runtime/execution/tile_products.cpp).
#pragma once

#include "tile_elementwise.h"

namespace cpu_device {
// c += a * b: m x n, m x k and k x n, row after row, without gaps.
void multiply_add(float* c, const float* a, const float* b, size_t m, size_t n, size_t k);
void multiply_add(double* c, const double* a, const double* b, size_t m, size_t n, size_t k);
void multiply_add(int* c, const int* a, const int* b, size_t m, size_t n, size_t k);
}  // namespace cpu_device

namespace cuda::tiles {

namespace detail {

// Which sums a GPU can take of which products.
template <typename E, typename Sum>
inline constexpr bool sums_as =
    (std::is_integral_v<E> && sizeof(E) == 1 && std::is_integral_v<Sum> && std::is_signed_v<Sum> &&
     sizeof(Sum) == 4) ||
    ((float_rank<E> == 1 || std::is_same_v<E, __half>) &&
     (std::is_same_v<Sum, __half> || std::is_same_v<Sum, float>)) ||
    ((std::is_same_v<E, __nv_tf32> || std::is_same_v<E, __nv_bfloat16> ||
      std::is_same_v<E, float>) &&
     std::is_same_v<Sum, float>) ||
    (std::is_same_v<E, double> && std::is_same_v<Sum, double>);
template <typename T, typename U>
inline constexpr bool same_kind =
    std::is_same_v<T, U> ||
    (std::is_integral_v<T> && std::is_integral_v<U> && sizeof(T) == sizeof(U));

// The last two dimensions are the matrix; one before them counts matrices, 1: the same for all.
template <typename A, typename B, typename C>
consteval bool matrices_fit() {
  if (A::rank() != B::rank() || B::rank() != C::rank()) return false;
  if (A::rank() != 2 && A::rank() != 3) return false;
  const size_t first = A::rank() - 2;
  if (A::static_extent(first + 1) != B::static_extent(first) ||
      A::static_extent(first) != C::static_extent(first) ||
      B::static_extent(first + 1) != C::static_extent(first + 1))
    return false;
  if (first == 0) return true;
  const size_t count = C::static_extent(0);
  return (A::static_extent(0) == 1 || A::static_extent(0) == count) &&
         (B::static_extent(0) == 1 || B::static_extent(0) == count);
}

// The numbers of a tile in the type that they are multiplied in.
template <typename Number, typename T>
CPU_DEVICE_UNCHECKED decltype(auto) factors(const T& it) {
  if constexpr (std::is_same_v<Element<T>, Number>)
    return (it);
  else
    return each<tile<Number, Shape<T>>>([](const Element<T>& x) { return convert<Number>(x); }, it);
}

template <typename Number, typename A, typename B, typename C>
CPU_DEVICE_UNCHECKED void add_products(const A& a, const B& b, C& c) {
  constexpr size_t first = tile_rank_v<C> - 2;
  constexpr size_t m = Shape<C>::static_extent(first), n = Shape<C>::static_extent(first + 1);
  constexpr size_t k = Shape<A>::static_extent(first + 1);
  constexpr size_t count = elements_of<Shape<C>>() / (m * n);
  constexpr size_t step_a = elements_of<Shape<A>>() == m * k ? 0 : m * k;
  constexpr size_t step_b = elements_of<Shape<B>>() == k * n ? 0 : k * n;
  for (size_t i = 0; i < count; i++)
    cpu_device::multiply_add(c.cpu_device_values + i * m * n, a.cpu_device_values + i * step_a,
                             b.cpu_device_values + i * step_b, m, n, k);
}

template <typename E>
using ProductElement = std::conditional_t<
    std::is_integral_v<E>, int32_t,
    std::conditional_t<float_rank<E> == 1 || std::is_same_v<E, __half>, __half,
                       std::conditional_t<std::is_same_v<E, double>, double, float>>>;
template <typename A, typename B, size_t rank>
struct ProductShape {
  using type = shape<A::static_extent(0), B::static_extent(1)>;
};
template <typename A, typename B>
struct ProductShape<A, B, 3> {
  using type = shape<(A::static_extent(0) > B::static_extent(0) ? A::static_extent(0)
                                                                : B::static_extent(0)),
                     A::static_extent(1), B::static_extent(2)>;
};

}  // namespace detail

template <typename A, typename B, typename C>
concept mma_compatible =
    numeric_tile<A> && numeric_tile<B> && numeric_tile<C> &&
    detail::same_kind<tile_element_t<A>, tile_element_t<B>> &&
    detail::sums_as<tile_element_t<A>, tile_element_t<C>> &&
    detail::matrices_fit<tile_shape_t<A>, tile_shape_t<B>, tile_shape_t<C>>();

// a * b + c
template <numeric_tile A, numeric_tile B, numeric_tile C>
  requires mma_compatible<A, B, C>
CPU_DEVICE_UNCHECKED C mma(const A& a, const B& b, const C& c) noexcept {
  using Sum = tile_element_t<C>;
  using Number = detail::Element<decltype(detail::plain(std::declval<Sum>()))>;
  if constexpr (std::is_same_v<Sum, Number>) {
    C result = c;
    detail::add_products<Number>(detail::factors<Number>(a), detail::factors<Number>(b), result);
    return result;
  } else {  // half: rounded once
    auto sums = detail::each<tile<Number, tile_shape_t<C>>>(
        [](const Sum& x) { return detail::plain(x); }, c);
    detail::add_products<Number>(detail::factors<Number>(a), detail::factors<Number>(b), sums);
    return element_cast<Sum>(sums);
  }
}

template <typename A, typename B>
concept matmul_compatible =
    numeric_tile<A> && numeric_tile<B> && tile_rank_v<A> == tile_rank_v<B> &&
    (tile_rank_v<A> == 2 || tile_rank_v<A> == 3) &&
    mma_compatible<A, B,
                   tile<detail::ProductElement<tile_element_t<A>>,
                        typename detail::ProductShape<tile_shape_t<A>, tile_shape_t<B>,
                                                      tile_rank_v<A>>::type>>;
template <numeric_tile A, numeric_tile B>
  requires matmul_compatible<A, B>
using matmul_result_t =
    tile<detail::ProductElement<tile_element_t<A>>,
         typename detail::ProductShape<tile_shape_t<A>, tile_shape_t<B>, tile_rank_v<A>>::type>;

// a * b
template <numeric_tile A, numeric_tile B>
  requires matmul_compatible<A, B>
CPU_DEVICE_UNCHECKED matmul_result_t<A, B> matmul(const A& a, const B& b) noexcept {
  return mma(a, b, zeros<matmul_result_t<A, B>>());
}

}  // namespace cuda::tiles
