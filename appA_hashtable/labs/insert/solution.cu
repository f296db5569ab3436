// Inserts into the lists of a hash table without locks.
#include "book.h"

__global__ void insert(const int* keys, int n, int* head, int buckets, int* next) {
  const int entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry >= n) return;
  int* first = &head[keys[entry] % buckets];
  // SOLUTION BEGIN: int seen = atomicCAS(first, -1, entry): done if the list was empty
  //? before each new try: next[entry] = seen
  //? the try: before = atomicCAS(first, seen, entry); it worked if before == seen
  int seen = -1;
  while (true) {
    next[entry] = seen;
    const int before = atomicCAS(first, seen, entry);
    if (before == seen) break;
    seen = before;
  }
  //| next[entry] = *first;
  //| *first = entry;
  // SOLUTION END
}

// keys: n, not negative, n at least 1; head: `buckets`, next: n numbers of entries; on the host.
void insert_all(const int* keys, int n, int* head, int buckets, int* next) {
  int *dev_keys, *dev_head, *dev_next;
  HANDLE_ERROR(cudaMalloc(&dev_keys, n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_head, buckets * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_next, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_keys, keys, n * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_head, 0xff, buckets * sizeof(int)));  // -1 everywhere
  insert<<<(n + 63) / 64, 64>>>(dev_keys, n, dev_head, buckets, dev_next);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(head, dev_head, buckets * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(next, dev_next, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_keys));
  HANDLE_ERROR(cudaFree(dev_head));
  HANDLE_ERROR(cudaFree(dev_next));
}
