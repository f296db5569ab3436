// Counts bytes with cuda::atomic_ref, which states the scope and the memory order of each atomic.
//
// Not in the book. Today's way to write histogram_shared_atomics. cuda::atomic_ref (CUDA 11.6,
// 2022; C++20 has std::atomic_ref for the host) makes accesses to an ordinary variable atomic. What
// to look at: two properties that atomicAdd does not show. The scope names the threads that take
// part: those of the block for counters in shared memory, those of the device for counters in
// global memory. The memory order says which other accesses the atomic orders. Relaxed orders none,
// which is enough here: the barriers order the rest. Appendix A's lock_acquire_release needs more.
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
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
    BlockAtomic(block_counts[bin_of(data[i], bins)]).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    DeviceAtomic(counts[bin]).fetch_add(block_counts[bin], cuda::memory_order_relaxed);
}

// A block's counters have 32 bits, so no block may count more than 2^32 - 1 bytes per launch.
// 2^31 leaves a margin: some blocks count a few bytes more than others.
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
