// Memory by tiles of pointers (gather and scatter), a kernel's place in the grid, loops, and assumptions.
#pragma once

#include "tile_elementwise.h"

// In a checked run, accesses must stand in the kernel: their places in the program are where they stand.
#ifdef CPU_DEVICE_CHECK
#define CPU_DEVICE_ACCESS __attribute__((always_inline)) inline
#else
#define CPU_DEVICE_ACCESS inline
#endif

namespace cpu_device {
// Ends the kernel: `what` is wrong at `site`. The hint says how to repair it.
[[noreturn]] void tile_fault(const char* what, const char* hint, Site site);
}  // namespace cpu_device

namespace cuda::tiles {

inline uint3 bid() noexcept { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
inline dim3 num_blocks() noexcept { return {gridDim.x, gridDim.y, gridDim.z}; }

// ---- for (int i : irange(first, end, step)) ----

template <integral T>
class irange_iterator {
 public:
  using difference_type = int64_t;
  using value_type = T;
  constexpr irange_iterator() noexcept = default;
  constexpr irange_iterator(T at, T step) noexcept : at_(at), step_(step) {}
  constexpr T operator*() const noexcept { return at_; }
  constexpr irange_iterator& operator++() noexcept {
    at_ = static_cast<T>(at_ + step_);
    return *this;
  }
  constexpr irange_iterator operator++(int) noexcept {
    const irange_iterator before = *this;
    ++*this;
    return before;
  }
  constexpr bool operator==(const irange_iterator& other) const noexcept {
    return at_ == other.at_;
  }
  constexpr bool operator==(T end) const noexcept { return at_ >= end; }

 private:
  T at_ = 0, step_ = 1;
};

template <integral T>
class irange {
 public:
  using iterator = irange_iterator<T>;
  using const_iterator = iterator;
  constexpr irange(T first, T end, T step = 1) noexcept : first_(first), end_(end), step_(step) {}
  constexpr iterator begin() const noexcept { return {first_, step_}; }
  constexpr T end() const noexcept { return end_; }
  constexpr bool empty() const noexcept { return first_ >= end_; }
  constexpr T size() const noexcept {
    return empty() ? T() : static_cast<T>((end_ - first_ - 1) / step_ + 1);
  }
  constexpr T lower_bound() const noexcept { return first_; }
  constexpr T upper_bound() const noexcept { return end_; }
  constexpr T step() const noexcept { return step_; }

 private:
  T first_, end_, step_;
};
template <typename T, typename U>
irange(T, U) -> irange<arithmetic_tile_conversion_t<T, U>>;
template <typename T, typename U, typename V>
irange(T, U, V)
    -> irange<arithmetic_tile_conversion_t<arithmetic_tile_conversion_t<T, U>, V>>;

// ---- assumptions: on a GPU the compiler believes them, here they are checked ----

#define CPU_DEVICE_SITE_HERE cpu_device::Site site = cpu_device::Site::here()

namespace detail {
template <typename T, typename Holds>
CPU_DEVICE_UNCHECKED inline T assumed(const T& it, const char* what, cpu_device::Site site,
                                      const Holds& holds) {
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (!holds(element(it, i)))
      cpu_device::tile_fault(what,
                             "leave the assumption out, or make it true: on a GPU the compiler "
                             "relies on it, and the result may be anything",
                             site);
  return it;
}
template <auto Number>
consteval bool is_power_of_two() {
  return Number > 0 && (Number & (Number - 1)) == 0;
}
}  // namespace detail

template <integral auto Alignment, pointer_tile T>
  requires(detail::is_power_of_two<Alignment>())
[[nodiscard]] inline T assume_aligned(T it, integral_constant<Alignment> = {},
                                      CPU_DEVICE_SITE_HERE) noexcept {
  return detail::assumed(it, "assume_aligned(): an address is no multiple of the alignment", site,
                         [](auto p) { return reinterpret_cast<uintptr_t>(p) % Alignment == 0; });
}
template <integral auto Divisor, integral_tile T>
  requires(detail::is_power_of_two<Divisor>())
[[nodiscard]] inline T assume_divisible(T it, integral_constant<Divisor> = {},
                                        CPU_DEVICE_SITE_HERE) noexcept {
  return detail::assumed(it, "assume_divisible(): a number is no multiple of the divisor", site,
                         [](auto x) { return (static_cast<unsigned long long>(x) & (Divisor - 1ULL)) == 0; });
}
template <integral auto Lower, integral auto Upper, integral_tile T>
[[nodiscard]] inline T assume_bounded(T it, integral_constant<Lower> = {},
                                      integral_constant<Upper> = {},
                                      CPU_DEVICE_SITE_HERE) noexcept {
  return detail::assumed(it, "assume_bounded(): a number is outside of the bounds", site,
                         [](auto x) {
                           return std::cmp_greater_equal(x, Lower) && std::cmp_less_equal(x, Upper);
                         });
}
template <integral auto Upper, integral_tile T>
[[nodiscard]] inline T assume_bounded_above(T it, integral_constant<Upper> = {},
                                            CPU_DEVICE_SITE_HERE) noexcept {
  return detail::assumed(it, "assume_bounded_above(): a number is above the bound", site,
                         [](auto x) { return std::cmp_less_equal(x, Upper); });
}
template <integral auto Lower, integral_tile T>
[[nodiscard]] inline T assume_bounded_below(T it, integral_constant<Lower> = {},
                                            CPU_DEVICE_SITE_HERE) noexcept {
  return detail::assumed(it, "assume_bounded_below(): a number is below the bound", site,
                         [](auto x) { return std::cmp_greater_equal(x, Lower); });
}
// Of every `Stride` elements along a dimension, the first is a multiple and the others follow it.
template <integral auto Divisor, integral auto Stride, integral auto Dimension, integral_tile T>
[[nodiscard]] inline T assume_divisible_strided(T it, integral_constant<Divisor> = {},
                                                integral_constant<Stride> = {},
                                                integral_constant<Dimension> = {}) noexcept {
  return it;
}
template <integral auto Alignment, integral auto Stride, integral auto Dimension, pointer_tile T>
[[nodiscard]] inline T assume_aligned_strided(T it, integral_constant<Alignment> = {},
                                              integral_constant<Stride> = {},
                                              integral_constant<Dimension> = {}) noexcept {
  return it;
}
template <shape_like S, tile_like T>
  requires(S::rank() == tile_rank_v<T> && (pointer_tile<T> || integral_tile<T>))
[[nodiscard]] inline T assume_blocked(T it, S = {}) noexcept {
  return it;
}

// ---- load and store ----

template <typename T>
concept loadable_tile =
    pointer_tile<T> && scalar<std::remove_pointer_t<detail::Element<T>>> &&
    !std::is_volatile_v<std::remove_pointer_t<detail::Element<T>>>;
template <typename T>
concept storeable_tile =
    loadable_tile<T> && !std::is_const_v<std::remove_pointer_t<detail::Element<T>>>;
template <loadable_tile T>
using tile_load_t =
    detail::WithElement<T, std::remove_cv_t<std::remove_pointer_t<tile_element_t<T>>>>;

namespace detail {

// What an element holds that a mask has kept from being loaded: CUDA does not say, and here it is the
// pattern of fresh memory, which is NaN as a floating-point number. So it is seen if it is used.
template <typename E>
CPU_DEVICE_UNCHECKED inline E nothing() {
  if constexpr (std::is_same_v<E, bool>) {
    return false;
  } else {
    constexpr unsigned long long pattern[] = {0x7ffb7ffb7ffb7ffb, 0x7ffb7ffb7ffb7ffb};
    E value;
    __builtin_memcpy(static_cast<void*>(&value), pattern, sizeof value);
    return value;
  }
}

template <typename T>
CPU_DEVICE_ACCESS auto& place(T& it, [[maybe_unused]] size_t i) {
  if constexpr (is_tile<std::remove_const_t<T>>)
    return it.cpu_device_values[i];
  else
    return it;
}

// A mask as an array of bytes, one for each element of a tile of shape S.
template <typename S, typename Mask>
CPU_DEVICE_UNCHECKED inline tile<bool, S> mask_of(const Mask& mask) {
  return each<tile<bool, S>>([](const Element<Mask>& x) { return convert<bool>(x); }, mask);
}

}  // namespace detail

template <loadable_tile T>
CPU_DEVICE_ACCESS tile_load_t<T> load(const T& pointers) noexcept {
  tile_load_t<T> result;
  for (size_t i = 0; i < tile_size_v<T>; i++)
    detail::place(result, i) = *detail::place(pointers, i);
  return result;
}
// Elements whose mask is false are not loaded.
template <loadable_tile T, bool_tile_convertible Mask, tile_like Padding>
  requires(broadcastable_to<Mask, tile_shape_t<T>> && broadcastable_to<Padding, tile_shape_t<T>> &&
           non_narrowing_scalar_convertible_to<tile_element_t<Padding>,
                                               tile_element_t<tile_load_t<T>>>)
CPU_DEVICE_ACCESS tile_load_t<T> load_masked(const T& pointers, const Mask& mask,
                                             const Padding& padding) noexcept {
  using E = tile_element_t<tile_load_t<T>>;
  const auto loads = detail::mask_of<tile_shape_t<T>>(mask);
  tile_load_t<T> result = detail::each<tile_load_t<T>>(
      [](const tile_element_t<Padding>& x) { return detail::convert<E>(x); }, padding);
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (loads.cpu_device_values[i]) detail::place(result, i) = *detail::place(pointers, i);
  return result;
}
template <loadable_tile T, bool_tile_convertible Mask>
  requires broadcastable_to<Mask, tile_shape_t<T>>
CPU_DEVICE_ACCESS tile_load_t<T> load_masked(const T& pointers, const Mask& mask) noexcept {
  return load_masked(pointers, mask, detail::nothing<tile_element_t<tile_load_t<T>>>());
}

template <storeable_tile T, non_narrowing_tile_convertible_to<tile_load_t<T>> Value>
CPU_DEVICE_ACCESS void store(const T& pointers, const Value& value) noexcept {
  using E = tile_element_t<tile_load_t<T>>;
  for (size_t i = 0; i < tile_size_v<T>; i++)
    *detail::place(pointers, i) = detail::convert<E>(detail::place(value, i));
}
template <storeable_tile T, non_narrowing_tile_convertible_to<tile_load_t<T>> Value,
          bool_tile_convertible Mask>
  requires broadcastable_to<Mask, tile_shape_t<T>>
CPU_DEVICE_ACCESS void store_masked(const T& pointers, const Value& value,
                                    const Mask& mask) noexcept {
  using E = tile_element_t<tile_load_t<T>>;
  const auto stores = detail::mask_of<tile_shape_t<T>>(mask);
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (stores.cpu_device_values[i])
      *detail::place(pointers, i) = detail::convert<E>(detail::place(value, i));
}

}  // namespace cuda::tiles
