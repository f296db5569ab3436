// Atomics of C++ (std::atomic, __atomic_...) in the program's own code, which g++ turns into calls
// with -fsanitize=thread. In kernels they order memory as CUDA's C++ library says, for the system; on
// the host they order its functions in streams with the rest of it.
#include "../observe/observer.h"
#include "internal_check.h"

using namespace cpu_device;
using namespace cpu_device::check;

namespace {

constexpr Scope kWide = Scope::system;

Site everywhere() {
  Site site{nullptr, 0};
  site.scope = static_cast<unsigned char>(kWide);
  return site;
}

bool acquires(int order) { return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order >= __ATOMIC_ACQ_REL; }
bool releases(int order) { return order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL; }

void before(const void* address, unsigned bytes, Access access, int order, const void* counter) {
  if (observing()) return observe_at(address, bytes, access, counter);
  if (checking == nullptr) {
    if (releases(order)) give(address);
    host_atomic(address, bytes, access, counter);
    return;
  }
  if (releases(order)) {
    note_ordering_atomic();
    fence(*checking, kWide);
  }
  atomic_at(address, bytes, access, counter);
}

void after(const void* address, bool stored, bool continues, int order) {
  if (checking == nullptr) {
    if (acquires(order)) take_up(address);
    return;
  }
  if (stored) atomic_stored(address, everywhere(), continues);
  if (acquires(order)) {
    note_ordering_atomic();
    fence(*checking, kWide);
  }
}

}  // namespace

#define CALLER __builtin_return_address(0)
#define FETCH(BITS, TYPE, NAME)                                                                 \
  extern "C" TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE* a, TYPE v, int order) {     \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic, order, CALLER);                  \
    const TYPE old = __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST);                             \
    after(const_cast<TYPE*>(a), true, true, order);                                             \
    return old;                                                                                 \
  }
#define ATOMICS(BITS, TYPE)                                                                     \
  extern "C" TYPE __tsan_atomic##BITS##_load(const volatile TYPE* a, int order) {               \
    before(const_cast<const TYPE*>(a), sizeof(TYPE), Access::atomic_read, order, CALLER);     \
    const TYPE value = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                    \
    after(const_cast<const TYPE*>(a), false, false, order);                                     \
    if (in_kernel()) yield();                                                                   \
    return value;                                                                               \
  }                                                                                             \
  extern "C" void __tsan_atomic##BITS##_store(volatile TYPE* a, TYPE v, int order) {            \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic_write, order, CALLER);          \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                   \
    after(const_cast<TYPE*>(a), true, false, order);                                            \
  }                                                                                             \
  extern "C" TYPE __tsan_atomic##BITS##_exchange(volatile TYPE* a, TYPE v, int order) {         \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic, order, CALLER);                  \
    const TYPE old = __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                               \
    after(const_cast<TYPE*>(a), true, true, order);                                             \
    return old;                                                                                 \
  }                                                                                             \
  FETCH(BITS, TYPE, add)                                                                        \
  FETCH(BITS, TYPE, sub)                                                                        \
  FETCH(BITS, TYPE, and)                                                                        \
  FETCH(BITS, TYPE, or)                                                                         \
  FETCH(BITS, TYPE, xor)                                                                        \
  FETCH(BITS, TYPE, nand)                                                                       \
  extern "C" int __tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* a, TYPE* expected, \
                                                               TYPE v, int order, int) {        \
    before(const_cast<TYPE*>(a), sizeof(TYPE), Access::atomic, order, CALLER);                  \
    const bool same =                                                                           \
        __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    after(const_cast<TYPE*>(a), same, true, order);                                             \
    return same;                                                                                \
  }                                                                                             \
  extern "C" int __tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* a, TYPE* expected,  \
                                                             TYPE v, int order, int failing) {  \
    return __tsan_atomic##BITS##_compare_exchange_strong(a, expected, v, order, failing);       \
  }                                                                                             \
  extern "C" TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* a, TYPE expected,   \
                                                             TYPE v, int order, int failing) {  \
    __tsan_atomic##BITS##_compare_exchange_strong(a, &expected, v, order, failing);             \
    return expected;                                                                            \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)

extern "C" void __tsan_atomic_thread_fence(int) {
  if (checking != nullptr) {
    note_ordering_atomic();
    fence(*checking, kWide);
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
extern "C" void __tsan_atomic_signal_fence(int) {}
