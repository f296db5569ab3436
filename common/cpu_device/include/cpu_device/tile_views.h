// Views: an array in memory cut into tiles, which are loaded and stored by their numbers.
#pragma once

#include "tile_atomics.h"
#include "tile_layouts.h"

namespace cpu_device {
// Ends the kernel: a tile that begins at `begin` reaches over the edge of its array, or lies outside altogether.
[[noreturn]] void tile_outside(const char* function, const ptrdiff_t* begin, const size_t* size,
                               const ptrdiff_t* extent, size_t rank, bool altogether, Site site);
}  // namespace cpu_device

namespace cuda::tiles {

enum class view_padding : unsigned char { zero, negative_zero, positive_inf, negative_inf, nan };
template <view_padding Value>
struct view_padding_constant : detail::Choice<Value> {
  using type = view_padding_constant;
};
constexpr view_padding default_view_padding() noexcept { return view_padding::zero; }
using view_padding_zero_t = view_padding_constant<view_padding::zero>;
using view_padding_negative_zero_t = view_padding_constant<view_padding::negative_zero>;
using view_padding_positive_inf_t = view_padding_constant<view_padding::positive_inf>;
using view_padding_negative_inf_t = view_padding_constant<view_padding::negative_inf>;
using view_padding_nan_t = view_padding_constant<view_padding::nan>;
using default_view_padding_t = view_padding_constant<default_view_padding()>;

namespace detail {

template <view_padding Padding, typename E>
CPU_DEVICE_UNCHECKED inline E padding_value() {
  if constexpr (is_float<E>) {
    constexpr float values[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
    return convert<E>(values[static_cast<int>(Padding)]);
  } else {
    static_assert(Padding == view_padding::zero, "whole numbers are padded with zeros only");
    return E();
  }
}

// The number of a tile along one dimension, and where in the program it stands.
struct At {
  ptrdiff_t value;
  cpu_device::Site site;
  template <typename T>
    requires(std::is_integral_v<T> || std::is_floating_point_v<T>)
  At(T number, CPU_DEVICE_SITE_HERE) : value(static_cast<ptrdiff_t>(number)), site(site) {}
};
template <size_t, typename T>
using Repeat = T;

// Which elements of an array a tile covers: along each dimension where it begins.
template <size_t rank>
struct Window {
  ptrdiff_t begin[rank], extent[rank], stride[rank];
};

inline constexpr size_t kNoDimension = static_cast<size_t>(-1);

// Whether the whole tile is inside; or 0 if nothing of it is.
template <typename S, size_t rank>
CPU_DEVICE_UNCHECKED inline int position(const Window<rank>& w, size_t gathered) {
  int position = 2;
  for (size_t d = 0; d < rank; d++) {
    if (d == gathered) continue;
    const auto size = static_cast<ptrdiff_t>(S::static_extent(d));
    if (w.begin[d] >= w.extent[d] || w.begin[d] + size <= 0) return 0;
    if (w.begin[d] < 0 || w.begin[d] + size > w.extent[d]) position = 1;
  }
  return position;
}

template <typename S, size_t rank>
CPU_DEVICE_UNCHECKED inline void require_inside(const Window<rank>& w, bool masked,
                                                size_t gathered, const char* function,
                                                cpu_device::Site site) {
  const int where = position<S>(w, gathered);
  if (where == 2 || (masked && where == 1)) return;
  size_t size[rank];
  for (size_t d = 0; d < rank; d++) size[d] = S::static_extent(d);
  cpu_device::tile_outside(function, w.begin, size, w.extent, rank, where == 0, site);
}

// Calls function(place in memory, stride, place in the tile, elements) for each line of the tile's last dimension
// of which the first `elements` are inside of the array.
// `table`: the coordinates along dimension `gathered`, which need not follow each other.
template <typename S, size_t gathered, size_t rank, typename Function>
CPU_DEVICE_ACCESS void each_line(const Window<rank>& w, const ptrdiff_t* table,
                                 const Function& function) {
  constexpr size_t last = S::static_extent(rank - 1);
  for (size_t line = 0; line < elements_of<S>() / last; line++) {
    ptrdiff_t place = 0;
    bool inside = true;
    size_t rest = line;
    for (size_t d = rank - 1; d-- > 0;) {
      const size_t i = rest % S::static_extent(d);
      rest /= S::static_extent(d);
      const ptrdiff_t at = d == gathered ? table[i] : w.begin[d] + static_cast<ptrdiff_t>(i);
      inside = inside && at >= 0 && at < w.extent[d];
      place += at * w.stride[d];
    }
    if (!inside) continue;
    constexpr size_t d = rank - 1;
    if constexpr (gathered == d) {
      for (size_t i = 0; i < last; i++)
        if (table[i] >= 0 && table[i] < w.extent[d])
          function(place + table[i] * w.stride[d], 1, line * last + i, 1);
    } else {
      const ptrdiff_t first = w.begin[d] < 0 ? -w.begin[d] : 0;
      const ptrdiff_t left = w.extent[d] - w.begin[d];
      const ptrdiff_t end = left < static_cast<ptrdiff_t>(last) ? left : static_cast<ptrdiff_t>(last);
      if (first < end)
        function(place + (w.begin[d] + first) * w.stride[d], w.stride[d],
                 line * last + static_cast<size_t>(first), static_cast<size_t>(end - first));
    }
  }
}

template <typename S, size_t gathered = kNoDimension, size_t rank, typename E, typename Stored>
CPU_DEVICE_ACCESS void load_window(const Window<rank>& w, const Stored* memory, tile<E, S>& result,
                                   const ptrdiff_t* table = nullptr) {
  each_line<S, gathered>(w, table, [&](ptrdiff_t from, ptrdiff_t stride, size_t to, size_t count) __attribute__((always_inline)) {
    const Stored* const source = memory + from;
    E* const target = result.cpu_device_values + to;
    if (stride == 1)
#pragma GCC ivdep
      for (size_t i = 0; i < count; i++) target[i] = source[i];
    else
      for (size_t i = 0; i < count; i++) target[i] = source[static_cast<ptrdiff_t>(i) * stride];
  });
}
template <typename S, size_t gathered = kNoDimension, size_t rank, typename E, typename Stored>
CPU_DEVICE_ACCESS void store_window(const Window<rank>& w, Stored* memory, const tile<E, S>& values,
                                    const ptrdiff_t* table = nullptr) {
  each_line<S, gathered>(w, table, [&](ptrdiff_t to, ptrdiff_t stride, size_t from, size_t count) __attribute__((always_inline)) {
    Stored* const target = memory + to;
    const E* const source = values.cpu_device_values + from;
    if (stride == 1)
#pragma GCC ivdep
      for (size_t i = 0; i < count; i++) target[i] = source[i];
    else
      for (size_t i = 0; i < count; i++) target[static_cast<ptrdiff_t>(i) * stride] = source[i];
  });
}

// The pointers to the elements of a tile, and a mask of those that are inside.
template <typename S, typename Stored>
struct Pointers {
  tile<Stored*, S> to;
  tile<bool, S> inside;
};
template <typename S, size_t rank, typename Stored>
CPU_DEVICE_UNCHECKED Pointers<S, Stored> pointers_of(const Window<rank>& w, Stored* memory) {
  Pointers<S, Stored> it{full<tile<Stored*, S>>(memory), full<tile<bool, S>>(false)};
  each_line<S, kNoDimension>(w, nullptr,
                             [&](ptrdiff_t from, ptrdiff_t stride, size_t to, size_t count) {
                               for (size_t i = 0; i < count; i++) {
                                 it.to.cpu_device_values[to + i] =
                                     memory + from + static_cast<ptrdiff_t>(i) * stride;
                                 it.inside.cpu_device_values[to + i] = true;
                               }
                             });
  return it;
}

template <typename Span>
CPU_DEVICE_UNCHECKED auto window_of(const Span& span) {
  constexpr size_t rank = Span::extents_type::rank();
  Window<rank> w;
  for (size_t d = 0; d < rank; d++) {
    w.begin[d] = 0;
    w.extent[d] = static_cast<ptrdiff_t>(span.mapping().extents().extent(d));
    w.stride[d] = static_cast<ptrdiff_t>(span.mapping().stride(d));
  }
  return w;
}

// What partition_view and strided_view share. Tile number i along dimension d begins at i * step(d).
template <typename Span, typename S, typename Step, typename Sequence>
class BlockView;
template <typename Span, typename S, typename Step, size_t... I>
class BlockView<Span, S, Step, std::index_sequence<I...>> {
 public:
  using span_type = Span;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;
  using element_type = typename Span::element_type;
  using value_type = typename Span::value_type;
  using view_shape_type = S;
  using view_tile_type = tile<value_type, S>;

  constexpr explicit BlockView(const Span& span) noexcept : span_(span) {}
  constexpr const Span& span() const noexcept { return span_; }

  // The whole tile must be inside of the array.
  CPU_DEVICE_ACCESS view_tile_type load(Repeat<I, At>... index) const noexcept {
    return loaded<view_padding::zero>(false, "load", {index...});
  }
  // What is outside is padded: with zeros if nothing else is said.
  template <view_padding Padding = default_view_padding()>
  CPU_DEVICE_ACCESS view_tile_type load_masked(Repeat<I, At>... index) const noexcept {
    return loaded<Padding>(true, "load_masked", {index...});
  }
  template <view_padding Padding>
  CPU_DEVICE_ACCESS view_tile_type load_masked(view_padding_constant<Padding>,
                                               Repeat<I, At>... index) const noexcept {
    return loaded<Padding>(true, "load_masked", {index...});
  }
  template <typename Value>
    requires(non_narrowing_tile_convertible_to<Value, view_tile_type> &&
             storeable_tensor_span<Span>)
  CPU_DEVICE_ACCESS void store(const Value& value, Repeat<I, At>... index) const noexcept {
    stored(false, "store", value, {index...});
  }
  // What is outside is not stored.
  template <typename Value>
    requires(non_narrowing_tile_convertible_to<Value, view_tile_type> &&
             storeable_tensor_span<Span>)
  CPU_DEVICE_ACCESS void store_masked(const Value& value, Repeat<I, At>... index) const noexcept {
    stored(true, "store_masked", value, {index...});
  }

#define CPU_DEVICE_VIEW_LOAD(NAME, MASKED)                                                        \
  template <memory_order Order, thread_scope Scope = default_thread_scope()>                      \
    requires read_memory_order<Order>                                                             \
  CPU_DEVICE_ACCESS view_tile_type NAME(memory_order_constant<Order> order,                       \
                                        thread_scope_constant<Scope> scope,                       \
                                        Repeat<I, At>... index) const noexcept {                  \
    const auto it = targets(MASKED, #NAME, {index...});                                           \
    const At at[] = {index...};                                                                   \
    return tiles::atomic_load_masked(it.to, it.inside, padding_value<view_padding::zero, value_type>(), \
                                     order, scope, at[0].site);                                   \
  }                                                                                               \
  template <memory_order Order>                                                                   \
    requires read_memory_order<Order>                                                             \
  CPU_DEVICE_ACCESS view_tile_type NAME(memory_order_constant<Order> order,                       \
                                        Repeat<I, At>... index) const noexcept {                  \
    return NAME(order, default_thread_scope_t(), index...);                                       \
  }
  CPU_DEVICE_VIEW_LOAD(atomic_load, false)
  CPU_DEVICE_VIEW_LOAD(atomic_load_masked, true)
#undef CPU_DEVICE_VIEW_LOAD

#define CPU_DEVICE_VIEW_STORE(NAME, MASKED)                                                       \
  template <memory_order Order, thread_scope Scope, typename Value>                               \
    requires(write_memory_order<Order> && storeable_tensor_span<Span> &&                          \
             non_narrowing_tile_convertible_to<Value, view_tile_type>)                            \
  CPU_DEVICE_ACCESS void NAME(const Value& value, memory_order_constant<Order> order,             \
                              thread_scope_constant<Scope> scope,                                 \
                              Repeat<I, At>... index) const noexcept {                            \
    const auto it = targets(MASKED, #NAME, {index...});                                           \
    tiles::atomic_store_masked(it.to, value, it.inside, order, scope);                            \
  }                                                                                               \
  template <memory_order Order, typename Value>                                                   \
    requires(write_memory_order<Order> && storeable_tensor_span<Span> &&                          \
             non_narrowing_tile_convertible_to<Value, view_tile_type>)                            \
  CPU_DEVICE_ACCESS void NAME(const Value& value, memory_order_constant<Order> order,             \
                              Repeat<I, At>... index) const noexcept {                            \
    NAME(value, order, default_thread_scope_t(), index...);                                       \
  }
  CPU_DEVICE_VIEW_STORE(atomic_store, false)
  CPU_DEVICE_VIEW_STORE(atomic_store_masked, true)
#undef CPU_DEVICE_VIEW_STORE

#define CPU_DEVICE_VIEW_UPDATE(NAME, FUNCTION, MASKED)                                            \
  template <memory_order Order, thread_scope Scope, typename Value>                               \
    requires(Order == memory_order::relaxed && Scope != thread_scope::system &&                   \
             storeable_tensor_span<Span> &&                                                       \
             non_narrowing_tile_convertible_to<Value, view_tile_type>)                            \
  void NAME(const Value& value, memory_order_constant<Order> order,                               \
            thread_scope_constant<Scope> scope, Repeat<I, At>... index) const noexcept {          \
    const auto it = targets(MASKED, #NAME, {index...});                                           \
    const At at[] = {index...};                                                                   \
    tiles::FUNCTION##_masked(it.to, value, it.inside, order, scope, at[0].site);                  \
  }
#define CPU_DEVICE_VIEW_UPDATES(NAME)          \
  CPU_DEVICE_VIEW_UPDATE(NAME, NAME, false)    \
  CPU_DEVICE_VIEW_UPDATE(NAME##_masked, NAME, true)
  CPU_DEVICE_VIEW_UPDATES(atomic_add)
  CPU_DEVICE_VIEW_UPDATES(atomic_sub)
  CPU_DEVICE_VIEW_UPDATES(atomic_and)
  CPU_DEVICE_VIEW_UPDATES(atomic_or)
  CPU_DEVICE_VIEW_UPDATES(atomic_xor)
  CPU_DEVICE_VIEW_UPDATES(atomic_max)
  CPU_DEVICE_VIEW_UPDATES(atomic_min)
#undef CPU_DEVICE_VIEW_UPDATE
#undef CPU_DEVICE_VIEW_UPDATES

 private:
  static constexpr size_t kRank = sizeof...(I);
  using Indices = const At (&)[kRank];

  CPU_DEVICE_UNCHECKED Window<kRank> window(bool masked, const char* function,
                                            Indices index) const {
    Window<kRank> w = window_of(span_);
    for (size_t d = 0; d < kRank; d++) w.begin[d] = index[d].value * Step::step(d);
    require_inside<S>(w, masked, kNoDimension, function, index[0].site);
    return w;
  }
  template <view_padding Padding>
  CPU_DEVICE_ACCESS view_tile_type loaded(bool masked, const char* function, Indices index) const {
    view_tile_type result = full<view_tile_type>(padding_value<Padding, value_type>());
    load_window<S>(window(masked, function, index), span_.data_handle(), result);
    return result;
  }
  template <typename Value>
  CPU_DEVICE_ACCESS void stored(bool masked, const char* function, const Value& value,
                                Indices index) const {
    const auto w = window(masked, function, index);
    if constexpr (std::is_same_v<Value, view_tile_type>)
      store_window<S>(w, span_.data_handle(), value);
    else
      store_window<S>(w, span_.data_handle(), view_tile_type(value));
  }
  CPU_DEVICE_UNCHECKED Pointers<S, element_type> targets(bool masked, const char* function,
                                                         Indices index) const {
    return pointers_of<S>(window(masked, function, index), span_.data_handle());
  }

  Span span_;
};

template <typename S>
struct TileSteps {
  static constexpr ptrdiff_t step(size_t d) { return static_cast<ptrdiff_t>(S::static_extent(d)); }
};
template <typename Strides>
struct StrideSteps {
  static constexpr ptrdiff_t step(size_t d) {
    return static_cast<ptrdiff_t>(Strides::static_stride(d));
  }
};

}  // namespace detail

// Tiles side by side, like those on a floor.
template <tensor_span_like Span, tile_shape S>
  requires(S::rank() == Span::extents_type::rank())
class partition_view
    : public detail::BlockView<Span, S, detail::TileSteps<S>, std::make_index_sequence<S::rank()>> {
 public:
  constexpr partition_view(const Span& span, S) noexcept
      : detail::BlockView<Span, S, detail::TileSteps<S>, std::make_index_sequence<S::rank()>>(
            span) {}
};
template <typename Span, typename S>
partition_view(Span, S) -> partition_view<Span, S>;

// Tiles that begin every so many elements, so that they may overlap, or leave gaps.
template <tensor_span_like Span, tile_shape S, strides_like Strides>
  requires(S::rank() == Span::extents_type::rank() && S::rank() == Strides::rank() &&
           Strides::rank_dynamic() == 0)
class strided_view : public detail::BlockView<Span, S, detail::StrideSteps<Strides>,
                                              std::make_index_sequence<S::rank()>> {
 public:
  constexpr strided_view(const Span& span, S, Strides) noexcept
      : detail::BlockView<Span, S, detail::StrideSteps<Strides>,
                          std::make_index_sequence<S::rank()>>(span) {}
};
template <typename Span, typename S, typename Strides>
strided_view(Span, S, Strides) -> strided_view<Span, S, Strides>;

// Rows, or columns, in any order: along dimension Dim, a tile of numbers says which. Along the others, the
// number of an element says where the tile begins.
template <tensor_span_like Span, tile_shape S, size_t Dim>
  requires(S::rank() == Span::extents_type::rank() && Dim < S::rank())
class gather_scatter_view {
  static constexpr size_t kRank = S::rank();

 public:
  using span_type = Span;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;
  using element_type = typename Span::element_type;
  using value_type = typename Span::value_type;
  using view_shape_type = S;
  using view_tile_type = tile<value_type, S>;

  template <typename T>
  constexpr gather_scatter_view(const Span& span, S, T) noexcept : span_(span) {}
  constexpr const Span& span() const noexcept { return span_; }

  template <typename... Indices>
    requires(sizeof...(Indices) == kRank)
  CPU_DEVICE_ACCESS view_tile_type load(const Indices&... index) const noexcept {
    return loaded<view_padding::zero>(false, "load", index...);
  }
  template <view_padding Padding = default_view_padding(), typename... Indices>
    requires(sizeof...(Indices) == kRank)
  CPU_DEVICE_ACCESS view_tile_type load_masked(const Indices&... index) const noexcept {
    return loaded<Padding>(true, "load_masked", index...);
  }
  template <view_padding Padding, typename... Indices>
    requires(sizeof...(Indices) == kRank)
  CPU_DEVICE_ACCESS view_tile_type load_masked(view_padding_constant<Padding>,
                                               const Indices&... index) const noexcept {
    return loaded<Padding>(true, "load_masked", index...);
  }
  template <typename Value, typename... Indices>
    requires(sizeof...(Indices) == kRank && storeable_tensor_span<Span> &&
             non_narrowing_tile_convertible_to<Value, view_tile_type>)
  CPU_DEVICE_ACCESS void store(const Value& value, const Indices&... index) const noexcept {
    stored(false, "store", value, index...);
  }
  template <typename Value, typename... Indices>
    requires(sizeof...(Indices) == kRank && storeable_tensor_span<Span> &&
             non_narrowing_tile_convertible_to<Value, view_tile_type>)
  CPU_DEVICE_ACCESS void store_masked(const Value& value, const Indices&... index) const noexcept {
    stored(true, "store_masked", value, index...);
  }

 private:
  struct Place {
    detail::Window<kRank> window;
    ptrdiff_t table[S::static_extent(Dim)];
  };
  template <typename... Indices>
  CPU_DEVICE_UNCHECKED Place place(bool masked, const char* function,
                                   const Indices&... index) const {
    Place it{detail::window_of(span_), {}};
    size_t d = 0;
    const auto set = [&](const auto& one) {
      if constexpr (detail::is_tile<std::remove_cvref_t<decltype(one)>>) {
        for (size_t i = 0; i < S::static_extent(Dim); i++) {
          it.table[i] = static_cast<ptrdiff_t>(detail::element(one, i));
          if (!masked && (it.table[i] < 0 || it.table[i] >= it.window.extent[Dim]))
            cpu_device::tile_fault(
                "gather_scatter_view: a number is outside of the array",
                "use load_masked() and store_masked(), which leave out what is outside", {});
        }
      } else {
        it.window.begin[d] = static_cast<ptrdiff_t>(one);
      }
      d++;
    };
    (set(index), ...);
    detail::require_inside<S>(it.window, masked, Dim, function, {});
    return it;
  }
  template <view_padding Padding, typename... Indices>
  CPU_DEVICE_ACCESS view_tile_type loaded(bool masked, const char* function,
                                          const Indices&... index) const {
    view_tile_type result = full<view_tile_type>(detail::padding_value<Padding, value_type>());
    const Place it = place(masked, function, index...);
    detail::load_window<S, Dim>(it.window, span_.data_handle(), result, it.table);
    return result;
  }
  template <typename Value, typename... Indices>
  CPU_DEVICE_ACCESS void stored(bool masked, const char* function, const Value& value,
                                const Indices&... index) const {
    const Place it = place(masked, function, index...);
    detail::store_window<S, Dim>(it.window, span_.data_handle(), view_tile_type(value), it.table);
  }

  Span span_;
};
template <typename Span, typename S, integral auto Dim>
gather_scatter_view(Span, S, integral_constant<Dim>)
    -> gather_scatter_view<Span, S, static_cast<size_t>(Dim)>;

}  // namespace cuda::tiles
