// In the manner of programs that count by CUB: for each value at and beside each bound of a histogram, the bin that the
// definition gives, in whole numbers, whether or not the range can be divided by the number of bins.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <vector>

int wrong = 0;

template <typename Call>
void run(Call call) {
  void *memory = nullptr;
  size_t bytes = 0;
  if (call(memory, bytes) != cudaSuccess || cudaMalloc(&memory, bytes) != cudaSuccess || call(memory, bytes) != cudaSuccess ||
      cudaDeviceSynchronize() != cudaSuccess)
    exit(2);
  cudaFree(memory);
}

// Samples are whole or half numbers, so none of them is rounded; `twice` is a sample times 2.
template <typename Sample, typename Level>
void check(const char *types, int bins, int low, int high, Sample *samples, Level *bounds, int *counts) {
  std::vector<int> even(bins), ranges(bins);
  int n = 0;
  const bool halves = Sample(0.5) != Sample(0);
  for (int twice = 2 * low - 4; twice <= 2 * high + 4; twice++) {
    if ((twice % 2 != 0 && !halves) || (twice < 0 && Sample(-1) > Sample(0))) continue;
    samples[n++] = Sample(twice * 0.5);
    if (twice >= 2 * low && twice < 2 * high) {
      even[(twice - 2 * low) * bins / (2 * (high - low))]++;
      int bin = 0;  // bounds that grow by 1, 2, 3 ...; the last one is `high`
      while (bin + 1 < bins && twice >= 2 * (low + (bin + 1) * (bin + 2) / 2)) bin++;
      ranges[bin]++;
    }
  }
  const auto compare = [&](const char *name, const std::vector<int> &expected) {
    for (int bin = 0; bin < bins; bin++) {
      if (counts[bin] == expected[bin]) continue;
      wrong++;
      fprintf(stderr, "%s of %s, %d bins from %d to %d: %d in bin %d, expected %d\n", name, types, bins, low, high, counts[bin], bin,
              expected[bin]);
    }
  };
  run([&](void *memory, size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, samples, counts, bins + 1, Level(low), Level(high), n);
  });
  compare("HistogramEven", even);
  for (int bin = 0; bin < bins; bin++) bounds[bin] = Level(low + bin * (bin + 1) / 2);
  bounds[bins] = Level(high);
  run([&](void *memory, size_t &bytes) {
    return cub::DeviceHistogram::HistogramRange(memory, bytes, samples, counts, bins + 1, bounds, n);
  });
  compare("HistogramRange", ranges);
}

template <typename Sample, typename Level>
void check_all(const char *types) {
  Sample *samples;
  Level *bounds;
  int *counts;
  if (cudaMallocManaged(&samples, 1000 * sizeof *samples) != cudaSuccess || cudaMallocManaged(&bounds, 20 * sizeof *bounds) != cudaSuccess ||
      cudaMallocManaged(&counts, 20 * sizeof *counts) != cudaSuccess)
    exit(2);
  for (int bins = 1; bins <= 6; bins++)
    for (int low : {0, 5, -13})
      for (int width : {bins * (bins + 1) / 2, 21, 24, 100})
        if (low >= 0 || (Sample(-1) < Sample(0) && Level(-1) < Level(0))) check<Sample>(types, bins, low, low + width, samples, bounds, counts);
  cudaFree(samples), cudaFree(bounds), cudaFree(counts);
}

int main() {
  check_all<int, int>("int");
  check_all<unsigned, unsigned>("unsigned");
  check_all<unsigned char, int>("unsigned char with bounds of int");
  check_all<short, int>("short with bounds of int");
  check_all<long long, long long>("long long");
  check_all<float, float>("float");
  check_all<double, double>("double");
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
