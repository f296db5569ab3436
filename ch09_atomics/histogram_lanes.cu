// Counts bytes with one column of shared counters per lane, so that lanes of a warp never collide.
//
// Not in the book. histogram_wide_loads has one histogram per warp. The 32 threads of a warp still
// collide there, mostly in a memory bank and less often in a counter. Of 32 random counters, the
// fullest of the 32 banks usually has 3 or 4. Here a block has 32 histograms side by side, one per
// lane: counter `value` of lane `lane` is word value * 32 + lane, in bank `lane`. What to look at:
// the 32 atomics of a warp always go to 32 different banks, so random, skewed and constant data
// take the same time. Unlike in histogram_private, the warps of a block share the counters, so the
// increments must be atomic. In return, 32 KiB are enough for 1024 threads. The counters have 32
// bits, so they need not be emptied after 240 bytes.
//
//   ./course run histogram_lanes --size 4294967296

#include "histogram.h"

constexpr int kWarpSize = 32;
constexpr int kValues = 256;
constexpr int kLoadsAtOnce = 8;  // of 16 bytes

// Counts 4 bytes. The byte offset of a counter within a lane's column is value * 128; it is
// computed for two values at a time, in the halves of a register.
__device__ void count_word(unsigned int word, unsigned char* my_column) {
  const unsigned int even = (word & 0x00ff00ff) << 7, odd = (word >> 8 & 0x00ff00ff) << 7;
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even & 0xffff)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (odd & 0xffff)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even >> 16)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (odd >> 16)), 1u);
}

__device__ void count_vector(uint4 vector, unsigned char* my_column) {
  count_word(vector.x, my_column);
  count_word(vector.y, my_column);
  count_word(vector.z, my_column);
  count_word(vector.w, my_column);
}

// `data` must be aligned to 16 bytes, as all memory from cudaMalloc is.
__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  __shared__ unsigned int columns[kValues * kWarpSize];
  for (int i = threadIdx.x; i < kValues * kWarpSize; i += blockDim.x) columns[i] = 0;
  __syncthreads();

  unsigned char* const mine =
      reinterpret_cast<unsigned char*>(&columns[threadIdx.x % kWarpSize]);
  const uint4* const vectors = reinterpret_cast<const uint4*>(data);
  const size_t count = size / sizeof(uint4);
  const size_t first = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  size_t i = first;
  for (; i + (kLoadsAtOnce - 1) * stride < count; i += kLoadsAtOnce * stride) {
    uint4 loaded[kLoadsAtOnce];  // all in flight before the first is needed
#pragma unroll
    for (int k = 0; k < kLoadsAtOnce; k++) loaded[k] = vectors[i + k * stride];
#pragma unroll
    for (int k = 0; k < kLoadsAtOnce; k++) count_vector(loaded[k], mine);
  }
  for (; i < count; i += stride) count_vector(vectors[i], mine);
  // The last 0 to 15 bytes.
  for (i = count * sizeof(uint4) + first; i < size; i += stride)
    atomicAdd(reinterpret_cast<unsigned int*>(mine + data[i] * sizeof(unsigned int) * kWarpSize),
              1u);
  __syncthreads();

  // Each thread adds up the 32 counters of one value. It starts at its own lane's, so that the
  // threads of a warp always read from different banks.
  for (int value = threadIdx.x; value < kValues; value += blockDim.x) {
    unsigned int sum = 0;
    for (int k = 0; k < kWarpSize; k++)
      sum += columns[value * kWarpSize + (threadIdx.x + k) % kWarpSize];
    if (sum > 0) atomicAdd(&counts[bin_of(value, bins)], static_cast<Count>(sum));
  }
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
  Request defaults;
  defaults.threads = 1024;
  defaults.blocks_per_multiprocessor = 2;
  const Request request = parse_request(
      argc, argv, "Histogram of bytes with shared atomics in a column for each lane.", defaults);
  const std::vector<unsigned char> data = make_data(request.data, request.size);
  Times times;
  const std::vector<Count> counts =
      histogram(data.data(), data.size(), request.bins, request.blocks, request.threads, &times);
  return report(request, data, counts, times);
}
