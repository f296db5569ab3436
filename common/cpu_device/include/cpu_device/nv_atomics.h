// The atomics that NVIDIA's compiler has built in since CUDA 12.8, with an order and a scope: __nv_atomic_load_n()
// and its family. Orders have the numbers of g++'s own atomics.
#pragma once

#include <type_traits>

#include "atomics.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
static_assert(__NV_ATOMIC_SEQ_CST == __ATOMIC_SEQ_CST && __NV_ATOMIC_ACQUIRE == __ATOMIC_ACQUIRE);
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace cpu_device {

// A checked run learns from it how far the atomic or the fence that comes next reaches.
inline void scope_of_next_atomic([[maybe_unused]] int scope) {
#ifdef CPU_DEVICE_CHECK
  checked_scope(scope >= __NV_THREAD_SCOPE_SYSTEM ? 3 : scope >= __NV_THREAD_SCOPE_CLUSTER ? 2 : 1);
#endif
}
// Progress or none, see atomics.h.
inline void note_atomic(bool changed, Site site) {
  if (changed)
    cpu_device_changes++;
  else
    spin(site);
}
template <typename T>
using SameType = typename std::common_type<T>::type;  // takes no part in deducing T

// Replaces *address by function(*address), and returns what was there.
template <typename T, typename Function>
inline T nv_update(T* address, int order, int scope, Site site, Function function) {
  T old, fresh;
  scope_of_next_atomic(scope);
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    fresh = function(old);
    scope_of_next_atomic(scope);
  } while (!__atomic_compare_exchange(address, &old, &fresh, true, order, __ATOMIC_RELAXED));
  note_atomic(__builtin_memcmp(&old, &fresh, sizeof(T)) != 0, site);
  return old;
}

}  // namespace cpu_device

#define CPU_DEVICE_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM, cpu_device::Site site = cpu_device::Site::here()

template <typename T>
inline void __nv_atomic_load(T* address, T* result, int order, CPU_DEVICE_SCOPE) {
  cpu_device::scope_of_next_atomic(scope);
  __atomic_load(address, result, order);
  cpu_device::note_atomic(false, site);
}
template <typename T>
inline T __nv_atomic_load_n(T* address, int order, CPU_DEVICE_SCOPE) {
  T result;
  __nv_atomic_load(address, &result, order, scope, site);
  return result;
}
template <typename T>
inline void __nv_atomic_store(T* address, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cpu_device::scope_of_next_atomic(scope);
  __atomic_store(address, value, order);
  cpu_device_changes++;
}
template <typename T>
inline void __nv_atomic_store_n(T* address, cpu_device::SameType<T> value, int order,
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store(address, &value, order, scope);
}
template <typename T>
inline void __nv_atomic_exchange(T* address, T* value, T* result, int order, CPU_DEVICE_SCOPE) {
  const T wanted = *value;
  T old;
  cpu_device::scope_of_next_atomic(scope);
  __atomic_exchange(address, value, &old, order);
  cpu_device::note_atomic(__builtin_memcmp(&old, &wanted, sizeof(T)) != 0, site);
  *result = old;
}
template <typename T>
inline T __nv_atomic_exchange_n(T* address, cpu_device::SameType<T> value, int order, CPU_DEVICE_SCOPE) {
  T old;
  __nv_atomic_exchange(address, &value, &old, order, scope, site);
  return old;
}
template <typename T>
inline bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool, int success, int failure,
                                         CPU_DEVICE_SCOPE) {
  cpu_device::scope_of_next_atomic(scope);
  const bool done = __atomic_compare_exchange(address, expected, desired, false, success, failure);
  cpu_device::note_atomic(done, site);
  return done;
}
template <typename T>
inline bool __nv_atomic_compare_exchange_n(T* address, T* expected, cpu_device::SameType<T> desired, bool weak,
                                           int success, int failure, CPU_DEVICE_SCOPE) {
  return __nv_atomic_compare_exchange(address, expected, &desired, weak, success, failure, scope, site);
}

#define CPU_DEVICE_NV_ATOMIC(NAME, RESULT)                                                            \
  template <typename T>                                                                               \
  inline T __nv_atomic_fetch_##NAME(T* address, cpu_device::SameType<T> value, int order,             \
                                    CPU_DEVICE_SCOPE) {                                               \
    return cpu_device::nv_update(address, order, scope, site,                                         \
                                 [value](T old) { return static_cast<T>(RESULT); });                  \
  }                                                                                                   \
  template <typename T>                                                                               \
  inline void __nv_atomic_##NAME(T* address, cpu_device::SameType<T> value, int order, CPU_DEVICE_SCOPE) { \
    __nv_atomic_fetch_##NAME(address, value, order, scope, site);                                     \
  }
CPU_DEVICE_NV_ATOMIC(add, old + value)
CPU_DEVICE_NV_ATOMIC(sub, old - value)
CPU_DEVICE_NV_ATOMIC(and, old & value)
CPU_DEVICE_NV_ATOMIC(or, old | value)
CPU_DEVICE_NV_ATOMIC(xor, old ^ value)
CPU_DEVICE_NV_ATOMIC(min, value < old ? value : old)
CPU_DEVICE_NV_ATOMIC(max, old < value ? value : old)
#undef CPU_DEVICE_NV_ATOMIC
#undef CPU_DEVICE_SCOPE

#ifdef CPU_DEVICE_CHECK
extern "C" void __tsan_atomic_thread_fence(int order);  // of the checked run; g++ has no such call of its own
#endif
inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cpu_device::scope_of_next_atomic(scope);
#ifdef CPU_DEVICE_CHECK
  __tsan_atomic_thread_fence(order);
#else
  __atomic_thread_fence(order);
#endif
}
