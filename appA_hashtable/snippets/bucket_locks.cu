// Builds a hash table of linked lists, with one lock per bucket.
// Topic: hash tables
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

struct Entry {
  unsigned int key;
  Entry* next;  // in the same bucket
};

// Thread i inserts pool[i]. A thread waits only for threads with the same bucket.
__global__ void insert(Entry* pool, int n, Entry** heads, int* locks, unsigned int buckets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int turn = 0; turn < 32; turn++) {  // the lanes of a warp take turns
    if (threadIdx.x % 32 == turn && i < n) {
      const unsigned int bucket = pool[i].key % buckets;
      while (atomicCAS(&locks[bucket], 0, 1) != 0) {
      }
      __threadfence();
      pool[i].next = heads[bucket];
      heads[bucket] = &pool[i];
      __threadfence();
      atomicExch(&locks[bucket], 0);
    }
    __syncwarp();  // so only one lane of a warp competes for a lock
  }
}

int main() {
  const int n = 2000, buckets = 64;
  std::vector<Entry> pool(n);
  for (int i = 0; i < n; i++) pool[i] = {i * 2654435761u, nullptr};
  Entry *dev_pool, **dev_heads, *heads[buckets];
  int* locks;
  HANDLE_ERROR(cudaMalloc(&dev_pool, n * sizeof(Entry)));
  HANDLE_ERROR(cudaMalloc(&dev_heads, sizeof(heads)));
  HANDLE_ERROR(cudaMalloc(&locks, buckets * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_pool, pool.data(), n * sizeof(Entry), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_heads, 0, sizeof(heads)));
  HANDLE_ERROR(cudaMemset(locks, 0, buckets * sizeof(int)));
  insert<<<(n + 31) / 32, 32>>>(dev_pool, n, dev_heads, locks, buckets);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(pool.data(), dev_pool, n * sizeof(Entry), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(heads, dev_heads, sizeof(heads), cudaMemcpyDeviceToHost));
  int found = 0;  // device pointers mean nothing here, but their distance from the pool does
  for (Entry* head : heads)
    for (Entry* entry = head; entry; entry = pool[entry - dev_pool].next) found++;
  for (void* memory : {(void*)dev_pool, (void*)dev_heads, (void*)locks})
    HANDLE_ERROR(cudaFree(memory));
  printf("%d of %d entries found\n", found, n);
  return found == n ? 0 : 1;
}
