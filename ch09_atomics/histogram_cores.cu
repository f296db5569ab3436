// Counts on the CPU how often each byte value occurs: with one thread, on all cores, and with four
// tables per core.
//
// Not in the book, which compares its GPU with one CPU thread. What to look at: no atomics are
// needed. Each core has its own counters, which are added at the end. With a few cores this costs
// almost nothing. On an H200, 256 counters for each of its 270,336 threads would take 277 MB. SIMD
// (one instruction for 16 values) does not help: if two of the values are equal, they have the same
// counter, and one increment is lost. Several tables help for a different reason. If two equal
// bytes follow each other, the second increment must wait for the first, unless they are in
// different tables. Try --data constant.
//
//   ./course run histogram_cores --size 1000000000

#include <array>
#include <string>

#include "../common/program/cpu_baseline.h"
#include "histogram.h"

// One counter per value; a bin is a range of values.
using Table = std::array<Count, 256>;

std::vector<Count> bins_of(const Table& values, int bins) {
  std::vector<Count> counts(bins, 0);
  for (int value = 0; value < 256; value++)
    counts[bin_of(static_cast<unsigned char>(value), bins)] += values[value];
  return counts;
}

// Counts data[begin] to data[end - 1] in kTables tables, used in turn.
template <int kTables>
Table count_part(const unsigned char* data, size_t begin, size_t end) {
  std::array<Table, kTables> tables{};
  size_t i = begin;
  for (; i + kTables <= end; i += kTables)
    for (int k = 0; k < kTables; k++) tables[k][data[i + k]]++;
  for (; i < end; i++) tables[0][data[i]]++;
  for (int k = 1; k < kTables; k++)
    for (int value = 0; value < 256; value++) tables[0][value] += tables[k][value];
  return tables[0];
}

// Each core counts a part of the data.
template <int kTables>
std::vector<Count> histogram_on_cores(const unsigned char* data, size_t size, int bins) {
  const int parts = course::cores();
  std::vector<Table> tables(parts);
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < parts; part++)
    tables[part] = count_part<kTables>(data, size / parts * part,
                                       part + 1 < parts ? size / parts * (part + 1) : size);
  Table sum{};
  for (const Table& table : tables)
    for (int value = 0; value < 256; value++) sum[value] += table[value];
  return bins_of(sum, bins);
}

int main(int argc, char** argv) {
  Request request;
  course::Options options("Histogram of bytes on all cores of the CPU.");
  add_data_options(options, &request);
  options.parse(argc, argv);
  course::require_memory(0, static_cast<double>(request.size));

  const std::vector<unsigned char> data = make_data(request.data, request.size);
  const std::vector<Count> expected = histogram_on_cpu(data.data(), data.size(), request.bins);
  const struct {
    std::string name;
    std::vector<Count> (*count)(const unsigned char* data, size_t size, int bins);
  } ways[] = {{"one thread", histogram_on_cpu},
              {course::cores_in_words(), histogram_on_cores<1>},
              {course::cores_in_words() + ", 4 tables", histogram_on_cores<4>}};
  for (const auto& way : ways)
    if (!course::verify("counts", way.count(data.data(), data.size(), request.bins).data(),
                        expected.data(), expected.size()))
      return course::kExitWrong;

  print_histogram(expected);
  printf("%s (%s) counted in %s, all verified\n", course::count_of(request.size, "byte").c_str(),
         request.data.c_str(), course::count_of(request.bins, "bin").c_str());
  for (const auto& way : ways) {
    const double ms =
        course::measure_host_ms([&] { way.count(data.data(), data.size(), request.bins); });
    printf("%-28s %10.2f ms, %.2f GB/s\n", way.name.c_str(), ms,
           course::billions_per_second(static_cast<double>(request.size), ms));
  }
  printf("%s", course::cores_hint().c_str());
  return 0;
}
