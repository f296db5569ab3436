// Counts under a lock that states its memory order: acquire and release.
//
// Today's version of lock_counter. That lock has an atomic and a fence in each function, and the
// fence is easily forgotten. Here the order is a part of the atomic (cuda::atomic_ref, 2020). What
// to look at: acquire is for taking the lock: no later access moves before it. Release is for
// freeing it: the thread that acquires next sees all that came before. __threadfence() orders in
// both directions, which is more than a lock needs.
//
//   ./course run lock_acquire_release --blocks 1000 --threads 32

#include <cuda/atomic>

#include "../common/handle_error.h"
#include "lock_program.h"

// The lock is an int, 0 if free and 1 if taken, for all threads of the device.
using Mutex = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ void lock(int* mutex) {
  while (Mutex(*mutex).exchange(1, cuda::memory_order_acquire) != 0) {
  }
}

__device__ void unlock(int* mutex) { Mutex(*mutex).store(0, cuda::memory_order_release); }

__global__ void count_under_lock(int* mutex, int* counter) {
  lock(mutex);
  *counter += 1;
  unlock(mutex);
}

// All threads of the grid count; returns the counter, and the kernel's time in *kernel_ms.
int count_threads(int blocks, int threads, double* kernel_ms = nullptr) {
  int* dev_mutex;
  HANDLE_ERROR(cudaMalloc(&dev_mutex, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_mutex, 0, sizeof(int)));
  const int counter = counted_by(
      [=](int* dev_counter) {
        count_under_lock<<<blocks, threads>>>(dev_mutex, dev_counter);
        HANDLE_ERROR(cudaGetLastError());
      },
      kernel_ms);
  HANDLE_ERROR(cudaFree(dev_mutex));
  return counter;
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return lock_program(argc, argv, "Counts under a lock with acquire and release.", count_threads);
}
