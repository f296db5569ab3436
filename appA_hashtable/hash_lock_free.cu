// Builds a hash table on the device without locks, with compare-and-swap on the bucket's head.
//
// Not in the book. What to look at: a thread prepares its entry with the bucket's first entry as
// successor, and makes it the first if the first is still the same. If another thread was faster,
// it tries again with the new one. No thread ever waits for another, so there is no lock to free,
// and the threads of a warp need no turns. Many more threads than buckets only make more attempts
// fail: try --blocks.
//
//   ./course run hash_lock_free --size 26214400 --buckets 33554432

#include "hash_table.h"

__device__ void push_front(Entry** head, Entry* entry) {
  // atomicCAS takes no pointers, but integers of the same size.
  unsigned long long* const word = reinterpret_cast<unsigned long long*>(head);
  const unsigned long long mine = reinterpret_cast<unsigned long long>(entry);
  unsigned long long found = *reinterpret_cast<volatile unsigned long long*>(word), expected;
  do {
    expected = found;
    entry->next = reinterpret_cast<Entry*>(expected);
    // To read the list while it grows, add a __threadfence() here, so that the entry is complete
    // before other threads can see it. This table is read after the kernel has ended.
    found = atomicCAS(word, expected, mine);
  } while (found != expected);
}

__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    Entry* const entry = &table.pool[i];
    entry->key = keys[i];
    entry->value = values[i];
    push_front(&table.entries[hash(keys[i], table.count)], entry);
  }
}

Build build_with(int blocks, int threads) {
  return [=](const DeviceKeys& keys, Table table, double*) {
    add_to_table<<<blocks, threads>>>(keys.keys, keys.values, keys.elements, table);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
  };
}

int main(int argc, char** argv) {
  Request defaults;
  defaults.blocks_per_multiprocessor = 8;
  defaults.threads_per_bucket = 4;  // as many keep it busy, and more get in each other's way
  const Request request = parse_request(
      argc, argv, "Hash table without locks: compare-and-swap on the buckets' heads.", defaults);
  return hash_program(request, build_with(request.blocks, request.threads));
}
