// The lock of the book's appendix A: lets one thread of the device at a time into a critical
// section.
//
//   __global__ void add(Lock lock, float* sum, float value) {
//     lock.lock();
//     *sum += value;
//     lock.unlock();
//   }
//   Lock lock;                               // on the host: allocates on the current device
//   add<<<60, 1>>>(lock, dev_sum, 1);        // the kernel gets a copy
//
// Threads of one warp that need the same lock get it one after the other since Volta (compute
// capability 7.0). Before, they blocked each other forever: the one with the lock waited for the
// others to leave the loop. It is better if only one thread per warp or block takes the lock.
#pragma once

#include "handle_error.h"

struct Lock {
  int* mutex;  // in device memory: 0 free, 1 taken

  Lock() : owner_(true) {
    HANDLE_ERROR(cudaMalloc(reinterpret_cast<void**>(&mutex), sizeof(int)));
    HANDLE_ERROR(cudaMemset(mutex, 0, sizeof(int)));
  }

  // A lock in existing memory: an int on the device that is 0, such as an element of an array. So
  // thousands of locks need only one allocation.
  __host__ __device__ explicit Lock(int* existing) : mutex(existing), owner_(false) {}

  // A copy is another name for the same lock. A launch copies its arguments, and an array of locks
  // holds copies. Only the original frees the memory, so it must live longest.
  __host__ __device__ Lock(const Lock& other) : mutex(other.mutex), owner_(false) {}
  Lock& operator=(const Lock&) = delete;

  // Errors are of no use here: the device may be gone when the program ends.
  __host__ __device__ ~Lock() {
#ifndef __CUDA_ARCH__
    if (owner_) cudaFree(mutex);
#endif
  }

  // Waits until the lock is free, and takes it. The fence keeps what follows from being read
  // before: without it the thread may use an older value from its cache.
  __device__ void lock() {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
  }

  // Lets the next one in. The fence makes all that was written visible before the lock is seen
  // free. (The book's remark that *mutex = 0 would do as well does not hold: the compiler and the
  // memory may move a plain store.)
  __device__ void unlock() {
    __threadfence();
    atomicExch(mutex, 0);
  }

 private:
  bool owner_;
};
