// Each operation of cuda::atomic, cuda::atomic_ref and cuda::std::atomic, many of each in turn, by one thread, against the same on a plain
// variable. And what semaphores, latches and barriers say at each step of a fixed order.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/utility>
#include <new>
#include <type_traits>

__device__ int wrong;
#define EXPECT(...) ((__VA_ARGS__) ? void() : (atomicAdd(&wrong, 1), void(printf("line %d: %s\n", __LINE__, #__VA_ARGS__))))

struct Random {
  unsigned state;
  __device__ unsigned next() { return state = state * 1664525u + 1013904223u, state >> 9; }
};

// What all three have. `plain` is the model.
template <typename T, typename Atomic>
__device__ void steps(Atomic &it, T start, unsigned seed) {
  Random random{seed};
  T plain = start;
  EXPECT(it.load() == plain && T(it) == plain && it.is_lock_free());
  for (int i = 0; i < 400; i++) {
    const T value = T(random.next() % 41) - T(std::is_signed<T>::value ? 20 : 0);
    const T old = plain;
    const auto order = i % 2 ? cuda::std::memory_order_relaxed : cuda::std::memory_order_seq_cst;
    switch (random.next() % 20) {
      case 0: EXPECT(it.fetch_add(value, order) == old), plain = T(plain + value); break;
      case 1: EXPECT(it.fetch_sub(value, order) == old), plain = T(plain - value); break;
      case 2: EXPECT(it.fetch_and(value, order) == old), plain = T(plain & value); break;
      case 3: EXPECT(it.fetch_or(value, order) == old), plain = T(plain | value); break;
      case 4: EXPECT(it.fetch_xor(value, order) == old), plain = T(plain ^ value); break;
      case 5: EXPECT(it.exchange(value, order) == old), plain = value; break;
      case 6: it.store(value, order), plain = value; break;
      case 7: EXPECT(++it == T(old + 1)), plain = T(old + 1); break;
      case 8: EXPECT(it++ == old), plain = T(old + 1); break;
      case 9: EXPECT(--it == T(old - 1)), plain = T(old - 1); break;
      case 10: EXPECT(it-- == old), plain = T(old - 1); break;
      case 11: EXPECT((it += value) == T(old + value)), plain = T(old + value); break;
      case 12: EXPECT((it -= value) == T(old - value)), plain = T(old - value); break;
      case 13: EXPECT((it = value) == value), plain = value; break;
      case 14:
      case 15: {  // it finds another value, and says which
        T expected = T(old + 1);
        EXPECT(!it.compare_exchange_strong(expected, value) && expected == old);
        expected = T(old + 2);
        EXPECT(!it.compare_exchange_strong(expected, value, cuda::std::memory_order_acq_rel, cuda::std::memory_order_relaxed) && expected == old);
        expected = T(old ^ 4);
        EXPECT(!it.compare_exchange_weak(expected, value) && expected == old);
        expected = T(old ^ 1);
        EXPECT(!it.compare_exchange_weak(expected, value, cuda::std::memory_order_release, cuda::std::memory_order_relaxed) && expected == old);
        break;
      }
      case 16: {
        T expected = old;
        EXPECT(it.compare_exchange_strong(expected, value, cuda::std::memory_order_release) && expected == old), plain = value;
        break;
      }
      case 17: {
        T expected = old;
        EXPECT(it.compare_exchange_strong(expected, value, cuda::std::memory_order_acquire, cuda::std::memory_order_relaxed) && expected == old);
        plain = value;
        break;
      }
      case 18: {
        T expected = old;
        while (!it.compare_exchange_weak(expected, value, cuda::std::memory_order_acq_rel)) EXPECT(expected == old);
        plain = value;
        break;
      }
      case 19: {
        T expected = old;
        while (!it.compare_exchange_weak(expected, value, cuda::std::memory_order_seq_cst, cuda::std::memory_order_seq_cst)) EXPECT(expected == old);
        plain = value;
        break;
      }
    }
    EXPECT(it.load(cuda::std::memory_order_acquire) == plain);
  }
  it.wait(T(plain + 1)), it.notify_one(), it.notify_all();  // another value already: no wait
}
// The larger and the smaller: not of cuda::std::atomic before C++26.
template <typename T, typename Atomic>
__device__ void extremes(Atomic &it, unsigned seed) {
  Random random{seed};
  T plain = T(it.load());
  for (int i = 0; i < 60; i++) {
    const T value = T(random.next() % 41) - T(std::is_signed<T>::value ? 20 : 0), old = plain;
    if (i % 15 == 0) {
      it.store(value), plain = value;
    } else if (random.next() % 2) {
      EXPECT(it.fetch_max(value) == old), plain = old < value ? value : old;
    } else {
      EXPECT(it.fetch_min(value, cuda::std::memory_order_relaxed) == old), plain = value < old ? value : old;
    }
    EXPECT(it.load() == plain);
  }
}

template <typename T>
__global__ void all_steps() {
  cuda::atomic<T, cuda::thread_scope_device> one(T(3));
  steps<T>(one, T(3), 1), extremes<T>(one, 2);
  cuda::atomic<T> system(T(7));
  steps<T>(system, T(7), 3), extremes<T>(system, 4);
  alignas(8) T plain[3] = {T(1), T(2), T(3)};
  cuda::atomic_ref<T, cuda::thread_scope_block> ref(plain[1]);
  steps<T>(ref, T(2), 5), extremes<T>(ref, 6);
  EXPECT(plain[0] == T(1) && plain[2] == T(3) && plain[1] == ref.load());
  cuda::std::atomic<T> standard(T(9));
  steps<T>(standard, T(9), 7);
}

__global__ void pointers() {
  int numbers[10] = {};
  cuda::atomic<int *, cuda::thread_scope_device> at(numbers);
  EXPECT(at.fetch_add(3) == numbers && at.load() == numbers + 3);
  EXPECT(at.fetch_sub(1) == numbers + 3 && at.load() == numbers + 2);
  EXPECT(at.exchange(numbers + 9) == numbers + 2 && at.load() == numbers + 9);
  cuda::atomic<float, cuda::thread_scope_device> real(1.5f);
  EXPECT(real.fetch_add(2.25f) == 1.5f && real.load() == 3.75f && real.fetch_sub(4.0f) == 3.75f && real.load() == -0.25f);
  __shared__ cuda::atomic<int, cuda::thread_scope_block> later;  // which has no constructor that does anything
  later = 5;
  EXPECT(later.fetch_add(2) == 5 && later == 7);
  cuda::latch<cuda::thread_scope_block> alone(1);
  alone.arrive_and_wait();
  EXPECT(alone.try_wait());
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_block);
}

#ifdef __CPU_DEVICE__  // the Toolkit's barriers have it only as try_wait_for()
#define HAS_PASSED(TOKEN, IT_HAS) EXPECT(barrier->try_wait(cuda::std::move(TOKEN)) == IT_HAS)
#else
#define HAS_PASSED(TOKEN, IT_HAS) (void)(TOKEN)
#endif
typedef cuda::counting_semaphore<cuda::thread_scope_device, 5> Semaphore;
__global__ void one_after_the_other(Semaphore *semaphore, cuda::latch<cuda::thread_scope_device> *latch,
                                    cuda::barrier<cuda::thread_scope_block> *barrier) {
  EXPECT(Semaphore::max() >= 5 && cuda::binary_semaphore<cuda::thread_scope_device>::max() >= 1);
  EXPECT(semaphore->try_acquire() && semaphore->try_acquire() && !semaphore->try_acquire() && !semaphore->try_acquire());
  semaphore->release();
  semaphore->acquire();
  EXPECT(!semaphore->try_acquire());
  semaphore->release(3);
  EXPECT(semaphore->try_acquire() && semaphore->try_acquire() && semaphore->try_acquire() && !semaphore->try_acquire());

  Semaphore none;  // of 0
  EXPECT(!none.try_acquire() && (none.release(), none.try_acquire()) && !none.try_acquire());

  EXPECT(!latch->try_wait());
  latch->count_down();
  EXPECT(!latch->try_wait());
  latch->count_down(3);
  EXPECT(!latch->try_wait());
  latch->arrive_and_wait(2);
  EXPECT(latch->try_wait());
  latch->wait();

  // Of four threads, all played by this one.
  for (int phase = 0; phase < 3; phase++) {
    auto first = barrier->arrive(), second = barrier->arrive(2);
    HAS_PASSED(second, false);
    auto last = barrier->arrive();
    HAS_PASSED(first, true);
    HAS_PASSED(last, true);
  }
  barrier->arrive_and_drop();  // three from the next phase on
  auto of_four = barrier->arrive(2);
  HAS_PASSED(of_four, false);
  barrier->arrive_and_wait();
  auto of_three = barrier->arrive(2);
  HAS_PASSED(of_three, false);
  barrier->arrive_and_wait();
  barrier->arrive_and_drop(), barrier->arrive_and_drop();
  barrier->arrive_and_wait();
  barrier->arrive_and_wait();  // alone
}

template <typename T>
void *room() {
  void *memory = nullptr;
  cudaMallocManaged(&memory, sizeof(T));
  return memory;
}

int main() {
  all_steps<int><<<1, 1>>>(), all_steps<unsigned><<<1, 1>>>();
  all_steps<long long><<<1, 1>>>(), all_steps<unsigned long long><<<1, 1>>>();
  pointers<<<1, 1>>>();
  typedef cuda::latch<cuda::thread_scope_device> Latch;
  typedef cuda::barrier<cuda::thread_scope_block> Barrier;
  one_after_the_other<<<1, 1>>>(new (room<Semaphore>()) Semaphore(2), new (room<Latch>()) Latch(6), new (room<Barrier>()) Barrier(4));
  int count = 1;
  if (cudaDeviceSynchronize() != cudaSuccess || cudaMemcpyFromSymbol(&count, wrong, sizeof count) != cudaSuccess) return 1;
  printf("%d wrong\n", count);
  return count != 0;
}
