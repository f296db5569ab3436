// Atomic operations on what the pointers of a tile point to. Each element is one operation; they come in any order.
#pragma once

#include "tile_memory.h"

namespace cuda::tiles {

enum class memory_order : unsigned char { relaxed, acquire, release, acq_rel };
enum class thread_scope : unsigned char { system, device, block };
template <memory_order Value>
struct memory_order_constant : detail::Choice<Value> {
  using type = memory_order_constant;
};
template <thread_scope Value>
struct thread_scope_constant : detail::Choice<Value> {
  using type = thread_scope_constant;
};
using memory_order_relaxed_t = memory_order_constant<memory_order::relaxed>;
using memory_order_acquire_t = memory_order_constant<memory_order::acquire>;
using memory_order_release_t = memory_order_constant<memory_order::release>;
using memory_order_acq_rel_t = memory_order_constant<memory_order::acq_rel>;
using thread_scope_system_t = thread_scope_constant<thread_scope::system>;
using thread_scope_device_t = thread_scope_constant<thread_scope::device>;
using thread_scope_block_t = thread_scope_constant<thread_scope::block>;
constexpr thread_scope default_thread_scope() noexcept { return thread_scope::system; }
using default_thread_scope_t = thread_scope_constant<default_thread_scope()>;
template <memory_order Order>
concept read_memory_order = Order == memory_order::relaxed || Order == memory_order::acquire;
template <memory_order Order>
concept write_memory_order = Order == memory_order::relaxed || Order == memory_order::release;

namespace detail {

// The number of a scope in the CPU device's own functions: 1 block, 2 device, 3 system.
consteval unsigned char reach(thread_scope scope) {
  return static_cast<unsigned char>(3 - static_cast<int>(scope));
}
template <memory_order Order, thread_scope Scope>
inline void fence_before() {
  if constexpr (Order == memory_order::release || Order == memory_order::acq_rel)
    cpu_device::fence(reach(Scope));
}
template <memory_order Order, thread_scope Scope>
inline void fence_after() {
  if constexpr (Order == memory_order::acquire || Order == memory_order::acq_rel)
    cpu_device::fence(reach(Scope));
}

// function(pointer, value, site) for each element that the mask lets through; what was in memory before.
template <memory_order Order, thread_scope Scope, typename T, typename Value, typename Mask,
          typename Function>
inline tile_load_t<T> each_atomic(const T& pointers, const Value& values, const Mask& mask,
                                  cpu_device::Site site, const Function& function) {
  using E = tile_element_t<tile_load_t<T>>;
  const auto active = mask_of<tile_shape_t<T>>(mask);
  site.scope = reach(Scope);
  auto result = full<tile_load_t<T>>(nothing<E>());
  fence_before<Order, Scope>();
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (active.cpu_device_values[i])
      place(result, i) =
          static_cast<E>(function(place(pointers, i), convert<E>(place(values, i)), site));
  fence_after<Order, Scope>();
  return result;
}

template <typename E>
concept atomic_integer = std::is_integral_v<E> && (sizeof(E) == 4 || sizeof(E) == 8);
template <typename E>
concept atomic_exchangeable =
    atomic_integer<E> || std::is_same_v<E, float> || std::is_same_v<E, double>;
template <typename E>
concept atomic_sum = atomic_exchangeable<E> || std::is_same_v<E, __half> ||
                     std::is_same_v<E, __nv_bfloat16>;
template <storeable_tile T>
using Stored = tile_element_t<tile_load_t<T>>;

// Integers of C++ that CUDA's atomics have no functions for: long is long long there.
template <typename E, typename Function>
inline E update(E* address, cpu_device::Site site, const Function& function) {
  return cpu_device::update(address, site, [&](E old) { return static_cast<E>(function(old)); });
}

}  // namespace detail

// NAME(pointers, values, order, scope), and NAME_masked() with a mask behind the values.
#define CPU_DEVICE_TILE_ATOMIC(NAME, CONCEPT, EXPRESSION)                                          \
  template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,     \
            non_narrowing_tile_convertible_to<tile_load_t<T>> Value, bool_tile_convertible Mask>   \
    requires(CONCEPT<detail::Stored<T>> && broadcastable_to<Mask, tile_shape_t<T>>)                \
  inline tile_load_t<T> NAME##_masked(const T& pointers, const Value& values, const Mask& mask,    \
                                      memory_order_constant<Order> = {},                           \
                                      thread_scope_constant<Scope> = {},                           \
                                      CPU_DEVICE_SITE_HERE) noexcept {                             \
    using E = detail::Stored<T>;                                                                   \
    return detail::each_atomic<Order, Scope>(                                                      \
        pointers, values, mask, site,                                                              \
        [](E* address, E value, cpu_device::Site site) { return EXPRESSION; });                    \
  }                                                                                                \
  template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,     \
            non_narrowing_tile_convertible_to<tile_load_t<T>> Value>                               \
    requires(CONCEPT<detail::Stored<T>>)                                                           \
  inline tile_load_t<T> NAME(const T& pointers, const Value& values,                               \
                             memory_order_constant<Order> order = {},                              \
                             thread_scope_constant<Scope> scope = {},                              \
                             CPU_DEVICE_SITE_HERE) noexcept {                                      \
    return NAME##_masked(pointers, values, true, order, scope, site);                              \
  }
CPU_DEVICE_TILE_ATOMIC(atomic_add, detail::atomic_sum, cpu_device::add(address, value, site))
CPU_DEVICE_TILE_ATOMIC(atomic_sub, detail::atomic_sum,
                       detail::update(address, site, [&](E old) { return old - value; }))
CPU_DEVICE_TILE_ATOMIC(atomic_and, detail::atomic_integer,
                       detail::update(address, site, [&](E old) { return old & value; }))
CPU_DEVICE_TILE_ATOMIC(atomic_or, detail::atomic_integer,
                       detail::update(address, site, [&](E old) { return old | value; }))
CPU_DEVICE_TILE_ATOMIC(atomic_xor, detail::atomic_integer,
                       detail::update(address, site, [&](E old) { return old ^ value; }))
CPU_DEVICE_TILE_ATOMIC(atomic_max, detail::atomic_integer,
                       detail::update(address, site, [&](E old) { return old < value ? value : old; }))
CPU_DEVICE_TILE_ATOMIC(atomic_min, detail::atomic_integer,
                       detail::update(address, site, [&](E old) { return value < old ? value : old; }))
CPU_DEVICE_TILE_ATOMIC(atomic_xchg, detail::atomic_exchangeable,
                       cpu_device::exchange_value(address, value, site))
#undef CPU_DEVICE_TILE_ATOMIC

template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Expected,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Value, bool_tile_convertible Mask>
  requires(detail::atomic_exchangeable<detail::Stored<T>> &&
           broadcastable_to<Mask, tile_shape_t<T>>)
inline tile_load_t<T> atomic_compare_exchange_masked(const T& pointers, const Expected& expected,
                                                     const Value& values, const Mask& mask,
                                                     memory_order_constant<Order> = {},
                                                     thread_scope_constant<Scope> = {},
                                                     CPU_DEVICE_SITE_HERE) noexcept {
  using E = detail::Stored<T>;
  size_t at = 0;
  const auto active = detail::mask_of<tile_shape_t<T>>(mask);
  return detail::each_atomic<Order, Scope>(
      pointers, values, mask, site, [&](E* address, E value, cpu_device::Site site) {
        while (!active.cpu_device_values[at]) at++;
        return cpu_device::swap_if_equal(
            address, detail::convert<E>(detail::place(expected, at++)), value, site);
      });
}
template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Expected,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Value>
  requires(detail::atomic_exchangeable<detail::Stored<T>>)
inline tile_load_t<T> atomic_compare_exchange(const T& pointers, const Expected& expected,
                                              const Value& values,
                                              memory_order_constant<Order> order = {},
                                              thread_scope_constant<Scope> scope = {},
                                              CPU_DEVICE_SITE_HERE) noexcept {
  return atomic_compare_exchange_masked(pointers, expected, values, true, order, scope, site);
}

// ---- loads and stores that other blocks may race with ----

namespace detail {
template <typename E>
using Bits = std::conditional_t<
    sizeof(E) == 1, uint8_t,
    std::conditional_t<sizeof(E) == 2, uint16_t,
                       std::conditional_t<sizeof(E) == 4, uint32_t, uint64_t>>>;
template <thread_scope Scope>
inline void tell_scope() {
#ifdef CPU_DEVICE_CHECK
  cpu_device::checked_scope(reach(Scope));
#endif
}
template <thread_scope Scope, typename E>
CPU_DEVICE_ACCESS E load_atomically(const E* address, cpu_device::Site site) {
  tell_scope<Scope>();
  const auto bits =
      __atomic_load_n(reinterpret_cast<const Bits<E>*>(address), __ATOMIC_RELAXED);
  cpu_device::spin(site);  // who reads again and again may wait for another block
  E value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}
template <thread_scope Scope, typename E>
CPU_DEVICE_ACCESS void store_atomically(E* address, const E& value) {
  Bits<E> bits;
  __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof bits);
  tell_scope<Scope>();
  __atomic_store_n(reinterpret_cast<Bits<E>*>(address), bits, __ATOMIC_RELAXED);
  cpu_device_changes++;
}
}  // namespace detail

template <memory_order Order, thread_scope Scope = default_thread_scope(), loadable_tile T,
          bool_tile_convertible Mask, tile_like Padding>
  requires(read_memory_order<Order> && broadcastable_to<Mask, tile_shape_t<T>> &&
           broadcastable_to<Padding, tile_shape_t<T>> &&
           non_narrowing_scalar_convertible_to<tile_element_t<Padding>,
                                               tile_element_t<tile_load_t<T>>>)
CPU_DEVICE_ACCESS tile_load_t<T> atomic_load_masked(const T& pointers, const Mask& mask,
                                                    const Padding& padding,
                                                    memory_order_constant<Order> = {},
                                                    thread_scope_constant<Scope> = {},
                                                    CPU_DEVICE_SITE_HERE) noexcept {
  using E = tile_element_t<tile_load_t<T>>;
  const auto loads = detail::mask_of<tile_shape_t<T>>(mask);
  tile_load_t<T> result = detail::each<tile_load_t<T>>(
      [](const tile_element_t<Padding>& x) { return detail::convert<E>(x); }, padding);
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (loads.cpu_device_values[i])
      detail::place(result, i) = detail::load_atomically<Scope>(detail::place(pointers, i), site);
  detail::fence_after<Order, Scope>();
  return result;
}
template <memory_order Order, thread_scope Scope = default_thread_scope(), loadable_tile T,
          bool_tile_convertible Mask>
  requires(read_memory_order<Order> && broadcastable_to<Mask, tile_shape_t<T>>)
CPU_DEVICE_ACCESS tile_load_t<T> atomic_load_masked(const T& pointers, const Mask& mask,
                                                    memory_order_constant<Order> order = {},
                                                    thread_scope_constant<Scope> scope = {},
                                                    CPU_DEVICE_SITE_HERE) noexcept {
  return atomic_load_masked(pointers, mask, detail::nothing<tile_element_t<tile_load_t<T>>>(),
                            order, scope, site);
}
template <memory_order Order, thread_scope Scope = default_thread_scope(), loadable_tile T>
  requires read_memory_order<Order>
CPU_DEVICE_ACCESS tile_load_t<T> atomic_load(const T& pointers,
                                             memory_order_constant<Order> order = {},
                                             thread_scope_constant<Scope> scope = {},
                                             CPU_DEVICE_SITE_HERE) noexcept {
  return atomic_load_masked(pointers, true, order, scope, site);
}
template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Value, bool_tile_convertible Mask>
  requires(write_memory_order<Order> && broadcastable_to<Mask, tile_shape_t<T>>)
CPU_DEVICE_ACCESS void atomic_store_masked(const T& pointers, const Value& value, const Mask& mask,
                                           memory_order_constant<Order> = {},
                                           thread_scope_constant<Scope> = {}) noexcept {
  const auto stores = detail::mask_of<tile_shape_t<T>>(mask);
  detail::fence_before<Order, Scope>();
  for (size_t i = 0; i < tile_size_v<T>; i++)
    if (stores.cpu_device_values[i])
      detail::store_atomically<Scope>(
          detail::place(pointers, i),
          detail::convert<detail::Stored<T>>(detail::place(value, i)));
}
template <memory_order Order, thread_scope Scope = default_thread_scope(), storeable_tile T,
          non_narrowing_tile_convertible_to<tile_load_t<T>> Value>
  requires write_memory_order<Order>
CPU_DEVICE_ACCESS void atomic_store(const T& pointers, const Value& value,
                                    memory_order_constant<Order> order = {},
                                    thread_scope_constant<Scope> scope = {}) noexcept {
  atomic_store_masked(pointers, value, true, order, scope);
}

}  // namespace cuda::tiles
