// Counts with one CPU thread how often each byte value occurs: the baseline.
//
// The book's section 9.4.1. What to look at: there is one counter per value and one pass over the
// data. The order of the bytes does not matter, so many threads could share the work. All of them
// would update the same few counters, which is the difficulty of this chapter. Try --data constant:
// even one CPU thread slows down when each addition must wait for the previous one.
//
//   ./course run histogram_cpu --data constant

#include "histogram.h"

int main(int argc, char** argv) {
  Request request;
  course::Options options("Histogram of bytes on the CPU.");
  add_data_options(options, &request);
  options.parse(argc, argv);
  course::require_memory(0, static_cast<double>(request.size));

  const std::vector<unsigned char> data = make_data(request.data, request.size);
  course::Stopwatch watch;
  const std::vector<Count> counts = histogram_on_cpu(data.data(), data.size(), request.bins);
  const double elapsed_ms = watch.elapsed_ms();

  // The test: decrement the counter of each byte. All counters must end at zero.
  std::vector<Count> rest = counts;
  for (unsigned char byte : data) rest[bin_of(byte, request.bins)]--;
  const std::vector<Count> nothing(request.bins, 0);
  if (!course::verify("counts left", rest.data(), nothing.data(), rest.size()))
    return course::kExitWrong;

  print_histogram(counts);
  Count sum = 0;
  for (Count count : counts) sum += count;
  printf("%s (%s) counted in %s, all verified\n", course::count_of(sum, "byte").c_str(),
         request.data.c_str(), course::count_of(request.bins, "bin").c_str());
  printf("one CPU thread %.2f ms, %.2f GB/s\n", elapsed_ms,
         course::billions_per_second(static_cast<double>(request.size), elapsed_ms));
  return 0;
}
