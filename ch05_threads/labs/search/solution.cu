// Looks up many keys in a sorted table, one thread each.
#include "book.h"

// found[i]: the index of the first element that is not less than keys[i]; `count` if there is none.
__global__ void find(const int* table, int count, const int* keys, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  // SOLUTION BEGIN, unmarked, met 2: what if no element is large enough? Can low become count?
  int low = 0, high = count;  // the answer is in low ... high
  //| int low = 0, high = count - 1;  // the answer is in low ... high
  // SOLUTION END
  while (low < high) {
    const int middle = low + (high - low) / 2;
    // SOLUTION BEGIN, unmarked, met 1: if an element equals the key, can the answer be after it?
    if (table[middle] < key)
    //| if (table[middle] <= key)
    // SOLUTION END
      low = middle + 1;
    else
      high = middle;
  }
  found[i] = low;
}

// count elements and n keys in the host's memory; count and n are at least 1.
void search(const int* table, int count, const int* keys, int* found, int n) {
  int *dev_table, *dev_keys, *dev_found;
  HANDLE_ERROR(cudaMalloc(&dev_table, count * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_keys, n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_found, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_table, table, count * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_keys, keys, n * sizeof(int), cudaMemcpyHostToDevice));
  find<<<(n + 63) / 64, 64>>>(dev_table, count, dev_keys, dev_found, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(found, dev_found, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_table));
  HANDLE_ERROR(cudaFree(dev_keys));
  HANDLE_ERROR(cudaFree(dev_found));
}
