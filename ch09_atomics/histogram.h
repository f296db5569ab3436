// What the histogram programs share: the data, the bins, the CPU's own histogram, and the report.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

// A bin's count. 4 GiB of equal bytes are 4,294,967,296: one more than 32 bits hold.
using Count = unsigned long long;

// The formula: 256 values are spread evenly, and in order, over `bins` bins, 1 to 256.
__host__ __device__ inline int bin_of(unsigned char value, int bins) { return value * bins >> 8; }

inline std::vector<Count> histogram_on_cpu(const unsigned char* data, size_t size, int bins) {
  std::vector<Count> counts(bins, 0);
  for (size_t i = 0; i < size; i++) counts[bin_of(data[i], bins)]++;
  return counts;
}

// Bytes to count. "random": all 256 values equally often. "skewed": half of the bytes are one
// value, half of the rest another, and so on, like the letters of a text or the pixels of a dark
// picture. "constant": one value only. The fewer values there are, the more threads compete for
// the same counter.
inline std::vector<unsigned char> make_data(const std::string& kind, size_t size) {
  std::vector<unsigned char> data(size);
  if (kind == "constant") {
    memset(data.data(), 'x', size);
    return data;
  }
  // The number of trailing zero bits: 0 with probability 1/2, 1 with 1/4, 2 with 1/8 ...
  unsigned char skewed[256];
  for (int byte = 0; byte < 256; byte++) {
    int zeros = 0;
    while (zeros < 8 && (byte >> zeros & 1) == 0) zeros++;
    skewed[byte] = static_cast<unsigned char>(31 * zeros);
  }
  // SplitMix64 (Steele, Lea, Flood 2014): 8 bytes at a time, so that 4 GiB take seconds.
  uint64_t state = 9;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t bits = state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    unsigned char bytes[8];
    for (int k = 0; k < 8; k++) bytes[k] = static_cast<unsigned char>(bits >> (8 * k));
    if (kind == "skewed")
      for (unsigned char& byte : bytes) byte = skewed[byte];
    memcpy(data.data() + i, bytes, std::min<size_t>(8, size - i));
  }
  return data;
}

// The options of a run.
struct Request {
  size_t size = 100 << 20;  // bytes of data: the book's 100 MiB
  std::string data = "random";
  int bins = 256;
  int threads = 256;  // per block
  int blocks = 0;     // 0: `blocks_per_multiprocessor` for each multiprocessor
  int blocks_per_multiprocessor = 8;
};

// The options that the CPU programs also have.
inline void add_data_options(course::Options& options, Request* request) {
  options.number("size", &request->size, 0, 1LL << 40, "bytes of data");
  options.choice("data", &request->data, {"random", "skewed", "constant"}, "kind of data");
  options.number("bins", &request->bins, 1, 256, "bins");
}

inline Request parse_request(int argc, char** argv, const std::string& purpose,
                             Request request = {}) {
  course::Options options(purpose);
  add_data_options(options, &request);
  options.number("threads", &request.threads, 1, 1024, "threads per block");
  const std::string automatic =
      "blocks, 0: " + std::to_string(request.blocks_per_multiprocessor) + " per multiprocessor";
  options.number("blocks", &request.blocks, 0, 65535, automatic.c_str());
  options.parse(argc, argv);
  const double bytes = static_cast<double>(request.size);
  course::require_memory(bytes, bytes);
  if (request.blocks == 0)
    request.blocks = request.blocks_per_multiprocessor * course::multiprocessors();
  return request;
}

// Where the time of a histogram on the device goes.
struct Times {
  double kernel_ms = 0, copy_ms = 0, end_to_end_ms = 0;
};

// Queues, in the default stream, the histogram of `size` bytes at `dev_data` into `dev_counts`.
using Launch = std::function<void(const unsigned char* dev_data, size_t size, Count* dev_counts)>;

// The histogram of host data: allocates, copies, launches, copies back. Fills in `times`, if given:
// the kernel's time is the median of several further runs, the others are this run's.
inline std::vector<Count> histogram_on_device(const unsigned char* data, size_t size, int bins,
                                              const Launch& launch, Times* times = nullptr) {
  std::vector<Count> counts(bins, 0);
  if (size == 0) return counts;
  course::Stopwatch watch;
  unsigned char* dev_data;
  Count* dev_counts;
  HANDLE_ERROR(cudaMalloc(&dev_data, size));
  HANDLE_ERROR(cudaMalloc(&dev_counts, bins * sizeof(Count)));
  course::Stopwatch copy_watch;
  HANDLE_ERROR(cudaMemcpy(dev_data, data, size, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaDeviceSynchronize());
  const double copy_ms = copy_watch.elapsed_ms();

  course::EventTimer timer;
  timer.start();
  HANDLE_ERROR(cudaMemset(dev_counts, 0, bins * sizeof(Count)));
  launch(dev_data, size, dev_counts);
  const double first_ms = timer.stop();

  HANDLE_ERROR(cudaMemcpy(counts.data(), dev_counts, bins * sizeof(Count), cudaMemcpyDeviceToHost));
  if (times != nullptr) {
    times->copy_ms = copy_ms;
    times->end_to_end_ms = watch.elapsed_ms();
    times->kernel_ms = first_ms;
    if (first_ms < 200)  // long enough that warming up does not matter
      times->kernel_ms = course::measure_device_ms([&] {
        HANDLE_ERROR(cudaMemsetAsync(dev_counts, 0, bins * sizeof(Count)));
        launch(dev_data, size, dev_counts);
      });
  }
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_counts));
  return counts;
}

// Prints the histogram as at most 16 bars; neighboring bins share a bar.
inline void print_histogram(const std::vector<Count>& counts) {
  const size_t bins = counts.size(), rows = std::min<size_t>(bins, 16);
  std::vector<Count> sums(rows, 0);
  for (size_t bin = 0; bin < bins; bin++) sums[bin * rows / bins] += counts[bin];
  const Count largest = std::max<Count>(1, *std::max_element(sums.begin(), sums.end()));
  size_t first = 0;
  for (size_t row = 0; row < rows; row++) {
    size_t last = first;
    while (last + 1 < bins && (last + 1) * rows / bins == row) last++;
    const int length = static_cast<int>(60.0 * sums[row] / largest + 0.5);
    printf("bins %3zu to %3zu  %12llu %s\n", first, last, sums[row],
           std::string(length, '#').c_str());
    first = last + 1;
  }
}

// Compares `counts` with the CPU's, and prints them and the times. Returns the exit code.
inline int report(const Request& request, const std::vector<unsigned char>& data,
                  const std::vector<Count>& counts, const Times& times) {
  course::Stopwatch watch;
  const std::vector<Count> expected = histogram_on_cpu(data.data(), data.size(), request.bins);
  const double cpu_ms = watch.elapsed_ms();
  if (!course::verify("counts", counts.data(), expected.data(), expected.size()))
    return course::kExitWrong;

  print_histogram(counts);
  Count sum = 0;
  for (Count count : counts) sum += count;
  printf("%s (%s) counted in %s by %s of %s, all verified\n", course::count_of(sum, "byte").c_str(),
         request.data.c_str(), course::count_of(request.bins, "bin").c_str(),
         course::count_of(request.blocks, "block").c_str(),
         course::count_of(request.threads, "thread").c_str());
  printf("kernel %.2f ms, copy %.2f ms, end to end %.2f ms; one CPU thread %.2f ms\n",
         times.kernel_ms, times.copy_ms, times.end_to_end_ms, cpu_ms);
  if (times.kernel_ms > 0)
    printf("kernel %.2f GB/s; this device copies %.0f GB/s (read + written); %s\n",
           course::billions_per_second(static_cast<double>(request.size), times.kernel_ms),
           course::measure_copy_gb_per_s(), course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  return 0;
}

// Queues one launch per part of at most `most` bytes; all add to the same counts.
inline Launch in_parts(size_t most, const Launch& launch) {
  return [=](const unsigned char* dev_data, size_t size, Count* dev_counts) {
    for (size_t begin = 0; begin < size; begin += most)
      launch(dev_data + begin, std::min(most, size - begin), dev_counts);
  };
}

// A program's histogram of host data; fills in `times` if it is not null.
using Histogram = std::function<std::vector<Count>(const unsigned char* data, size_t size, int bins,
                                                   int blocks, int threads, Times* times)>;

// main() of a program.
inline int histogram_program(int argc, char** argv, const std::string& purpose,
                             const Histogram& histogram, const Request& defaults = {}) {
  const Request request = parse_request(argc, argv, purpose, defaults);
  const std::vector<unsigned char> data = make_data(request.data, request.size);
  Times times;
  const std::vector<Count> counts =
      histogram(data.data(), data.size(), request.bins, request.blocks, request.threads, &times);
  return report(request, data, counts, times);
}
