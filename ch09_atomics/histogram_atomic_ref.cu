// Counts bytes with atomics that say who takes part and what they order: cuda::atomic_ref.
//
// Today, against histogram_shared_atomics: an atomic_ref (2020; C++20 has the same for the host) makes
// a variable atomic for as long as one uses it by that name. What to look at: its two further
// parts. The scope says who takes part: the threads of the block for counters in shared memory, all
// of the device for those in global memory. The memory order says what else the atomic puts into
// order: relaxed, nothing, because nobody concludes from a count that something else is ready; the
// barriers see to that. Chapter A's lock_acquire_release needs the other orders.
//
//   ./course run histogram_atomic_ref --size 4294967296

#include <cuda/atomic>

#include "histogram.h"

using BlockAtomic = cuda::atomic_ref<unsigned int, cuda::thread_scope_block>;
using DeviceAtomic = cuda::atomic_ref<Count, cuda::thread_scope_device>;

__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  __shared__ unsigned int block_counts[256];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();

  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < size; i += stride)
    BlockAtomic(block_counts[bin_of(data[i], bins)]).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    DeviceAtomic(counts[bin]).fetch_add(block_counts[bin], cuda::memory_order_relaxed);
}

// The block's counters have 32 bits, so no block may get more than 2^32 - 1 bytes at a time.
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
  return histogram_program(argc, argv, "Histogram of bytes with atomics of stated scope and order.",
                           histogram);
}
