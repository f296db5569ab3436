// Blocks take turns at ordinary memory, under a lock of our own.
#include "book.h"

// mutex: an int of the device that is 0 when the lock is free.
__device__ void lock(int* mutex) {
  // SOLUTION BEGIN: while (atomicCAS(mutex, 0, 1) != 0) {}
  //? after the loop, add a fence: no later read may move before the lock is taken
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
  //| if (*mutex == 0) *mutex = 1;
  // SOLUTION END
}

__device__ void unlock(int* mutex) {
  // SOLUTION BEGIN: all earlier writes must be visible before the lock becomes free: a fence first, then the release
  //? __threadfence(); atomicExch(mutex, 0);
  __threadfence();
  atomicExch(mutex, 0);
  //| *mutex = 0;
  // SOLUTION END
}

// Each block appends its number to the list.
__global__ void append(int* mutex, int* list, int* length) {
  if (threadIdx.x != 0) return;
  lock(mutex);
  list[*length] = blockIdx.x;
  *length += 1;
  unlock(mutex);
}

// list: room for as many numbers as there are blocks, in the host's memory. Returns the length.
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
