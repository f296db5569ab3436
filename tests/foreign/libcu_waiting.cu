// In the manner of programs with libcu++ that mix its parts: a barrier beside cuda::std::atomic, a
// latch, a semaphore, tuples and arrays.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/tuple>
#include <new>

__global__ void reverse_parts(int *x, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  __shared__ alignas(16) int part[128];
  for (int base = 0; base < n; base += 128) {
    cuda::memcpy_async(block, part, x + base, cuda::aligned_size_t<16>(sizeof part), barrier);
    barrier.arrive_and_wait();
    x[base + threadIdx.x] = part[127 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

__global__ void count(cuda::std::atomic<int> *all, cuda::latch<cuda::thread_scope_device> *latch,
                      cuda::binary_semaphore<cuda::thread_scope_device> *semaphore, int *plain) {
  cuda::std::array<int, 2> two{1, 2};
  auto pair = cuda::std::make_tuple(two[0], 2.5f);
  all->fetch_add(cuda::std::get<0>(pair), cuda::std::memory_order_relaxed);
  if (threadIdx.x != 0) return;
  semaphore->acquire();
  ++*plain;
  semaphore->release();
  latch->arrive_and_wait();
  if (blockIdx.x == 0) all->store(all->load() + *plain * 1000);
}

template <typename T, typename... Arguments>
T *managed(Arguments... arguments) {
  void *memory;
  cudaMallocManaged(&memory, sizeof(T));
  return new (memory) T(arguments...);
}

int main() {
  const int n = 1024, blocks = 4;
  int *x;
  cudaMallocManaged(&x, n * sizeof(int));
  for (int i = 0; i < n; i++) x[i] = i;
  reverse_parts<<<1, 128>>>(x, n);
  auto *all = managed<cuda::std::atomic<int>>(0);
  auto *latch = managed<cuda::latch<cuda::thread_scope_device>>(blocks);
  auto *semaphore = managed<cuda::binary_semaphore<cuda::thread_scope_device>>(1);
  int *plain = managed<int>(0);
  count<<<blocks, 1>>>(all, latch, semaphore, plain);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; i++)
    if (x[i] != i / 128 * 128 + 127 - i % 128) return printf("%d: %d\n", i, x[i]), 1;
  if (all->load() != blocks + 1000 * blocks) return printf("%d\n", all->load()), 1;
  printf("right\n");
  return 0;
}
