// Inserts into linked lists without a lock: compare-and-swap on the head of a list.
// Topic: hash tables
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

struct Entry {
  unsigned int key;
  int next;  // number of the next entry in the pool, -1: none
};

// Makes entry `mine` the first of the list. If another thread changes the head first, try again.
__device__ void push_front(int* head, Entry* pool, int mine) {
  int found = atomicCAS(head, -1, -1), expected;  // an atomic read
  do {
    expected = found;
    pool[mine].next = expected;
    found = atomicCAS(head, expected, mine);
  } while (found != expected);
}

__global__ void insert(Entry* pool, int n, int* heads, unsigned int buckets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) push_front(&heads[pool[i].key % buckets], pool, i);
}

int main() {
  const int n = 5000, buckets = 64;
  std::vector<Entry> pool(n);
  std::vector<int> heads(buckets, -1);
  for (int i = 0; i < n; i++) pool[i] = {i * 2654435761u, -1};
  Entry* dev_pool;
  int* dev_heads;
  HANDLE_ERROR(cudaMalloc(&dev_pool, n * sizeof(Entry)));
  HANDLE_ERROR(cudaMalloc(&dev_heads, buckets * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_pool, pool.data(), n * sizeof(Entry), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_heads, heads.data(), buckets * sizeof(int), cudaMemcpyHostToDevice));
  insert<<<(n + 255) / 256, 256>>>(dev_pool, n, dev_heads, buckets);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(pool.data(), dev_pool, n * sizeof(Entry), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(heads.data(), dev_heads, buckets * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_pool));
  HANDLE_ERROR(cudaFree(dev_heads));
  int found = 0;
  for (int head : heads)
    for (int entry = head; entry >= 0; entry = pool[entry].next) found++;
  printf("%d of %d entries found\n", found, n);
  return found == n ? 0 : 1;
}
