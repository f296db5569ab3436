// Builds a hash table that supports lookups: inserts keys on the device, and finds them there.
//
// Not in the book, whose table is built and never read. This one has no lists and no pointers. A
// key and its value are one 64-bit word in the first free slot after the key's own (open
// addressing). An insertion takes one or two atomicCAS, and a lookup usually one read.
//
// What to look at: keys are random, so each goes to a different part of the memory, and a slot that
// is not in the cache costs a trip to memory and back. So before the insertion the keys are sorted
// roughly, by the part of the table to which they belong. Then keys inserted at about the same time
// share a part that fits in the cache. Compare with 1 partition:
//
//   ./course run hash_find --size 26214400
//   ./course run hash_find --size 26214400 --partitions 1

#include <stdint.h>
#include <stdio.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"

typedef unsigned long long Slot;  // the key in the upper half, the value in the lower one

constexpr Slot kEmpty = ~Slot(0);           // so the largest key cannot have the largest value
constexpr unsigned int kNothing = ~0u;      // the value of a key that is not in the table
constexpr int kThreads = 256;
constexpr int kMostPartitions = 1024;
constexpr int kKeysPerThread = 8;  // in the kernel that sorts

struct Table {
  Slot* slots;
  unsigned int count;
};

// Spreads the keys (the last steps of MurmurHash3; Appleby). Different keys stay different.
__host__ __device__ inline unsigned int mix(unsigned int key) {
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  return key ^ key >> 16;
}

// The slot, of `count`, to which a key belongs. A larger mix(key) gives a later slot, so the keys
// of a partition are neighbors.
__host__ __device__ inline unsigned int place_of(unsigned int key, unsigned int count) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(mix(key)) * count >> 32);
}

// Does nothing if the table has the key already. There must be a free slot.
__device__ void insert(const Table& table, Slot entry) {
  const unsigned int key = static_cast<unsigned int>(entry >> 32);
  for (unsigned int place = place_of(key, table.count);;) {
    const Slot there = atomicCAS(&table.slots[place], kEmpty, entry);
    if (there == kEmpty || there >> 32 == key) return;
    if (++place == table.count) place = 0;
  }
}

__device__ unsigned int find(const Table& table, unsigned int key) {
  for (unsigned int place = place_of(key, table.count);;) {
    const Slot there = table.slots[place];
    if (there == kEmpty) return kNothing;
    if (there >> 32 == key) return static_cast<unsigned int>(there);
    if (++place == table.count) place = 0;
  }
}

// The value of a key is its number.
__global__ void insert_keys(const unsigned int* keys, unsigned int n, Table table) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) insert(table, static_cast<Slot>(keys[i]) << 32 | i);
}

__global__ void insert_entries(const Slot* entries, unsigned int n, Table table) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) insert(table, entries[i]);
}

__global__ void find_keys(const unsigned int* keys, unsigned int n, Table table,
                          unsigned int* values) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = find(table, keys[i]);
}

// How many keys each partition gets.
__global__ void count_partitions(const unsigned int* keys, unsigned int n, int partitions,
                                 unsigned int* counts) {
  __shared__ unsigned int block_counts[kMostPartitions];
  for (int p = threadIdx.x; p < partitions; p += kThreads) block_counts[p] = 0;
  __syncthreads();
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n;
       i += static_cast<size_t>(gridDim.x) * kThreads)
    atomicAdd(&block_counts[place_of(keys[i], partitions)], 1u);
  __syncthreads();
  for (int p = threadIdx.x; p < partitions; p += kThreads)
    if (block_counts[p] > 0) atomicAdd(&counts[p], block_counts[p]);
}

// The start of each partition: the sum of the counts before it. One block of kMostPartitions
// threads.
__global__ void begin_partitions(unsigned int* counts, int partitions) {
  __shared__ unsigned int sums[kMostPartitions];
  const int p = threadIdx.x;
  const unsigned int mine = p < partitions ? counts[p] : 0;
  sums[p] = mine;
  __syncthreads();
  for (int distance = 1; distance < kMostPartitions; distance *= 2) {
    const unsigned int other = p >= distance ? sums[p - distance] : 0;
    __syncthreads();
    sums[p] += other;
    __syncthreads();
  }
  if (p < partitions) counts[p] = sums[p] - mine;
}

// Writes entries of `keys`, partition by partition. `begins` is where each partition continues, and
// moves. A block takes kThreads * kKeysPerThread keys, and reserves room for them in each partition
// at once. The order of the blocks, and so of the entries in a partition, does not matter.
__global__ void sort_entries(const unsigned int* keys, unsigned int n, int partitions,
                             unsigned int* begins, Slot* entries) {
  __shared__ unsigned int block_counts[kMostPartitions], block_begins[kMostPartitions];
  for (int p = threadIdx.x; p < partitions; p += kThreads) block_counts[p] = 0;
  __syncthreads();
  const size_t first = static_cast<size_t>(blockIdx.x) * kThreads * kKeysPerThread + threadIdx.x;
  unsigned int key[kKeysPerThread], rank[kKeysPerThread];
#pragma unroll
  for (int k = 0; k < kKeysPerThread; k++) {
    const size_t i = first + k * kThreads;
    key[k] = i < n ? keys[i] : 0;
    rank[k] = i < n ? atomicAdd(&block_counts[place_of(key[k], partitions)], 1u) : 0;
  }
  __syncthreads();
  for (int p = threadIdx.x; p < partitions; p += kThreads)
    if (block_counts[p] > 0) block_begins[p] = atomicAdd(&begins[p], block_counts[p]);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kKeysPerThread; k++) {
    const size_t i = first + k * kThreads;
    if (i < n)
      entries[block_begins[place_of(key[k], partitions)] + rank[k]] =
          static_cast<Slot>(key[k]) << 32 | i;
  }
}

inline unsigned int blocks_for(size_t n, int per_block) {
  return static_cast<unsigned int>((n + per_block - 1) / per_block);
}

// Keys on the device, a table for them, and what building it takes.
struct DeviceTable {
  Table table;
  unsigned int n;
  int partitions;
  unsigned int *keys, *counts;
  Slot* entries;

  DeviceTable(const std::vector<unsigned int>& host_keys, unsigned int slots, int parts)
      : table{nullptr, slots}, n(static_cast<unsigned int>(host_keys.size())), partitions(parts) {
    HANDLE_ERROR(cudaMalloc(&table.slots, slots * sizeof(Slot)));
    HANDLE_ERROR(cudaMalloc(&keys, std::max<size_t>(n, 1) * sizeof(unsigned int)));
    HANDLE_ERROR(cudaMalloc(&counts, kMostPartitions * sizeof(unsigned int)));
    HANDLE_ERROR(cudaMalloc(&entries, std::max<size_t>(n, 1) * sizeof(Slot)));
    HANDLE_ERROR(
        cudaMemcpy(keys, host_keys.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice));
    clear();
  }
  ~DeviceTable() {
    cudaFree(table.slots);
    cudaFree(keys);
    cudaFree(counts);
    cudaFree(entries);
  }
  DeviceTable(const DeviceTable&) = delete;
  DeviceTable& operator=(const DeviceTable&) = delete;

  void clear() { HANDLE_ERROR(cudaMemset(table.slots, 0xff, table.count * sizeof(Slot))); }

  // Queues the insertion of all keys.
  void build() {
    if (n == 0) return;
    const unsigned int blocks = blocks_for(n, kThreads);
    if (partitions == 1) {
      insert_keys<<<blocks, kThreads>>>(keys, n, table);
      HANDLE_ERROR(cudaGetLastError());
      return;
    }
    HANDLE_ERROR(cudaMemsetAsync(counts, 0, partitions * sizeof(unsigned int)));
    count_partitions<<<std::min(blocks, 1024u), kThreads>>>(keys, n, partitions, counts);
    HANDLE_ERROR(cudaGetLastError());
    begin_partitions<<<1, kMostPartitions>>>(counts, partitions);
    HANDLE_ERROR(cudaGetLastError());
    sort_entries<<<blocks_for(n, kThreads * kKeysPerThread), kThreads>>>(keys, n, partitions,
                                                                        counts, entries);
    HANDLE_ERROR(cudaGetLastError());
    insert_entries<<<blocks, kThreads>>>(entries, n, table);
    HANDLE_ERROR(cudaGetLastError());
  }

  // Queues the lookup of `count` keys on the device.
  void look_up(const unsigned int* dev_keys, unsigned int count, unsigned int* dev_values) const {
    if (count == 0) return;
    find_keys<<<blocks_for(count, kThreads), kThreads>>>(dev_keys, count, table, dev_values);
    HANDLE_ERROR(cudaGetLastError());
  }
};

struct Times {
  double build_ms = 0, find_ms = 0;
};

// Inserts `keys`, each with its number for a value, into a table of `slots` places, more than there
// are keys, and returns the value of each of `questions`, or kNothing.
std::vector<unsigned int> ask(const std::vector<unsigned int>& keys,
                              const std::vector<unsigned int>& questions, unsigned int slots,
                              int partitions, Times* times = nullptr) {
  DeviceTable device(keys, slots, partitions);
  const unsigned int count = static_cast<unsigned int>(questions.size());
  const size_t bytes = count * sizeof(unsigned int);
  unsigned int *dev_questions, *dev_values;
  HANDLE_ERROR(cudaMalloc(&dev_questions, std::max<size_t>(bytes, 1)));
  HANDLE_ERROR(cudaMalloc(&dev_values, std::max<size_t>(bytes, 1)));
  HANDLE_ERROR(cudaMemcpy(dev_questions, questions.data(), bytes, cudaMemcpyHostToDevice));
  device.build();
  device.look_up(dev_questions, count, dev_values);
  std::vector<unsigned int> values(count);
  HANDLE_ERROR(cudaMemcpy(values.data(), dev_values, bytes, cudaMemcpyDeviceToHost));
  if (times != nullptr) {
    std::vector<double> builds;
    for (int i = 0; i < 5; i++) {
      device.clear();
      course::EventTimer timer;
      timer.start();
      device.build();
      builds.push_back(timer.stop());
    }
    times->build_ms = course::median(builds);
    times->find_ms =
        course::measure_device_ms([&] { device.look_up(dev_questions, count, dev_values); });
  }
  HANDLE_ERROR(cudaFree(dev_questions));
  HANDLE_ERROR(cudaFree(dev_values));
  return values;
}

// What is wrong with the answers, in words; "" if they are right. Keys that are equal share one of
// their values.
std::string find_fault(const std::vector<unsigned int>& keys,
                       const std::vector<unsigned int>& questions,
                       const std::vector<unsigned int>& values) {
  std::vector<unsigned int> not_found;
  for (size_t i = 0; i < questions.size(); i++)
    if (values[i] == kNothing)
      not_found.push_back(questions[i]);
    else if (values[i] >= keys.size() || keys[values[i]] != questions[i])
      return "key " + std::to_string(questions[i]) + " has value " + std::to_string(values[i]) +
             ", which is not its own";
  std::vector<unsigned int> sorted = keys, missed;
  std::sort(sorted.begin(), sorted.end());
  std::sort(not_found.begin(), not_found.end());
  std::set_intersection(not_found.begin(), not_found.end(), sorted.begin(), sorted.end(),
                        std::back_inserter(missed));
  return missed.empty() ? "" : "key " + std::to_string(missed[0]) + " is not found";
}

std::vector<unsigned int> make_keys(const std::string& kind, size_t n) {
  std::vector<unsigned int> keys(n, 0xaadbacc);
  course::Random random(7);
  if (kind == "random")
    for (unsigned int& key : keys) key = random.bits();
  return keys;
}

// Half of the questions are for keys of the table, in another order. The others are for random
// keys, which are rarely in the table.
std::vector<unsigned int> make_questions(const std::vector<unsigned int>& keys) {
  std::vector<unsigned int> questions(keys.size());
  course::Random random(8);
  for (size_t i = 0; i < keys.size(); i++)
    questions[i] = i % 2 == 0 ? keys[random.below(static_cast<unsigned int>(keys.size()))]
                              : random.bits();
  return questions;
}

int main(int argc, char** argv) {
  size_t n = 1000000;
  int load = 50, partitions = 64;
  std::string kind = "random";
  course::Options options("A hash table that is built on the device and supports lookups there.");
  options.number("size", &n, 0, 1000000000, "keys, and as many questions");
  options.number("load", &load, 1, 95, "percent of the table's places that keys take");
  options.number("partitions", &partitions, 1, kMostPartitions,
                 "parts by which the keys are sorted, 1: not at all");
  options.choice("keys", &kind, {"random", "equal"}, "kind of keys");
  options.parse(argc, argv);
  const double places = 100.0 * n / load + 1;
  if (places > 4e9) course::bad_usage("a table has 4000000000 places at most; take fewer keys");
  course::require_memory(8 * places + 20.0 * n, 24.0 * n);

  const std::vector<unsigned int> keys = make_keys(kind, n), questions = make_questions(keys);
  const unsigned int slots = static_cast<unsigned int>(places);
  Times times;
  const std::vector<unsigned int> values = ask(keys, questions, slots, partitions, &times);
  const std::string fault = find_fault(keys, questions, values);
  if (!fault.empty()) {
    fprintf(stderr, "the table is wrong: %s\n", fault.c_str());
    return course::kExitWrong;
  }
  const size_t found = n - std::count(values.begin(), values.end(), kNothing);
  printf("%s (%s) in %s, %zu of %s found, all verified\n", course::count_of(n, "key").c_str(),
         kind.c_str(), course::count_of(slots, "place").c_str(), found,
         course::count_of(n, "question").c_str());
  if (n > 0)
    printf("insert %.3f ms, %.1f M keys/s; find %.3f ms, %.1f M keys/s; %d partitions; %s\n",
           times.build_ms, 1e-3 * n / times.build_ms, times.find_ms, 1e-3 * n / times.find_ms,
           partitions, course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  return 0;
}
