// Counts bytes with 16 bytes per load and one histogram per warp.
//
// Not in the book. Two things limit histogram_shared_atomics. It loads one byte per instruction.
// This program loads a uint4, 16 bytes. There, all warps of a block compete for the same counters.
// Here each warp has its own, and only its 32 threads compete. What to look at: on today's GPUs
// --data constant is even faster than random, because the hardware adds up the increments of a warp
// that go to the same counter.
//
//   ./course run histogram_wide_loads --size 4294967296

#include "histogram.h"

constexpr int kWarpSize = 32;

__device__ void count_word(unsigned int word, int bins, unsigned int* warp_counts) {
#pragma unroll
  for (int k = 0; k < 4; k++) atomicAdd(&warp_counts[bin_of((word >> (8 * k)) & 0xff, bins)], 1);
}

// The shared memory holds one histogram for each warp of the block. `data` must be aligned to 16
// bytes, as all memory from cudaMalloc is.
__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  extern __shared__ unsigned int shared_counts[];
  const int warps = (blockDim.x + kWarpSize - 1) / kWarpSize;
  for (int i = threadIdx.x; i < warps * bins; i += blockDim.x) shared_counts[i] = 0;
  __syncthreads();

  unsigned int* const mine = shared_counts + threadIdx.x / kWarpSize * bins;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data);
  const size_t count = size / sizeof(uint4);
  const size_t first = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = first; i < count; i += stride) {
    const uint4 vector = vectors[i];
    count_word(vector.x, bins, mine);
    count_word(vector.y, bins, mine);
    count_word(vector.z, bins, mine);
    count_word(vector.w, bins, mine);
  }
  // The last 0 to 15 bytes.
  for (size_t i = count * sizeof(uint4) + first; i < size; i += stride)
    atomicAdd(&mine[bin_of(data[i], bins)], 1);
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (int warp = 0; warp < warps; warp++) sum += shared_counts[warp * bins + bin];
    atomicAdd(&counts[bin], static_cast<Count>(sum));
  }
}

// A block's counters have 32 bits, so no block may count more than 2^32 - 1 bytes per launch.
constexpr size_t kMostBytesPerBlock = size_t(1) << 31;

std::vector<Count> histogram(const unsigned char* data, size_t size, int bins, int blocks,
                             int threads, Times* times = nullptr) {
  const int warps = (threads + kWarpSize - 1) / kWarpSize;
  const size_t shared_bytes = sizeof(unsigned int) * warps * bins;
  const Launch launch = [=](const unsigned char* dev_data, size_t n, Count* dev_counts) {
    count_bytes<<<blocks, threads, shared_bytes>>>(dev_data, n, bins, dev_counts);
    HANDLE_ERROR(cudaGetLastError());
  };
  return histogram_on_device(data, size, bins, in_parts(kMostBytesPerBlock * blocks, launch),
                             times);
}
// ---- Checking and timing, not the lesson: see histogram.h.

int main(int argc, char** argv) {
  const Request request = parse_request(
      argc, argv, "Histogram of bytes with 16 bytes per load and one histogram per warp.");
  const std::vector<unsigned char> data = make_data(request.data, request.size);
  Times times;
  const std::vector<Count> counts =
      histogram(data.data(), data.size(), request.bins, request.blocks, request.threads, &times);
  return report(request, data, counts, times);
}
