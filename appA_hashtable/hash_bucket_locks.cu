// Builds a hash table on the device with a lock for each bucket.
//
// The book's section A.2.4. What to look at: threads wait for each other only if they have the same
// bucket. And the loop over 32 turns: until Volta the threads of a warp had one program counter,
// and two that needed the same lock blocked each other forever (hash_warp_contention.cu), so they
// take turns. Since Volta each thread makes its own progress, and may run ahead to its own turn,
// unless a __syncwarp() after each turn keeps them together. (Its mask leaves out threads after the
// last key.) The turns are not necessary then, but they pay off: one thread of a warp competes
// for a lock instead of 32. All locks are one array of ints, with one allocation. The book's 1024
// locks are 1024 allocations and copies, and its time includes them.
//
//   ./course run hash_bucket_locks --size 26214400 --buckets 33554432

#include "../common/lock.h"
#include "hash_table.h"

__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table, int* mutexes) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const size_t bucket = hash(keys[i], table.count);
    Entry* const entry = &table.pool[i];
    entry->key = keys[i];
    entry->value = values[i];
    const unsigned int lanes = lanes_at_work(i, n);
    for (unsigned int turn = 0; turn < 32; turn++) {
      if (threadIdx.x % 32 == turn) {
        Lock lock(&mutexes[bucket]);
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
    int* mutexes;
    course::Stopwatch watch;
    HANDLE_ERROR(cudaMalloc(&mutexes, table.count * sizeof(int)));
    HANDLE_ERROR(cudaMemset(mutexes, 0, table.count * sizeof(int)));
    HANDLE_ERROR(cudaDeviceSynchronize());
    *locks_ms = watch.elapsed_ms();
    add_to_table<<<blocks, threads>>>(keys.keys, keys.values, keys.elements, table, mutexes);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());

    course::Stopwatch free_watch;
    HANDLE_ERROR(cudaFree(mutexes));
    *locks_ms += free_watch.elapsed_ms();
  };
}

int main(int argc, char** argv) {
  Request defaults;
  defaults.elements = 262144;  // 32 turns for each key take long on the CPU device
  const Request request = parse_request(argc, argv, "Hash table with a lock for each bucket.", defaults);
  return hash_program(request, build_with(request.blocks, request.threads));
}
