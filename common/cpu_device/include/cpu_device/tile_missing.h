// What the CPU device does not have of CUDA Tile. Each use is a compile error that names it.
#pragma once

#include "tile_elements.h"

namespace cuda::tiles {

namespace detail {
template <typename...>
inline constexpr bool never = false;
}  // namespace detail

template <typename A, typename ScaleA, typename B, typename ScaleB, typename C>
C scaled_mma(A, ScaleA, B, ScaleB, C) {
  static_assert(detail::never<A>,
                "cuda::tiles::scaled_mma is not on the CPU device: multiply by the scales, and use "
                "mma()");
}
template <typename E, auto Dimension, typename T>
auto repack(T, integral_constant<Dimension> = {}) {
  static_assert(detail::never<T>,
                "cuda::tiles::repack is not on the CPU device: element_bitcast() is, for elements "
                "of the same size");
}

}  // namespace cuda::tiles
