// Builds a hash table on the device with a single lock for the whole table: correct, and very slow.
//
// The book's section A.2.4 mentions it. What to look at: one of thousands of threads inserts one
// entry at a time. All others wait, and slow it down with their attempts to get the lock. So the
// default is a small number of keys.
//
//   ./course run hash_one_lock

#include "../common/lock.h"
#include "hash_table.h"

__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table, Lock lock) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const size_t bucket = hash(keys[i], table.count);
    Entry* const entry = &table.pool[i];
    entry->key = keys[i];
    entry->value = values[i];
    // The threads of a warp take turns, see hash_bucket_locks.cu.
    const unsigned int lanes = lanes_at_work(i, n);
    for (unsigned int turn = 0; turn < 32; turn++) {
      if (threadIdx.x % 32 == turn) {
        lock.lock();
        entry->next = table.entries[bucket];
        table.entries[bucket] = entry;
        lock.unlock();
      }
      __syncwarp(lanes);
    }
  }
}

Build build_with(int blocks, int threads) {
  return [=](const DeviceKeys& keys, Table table, double* locks_ms) {
    course::Stopwatch watch;
    const Lock lock;
    HANDLE_ERROR(cudaDeviceSynchronize());
    *locks_ms = watch.elapsed_ms();
    add_to_table<<<blocks, threads>>>(keys.keys, keys.values, keys.elements, table, lock);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
  };
}

int main(int argc, char** argv) {
  Request defaults;
  defaults.elements = 8192;
  const Request request =
      parse_request(argc, argv, "Hash table with one lock for all of it.", defaults);
  return hash_program(request, build_with(request.blocks, request.threads));
}
