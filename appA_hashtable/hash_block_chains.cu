// Builds a hash table on the device: first a list per block and bucket, which are then joined.
//
// Not in the book, but chapter 9's idea: each block collects in shared memory, where atomics are
// cheap and only its own threads compete. It accesses the global table once per bucket instead of
// once per key. What to look at: a block needs the head of each list, to insert, and its tail, to
// append the rest of the global list. Both are entry numbers in the pool, half as large as
// pointers. The buckets must fit into shared memory twice.
//
//   ./course run hash_block_chains --size 26214400

#include "hash_table.h"

constexpr unsigned int kNone = 0xffffffff;

// The shared memory holds heads, then tails: table.count each.
__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table) {
  extern __shared__ unsigned int shared_words[];
  unsigned int* const heads = shared_words;
  unsigned int* const tails = shared_words + table.count;
  for (size_t bucket = threadIdx.x; bucket < table.count; bucket += blockDim.x)
    heads[bucket] = kNone;
  __syncthreads();

  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned int mine = static_cast<unsigned int>(i);
    const size_t bucket = hash(keys[i], table.count);
    const unsigned int before = atomicExch(&heads[bucket], mine);
    if (before == kNone) tails[bucket] = mine;  // the first to come stays the last of the list
    table.pool[i] = {keys[i], values[i], before == kNone ? nullptr : &table.pool[before]};
  }
  __syncthreads();

  for (size_t bucket = threadIdx.x; bucket < table.count; bucket += blockDim.x)
    if (heads[bucket] != kNone) {
      Entry* const head = &table.pool[heads[bucket]];
      table.pool[tails[bucket]].next = reinterpret_cast<Entry*>(
          atomicExch(reinterpret_cast<unsigned long long*>(&table.entries[bucket]),
                     reinterpret_cast<unsigned long long>(head)));
    }
}

// The most buckets for which a block's shared memory is enough.
size_t most_buckets() {
  int device = 0, bytes = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<size_t>(bytes) / (2 * sizeof(unsigned int));
}

Build build_with(int blocks, int threads) {
  return [=](const DeviceKeys& keys, Table table, double*) {
    const size_t shared_bytes = 2 * sizeof(unsigned int) * table.count;
    // More than 48 KiB per block only on request.
    HANDLE_ERROR(cudaFuncSetAttribute(add_to_table, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared_bytes)));
    add_to_table<<<blocks, threads, shared_bytes>>>(keys.keys, keys.values, keys.elements, table);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
  };
}

int main(int argc, char** argv) {
  Request defaults;
  defaults.threads = 1024;
  const Request request = parse_request(
      argc, argv, "Hash table from lists that each block makes in shared memory.", defaults);
  if (request.buckets > most_buckets())
    course::bad_usage("--buckets must be at most " + std::to_string(most_buckets()) +
                      " here, so that they fit into shared memory; hash_exchange takes any number");
  return hash_program(request, build_with(request.blocks, request.threads));
}
