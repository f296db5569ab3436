// WRONG ON PURPOSE: inserts into a hash table without a lock, and loses entries.
//
// The book's section A.2.3. Two threads insert avocado and aardvark into the bucket of the letter a
// at the same time. Both read that the list is empty, both append the rest of the list, which is
// nothing, to their entry, and both make their entry the first. What to look at: the second write
// wins, and the other entry is in memory but in no list. Then the same with many keys.
//
//   ./course run hash_lost_insert

#include "../common/program/broken_on_purpose.h"
#include "hash_table.h"

// Every step of one thread is followed by the same step of the other.
__global__ void insert_two(Table table) {
  Entry** const head = table.entries;
  Entry* const mine = &table.pool[threadIdx.x];
  mine->key = mine->value = threadIdx.x;
  Entry* const first = *head;
  __syncthreads();
  mine->next = first;
  __syncthreads();
  *head = mine;
}

// Prints the list that two threads made. Returns how many entries it has.
size_t show_two_inserts() {
  const char* const words[] = {"avocado", "aardvark"};
  Table table;
  HostTable host;
  initialize_table(table, 1, 2);
  insert_two<<<1, 2>>>(table);
  HANDLE_ERROR(cudaGetLastError());
  copy_table_to_host(table, 2, host);
  free_table(table);
  size_t found = 0;
  printf("bucket a:");
  for (const Entry* entry = host.entries[0]; entry != nullptr && found < 2; entry = entry->next) {
    printf(" %s ->", words[entry - host.pool.data()]);
    found++;
  }
  printf(" nothing (%zu of 2 words)\n", found);
  return found;
}

__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    Entry** const head = &table.entries[hash(keys[i], table.count)];
    Entry* const entry = &table.pool[i];
    entry->key = keys[i];
    entry->value = values[i];
    entry->next = *head;
    __nanosleep(100);  // other threads also get here; more often with this pause
    *head = entry;
  }
}

// Builds a table of n keys without a lock. Returns how many of them are in it.
size_t count_found(const std::vector<unsigned int>& keys, size_t buckets) {
  const std::vector<unsigned int> values = make_values(keys.size());
  const HostTable table =
      build_table(keys, values, buckets, [](const DeviceKeys& device, Table built, double*) {
        add_to_table<<<64, 256>>>(device.keys, device.values, device.elements, built);
        HANDLE_ERROR(cudaGetLastError());
        HANDLE_ERROR(cudaDeviceSynchronize());
      });
  // Every entry was new when it was inserted, so no list can lead back to itself. But an entry may
  // be in no list.
  size_t found = 0;
  for (const Entry* first : table.entries)
    for (const Entry* entry = first; entry != nullptr; entry = entry->next) found++;
  return found;
}

// Whether two threads of one block, which run at the same time, use the same bucket.
bool compete(const std::vector<unsigned int>& keys, size_t buckets) {
  constexpr size_t kThreads = 256;
  std::vector<size_t> wanted_by(buckets);  // number of the last block, from 1, with a key for it
  for (size_t i = 0; i < keys.size(); i++) {
    size_t& last = wanted_by[hash(keys[i], buckets)];
    if (last == i / kThreads + 1) return true;
    last = i / kThreads + 1;
  }
  return false;
}

int main(int argc, char** argv) {
  size_t n = 100000, buckets = 16;
  course::Options options("Wrong on purpose: insertions without a lock, which get lost.");
  options.number("size", &n, 2, 100000000, "keys");
  options.number("buckets", &buckets, 1, 1000000, "buckets");
  options.parse(argc, argv);
  course::require_memory(24.0 * n + 8.0 * buckets, 32.0 * n + 8.0 * buckets);

  const size_t words = show_two_inserts();
  if (words != 1) {
    fprintf(stderr, "two words inserted at once: found %zu, expected that one gets lost\n", words);
    return course::kExitWrong;
  }
  const std::vector<unsigned int> keys = make_keys("random", n);
  const size_t found = count_found(keys, buckets);
  printf("%s, %s: %zu found, %zu lost\n", course::count_of(n, "key").c_str(),
         course::count_of(buckets, "bucket").c_str(), found, n - found);
  if (found == n && !compete(keys, buckets)) {
    printf("no two threads use the same bucket at the same time: use more keys or fewer buckets\n");
    return 0;
  }
  return course::broken_as_intended(found < n, course::count_of(n - found, "key") + " lost",
                                    "no two threads happened to use the same bucket");
}
