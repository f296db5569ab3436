// Counts bytes with shared atomics that never meet: each lane of a warp has a column of counters.
//
// Not in the book. histogram_wide_loads has a histogram per warp; the 32 threads of a warp still
// meet there: not so much in the same counter as in the same memory bank, of which there are 32,
// and 32 random counters are 3 or 4 times in the same one. Here a block has 32 histograms, one for
// each lane, side by side: counter `value` of lane `lane` is word value * 32 + lane, in bank
// `lane`. What to look at: whatever the data are, 32 atomics go to 32 banks at once, so random,
// skewed and constant data take the same time. Unlike in histogram_private the warps of a block
// share the counters, which is what the atomics are for, so 32 KiB are enough for 1024 threads, and
// nothing need be emptied on the way.
//
//   ./course run histogram_lanes --size 4294967296

#include "histogram.h"

constexpr int kWarpSize = 32;
constexpr int kValues = 256;
constexpr int kLoadsAtOnce = 8;  // of 16 bytes

// Counts 4 bytes. The place of a counter in bytes, but for the lane, is value * 128: for two values
// at a time, in the halves of a register.
__device__ void count_word(unsigned int word, unsigned char* my_column) {
  const unsigned int even = (word & 0x00ff00ff) << 7, odd = (word >> 8 & 0x00ff00ff) << 7;
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even & 0xffff)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (odd & 0xffff)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even >> 16)), 1u);
  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (odd >> 16)), 1u);
}

__device__ void count_vector(const uint4& vector, unsigned char* my_column) {
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
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  size_t i = first;
  for (; i + (kLoadsAtOnce - 1) * stride < count; i += kLoadsAtOnce * stride) {
    uint4 loaded[kLoadsAtOnce];  // all on their way before the first is needed
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

  // A thread adds up the columns of one value. It starts at its own, where its neighbors start at
  // theirs, so that they are in different banks.
  for (int value = threadIdx.x; value < kValues; value += blockDim.x) {
    unsigned int sum = 0;
    for (int k = 0; k < kWarpSize; k++)
      sum += columns[value * kWarpSize + (threadIdx.x + k) % kWarpSize];
    if (sum > 0) atomicAdd(&counts[bin_of(value, bins)], static_cast<Count>(sum));
  }
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
