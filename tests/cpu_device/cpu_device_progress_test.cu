// Kernels whose threads and blocks wait for each other: who can make progress does, and who cannot
// is told so. Atomics of all types and scopes.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "../harness/run_program.h"

using course::messages_of;

namespace {

// Ints on the device, zeros at first.
struct Ints {
  explicit Ints(size_t count) : count(count) {
    REQUIRE(cudaMalloc(&data, count * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, count * sizeof(int)) == cudaSuccess);
  }
  std::vector<int> get() const {
    std::vector<int> values(count);
    REQUIRE(cudaMemcpy(values.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return values;
  }
  ~Ints() {
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, data);
    if (attributes.type == cudaMemoryTypeDevice) cudaFree(data);  // else a reset has freed it
  }
  int* data = nullptr;
  size_t count;
};

// Runs the kernel that must get stuck; returns its explanation. The device is as new afterwards.
template <typename Launch>
std::string stuck(const Launch& launch) {
  cudaError_t error = cudaSuccess;
  const std::string text = messages_of([&] {
    launch();
    error = cudaDeviceSynchronize();
  });
  CHECK(error == cudaErrorLaunchFailure);
  cudaDeviceReset();
  cudaGetLastError();
  return text;
}

}  // namespace

// ------------------------------------------------------------------- blocks that wait for blocks

// A barrier for the whole grid, as programs write it themselves: all blocks must be there at once.
__global__ void grid_barrier(int* arrived, int* sums) {
  for (int round = 1; round <= 3; round++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < round * static_cast<int>(gridDim.x)) {
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = atomicAdd(arrived, 0);
}

// Each block waits for the one with the next number, the last for nobody.
__global__ void backwards(int* done) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x)
      while ((before = atomicAdd(&done[blockIdx.x + 1], 0)) == 0) {
      }
    else
      before = 0;
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) atomicExch(&done[blockIdx.x], before + 1);
}

// The same with a plain flag; who waits sleeps.
__global__ void backwards_sleeping(volatile int* done) {
  if (blockIdx.x + 1 < gridDim.x)
    while (done[blockIdx.x + 1] == 0) __nanosleep(100);
  done[blockIdx.x] = 1;
}

TEST_CASE("blocks may wait for blocks that have not begun") {
  for (int blocks : {1, 2, 3, 17, 100}) {
    Ints arrived(1), sums(blocks), done(blocks), flags(blocks);
    grid_barrier<<<blocks, 32>>>(arrived.data, sums.data);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(arrived.get()[0] == 3 * blocks);
    for (int sum : sums.get()) CHECK(sum == 3 * blocks);
    backwards<<<blocks, 64>>>(done.data);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(done.get()[0] == blocks);
    backwards_sleeping<<<blocks, 1>>>(flags.data);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(flags.get()[0] == 1);
  }
}

// --------------------------------------------------------------------------------- who is stuck

__global__ void never_released(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__global__ void waits_for_nobody(volatile int* flag) {
  while (*flag == 0) __nanosleep(100);
}
__global__ void waits_for_atomic(int* flag) {
  while (atomicOr(flag, 0) == 0) {
  }
}

TEST_CASE("a lock that is never released") {
  Ints lock(1);
  const std::string text = stuck([&] { never_released<<<3, 40>>>(lock.data); });
  CHECK_MESSAGE(course::contains(text, "no progress in kernel never_released"), text);
  CHECK_MESSAGE(course::contains(text, "retry an atomic that never succeeds"), text);
  CHECK_MESSAGE(course::contains(text, "cpu_device_progress_test.cu:"), text);
  CHECK_MESSAGE(course::contains(text, "hint: "), text);
}

// The first `stuck` threads wait in this way, one after the other in a warp of its own; the others leave.
enum class Way { lock, loop, barrier };
__global__ void stuck_in(Way way, int stuck, int* word) {
  if (threadIdx.x % 32 != 0 || static_cast<int>(threadIdx.x) / 32 >= stuck) return;
  switch (way) {
    case Way::lock:
      while (atomicCAS(word, 1, 2) != 1) {
      }
      break;
    case Way::loop:
      while (*static_cast<volatile int*>(word) == 0) __nanosleep(100);
      break;
    default:
      if (threadIdx.x == 0)
        __syncthreads();
      else
        while (atomicCAS(word, 1, 2) != 1) {
        }
  }
}

TEST_CASE("how many threads are stuck, in words") {
  struct Words {
    Way way;
    const char *one, *two;
  };
  const Words words[] = {
      {Way::lock, "1 retries an atomic that never succeeds, line #: thread 0\n", "2 retry an atomic that never succeeds, line #: threads 0, 32\n"},
      {Way::loop, "1 waits in a loop, line #: thread 0\n", "2 wait in a loop, line #: threads 0, 32\n"}};
  const auto told = [](Way way, int stuck_threads, unsigned threads) {
    Ints word(1);
    std::string text = stuck([&] { stuck_in<<<1, threads>>>(way, stuck_threads, word.data); });
    // Which line it is does not matter here.
    for (size_t at = 0; (at = text.find("line ", at)) != std::string::npos; at += 6) {
      const size_t end = text.find_first_not_of("0123456789", at + 5);
      text.replace(at + 5, end - at - 5, "#");
    }
    return text;
  };
  for (const Words& w : words) {
    std::string text = told(w.way, 1, 2);
    CHECK_MESSAGE(course::contains(text, w.one), text);
    CHECK_MESSAGE(course::contains(text, "\n    1 has left the kernel: thread 1\n"), text);
    text = told(w.way, 2, 34);
    CHECK_MESSAGE(course::contains(text, w.two), text);
    CHECK_MESSAGE(course::contains(text, "\n    32 have left the kernel: threads 1-31, 33\n"), text);
  }
  const std::string text = told(Way::barrier, 2, 33);
  CHECK_MESSAGE(course::contains(text, "1 waits at __syncthreads(), line #: thread 0\n"), text);
  CHECK_MESSAGE(course::contains(text, "1 retries an atomic that never succeeds, line #: thread 32\n"), text);
}

TEST_CASE("flags that nobody sets") {
  Ints flag(1);
  CHECK(course::contains(stuck([&] { waits_for_atomic<<<5, 2>>>(flag.data); }),
                         "no progress in kernel"));
  Ints other(1);
  CHECK(course::contains(stuck([&] { waits_for_nobody<<<1, 2>>>(other.data); }),
                         "no progress in kernel"));
}

// Long work whose atomics change nothing: the maximum was found at once.
__global__ void maximum(int* largest, int rounds) {
  int value = 7;
  for (int i = 0; i < rounds; i++) {
    value = (value * 31 + i) % 8;
    atomicMax(largest, value);
  }
}

TEST_CASE("who is at work is not stuck, even if nothing changes") {
  Ints largest(1);
  // As long as takes 2.5 s, which is more than the patience of the watchdog.
  const auto seconds_for = [&](int rounds) {
    const auto begin = std::chrono::steady_clock::now();
    maximum<<<1, 32>>>(largest.data, rounds);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const int probe = 20000;
  const double seconds = seconds_for(probe);
  CHECK(seconds_for(static_cast<int>(std::min(1e9, probe * 2.5 / seconds))) > 0);
  CHECK(largest.get()[0] == 7);
}

// ------------------------------------------------------------------------- types and scopes

template <typename T>
struct Slots {
  T add, exchanged, least, most, bits_and, bits_or, bits_xor, swapped;
};

// One thread does everything once, with the function of each scope.
#define SCOPE_TEST(NAME, SUFFIX)                                 \
  template <typename T>                                          \
  __global__ void NAME(Slots<T>* s, Slots<T>* old) {             \
    old->add = atomicAdd##SUFFIX(&s->add, T(5));                 \
    old->exchanged = atomicExch##SUFFIX(&s->exchanged, T(6));    \
    old->least = atomicMin##SUFFIX(&s->least, T(3));             \
    old->most = atomicMax##SUFFIX(&s->most, T(200));             \
    old->bits_and = atomicAnd##SUFFIX(&s->bits_and, T(12));      \
    old->bits_or = atomicOr##SUFFIX(&s->bits_or, T(12));         \
    old->bits_xor = atomicXor##SUFFIX(&s->bits_xor, T(12));      \
    old->swapped = atomicCAS##SUFFIX(&s->swapped, T(10), T(77)); \
  }
SCOPE_TEST(for_device, )
SCOPE_TEST(for_block, _block)
SCOPE_TEST(for_system, _system)

template <typename T>
void check_scopes() {
  for (int scope = 0; scope < 3; scope++) {
    Slots<T>* slots = nullptr;
    REQUIRE(cudaMallocManaged(&slots, 2 * sizeof(Slots<T>)) == cudaSuccess);
    slots[0] = {10, 10, 10, 10, 10, 10, 10, 10};
    if (scope == 0) for_device<T><<<1, 1>>>(slots, slots + 1);
    if (scope == 1) for_block<T><<<1, 1>>>(slots, slots + 1);
    if (scope == 2) for_system<T><<<1, 1>>>(slots, slots + 1);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const Slots<T>& s = slots[0];
    CHECK(s.add == 15);
    CHECK(s.exchanged == 6);
    CHECK(s.least == 3);
    CHECK(s.most == 200);
    CHECK(s.bits_and == (10 & 12));
    CHECK(s.bits_or == (10 | 12));
    CHECK(s.bits_xor == (0b1010 ^ 0b1100));
    CHECK(s.swapped == 77);
    const Slots<T>& old = slots[1];
    for (T value : {old.add, old.exchanged, old.least, old.most, old.bits_and, old.bits_or,
                    old.bits_xor, old.swapped})
      CHECK(value == 10);
    CHECK(cudaFree(slots) == cudaSuccess);
  }
}

TEST_CASE("all functions in all scopes") {
  check_scopes<int>();
  check_scopes<unsigned int>();
  check_scopes<unsigned long long>();
}

__global__ void odd_ones(unsigned* u, int* i, long long* l, float* f, double* d,
                         unsigned short* h) {
  atomicInc(&u[0], 3);                // 3 -> 0
  atomicInc(&u[1], 3);                // 2 -> 3
  atomicDec(&u[2], 9);                // 0 -> 9
  atomicDec(&u[3], 9);                // 12 -> 9
  atomicDec(&u[4], 9);                // 5 -> 4
  atomicSub(&u[5], 6);                // 5 -> 2^32 - 1
  atomicSub(&i[0], 7);                // 5 -> -2
  atomicSub(&i[1], -2147483647 - 1);  // 0 -> wraps to the smallest
  atomicAdd(&i[2], 1);                // largest -> smallest
  atomicMin(&i[3], -5);
  atomicMin(&l[0], -5000000000ll);
  atomicMax(&l[1], -1ll);  // -3 -> -1
  atomicAdd(&f[0], 0.5f);
  atomicExch(&f[1], -1.5f);
  atomicAdd(&d[0], 0.25);
  atomicCAS(&h[1], static_cast<unsigned short>(7), static_cast<unsigned short>(9));
}

TEST_CASE("the other functions and types") {
  unsigned* u = nullptr;
  int* i = nullptr;
  long long* l = nullptr;
  float* f = nullptr;
  double* d = nullptr;
  unsigned short* h = nullptr;
  cudaMallocManaged(&u, 6 * sizeof(unsigned));
  cudaMallocManaged(&i, 4 * sizeof(int));
  cudaMallocManaged(&l, 2 * sizeof(long long));
  cudaMallocManaged(&f, 2 * sizeof(float));
  cudaMallocManaged(&d, sizeof(double));
  cudaMallocManaged(&h, 3 * sizeof(unsigned short));
  const unsigned u_before[] = {3, 2, 0, 12, 5, 5};
  std::copy_n(u_before, 6, u);
  const int i_before[] = {5, 0, std::numeric_limits<int>::max(), 5};
  std::copy_n(i_before, 4, i);
  l[0] = 0;
  l[1] = -3;
  f[0] = f[1] = 2;
  d[0] = 2;
  h[0] = h[1] = h[2] = 7;
  odd_ones<<<1, 1>>>(u, i, l, f, d, h);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::vector<unsigned>(u, u + 6) == std::vector<unsigned>{0, 3, 9, 9, 4, 0xffffffffu});
  const int least = std::numeric_limits<int>::min();
  CHECK(std::vector<int>(i, i + 4) == std::vector<int>{-2, least, least, -5});
  CHECK(l[0] == -5000000000ll);
  CHECK(l[1] == -1);
  CHECK(f[0] == 2.5f);
  CHECK(f[1] == -1.5f);
  CHECK(d[0] == 2.25);
  CHECK(h[0] == 7);  // its neighbors are not touched
  CHECK(h[1] == 9);
  CHECK(h[2] == 7);
  for (void* pointer : {(void*)u, (void*)i, (void*)l, (void*)f, (void*)d, (void*)h})
    CHECK(cudaFree(pointer) == cudaSuccess);
}
