// Counts bytes with one atomicAdd per byte in global memory: correct, but slow.
//
// The book's section 9.4.2. What to look at: no count is lost, but thousands of threads
// compete for 256 counters. --data constant makes them compete for a single one.
//
//   ./course run histogram_global_atomics --data constant

#include "histogram.h"

__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
    atomicAdd(&counts[bin_of(data[i], bins)], 1);
}

std::vector<Count> histogram(const unsigned char* data, size_t size, int bins, int blocks,
                             int threads, Times* times = nullptr) {
  const Launch launch = [=](const unsigned char* dev_data, size_t n, Count* dev_counts) {
    count_bytes<<<blocks, threads>>>(dev_data, n, bins, dev_counts);
    HANDLE_ERROR(cudaGetLastError());
  };
  return histogram_on_device(data, size, bins, launch, times);
}

// ---- Checking and timing, not the lesson: see histogram.h.

int main(int argc, char** argv) {
  Request defaults;
  defaults.blocks_per_multiprocessor = 2;  // what the book found best on its GPU
  return histogram_program(argc, argv, "Histogram of bytes with atomics in global memory.",
                           histogram, defaults);
}
