// Atomics of C++ (std::atomic, __atomic_...) in the program's own code, which g++ turns into calls
// with -fsanitize=thread. In kernels they order memory as CUDA's C++ library says, for the system or for
// the scope that cuda::atomic has; on the host they order its functions in streams with the rest of it.
#include "observer.h"
#include "accesses.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "lock_order.h"
#include "places.h"
#include "ticket_locks.h"

extern const bool cpu_device_uses_standard_atomics;
const bool cpu_device_uses_standard_atomics = true;

using namespace cpu_device;
using namespace cpu_device::check;

namespace {

// What checked_scope() said of the operation that comes next.
thread_local Scope next_scope = Scope::system;

Scope take_scope() {
  const Scope scope = next_scope;
  next_scope = Scope::system;
  return scope;
}

Site of_scope(Scope scope) {
  Site site{nullptr, 0};
  site.scope = static_cast<unsigned char>(scope);
  return site;
}

bool acquires(int order) { return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order >= __ATOMIC_ACQ_REL; }
bool releases(int order) { return order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL; }

void before(const void* address, unsigned bytes, Access access, int order, Scope scope,
            const void* counter) {
  if (observing()) return observe_at(address, bytes, access, counter);
  if (checking == nullptr) {
    if (releases(order)) give(address);
    host_atomic(address, bytes, access, counter);
    return;
  }
  if (releases(order)) {
    note_ordering_atomic();
    fence(*checking, scope);
  }
  atomic_at(address, bytes, access, scope, counter);
}

void attempt(const void* address, unsigned bytes, uint64_t expected, uint64_t desired, Scope scope, const void* counter,
             bool is_exchange) {
  if (checking == nullptr || observing()) return;
  note_attempt(*checking, {reinterpret_cast<uintptr_t>(address), bytes, expected, desired,
                           place_id(*checking, counter, Access::atomic, bytes, scope), is_exchange});
}

void look(const void* address, unsigned bytes, Scope scope, const void* counter) {
  if (checking == nullptr || observing()) return;
  note_waiting_look(*checking, reinterpret_cast<uintptr_t>(address), bytes,
                    place_id(*checking, counter, Access::atomic_read, bytes, scope));
}

void after(const void* address, bool stored, bool continues, int order, Scope scope) {
  if (checking == nullptr) {
    if (acquires(order)) take_up(address);
    if (stored) host_publishes(address, !releases(order));
    return;
  }
  if (stored) atomic_stored(address, of_scope(scope), continues);
  if (acquires(order)) {
    note_ordering_atomic();
    fence(*checking, scope);
  }
}

// An exchange or a compare-and-swap that changes nothing is one of a thread that waits: others may run.
void note_change(bool changed) {
  if (!in_kernel()) return;
  if (changed)
    cpu_device_changes++;
  else
    yield();
}

template <typename T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, const void* counter) {
  const Scope scope = take_scope();
  T* const a = const_cast<T*>(address);
  before(a, sizeof(T), Access::atomic, order, scope, counter);
  attempt(a, sizeof(T), *expected, desired, scope, counter, false);
  const bool same = __atomic_compare_exchange_n(a, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  after(a, same, true, order, scope);
  note_change(same);
  return same;
}

}  // namespace

void cpu_device::checked_scope(int scope) { next_scope = static_cast<Scope>(scope); }

#define CALLER __builtin_return_address(0)
#define FETCH(BITS, TYPE, NAME)                                                                  \
  extern "C" TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE* a, TYPE v, int order) {      \
    const Scope scope = take_scope();                                                            \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic, order, scope, CALLER);            \
    const TYPE old = __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST);                              \
    after(const_cast<TYPE*>(a), true, true, order, scope);                                       \
    return old;                                                                                  \
  }
#define ATOMICS(BITS, TYPE)                                                                      \
  extern "C" TYPE __tsan_atomic##BITS##_load(const volatile TYPE* a, int order) {                \
    const Scope scope = take_scope();                                                            \
    before(const_cast<const TYPE*>(a), sizeof(TYPE), Access::atomic_read, order, scope, CALLER); \
    const TYPE value = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                     \
    after(const_cast<const TYPE*>(a), false, false, order, scope);                               \
    look(const_cast<const TYPE*>(a), sizeof(TYPE), scope, CALLER);                               \
    if (in_kernel()) yield();                                                                    \
    return value;                                                                                \
  }                                                                                              \
  extern "C" void __tsan_atomic##BITS##_store(volatile TYPE* a, TYPE v, int order) {             \
    const Scope scope = take_scope();                                                            \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic_write, order, scope, CALLER);      \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                    \
    after(const_cast<TYPE*>(a), true, false, order, scope);                                      \
  }                                                                                              \
  extern "C" TYPE __tsan_atomic##BITS##_exchange(volatile TYPE* a, TYPE v, int order) {          \
    const Scope scope = take_scope();                                                            \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic, order, scope, CALLER);            \
    attempt(const_cast<TYPE*>(a), sizeof(TYPE), v, v, scope, CALLER, true);                        \
    const TYPE old = __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                \
    after(const_cast<TYPE*>(a), true, true, order, scope);                                       \
    note_change(old != v);                                                                       \
    return old;                                                                                  \
  }                                                                                              \
  FETCH(BITS, TYPE, add)                                                                         \
  FETCH(BITS, TYPE, sub)                                                                         \
  FETCH(BITS, TYPE, and)                                                                         \
  FETCH(BITS, TYPE, or)                                                                          \
  FETCH(BITS, TYPE, xor)                                                                         \
  FETCH(BITS, TYPE, nand)                                                                        \
  extern "C" int __tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* a, TYPE* expected, \
                                                               TYPE v, int order, int) {         \
    return compare_exchange(a, expected, v, order, CALLER);                                      \
  }                                                                                              \
  extern "C" int __tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* a, TYPE* expected,   \
                                                             TYPE v, int order, int) {           \
    return compare_exchange(a, expected, v, order, CALLER);                                      \
  }                                                                                              \
  extern "C" TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* a, TYPE expected,    \
                                                             TYPE v, int order, int) {           \
    compare_exchange(a, &expected, v, order, CALLER);                                            \
    return expected;                                                                             \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)

extern "C" void __tsan_atomic_thread_fence(int order) {
  const Scope scope = take_scope();
  if (checking != nullptr && order != __ATOMIC_RELAXED) {
    note_ordering_atomic();
    fence(*checking, scope);
  }
  if (checking == nullptr && releases(order)) host_fences();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
extern "C" void __tsan_atomic_signal_fence(int) {}
