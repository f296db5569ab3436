// The hash table of the book's appendix A: an array of buckets, each the head of a linked list, and
// a pool that holds all entries. What the programs share; each program inserts entries in its own
// way.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"
#include "soak.h"

struct Entry {
  unsigned int key;
  unsigned int value;
  Entry* next;  // in the same bucket
};

struct Table {
  size_t count;     // buckets
  Entry** entries;  // the first entry of each bucket, or NULL
  Entry* pool;      // one entry for each key
};

// The lanes of the calling thread's warp that have a key, if that thread has key number `i` of n:
// neighboring threads have neighboring keys.
__device__ inline unsigned int lanes_at_work(size_t i, size_t n) {
  const size_t left = n - (i - threadIdx.x % 32);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

// The bucket of a key. Good enough for random keys; others need a better function. The division has
// 32 bits, like the keys, and is several times faster than one with 64.
__host__ __device__ inline size_t hash(unsigned int key, size_t count) {
  return key % static_cast<unsigned int>(count);
}

// An empty table in device memory, with room for `elements` entries.
inline void initialize_table(Table& table, size_t buckets, size_t elements) {
  table.count = buckets;
  HANDLE_ERROR(cudaMalloc(&table.entries, buckets * sizeof(Entry*)));
  HANDLE_ERROR(cudaMemset(table.entries, 0, buckets * sizeof(Entry*)));
  HANDLE_ERROR(cudaMalloc(&table.pool, std::max<size_t>(elements, 1) * sizeof(Entry)));
}

inline void free_table(Table& table) {
  HANDLE_ERROR(cudaFree(table.entries));
  HANDLE_ERROR(cudaFree(table.pool));
}

// A table in host memory.
struct HostTable {
  std::vector<Entry*> entries;
  std::vector<Entry> pool;
};

// Copies a table to the host. Its pointers are the device's and mean nothing here, but the distance
// of an entry from the start of the pool is the same on both sides.
inline void copy_table_to_host(const Table& table, size_t elements, HostTable& host) {
  host.entries.resize(table.count);
  host.pool.resize(elements);
  HANDLE_ERROR(cudaMemcpy(host.entries.data(), table.entries, table.count * sizeof(Entry*),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(
      cudaMemcpy(host.pool.data(), table.pool, elements * sizeof(Entry), cudaMemcpyDeviceToHost));
  const auto rebase = [&](Entry*& pointer) {
    if (pointer != nullptr) pointer = host.pool.data() + (pointer - table.pool);
  };
  for (Entry*& first : host.entries) rebase(first);
  for (Entry& entry : host.pool) rebase(entry.next);
}

// What is wrong with the table, in words, or "": each entry must be in the bucket of its key, once,
// with its key and value. Several lists are followed at the same time, because each step of a list
// waits for memory.
inline std::string find_fault(const HostTable& table, const std::vector<unsigned int>& keys,
                              const std::vector<unsigned int>& values) {
  const size_t count = table.entries.size(), elements = keys.size();
  std::vector<bool> seen(elements, false);
  size_t found = 0;
  const auto fault_of = [&](const Entry* entry, size_t bucket) -> std::string {
    const std::string where = "bucket " + std::to_string(bucket);
    const size_t i = static_cast<size_t>(entry - table.pool.data());
    if (entry < table.pool.data() || i >= elements) return where + " leads out of the pool";
    if (seen[i]) return where + " holds entry " + std::to_string(i) + " for the second time";
    if (entry->key != keys[i] || entry->value != values[i])
      return where + ": entry " + std::to_string(i) + " has key " + std::to_string(entry->key) +
             ", value " + std::to_string(entry->value) + "; expected " + std::to_string(keys[i]) +
             ", " + std::to_string(values[i]);
    return where + " holds key " + std::to_string(entry->key) + ", which belongs to " +
           std::to_string(hash(entry->key, count));
  };
  constexpr size_t kAtOnce = 16;
  for (size_t first = 0; first < count; first += kAtOnce) {
    const size_t lists = std::min(kAtOnce, count - first);
    const Entry* at[kAtOnce];
    std::copy_n(&table.entries[first], lists, at);
    for (bool more = true; more;) {
      more = false;
      for (size_t list = 0; list < lists; list++) {
        const Entry* const entry = at[list];
        if (entry == nullptr) continue;
        const size_t bucket = first + list, i = static_cast<size_t>(entry - table.pool.data());
        if (entry < table.pool.data() || i >= elements || seen[i] || entry->key != keys[i] ||
            entry->value != values[i] || hash(entry->key, count) != bucket)
          return fault_of(entry, bucket);
        seen[i] = true;
        found++;
        at[list] = entry->next;
        more = true;
      }
    }
  }
  if (found == elements) return "";
  const size_t lost =
      static_cast<size_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
  return std::to_string(elements - found) + " of " + std::to_string(elements) +
         " keys are lost, the first is number " + std::to_string(lost);
}

// The same, printed to stderr; returns whether the table is right.
inline bool verify_table(const HostTable& table, const std::vector<unsigned int>& keys,
                         const std::vector<unsigned int>& values) {
  const std::string fault = find_fault(table, keys, values);
  if (!fault.empty()) fprintf(stderr, "the table is wrong: %s\n", fault.c_str());
  return fault.empty();
}

// The options of a run.
struct Request {
  size_t elements = 2621440;  // a tenth of the book's, whose 26,214,400 need 1.3 GB on the host
  size_t buckets = 1024;      // the book's: 25,600 of its entries in each
  std::string keys = "random";
  int blocks = 0, threads = 256;
  int blocks_per_multiprocessor = 2;  // for blocks == 0
  int threads_per_bucket = 0;         // for blocks == 0: the most, 0: any number
  int seconds = 0;
};

inline std::vector<unsigned int> make_keys(const std::string& kind, size_t elements) {
  std::vector<unsigned int> keys(elements, 0xaadbacc);
  course::Random random(7);
  if (kind == "random")
    for (unsigned int& key : keys) key = random.bits();
  if (kind == "multiples")
    for (size_t i = 0; i < elements; i++) keys[i] = static_cast<unsigned int>(1024 * i);
  return keys;
}

// A value for each key.
inline std::vector<unsigned int> make_values(size_t elements) {
  std::vector<unsigned int> values(elements);
  for (size_t i = 0; i < elements; i++) values[i] = static_cast<unsigned int>(i) * 2654435761u;
  return values;
}

inline void add_data_options(course::Options& options, Request* request) {
  options.number("size", &request->elements, 0, 4000000000LL, "keys");
  options.number("buckets", &request->buckets, 1, 4000000000LL, "buckets");
  options.choice("keys", &request->keys, {"random", "equal", "multiples"},
                 "kind of keys; multiples: of 1024");
}

inline Request parse_request(int argc, char** argv, const std::string& purpose,
                             Request request = {}) {
  course::Options options(purpose);
  add_data_options(options, &request);
  options.number("threads", &request.threads, 1, 1024, "threads per block");
  std::string automatic =
      "blocks, 0: " + std::to_string(request.blocks_per_multiprocessor) + " per multiprocessor";
  if (request.threads_per_bucket > 0)
    automatic += ", at most " + std::to_string(request.threads_per_bucket) + " threads per bucket";
  options.number("blocks", &request.blocks, 0, 65535, automatic.c_str());
  options.number("seconds", &request.seconds, 0, 86400,
                 "build tables for so long, and look for memory leaks");
  options.parse(argc, argv);
  const double elements = static_cast<double>(request.elements);
  const double table_bytes = elements * sizeof(Entry) + 1.0 * request.buckets * sizeof(Entry*);
  course::require_memory(table_bytes + 8.0 * elements + 4.0 * request.buckets,
                         table_bytes + 8.0 * elements);
  if (request.blocks == 0) {
    request.blocks = request.blocks_per_multiprocessor * course::multiprocessors();
    const size_t enough = request.threads_per_bucket * request.buckets / request.threads;
    if (request.threads_per_bucket > 0 && enough < static_cast<size_t>(request.blocks))
      request.blocks = std::max(1, static_cast<int>(enough));
  }
  return request;
}

// Where the time goes. The book's figure for the GPU is the sum of the first four.
struct Times {
  double table_ms = 0;  // allocating and clearing the table
  double locks_ms = 0;  // the same for its locks
  double copy_ms = 0;   // keys and values to the device
  double build_ms = 0;  // all insertions
  double fetch_ms = 0;  // the table to the host, pointers and all
};

// Keys and values in device memory.
struct DeviceKeys {
  unsigned int *keys, *values;
  size_t elements;
};

// Inserts all keys into an empty table, and waits. Also sets up and frees locks; the time for that
// goes into *locks_ms.
using Build = std::function<void(const DeviceKeys& keys, Table table, double* locks_ms)>;

// Builds the table on the device, and copies it to the host.
inline HostTable build_table(const std::vector<unsigned int>& keys,
                             const std::vector<unsigned int>& values, size_t buckets,
                             const Build& build, Times* times = nullptr) {
  const size_t elements = keys.size(), bytes = elements * sizeof(unsigned int);
  DeviceKeys device = {nullptr, nullptr, elements};
  Table table;
  Times spent;
  HANDLE_ERROR(cudaMalloc(&device.keys, std::max<size_t>(bytes, 1)));
  HANDLE_ERROR(cudaMalloc(&device.values, std::max<size_t>(bytes, 1)));

  course::Stopwatch table_watch;
  initialize_table(table, buckets, elements);
  HANDLE_ERROR(cudaDeviceSynchronize());
  spent.table_ms = table_watch.elapsed_ms();

  course::Stopwatch copy_watch;
  HANDLE_ERROR(cudaMemcpy(device.keys, keys.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(device.values, values.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaDeviceSynchronize());
  spent.copy_ms = copy_watch.elapsed_ms();

  course::Stopwatch build_watch;
  if (elements > 0) build(device, table, &spent.locks_ms);
  spent.build_ms = build_watch.elapsed_ms() - spent.locks_ms;

  HostTable host;
  course::Stopwatch fetch_watch;
  copy_table_to_host(table, elements, host);
  spent.fetch_ms = fetch_watch.elapsed_ms();

  free_table(table);
  HANDLE_ERROR(cudaFree(device.keys));
  HANDLE_ERROR(cudaFree(device.values));
  if (times != nullptr) *times = spent;
  return host;
}

// Builds, verifies, reports; builds again for as long as --seconds says. Returns the exit code.
inline int hash_program(const Request& request, const Build& build) {
  const std::vector<unsigned int> keys = make_keys(request.keys, request.elements);
  const std::vector<unsigned int> values = make_values(request.elements);
  Times times;
  const auto build_and_verify = [&] {
    const HostTable table = build_table(keys, values, request.buckets, build, &times);
    return verify_table(table, keys, values);
  };
  if (!build_and_verify()) return course::kExitWrong;
  const double first_ms = times.build_ms;
  if (!build_and_verify()) return course::kExitWrong;  // warm
  printf("%s (%s) in %s, each found once, by %s of %s\n",
         course::count_of(request.elements, "key").c_str(), request.keys.c_str(),
         course::count_of(request.buckets, "bucket").c_str(),
         course::count_of(request.blocks, "block").c_str(),
         course::count_of(request.threads, "thread").c_str());
  printf("build %.3f ms (the first time %.3f ms), %.1f M keys/s\n", times.build_ms, first_ms,
         times.build_ms > 0 ? 1e-3 * request.elements / times.build_ms : 0);
  printf(
      "in addition: table %.3f ms, locks %.3f ms, keys to the device %.3f ms, table to the host "
      "%.3f ms; %s\n",
      times.table_ms, times.locks_ms, times.copy_ms, times.fetch_ms, course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  if (request.seconds > 0 && !soak(request.seconds, build_and_verify)) return course::kExitWrong;
  return 0;
}
