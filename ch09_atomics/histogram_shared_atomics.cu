// Counts bytes in shared memory first, one histogram per block, then adds the blocks' histograms.
//
// The book's section 9.4.2, second version. What to look at: there are more atomics than in
// histogram_global_atomics, but this program is many times faster. Only the threads of one block
// compete for a counter, and shared memory is close. Two barriers are needed: one between zeroing
// and counting, one between counting and adding. The book's kernel needs 256 threads for its 256
// bins. This one works with any number of threads, and 1 to 256 bins.
//
//   ./course run histogram_shared_atomics --size 4294967296

#include "histogram.h"

__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  __shared__ unsigned int block_counts[256];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();

  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
    atomicAdd(&block_counts[bin_of(data[i], bins)], 1);
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    atomicAdd(&counts[bin], static_cast<Count>(block_counts[bin]));
}

// A block's counters have 32 bits, so no block may count more than 2^32 - 1 bytes per launch.
constexpr size_t kMostBytesPerBlock = size_t(1) << 31;

std::vector<Count> histogram(const unsigned char* data, size_t size, int bins, int blocks,
                             int threads, Times* times = nullptr) {
  const Launch launch = [=](const unsigned char* dev_data, size_t n, Count* dev_counts) {
    count_bytes<<<blocks, threads>>>(dev_data, n, bins, dev_counts);
    HANDLE_ERROR(cudaGetLastError());
  };
  return histogram_on_device(data, size, bins, in_parts(kMostBytesPerBlock * blocks, launch),
                             times);
}

// ---- Checking and timing, not the lesson: see histogram.h.

int main(int argc, char** argv) {
  return histogram_program(argc, argv, "Histogram of bytes with atomics in shared memory.",
                           histogram);
}
