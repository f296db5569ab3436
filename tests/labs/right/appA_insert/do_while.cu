#include "book.h"

__global__ void insert(const int* keys, int n, int* head, int buckets, int* next) {
  for (int entry = threadIdx.x + blockIdx.x * blockDim.x; entry < n; entry += blockDim.x * gridDim.x) {
    int* const first = head + keys[entry] % buckets;
    int expected = -1;  // most lists are empty at the beginning: guess, and learn the truth from atomicCAS
    bool done;
    do {
      next[entry] = expected;
      const int found = atomicCAS(first, expected, entry);
      done = found == expected;
      expected = found;
    } while (!done);
  }
}

void insert_all(const int* keys, int n, int* head, int buckets, int* next) {
  int *dev_keys, *dev_head, *dev_next;
  HANDLE_ERROR(cudaMalloc(&dev_keys, n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_head, buckets * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_next, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_keys, keys, n * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_head, -1, buckets * sizeof(int)));
  insert<<<(n + 63) / 64, 64>>>(dev_keys, n, dev_head, buckets, dev_next);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(head, dev_head, buckets * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(next, dev_next, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_keys));
  HANDLE_ERROR(cudaFree(dev_head));
  HANDLE_ERROR(cudaFree(dev_next));
}
