#include "book.h"

enum LockState : int { LOCK_FREE = 0, LOCK_TAKEN = 1 };

__device__ void lock(int* mutex) {
  unsigned ns = 8;
  // exponential back-off
  while (atomicExch(mutex, LOCK_TAKEN) == LOCK_TAKEN) {
    __nanosleep(ns);
    if (ns < 256) ns *= 2;
  }
  __threadfence();
}

__device__ void unlock(int* mutex) {
  __threadfence();
  atomicCAS(mutex, LOCK_TAKEN, LOCK_FREE);
}

struct Guard {
  int* mutex;
  __device__ explicit Guard(int* m) : mutex(m) { lock(mutex); }
  __device__ ~Guard() { unlock(mutex); }
};

__global__ void append(int* mutex, int* list, int* length) {
  if (threadIdx.x != 0) return;
  Guard guard(mutex);
  list[(*length)++] = blockIdx.x;
}

int append_all(int* list, int blocks) {
  int *dev_mutex, *dev_list, *dev_length, length = 0;
  HANDLE_ERROR(cudaMalloc(&dev_mutex, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_list, blocks * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_length, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_mutex, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_list, 0, blocks * sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_length, 0, sizeof(int)));
  append<<<blocks, 32>>>(dev_mutex, dev_list, dev_length);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(list, dev_list, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&length, dev_length, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_mutex));
  HANDLE_ERROR(cudaFree(dev_list));
  HANDLE_ERROR(cudaFree(dev_length));
  return length;
}
