// Sizes that are known when a program is compiled: integral_constant, extents, strides, offsets, shape.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace cuda::tiles {

template <typename T, typename U>
concept same_as = std::same_as<T, U>;
template <typename T>
concept integral = std::integral<T>;

using ::int32_t;
using ::int64_t;
using ::uint32_t;
using ::uint64_t;

namespace detail {
// A constant's value as a size, whatever its type is: what `shape{4_ic, 8_ic}` is deduced from.
template <size_t value>
struct Size {};
}  // namespace detail

template <integral auto Value>
struct integral_constant : detail::Size<static_cast<size_t>(Value)> {
  using type = integral_constant;
  using value_type = std::remove_cv_t<decltype(Value)>;
  static constexpr value_type value = Value;
  constexpr operator value_type() const noexcept { return Value; }
  constexpr value_type operator()() const noexcept { return Value; }
};

#define CPU_DEVICE_CONSTANTS(SIGN)                                                             \
  template <auto x, auto y>                                                                    \
  constexpr integral_constant<(x SIGN y)> operator SIGN(integral_constant<x>,                  \
                                                        integral_constant<y>) noexcept {       \
    return {};                                                                                 \
  }
CPU_DEVICE_CONSTANTS(+)
CPU_DEVICE_CONSTANTS(-)
CPU_DEVICE_CONSTANTS(*)
CPU_DEVICE_CONSTANTS(/)
CPU_DEVICE_CONSTANTS(%)
CPU_DEVICE_CONSTANTS(&)
CPU_DEVICE_CONSTANTS(|)
CPU_DEVICE_CONSTANTS(^)
CPU_DEVICE_CONSTANTS(<<)
CPU_DEVICE_CONSTANTS(>>)
#undef CPU_DEVICE_CONSTANTS
template <auto x>
constexpr integral_constant<(~x)> operator~(integral_constant<x>) noexcept {
  return {};
}
template <auto x>
constexpr integral_constant<(+x)> operator+(integral_constant<x>) noexcept {
  return {};
}
template <auto x>
constexpr integral_constant<(-x)> operator-(integral_constant<x>) noexcept {
  return {};
}

namespace detail {

// The digits of a literal such as 1'024_ic.
template <char... digits>
consteval long long number_of() {
  static_assert(((digits == '\'' || (digits >= '0' && digits <= '9')) && ...),
                "a literal with _ic is a decimal integer, such as 64_ic");
  long long number = 0;
  ((number = digits == '\'' ? number : number * 10 + (digits - '0')), ...);
  return number;
}

// The first of int and long that holds it.
template <long long number>
consteval auto narrowed() {
  if constexpr (number <= std::numeric_limits<int>::max())
    return static_cast<int>(number);
  else
    return static_cast<long>(number);
}

}  // namespace detail

namespace literals {
template <char... digits>
constexpr auto operator""_ic() noexcept {
  return integral_constant<detail::narrowed<detail::number_of<digits...>()>()>();
}
}  // namespace literals

// Stands in for a size that is only known when the program runs.
enum DynamicSize : size_t {
  dynamic_extent = static_cast<size_t>(-1),
  dynamic_stride = static_cast<size_t>(-1)
};
enum DynamicOffset : ptrdiff_t { dynamic_offset = std::numeric_limits<ptrdiff_t>::min() };

namespace detail {

template <typename Value, Value dynamic, Value... values>
inline constexpr size_t count_dynamic = (size_t(values == dynamic) + ... + 0);

// Numbers of which some are part of the type; only the others are stored.
template <typename Stored, typename Value, Value dynamic, Value... values>
class Numbers {
 protected:
  static constexpr size_t kCount = sizeof...(values);
  static constexpr size_t kDynamic = count_dynamic<Value, dynamic, values...>;

 public:
  using rank_type = size_t;
  static constexpr rank_type rank() noexcept { return kCount; }
  static constexpr rank_type rank_dynamic() noexcept { return kDynamic; }
  friend constexpr bool operator==(const Numbers& one, const Numbers& other) noexcept {
    for (size_t i = 0; i < kDynamic; i++)
      if (one.stored_[i] != other.stored_[i]) return false;
    return true;
  }

 protected:
  constexpr Numbers() noexcept = default;
  // From the dynamic ones alone, or from all.
  template <typename... Numbers_>
  constexpr explicit Numbers(Numbers_... numbers) noexcept {
    const Stored given[] = {static_cast<Stored>(numbers)...};
    if constexpr (sizeof...(numbers) == kDynamic) {
      for (size_t i = 0; i < kDynamic; i++) stored_[i] = given[i];
    } else {
      for (size_t i = 0, at = 0; i < kCount; i++)
        if (fixed(i) == dynamic) stored_[at++] = given[i];
    }
  }
  static constexpr Value fixed(size_t i) noexcept {
    constexpr Value all[] = {values..., Value()};
    return all[i];
  }
  constexpr Stored number(size_t i) const noexcept {
    if (fixed(i) != dynamic) return static_cast<Stored>(fixed(i));
    size_t at = 0;
    for (size_t before = 0; before < i; before++) at += fixed(before) == dynamic;
    return stored_[at];
  }

 private:
  Stored stored_[kDynamic > 0 ? kDynamic : 1] = {};
};

template <size_t given, size_t all, size_t dynamic, typename Stored, typename... Numbers>
concept fills = (given == dynamic || given == all) && given > 0 &&
                (std::convertible_to<Numbers, Stored> && ...);

template <typename T>
inline constexpr size_t size_or_dynamic = static_cast<size_t>(-1);
template <auto value>
inline constexpr size_t size_or_dynamic<integral_constant<value>> = static_cast<size_t>(value);
template <typename T>
inline constexpr ptrdiff_t offset_or_dynamic = dynamic_offset;
template <auto value>
inline constexpr ptrdiff_t offset_or_dynamic<integral_constant<value>> =
    static_cast<ptrdiff_t>(value);

}  // namespace detail

// How long an array is in each direction; the last one is the fastest in memory, unless a layout says
// otherwise. `extents{n, 64_ic}`: n is a number of the run, 64 part of the type.
template <integral IndexType, size_t... Extents>
struct extents : detail::Numbers<IndexType, size_t, dynamic_extent, Extents...> {
 private:
  using Base = detail::Numbers<IndexType, size_t, dynamic_extent, Extents...>;

 public:
  using index_type = IndexType;
  using rank_type = size_t;
  constexpr extents() = default;
  template <typename... Numbers>
    requires detail::fills<sizeof...(Numbers), Base::rank(), Base::rank_dynamic(), IndexType, Numbers...>
  constexpr explicit extents(Numbers... numbers) noexcept : Base(numbers...) {}
  static constexpr size_t static_extent(rank_type i) noexcept { return Base::fixed(i); }
  constexpr index_type extent(rank_type i) const noexcept { return Base::number(i); }
};
template <typename... Ts>
extents(Ts...) -> extents<uint32_t, detail::size_or_dynamic<std::remove_cv_t<Ts>>...>;
template <size_t... sizes>
extents(detail::Size<sizes>...) -> extents<uint32_t, sizes...>;

template <integral StrideType, size_t... Strides>
struct strides : detail::Numbers<StrideType, size_t, dynamic_stride, Strides...> {
 private:
  using Base = detail::Numbers<StrideType, size_t, dynamic_stride, Strides...>;

 public:
  using stride_type = StrideType;
  using rank_type = size_t;
  constexpr strides() = default;
  template <typename... Numbers>
    requires detail::fills<sizeof...(Numbers), Base::rank(), Base::rank_dynamic(), StrideType, Numbers...>
  constexpr explicit strides(Numbers... numbers) noexcept : Base(numbers...) {}
  static constexpr size_t static_stride(rank_type i) noexcept { return Base::fixed(i); }
  constexpr stride_type stride(rank_type i) const noexcept { return Base::number(i); }
};
template <typename... Ts>
strides(Ts...) -> strides<uint32_t, detail::size_or_dynamic<std::remove_cv_t<Ts>>...>;

template <integral OffsetType, ptrdiff_t... Offsets>
struct offsets : detail::Numbers<OffsetType, ptrdiff_t, dynamic_offset, Offsets...> {
 private:
  using Base = detail::Numbers<OffsetType, ptrdiff_t, dynamic_offset, Offsets...>;

 public:
  using offset_type = OffsetType;
  using rank_type = size_t;
  constexpr offsets() = default;
  template <typename... Numbers>
    requires detail::fills<sizeof...(Numbers), Base::rank(), Base::rank_dynamic(), OffsetType, Numbers...>
  constexpr explicit offsets(Numbers... numbers) noexcept : Base(numbers...) {}
  static constexpr ptrdiff_t static_offset(rank_type i) noexcept { return Base::fixed(i); }
  constexpr offset_type offset(rank_type i) const noexcept { return Base::number(i); }
};
template <typename... Ts>
offsets(Ts...) -> offsets<int32_t, detail::offset_or_dynamic<std::remove_cv_t<Ts>>...>;

template <typename T>
concept extents_like = requires(const T& it, size_t i) {
  typename T::index_type;
  { T::rank() } -> std::convertible_to<size_t>;
  { T::static_extent(i) } -> std::convertible_to<size_t>;
  it.extent(i);
};
template <typename T>
concept strides_like = requires(const T& it, size_t i) {
  typename T::stride_type;
  { T::rank() } -> std::convertible_to<size_t>;
  { T::static_stride(i) } -> std::convertible_to<size_t>;
  it.stride(i);
};
template <typename T>
concept offsets_like = requires(const T& it, size_t i) {
  typename T::offset_type;
  { T::rank() } -> std::convertible_to<size_t>;
  it.offset(i);
};

namespace detail {

template <typename T>
consteval bool is_static() {
  for (size_t i = 0; i < T::rank(); i++)
    if (T::static_extent(i) == dynamic_extent) return false;
  return true;
}
template <typename T>
consteval size_t elements_of() {
  size_t product = 1;
  for (size_t i = 0; i < T::rank(); i++) product *= T::static_extent(i);
  return product;
}
inline constexpr size_t kMostElements = 1 << 24;
template <typename T>
consteval bool fits_a_tile() {
  for (size_t i = 0; i < T::rank(); i++)
    if (const size_t n = T::static_extent(i); n == 0 || (n & (n - 1)) != 0 || n > kMostElements)
      return false;
  return elements_of<T>() <= kMostElements;
}
template <typename T, typename U>
consteval bool are_same_shape() {
  if (T::rank() != U::rank()) return false;
  for (size_t i = 0; i < T::rank(); i++)
    if (T::static_extent(i) != U::static_extent(i)) return false;
  return true;
}
template <typename T>
inline constexpr bool is_extents = false;
template <typename Index, size_t... Extents>
inline constexpr bool is_extents<extents<Index, Extents...>> = std::same_as<Index, uint32_t>;

}  // namespace detail

template <typename T>
concept shape_like = extents_like<std::remove_cv_t<T>> && detail::is_static<T>();
template <typename T, typename U>
concept same_shape = shape_like<T> && shape_like<U> && detail::are_same_shape<T, U>();
template <shape_like T>
inline constexpr size_t shape_size_v = detail::elements_of<T>();
// What the shape of a tile can be: each size is a power of two.
template <typename T>
concept tile_shape = shape_like<T> && detail::is_extents<std::remove_cv_t<T>> &&
                     detail::fits_a_tile<T>();

template <size_t... Extents>
using shape = extents<uint32_t, Extents...>;

// ---- broadcasting: which shapes go together, and which shape comes out ----

namespace detail {

// The extent of T along dimension i of a shape of `rank` dimensions: missing ones in front are 1.
template <typename T>
constexpr size_t padded_extent(size_t i, size_t rank) {
  const size_t missing = rank - T::rank();
  return i < missing ? 1 : T::static_extent(i - missing);
}
template <typename T, typename U>
inline constexpr size_t larger_rank = T::rank() > U::rank() ? T::rank() : U::rank();
template <typename T, typename U>
consteval bool go_together() {
  constexpr size_t rank = larger_rank<T, U>;
  for (size_t i = 0; i < rank; i++) {
    const size_t one = padded_extent<T>(i, rank), other = padded_extent<U>(i, rank);
    if (one != other && one != 1 && other != 1) return false;
  }
  return true;
}
template <typename T, typename U>
consteval bool spreads_to() {
  if (T::rank() > U::rank()) return false;
  for (size_t i = 0; i < U::rank(); i++) {
    const size_t one = padded_extent<T>(i, U::rank());
    if (one != U::static_extent(i) && one != 1) return false;
  }
  return true;
}
template <typename T, typename U, size_t... I>
auto common_shape(std::index_sequence<I...>)
    -> shape<(padded_extent<T>(I, sizeof...(I)) == 1 ? padded_extent<U>(I, sizeof...(I))
                                                    : padded_extent<T>(I, sizeof...(I)))...>;

}  // namespace detail

template <typename T, typename U>
concept shape_broadcast_compatible =
    shape_like<T> && shape_like<U> && detail::go_together<T, U>();
template <typename T, typename U>
concept shape_broadcastable_to = shape_like<T> && shape_like<U> && detail::spreads_to<T, U>();
template <shape_like T, shape_like U>
  requires shape_broadcast_compatible<T, U>
using shape_broadcast_t = decltype(detail::common_shape<T, U>(
    std::make_index_sequence<detail::larger_rank<T, U>>()));

// ---- dimension_map: an order of dimensions, for permute() ----

namespace detail {
template <size_t... order>
consteval bool is_permutation() {
  [[maybe_unused]] bool seen[sizeof...(order) + 1] = {};
  bool good = true;
  ((good = good && order < sizeof...(order) && !seen[order < sizeof...(order) ? order : 0],
    seen[order < sizeof...(order) ? order : 0] = true),
   ...);
  return good;
}
}  // namespace detail

template <size_t... Order>
  requires(detail::is_permutation<Order...>())
struct dimension_map {
  constexpr dimension_map() noexcept = default;
  template <typename... Ts>
    requires(sizeof...(Ts) > 0)
  constexpr explicit dimension_map(Ts...) noexcept {}
  static constexpr size_t rank() noexcept { return sizeof...(Order); }
  static constexpr size_t mapping(size_t i) noexcept {
    constexpr size_t all[] = {Order..., 0};
    return all[i];
  }
};
template <auto... values>
dimension_map(integral_constant<values>...) -> dimension_map<static_cast<size_t>(values)...>;

}  // namespace cuda::tiles
