// In the manner of programs with libcu++: a lock and a flag of cuda::atomic, a barrier that is split
// into arriving and waiting, an atomic_ref on plain memory.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/cstdint>
#include <cooperative_groups.h>
#include <cstdio>
#include <new>
#include <utility>
namespace cg = cooperative_groups;

struct Lock {
  cuda::atomic<int, cuda::thread_scope_device> taken{0};
  __device__ void lock() {
    while (taken.exchange(1, cuda::std::memory_order_acquire) == 1) {
    }
  }
  __device__ void unlock() { taken.store(0, cuda::std::memory_order_release); }
};

__global__ void count(Lock *lock, int *plain, cuda::std::int32_t *shared_value,
                      cuda::atomic<unsigned long long> *total) {
  lock->lock();
  *plain += 1;
  lock->unlock();
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*shared_value);
  ref.fetch_add(2, cuda::std::memory_order_relaxed);
  (*total)++;
}

// Block 1 waits for block 0's message.
__global__ void message(cuda::atomic<int, cuda::thread_scope_device> *flag, int *data, int *seen) {
  if (blockIdx.x == 1) {
    *data = 42;
    flag->store(1, cuda::std::memory_order_release);
  } else {
    while (flag->load(cuda::std::memory_order_acquire) == 0) {
    }
    *seen = *data;
  }
}

__global__ void phases(int *wrong) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int values[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int step = 0; step < 5; step++) {
    values[threadIdx.x] = step * 1000 + threadIdx.x;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    if (values[127 - threadIdx.x] != step * 1000 + 127 - (int)threadIdx.x) atomicAdd(wrong, 1);
    barrier.arrive_and_wait();
  }
}

int main() {
  Lock *lock;
  int *plain, *value, *wrong;
  cuda::atomic<unsigned long long> *total;
  cuda::atomic<int, cuda::thread_scope_device> *flag;
  cudaMallocManaged(&lock, sizeof *lock);
  cudaMallocManaged(&plain, 3 * sizeof(int));
  cudaMallocManaged(&total, sizeof *total);
  cudaMallocManaged(&flag, sizeof *flag);
  new (lock) Lock;
  new (total) cuda::atomic<unsigned long long>(0);
  new (flag) cuda::atomic<int, cuda::thread_scope_device>(0);
  value = plain + 1;
  wrong = plain + 2;
  *plain = *value = *wrong = 0;
  count<<<8, 32>>>(lock, plain, value, total);
  phases<<<2, 128>>>(wrong);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("%d %d %llu, %d wrong\n", *plain, *value, total->load(), *wrong);
  if (*plain != 256 || *value != 512 || total->load() != 256 || *wrong != 0) return 1;
  message<<<2, 1>>>(flag, plain, value);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return *value == 42 ? 0 : 1;
}
