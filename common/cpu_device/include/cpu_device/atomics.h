// Atomic functions, for all of CUDA's types. Relaxed, as CUDA's are: they order nothing but
// themselves, and __threadfence() is needed around what they guard.
//
// An atomic that changes nothing, again and again, is a thread that waits for another: it then lets
// others run, so locks make progress here too.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "builtins.h"

extern __thread unsigned int cpu_device_changes __asm__("cpu_device_changes");
extern bool cpu_device_lockstep __asm__("cpu_device_lockstep");

namespace cpu_device {

// The pattern of memory that was never written. A thread that adds to it uses a sum that was never set.
constexpr unsigned long long kFreshPattern = 0x7ffb7ffb;
void added_to_fresh(Site site);
// Called when an atomic has changed nothing.
void spin(Site site);
// Compare-and-swap by the lanes of a warp in lockstep, see runtime/execution/atomics.cpp.
uint64_t lockstep_swap(void* address, size_t bytes, uint64_t expected, uint64_t desired, Site site);
// A step of warp-synchronous code, as the rewriter recognizes it: between what the lanes read and what
// they write, and behind that. `counts_on_it`: it reads what others have written in the step before.
void lockstep_step(bool counts_on_it, Site site);
inline void warp_step(bool counts_on_it, Site site = Site::here()) { lockstep_step(counts_on_it, site); }
// The value that a step assigns: `left + right` for `left += right;`. Of a class, which may have no `+` for volatile objects but a
// `+=`, it is a copy of the right side.
template <char kSign, typename Left, typename Right>
inline auto warp_term(const Left& left, const Right& right) {
  using Plain = std::remove_cv_t<Right>;
  if constexpr (std::is_class_v<std::remove_cv_t<Left>> && std::is_trivially_copyable_v<Plain>) {
    union Copy {
      Plain value;
      Copy() {}
    } copy;
    __builtin_memcpy(&copy, const_cast<const Plain*>(__builtin_addressof(right)), sizeof copy);
    return copy.value;
  } else if constexpr (kSign == '=') {
    return right;
  } else if constexpr (kSign == '+') {
    return left + right;
  } else if constexpr (kSign == '-') {
    return left - right;
  } else if constexpr (kSign == '*') {
    return left * right;
  } else if constexpr (kSign == '|') {
    return left | right;
  } else if constexpr (kSign == '&') {
    return left & right;
  } else {
    return left ^ right;
  }
}
template <char kSign, typename Left, typename Value>
inline decltype(auto) assign_by(Left& left, Value& value) {
  if constexpr (!std::is_class_v<std::remove_cv_t<Left>> || kSign == '=')
    return left = value;
  else if constexpr (kSign == '+')
    return left += value;
  else if constexpr (kSign == '-')
    return left -= value;
  else if constexpr (kSign == '*')
    return left *= value;
  else if constexpr (kSign == '|')
    return left |= value;
  else if constexpr (kSign == '&')
    return left &= value;
  else
    return left ^= value;
}
template <char kSign, typename Left, typename Value>
inline void warp_assign(Left& left, Value& value) {
  // A volatile object that an expression yields must go somewhere, or g++ warns.
  if constexpr (std::is_void_v<decltype(assign_by<kSign>(left, value))>)
    assign_by<kSign>(left, value);
  else
    [[maybe_unused]] auto&& assigned = assign_by<kSign>(left, value);
}
// Before a lane reads or writes what another lane of its warp may write, or read, without a barrier in between.
void note_exchange(const void* address, bool is_write, Site site);
inline void warp_reads(const void* address, Site site = Site::here()) {
  note_exchange(address, false, site);
  lockstep_step(false, site);
}
inline void warp_writes(const void* address, Site site = Site::here()) { note_exchange(address, true, site); }

// What a checked run must know of an atomic: that it comes, and that it has stored.
#ifdef CPU_DEVICE_CHECK
void checked_atomic(const void* address, unsigned bytes, Site site);
// The same, for those that locks and flags are made of, with their values.
void checked_exchange(const void* address, unsigned bytes, uint64_t fresh, Site site);
void checked_swap(const void* address, unsigned bytes, uint64_t expected, uint64_t desired, Site site);
void checked_store(const void* address, Site site);
// That it has changed nothing: its thread looks at the word.
void checked_look(const void* address, Site site);
// The atomicCAS() that comes next makes sure of a value that was read or computed before.
void checked_guess(const void* address);
// The atomic that comes next is one whose result nobody looks at.
void ignore_result();
// The atomic of C++, or its fence, that comes next is of this scope (see Site) and not the system's.
void checked_scope(int scope);
#else
inline void checked_atomic(const void*, unsigned, Site) {}
inline void checked_exchange(const void*, unsigned, uint64_t, Site) {}
inline void checked_swap(const void*, unsigned, uint64_t, uint64_t, Site) {}
inline void checked_store(const void*, Site) {}
inline void checked_look(const void*, Site) {}
inline void checked_guess(const void*) {}
#endif

// The unsigned integer as large as T.
template <typename T>
using Word = std::conditional_t<
    sizeof(T) == 2, uint16_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, unsigned long long>>;

// `auto`, here and in other headers: a function whose type is deduced is instantiated where it is met,
// and stands whole in headers that are compiled ahead (rewriter/split.h). Any other is instantiated once
// more in each program.
template <typename T>
inline auto word_of(T value) {
  Word<T> word;
  __builtin_memcpy(&word, &value, sizeof(T));
  return word;
}
template <typename T>
inline auto value_of(Word<T> word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}

// Replaces *address by function(*address), and returns what was there.
template <typename T, typename Function>
CPU_DEVICE_UNCHECKED inline auto update(T* address, Site site, Function function) {
  checked_atomic(address, sizeof(T), site);
  Word<T>* memory = reinterpret_cast<Word<T>*>(address);
  Word<T> old = __atomic_load_n(memory, __ATOMIC_RELAXED);
  Word<T> fresh;
  do {
    fresh = word_of<T>(function(value_of<T>(old)));
  } while (!__atomic_compare_exchange_n(memory, &old, fresh, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  if (old != fresh) {
    checked_store(address, site);
    cpu_device_changes++;
  } else {
    checked_look(address, site);
    spin(site);
  }
  return value_of<T>(old);
}

template <typename T>
CPU_DEVICE_UNCHECKED inline auto swap_if_equal(T* address, T expected, T desired, Site site) {
  checked_swap(address, sizeof(T), word_of<T>(expected), word_of<T>(desired), site);
  if (__builtin_expect(cpu_device_lockstep, 0))
    return value_of<T>(static_cast<Word<T>>(
        lockstep_swap(address, sizeof(T), word_of<T>(expected), word_of<T>(desired), site)));
  Word<T> old = word_of<T>(expected);
  if (__atomic_compare_exchange_n(reinterpret_cast<Word<T>*>(address), &old, word_of<T>(desired),
                                  false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
      word_of<T>(expected) != word_of<T>(desired)) {  // else it is a way to read
    checked_store(address, site);
    cpu_device_changes++;
  } else {
    if (word_of<T>(expected) == word_of<T>(desired)) checked_look(address, site);
    spin(site);
  }
  return value_of<T>(old);
}

// Integers have instructions of their own.
template <typename T>
CPU_DEVICE_UNCHECKED inline auto add(T* address, T value, Site site) {
  if constexpr (std::is_integral<T>::value) {
    using U = std::make_unsigned_t<T>;  // wraps around, as on a GPU
    checked_atomic(address, sizeof(T), site);
    const U old = __atomic_fetch_add(reinterpret_cast<U*>(address), static_cast<U>(value),
                                     __ATOMIC_RELAXED);
    if (__builtin_expect(old == static_cast<U>(kFreshPattern * 0x100000001u), 0)) added_to_fresh(site);
    if (value != 0) {
      checked_store(address, site);
      cpu_device_changes++;
    } else {
      checked_look(address, site);
      spin(site);
    }
    return static_cast<T>(old);
  } else {
    return update(address, site, [value](T old) { return old + value; });
  }
}

template <typename T>
CPU_DEVICE_UNCHECKED inline auto exchange_value(T* address, T value, Site site) {
  const Word<T> fresh = word_of<T>(value);
  checked_exchange(address, sizeof(T), fresh, site);
  const Word<T> old =
      __atomic_exchange_n(reinterpret_cast<Word<T>*>(address), fresh, __ATOMIC_RELAXED);
  checked_store(address, site);
  if (old != fresh)
    cpu_device_changes++;
  else
    spin(site);
  return value_of<T>(old);
}

}  // namespace cpu_device

// Each function for the whole device, for the system, and for the block.
#define CPU_DEVICE_ATOMIC1(NAME, TYPE, BODY)                                                     \
  inline TYPE NAME(TYPE* address, TYPE value,                                                    \
                   cpu_device::Site site = cpu_device::Site::here()) {                           \
    return BODY;                                                                                 \
  }                                                                                              \
  inline TYPE NAME##_system(TYPE* address, TYPE value,                                           \
                            cpu_device::Site site = cpu_device::Site::here()) {                  \
    site.scope = 3;                                                                              \
    return BODY;                                                                                 \
  }                                                                                              \
  inline TYPE NAME##_block(TYPE* address, TYPE value,                                            \
                           cpu_device::Site site = cpu_device::Site::here()) {                   \
    site.scope = 1;                                                                              \
    return BODY;                                                                                 \
  }
#define CPU_DEVICE_UPDATE(NAME, TYPE, EXPRESSION) \
  CPU_DEVICE_ATOMIC1(NAME, TYPE,                  \
                     cpu_device::update(address, site, [value](TYPE old) -> TYPE { return EXPRESSION; }))

CPU_DEVICE_ATOMIC1(atomicAdd, int, cpu_device::add(address, value, site))
CPU_DEVICE_ATOMIC1(atomicAdd, unsigned int, cpu_device::add(address, value, site))
CPU_DEVICE_ATOMIC1(atomicAdd, unsigned long long, cpu_device::add(address, value, site))
CPU_DEVICE_ATOMIC1(atomicAdd, float, cpu_device::add(address, value, site))
CPU_DEVICE_ATOMIC1(atomicAdd, double, cpu_device::add(address, value, site))
CPU_DEVICE_ATOMIC1(atomicSub, int,
                   cpu_device::add(address, static_cast<int>(0u - static_cast<unsigned int>(value)), site))
CPU_DEVICE_ATOMIC1(atomicSub, unsigned int, cpu_device::add(address, 0u - value, site))
CPU_DEVICE_ATOMIC1(atomicExch, int, cpu_device::exchange_value(address, value, site))
CPU_DEVICE_ATOMIC1(atomicExch, unsigned int, cpu_device::exchange_value(address, value, site))
CPU_DEVICE_ATOMIC1(atomicExch, unsigned long long, cpu_device::exchange_value(address, value, site))
CPU_DEVICE_ATOMIC1(atomicExch, float, cpu_device::exchange_value(address, value, site))
CPU_DEVICE_UPDATE(atomicMin, int, value < old ? value : old)
CPU_DEVICE_UPDATE(atomicMin, unsigned int, value < old ? value : old)
CPU_DEVICE_UPDATE(atomicMin, long long, value < old ? value : old)
CPU_DEVICE_UPDATE(atomicMin, unsigned long long, value < old ? value : old)
CPU_DEVICE_UPDATE(atomicMax, int, old < value ? value : old)
CPU_DEVICE_UPDATE(atomicMax, unsigned int, old < value ? value : old)
CPU_DEVICE_UPDATE(atomicMax, long long, old < value ? value : old)
CPU_DEVICE_UPDATE(atomicMax, unsigned long long, old < value ? value : old)
CPU_DEVICE_UPDATE(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
CPU_DEVICE_UPDATE(atomicDec, unsigned int, old == 0u || old > value ? value : old - 1u)
CPU_DEVICE_UPDATE(atomicAnd, int, old& value)
CPU_DEVICE_UPDATE(atomicAnd, unsigned int, old& value)
CPU_DEVICE_UPDATE(atomicAnd, long long, old& value)
CPU_DEVICE_UPDATE(atomicAnd, unsigned long long, old& value)
CPU_DEVICE_UPDATE(atomicOr, int, old | value)
CPU_DEVICE_UPDATE(atomicOr, unsigned int, old | value)
CPU_DEVICE_UPDATE(atomicOr, long long, old | value)
CPU_DEVICE_UPDATE(atomicOr, unsigned long long, old | value)
CPU_DEVICE_UPDATE(atomicXor, int, old ^ value)
CPU_DEVICE_UPDATE(atomicXor, unsigned int, old ^ value)
CPU_DEVICE_UPDATE(atomicXor, long long, old ^ value)
CPU_DEVICE_UPDATE(atomicXor, unsigned long long, old ^ value)

// Vectors of floats: each component is atomic, the whole is not.
#define CPU_DEVICE_ADD_VECTORS(NAME)                                                                              \
  inline float2 NAME(float2* address, float2 value, cpu_device::Site site = cpu_device::Site::here()) {           \
    return {NAME(&address->x, value.x, site), NAME(&address->y, value.y, site)};                                  \
  }                                                                                                               \
  inline float4 NAME(float4* address, float4 value, cpu_device::Site site = cpu_device::Site::here()) {           \
    return {NAME(&address->x, value.x, site), NAME(&address->y, value.y, site), NAME(&address->z, value.z, site), \
            NAME(&address->w, value.w, site)};                                                                    \
  }
CPU_DEVICE_ADD_VECTORS(atomicAdd)
CPU_DEVICE_ADD_VECTORS(atomicAdd_system)
CPU_DEVICE_ADD_VECTORS(atomicAdd_block)
#undef CPU_DEVICE_ADD_VECTORS

#define CPU_DEVICE_SWAP(NAME, TYPE, SCOPE)                                  \
  inline TYPE NAME(TYPE* address, TYPE expected, TYPE desired,              \
                   cpu_device::Site site = cpu_device::Site::here()) {      \
    site.scope = SCOPE;                                                     \
    if (!__builtin_constant_p(expected)) cpu_device::checked_guess(address); \
    return cpu_device::swap_if_equal(address, expected, desired, site);     \
  }
#define CPU_DEVICE_SWAPS(TYPE)               \
  CPU_DEVICE_SWAP(atomicCAS, TYPE, 2)        \
  CPU_DEVICE_SWAP(atomicCAS_system, TYPE, 3) \
  CPU_DEVICE_SWAP(atomicCAS_block, TYPE, 1)
CPU_DEVICE_SWAPS(int)
CPU_DEVICE_SWAPS(unsigned int)
CPU_DEVICE_SWAPS(unsigned long long)
CPU_DEVICE_SWAPS(unsigned short)

#undef CPU_DEVICE_ATOMIC1
#undef CPU_DEVICE_UPDATE
#undef CPU_DEVICE_SWAP
#undef CPU_DEVICE_SWAPS
