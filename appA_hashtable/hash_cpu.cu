// Builds a hash table on the CPU: the baseline.
//
// The book's section A.2.2. What to look at: a new entry goes to the front of its bucket's list,
// which writes two pointers. Entries come from a pool, because allocating each of them would take
// far longer. With the book's sizes each list has 25,600 entries: good enough to measure
// insertions, but useless for lookups. Try --buckets 33554432.
//
//   ./course run hash_cpu --size 26214400 --buckets 33554432

#include "hash_table.h"

// Puts a new entry to the front of its bucket's list.
void add_to_table(HostTable& table, size_t number, unsigned int key, unsigned int value) {
  const size_t bucket = hash(key, table.entries.size());
  Entry* const entry = &table.pool[number];
  entry->key = key;
  entry->value = value;
  entry->next = table.entries[bucket];
  table.entries[bucket] = entry;
}

HostTable build_on_cpu(const std::vector<unsigned int>& keys,
                       const std::vector<unsigned int>& values, size_t buckets, Times* times) {
  HostTable table;
  course::Stopwatch table_watch;
  table.entries.resize(buckets, nullptr);
  table.pool.resize(keys.size());
  times->table_ms = table_watch.elapsed_ms();
  course::Stopwatch build_watch;
  for (size_t i = 0; i < keys.size(); i++) add_to_table(table, i, keys[i], values[i]);
  times->build_ms = build_watch.elapsed_ms();
  return table;
}

int main(int argc, char** argv) {
  Request request;
  course::Options options("Hash table built by one CPU thread.");
  add_data_options(options, &request);
  options.parse(argc, argv);
  course::require_memory(0, 1.0 * request.elements * (sizeof(Entry) + 8) + 8.0 * request.buckets);

  const std::vector<unsigned int> keys = make_keys(request.keys, request.elements);
  const std::vector<unsigned int> values = make_values(request.elements);
  Times times;
  const HostTable table = build_on_cpu(keys, values, request.buckets, &times);
  if (!verify_table(table, keys, values)) return course::kExitWrong;
  printf("%s (%s) in %s, each found once, by one CPU thread\n",
         course::count_of(request.elements, "key").c_str(), request.keys.c_str(),
         course::count_of(request.buckets, "bucket").c_str());
  printf("build %.3f ms, %.1f M keys/s; in addition: table %.3f ms\n", times.build_ms,
         times.build_ms > 0 ? 1e-3 * request.elements / times.build_ms : 0, times.table_ms);
  return 0;
}
