// Where the elements of an array with several dimensions lie in memory: layouts, and tensor_span.
#pragma once

#include "tile_elements.h"

namespace cuda::tiles {

namespace detail {

// Strides that follow from extents: the product of the extents on one side.
template <bool to_the_right, typename Extents>
constexpr ptrdiff_t packed_stride(const Extents& it, size_t d, ptrdiff_t padded_to) {
  constexpr size_t rank = Extents::rank();
  ptrdiff_t product = 1;
  if constexpr (to_the_right) {
    for (size_t i = rank; i-- > d + 1;)
      product *= i == rank - 1 && padded_to > 0 ? padded_to : static_cast<ptrdiff_t>(it.extent(i));
  } else {
    for (size_t i = 0; i < d; i++)
      product *= i == 0 && padded_to > 0 ? padded_to : static_cast<ptrdiff_t>(it.extent(i));
  }
  return product;
}

template <bool to_the_right, typename Extents>
consteval size_t packed_static_stride(size_t d) {
  constexpr size_t rank = Extents::rank();
  size_t product = 1;
  for (size_t i = to_the_right ? d + 1 : 0; i < (to_the_right ? rank : d); i++) {
    if (Extents::static_extent(i) == dynamic_extent) return dynamic_stride;
    product *= Extents::static_extent(i);
  }
  return product;
}

template <typename Layout, typename Extents, bool to_the_right>
class PackedMapping {
 public:
  using extents_type = Extents;
  using rank_type = typename Extents::rank_type;
  using index_type = typename Extents::index_type;
  using layout_type = Layout;
  constexpr explicit PackedMapping(const Extents& extents) noexcept : extents_(extents) {}
  static constexpr bool is_always_strided() noexcept { return true; }
  constexpr ptrdiff_t stride(rank_type d) const noexcept {
    return packed_stride<to_the_right>(extents_, d, 0);
  }
  constexpr const Extents& extents() const noexcept { return extents_; }

 private:
  Extents extents_;
};

// The fastest dimension takes as much space as the next multiple of `Multiple` elements.
template <typename Layout, typename Extents, size_t Multiple, bool to_the_right>
class PaddedMapping {
 public:
  using extents_type = Extents;
  using rank_type = typename Extents::rank_type;
  using index_type = typename Extents::index_type;
  using layout_type = Layout;
  template <std::convertible_to<index_type> T>
  constexpr PaddedMapping(const Extents& extents, T multiple) noexcept
      : extents_(extents), multiple_(static_cast<ptrdiff_t>(multiple)) {}
  static constexpr bool is_always_strided() noexcept { return true; }
  constexpr ptrdiff_t stride(rank_type d) const noexcept {
    const auto fastest =
        static_cast<ptrdiff_t>(extents_.extent(to_the_right ? Extents::rank() - 1 : 0));
    return packed_stride<to_the_right>(extents_, d,
                                       (fastest + multiple_ - 1) / multiple_ * multiple_);
  }
  constexpr const Extents& extents() const noexcept { return extents_; }

 private:
  Extents extents_;
  ptrdiff_t multiple_;
};

template <typename T>
constexpr ptrdiff_t stride_of(const T& it, size_t d) {
  if constexpr (strides_like<T>)
    return static_cast<ptrdiff_t>(it.stride(d));
  else
    return static_cast<ptrdiff_t>(it.extent(d));
}

}  // namespace detail

// Row after row: the last dimension is the fastest.
struct layout_right {
  template <extents_like E>
  using mapping = detail::PackedMapping<layout_right, std::remove_cv_t<E>, true>;
};
// Column after column: the first dimension is the fastest.
struct layout_left {
  template <extents_like E>
  using mapping = detail::PackedMapping<layout_left, std::remove_cv_t<E>, false>;
};
template <extents_like E>
using layout_right_mapping = layout_right::mapping<E>;
template <extents_like E>
using layout_left_mapping = layout_left::mapping<E>;

template <size_t Multiple>
struct layout_right_padded {
  template <extents_like E>
  using mapping = detail::PaddedMapping<layout_right_padded, std::remove_cv_t<E>, Multiple, true>;
};
template <size_t Multiple>
struct layout_left_padded {
  template <extents_like E>
  using mapping = detail::PaddedMapping<layout_left_padded, std::remove_cv_t<E>, Multiple, false>;
};
template <extents_like Extents, size_t Multiple>
struct layout_right_padded_mapping
    : detail::PaddedMapping<layout_right_padded<Multiple>, Extents, Multiple, true> {
  using detail::PaddedMapping<layout_right_padded<Multiple>, Extents, Multiple, true>::PaddedMapping;
};
template <extents_like Extents, typename T>
layout_right_padded_mapping(const Extents&, T)
    -> layout_right_padded_mapping<Extents, detail::size_or_dynamic<std::remove_cv_t<T>>>;
template <extents_like Extents, size_t Multiple>
struct layout_left_padded_mapping
    : detail::PaddedMapping<layout_left_padded<Multiple>, Extents, Multiple, false> {
  using detail::PaddedMapping<layout_left_padded<Multiple>, Extents, Multiple, false>::PaddedMapping;
};
template <extents_like Extents, typename T>
layout_left_padded_mapping(const Extents&, T)
    -> layout_left_padded_mapping<Extents, detail::size_or_dynamic<std::remove_cv_t<T>>>;

// Any strides.
template <typename Strides>
struct layout_strided;
template <extents_like Extents, typename Strides>
class layout_strided_mapping {
 public:
  using extents_type = Extents;
  using rank_type = typename Extents::rank_type;
  using index_type = typename Extents::index_type;
  using layout_type = layout_strided<Strides>;
  constexpr layout_strided_mapping(const Extents& extents, const Strides& strides) noexcept
      : extents_(extents), strides_(strides) {}
  static constexpr bool is_always_strided() noexcept { return true; }
  constexpr ptrdiff_t stride(rank_type d) const noexcept { return detail::stride_of(strides_, d); }
  constexpr const Extents& extents() const noexcept { return extents_; }

 private:
  Extents extents_;
  Strides strides_;
};
template <typename Strides>
struct layout_strided {
  template <extents_like E>
  using mapping = layout_strided_mapping<std::remove_cv_t<E>, Strides>;
};

template <typename T>
concept layout_mapping = requires(const T& it, size_t d) {
  typename T::extents_type;
  typename T::layout_type;
  it.stride(d);
  it.extents();
};

template <scalar E>
struct default_accessor {
  using element_type = E;
  using data_handle_type = E*;
  using reference = E&;
};

// An array with several dimensions in memory: where it begins, how long it is, how it lies.
template <typename E, extents_like Extents, typename Layout = layout_right,
          typename Accessor = default_accessor<E>>
class tensor_span {
 public:
  using element_type = E;
  using value_type = std::remove_cv_t<E>;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using accessor_type = Accessor;
  using data_handle_type = E*;
  using reference = E&;

  constexpr tensor_span(E* data, const mapping_type& mapping, const Accessor& = {}) noexcept
      : data_(data), mapping_(mapping) {}
  constexpr tensor_span(E* data, const Extents& extents, const Layout& = {},
                        const Accessor& = {}) noexcept
    requires std::constructible_from<mapping_type, const Extents&>
      : data_(data), mapping_(extents) {}
  template <typename Mapping>
    requires std::derived_from<Mapping, mapping_type>
  constexpr tensor_span(E* data, const Mapping& mapping) noexcept
      : data_(data), mapping_(mapping) {}

  constexpr const Extents& extents() const noexcept { return mapping_.extents(); }
  constexpr index_type extent(rank_type d) const noexcept { return extents().extent(d); }
  static constexpr size_t static_extent(rank_type d) noexcept { return Extents::static_extent(d); }
  static constexpr rank_type rank() noexcept { return Extents::rank(); }
  static constexpr rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  constexpr const mapping_type& mapping() const noexcept { return mapping_; }
  constexpr Accessor accessor() const noexcept { return {}; }
  constexpr E* data_handle() const noexcept { return data_; }

 private:
  E* data_;
  mapping_type mapping_;
};
template <typename T, layout_mapping M>
tensor_span(T*, const M&) -> tensor_span<T, typename M::extents_type, typename M::layout_type>;
template <typename T, extents_like E, typename L = layout_right>
tensor_span(T*, const E&, const L& = {}) -> tensor_span<T, E, L>;

template <typename T>
concept tensor_span_like = requires(const T& it) {
  typename T::mapping_type;
  typename T::element_type;
  it.data_handle();
  it.mapping();
};
template <typename T>
concept storeable_tensor_span = tensor_span_like<T> && !std::is_const_v<typename T::element_type> &&
                                !std::is_volatile_v<typename T::element_type>;

}  // namespace cuda::tiles
