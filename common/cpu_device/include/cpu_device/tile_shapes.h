// What changes the shape of a tile or the order of its elements: reshape, broadcast, transpose, permute, cat,
// extract, insert.
#pragma once

#include "tile_values.h"

namespace cuda::tiles {

template <tile_shape To, tile_like T>
  requires(tile_size_v<T> == shape_size_v<To>)
CPU_DEVICE_UNCHECKED tile<tile_element_t<T>, std::remove_cv_t<To>> reshape(const T& it,
                                                                           To = {}) noexcept {
  tile<tile_element_t<T>, std::remove_cv_t<To>> result;
  for (size_t i = 0; i < shape_size_v<To>; i++)
    result.cpu_device_values[i] = detail::element(it, i);
  return result;
}

template <tile_shape To, tile_like T>
  requires broadcastable_to<T, To>
CPU_DEVICE_UNCHECKED tile<tile_element_t<T>, To> broadcast(const T& it, To = {}) noexcept {
  return detail::each<tile<tile_element_t<T>, To>>(
      [](const tile_element_t<T>& x) { return x; }, it);
}

namespace detail {

// How far apart neighbors along dimension d are in a tile.
template <typename S>
constexpr size_t distance(size_t d) {
  size_t product = 1;
  for (size_t i = d + 1; i < S::rank(); i++) product *= S::static_extent(i);
  return product;
}

template <typename S, typename Map, size_t... I>
auto permuted_shape(std::index_sequence<I...>) -> shape<S::static_extent(Map::mapping(I))...>;
template <typename S, typename Map>
using Permuted = decltype(permuted_shape<S, Map>(std::make_index_sequence<Map::rank()>()));

template <typename T>
inline constexpr bool is_dimension_map = false;
template <size_t... order>
inline constexpr bool is_dimension_map<dimension_map<order...>> = true;

// Calls function(place in the part, place in the whole) for a part of shape `Part` that begins at `first` of a
// tile of shape `Whole`, for rows of Part's last dimension.
template <typename Part, typename Whole, typename Function>
CPU_DEVICE_UNCHECKED void each_row(const size_t* first, const Function& function) {
  constexpr size_t rank = Part::rank();
  constexpr size_t last = rank == 0 ? 1 : Part::static_extent(rank - 1);
  for (size_t row = 0; row < elements_of<Part>() / last; row++) {
    size_t place = rank == 0 ? 0 : first[rank - 1], step = rank == 0 ? 1 : Whole::static_extent(rank - 1);
    size_t rest = row;
    for (size_t d = rank > 0 ? rank - 1 : 0; d-- > 0;) {
      place += (first[d] + rest % Part::static_extent(d)) * step;
      step *= Whole::static_extent(d);
      rest /= Part::static_extent(d);
    }
    function(row * last, place, last);
  }
}

}  // namespace detail

template <tile_like T, typename Map>
  requires(detail::is_dimension_map<std::remove_cv_t<Map>> && tile_rank_v<T> == Map::rank())
using tile_permutation_t = detail::Make<tile_element_t<T>, detail::Permuted<tile_shape_t<T>, Map>,
                                        !detail::is_tile<std::remove_cv_t<T>>>;

// Dimension i of the result is dimension Map::mapping(i) of the tile.
template <typename Map, tile_like T>
  requires(detail::is_dimension_map<std::remove_cv_t<Map>> && tile_rank_v<T> == Map::rank())
CPU_DEVICE_UNCHECKED tile_permutation_t<T, Map> permute(const T& it, Map = {}) noexcept {
  if constexpr (!detail::is_tile<T> || Map::rank() == 0) {
    return it;
  } else {
    using To = detail::Permuted<tile_shape_t<T>, Map>;
    constexpr size_t rank = Map::rank(), last = To::static_extent(rank - 1);
    constexpr size_t stride = detail::distance<tile_shape_t<T>>(Map::mapping(rank - 1));
    tile_permutation_t<T, Map> result;
    for (size_t row = 0; row < shape_size_v<To> / last; row++) {
      size_t from = 0, rest = row;
      for (size_t d = rank - 1; d-- > 0;) {
        from += rest % To::static_extent(d) * detail::distance<tile_shape_t<T>>(Map::mapping(d));
        rest /= To::static_extent(d);
      }
      for (size_t i = 0; i < last; i++)
        result.cpu_device_values[row * last + i] = it.cpu_device_values[from + i * stride];
    }
    return result;
  }
}

namespace detail {
// The first two dimensions change places.
template <size_t... rest>
auto transposing(std::index_sequence<rest...>) -> dimension_map<1, 0, (rest + 2)...>;
template <typename T>
using Transposing = decltype(transposing(std::make_index_sequence<tile_rank_v<T> - 2>()));
}  // namespace detail

template <tile_like T>
CPU_DEVICE_UNCHECKED auto transpose(const T& it) noexcept {
  if constexpr (tile_rank_v<T> < 2)
    return it;
  else
    return permute<detail::Transposing<T>>(it);
}
template <tile_like T>
using tile_transpose_t = decltype(transpose(std::declval<const T&>()));

// ---- parts ----

namespace detail {

template <typename S, size_t dimension, size_t... I>
auto doubled_shape(std::index_sequence<I...>)
    -> shape<(I == dimension ? 2 * S::static_extent(I) : S::static_extent(I))...>;
template <typename T, size_t dimension>
using Doubled = tile<Element<T>, decltype(doubled_shape<Shape<T>, dimension>(
                                     std::make_index_sequence<Shape<T>::rank()>()))>;

template <typename Part, typename Whole>
consteval bool divides() {
  if (Part::rank() != Whole::rank()) return false;
  for (size_t i = 0; i < Part::rank(); i++)
    if (Whole::static_extent(i) % Part::static_extent(i) != 0) return false;
  return true;
}

}  // namespace detail

template <typename T, typename U, size_t dimension>
concept concatenation_compatible = tile_like<T> && std::same_as<T, U> && dimension < tile_rank_v<T>;
template <tile_like T, tile_like U, size_t dimension>
  requires concatenation_compatible<T, U, dimension>
using concatenation_t = detail::Doubled<T, dimension>;

// Two tiles of one type, one after the other along a dimension.
template <integral auto Dimension, tile_like T, tile_like U>
  requires(Dimension >= 0 && concatenation_compatible<T, U, static_cast<size_t>(Dimension)>)
CPU_DEVICE_UNCHECKED concatenation_t<T, U, static_cast<size_t>(Dimension)> cat(
    const T& first, const U& second, integral_constant<Dimension> = {}) noexcept {
  constexpr size_t inner =
      detail::distance<tile_shape_t<T>>(Dimension) * tile_shape_t<T>::static_extent(Dimension);
  concatenation_t<T, U, static_cast<size_t>(Dimension)> result;
  for (size_t outer = 0; outer < tile_size_v<T> / inner; outer++)
    for (size_t i = 0; i < inner; i++) {
      result.cpu_device_values[outer * 2 * inner + i] = first.cpu_device_values[outer * inner + i];
      result.cpu_device_values[outer * 2 * inner + inner + i] =
          second.cpu_device_values[outer * inner + i];
    }
  return result;
}

template <typename S, typename T>
concept extractable_from =
    tile_shape<S> && tile_like<T> && detail::divides<std::remove_cv_t<S>, tile_shape_t<T>>();

// A part of a tile. The indices count parts, not elements.
template <tile_shape Part, tile_like T, typename... Indices>
  requires(extractable_from<Part, T> && sizeof...(Indices) == Part::rank() &&
           (std::convertible_to<Indices, size_t> && ...))
CPU_DEVICE_UNCHECKED tile<tile_element_t<T>, Part> extract(const T& it, Part,
                                                           Indices... index) noexcept {
  size_t first[] = {static_cast<size_t>(index)..., 0};
  for (size_t d = 0; d < Part::rank(); d++) first[d] *= Part::static_extent(d);
  tile<tile_element_t<T>, Part> result;
  detail::each_row<Part, tile_shape_t<T>>(first, [&](size_t to, size_t from, size_t count) {
    for (size_t i = 0; i < count; i++)
      result.cpu_device_values[to + i] = detail::element(it, from + i);
  });
  return result;
}
// The tile with another part.
template <tile_like Part, tile_like T, typename... Indices>
  requires(extractable_from<tile_shape_t<Part>, T> && sizeof...(Indices) == tile_rank_v<Part> &&
           (std::convertible_to<Indices, size_t> && ...) &&
           non_narrowing_scalar_convertible_to<tile_element_t<Part>, tile_element_t<T>>)
[[nodiscard]] CPU_DEVICE_UNCHECKED T insert(const T& it, const Part& part,
                                            Indices... index) noexcept {
  using S = tile_shape_t<Part>;
  size_t first[] = {static_cast<size_t>(index)..., 0};
  for (size_t d = 0; d < S::rank(); d++) first[d] *= S::static_extent(d);
  T result = it;
  detail::each_row<S, tile_shape_t<T>>(first, [&](size_t from, size_t to, size_t count) {
    for (size_t i = 0; i < count; i++)
      result.cpu_device_values[to + i] =
          detail::convert<tile_element_t<T>>(detail::element(part, from + i));
  });
  return result;
}

}  // namespace cuda::tiles
