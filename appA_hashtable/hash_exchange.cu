// Builds a hash table on the device with one atomicExch per key: no attempt is ever repeated.
//
// Not in the book. What to look at: the entry becomes the bucket's first unconditionally, and only
// then gets its successor, the previous first entry. Between the two steps, the rest of the list
// is cut off. That is allowed because no thread reads the table while it is built. A data structure
// that needs to do less can be faster.
//
//   ./course run hash_exchange --size 26214400 --buckets 33554432

#include "hash_table.h"

__device__ void push_front(Entry** head, Entry* entry) {
  unsigned long long* const word = reinterpret_cast<unsigned long long*>(head);
  entry->next =
      reinterpret_cast<Entry*>(atomicExch(word, reinterpret_cast<unsigned long long>(entry)));
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
  const Request request =
      parse_request(argc, argv, "Hash table without locks: one exchange per key.", defaults);
  return hash_program(request, build_with(request.blocks, request.threads));
}
