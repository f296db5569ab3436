// Counts bytes without an atomic per byte: each thread has its own histogram of one-byte counters.
//
// Not in the book. The earlier programs have one histogram for all threads, one per block, or one
// per warp. This one has one per thread. 256 counters of 4 bytes for each thread do not fit into
// shared memory, but 256 counters of one byte do: 8 KiB per warp. After 240 bytes per thread,
// before a counter can overflow, the threads of a warp together add its counters to the block's.
// What to look at: no two threads share a counter, so --data random, skewed and constant take the
// same time. Each thread's counters lie in a memory bank of their own, so the 32 threads of a warp
// access 32 banks, whatever the data are.
//
//   ./course run histogram_private --size 4294967296 --data constant

#include "histogram.h"

constexpr int kWarpSize = 32;
constexpr int kValues = 256;
constexpr int kRows = kValues / 4;                // each with a word, 4 counters, of each lane
constexpr int kWordsPerWarp = kRows * kWarpSize;  // 8 KiB
constexpr int kVectorsPerRound = 15;              // of 16 bytes: up to 240, a byte holds 255
constexpr int kLoadsAtOnce = 5;                   // a divisor of kVectorsPerRound

// A thread's counter for `value` is byte value / 64 of the thread's own word in row value % 64.
// Given two values in the low bytes of a register's halves, this returns the byte offsets of both
// counters, again in the halves of a register: two results for the price of one.
__device__ unsigned int counters_of(unsigned int two_values) {
  return (two_values & 0x003f003f) << 7 | (two_values >> 6 & 0x00030003);
}

// Counts 16 bytes, one after the other. Between two __syncwarp(), no other thread uses these
// counters: a plain ++ is enough.
__device__ void count_vector(uint4 vector, unsigned char* my_counters) {
  const unsigned int words[] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const unsigned int even = counters_of(words[k]), odd = counters_of(words[k] >> 8);
    my_counters[even & 0xffff]++;
    my_counters[odd & 0xffff]++;
    my_counters[even >> 16]++;
    my_counters[odd >> 16]++;
  }
}

// Adds the counters of all threads of a warp to the block's counters, and zeroes them. Each thread
// handles some rows. It starts at its own word of the row, so that the threads of a warp always
// access different banks.
__device__ void empty_counters(unsigned int* warp_words, int lane, int lanes,
                               unsigned int* block_counts) {
  for (int row = lane; row < kRows; row += lanes) {
    unsigned int even = 0, odd = 0;  // two sums of 16 bits each: 32 * 240 is far below 65,536
    for (int k = 0; k < kWarpSize; k++) {
      unsigned int* const word = &warp_words[row * kWarpSize + (lane + k) % kWarpSize];
      even += *word & 0x00ff00ff;
      odd += *word >> 8 & 0x00ff00ff;
      *word = 0;
    }
    atomicAdd(&block_counts[row], even & 0xffff);
    atomicAdd(&block_counts[row + kRows], odd & 0xffff);
    atomicAdd(&block_counts[row + 2 * kRows], even >> 16);
    atomicAdd(&block_counts[row + 3 * kRows], odd >> 16);
  }
}

// Shared memory holds the counters of each thread, warp by warp. `data` must be aligned to 16
// bytes, as all memory from cudaMalloc is.
__global__ void count_bytes(const unsigned char* data, size_t size, int bins, Count* counts) {
  extern __shared__ unsigned int shared_words[];
  __shared__ unsigned int block_counts[kValues];
  const int warps = (blockDim.x + kWarpSize - 1) / kWarpSize;
  for (int i = threadIdx.x; i < warps * kWordsPerWarp; i += blockDim.x) shared_words[i] = 0;
  for (int i = threadIdx.x; i < kValues; i += blockDim.x) block_counts[i] = 0;
  __syncthreads();

  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int lanes = min(kWarpSize, static_cast<int>(blockDim.x) - warp * kWarpSize);
  const unsigned int all_lanes = lanes == kWarpSize ? 0xffffffffu : (1u << lanes) - 1;
  unsigned int* const warp_words = shared_words + warp * kWordsPerWarp;
  unsigned char* const my_counters = reinterpret_cast<unsigned char*>(warp_words + lane);

  const uint4* const vectors = reinterpret_cast<const uint4*>(data);
  const size_t count = size / sizeof(uint4);
  const size_t first = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  // All threads of a warp do the same number of rounds, because they empty the counters together.
  const size_t first_of_warp = first - lane;
  for (size_t begin = first_of_warp; begin < count; begin += kVectorsPerRound * stride) {
    if (begin + (kVectorsPerRound - 1) * stride + kWarpSize <= count) {
      // A whole round: several loads are in flight before the first result is needed.
      for (int done = 0; done < kVectorsPerRound; done += kLoadsAtOnce) {
        uint4 loaded[kLoadsAtOnce];
#pragma unroll
        for (int k = 0; k < kLoadsAtOnce; k++)
          loaded[k] = vectors[begin + lane + (done + k) * stride];
#pragma unroll
        for (int k = 0; k < kLoadsAtOnce; k++) count_vector(loaded[k], my_counters);
      }
    } else {
      for (int k = 0; k < kVectorsPerRound && begin + lane + k * stride < count; k++)
        count_vector(vectors[begin + lane + k * stride], my_counters);
    }
    __syncwarp(all_lanes);
    empty_counters(warp_words, lane, lanes, block_counts);
    __syncwarp(all_lanes);
  }
  // The last 0 to 15 bytes.
  for (size_t i = count * sizeof(uint4) + first; i < size; i += stride)
    atomicAdd(&block_counts[data[i]], 1);
  __syncthreads();

  for (int value = threadIdx.x; value < kValues; value += blockDim.x)
    if (block_counts[value] > 0)
      atomicAdd(&counts[bin_of(value, bins)], static_cast<Count>(block_counts[value]));
}

// A block's counters have 32 bits, so no block may count more than 2^32 - 1 bytes per launch.
constexpr size_t kMostBytesPerBlock = size_t(1) << 31;

std::vector<Count> histogram(const unsigned char* data, size_t size, int bins, int blocks,
                             int threads, Times* times = nullptr) {
  const int warps = (threads + kWarpSize - 1) / kWarpSize;
  const size_t shared_bytes = sizeof(unsigned int) * warps * kWordsPerWarp;
  int device = 0, most_shared_bytes = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(
      cudaDeviceGetAttribute(&most_shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const size_t most_dynamic = most_shared_bytes - sizeof(unsigned int) * kValues;
  if (shared_bytes > most_dynamic)
    course::bad_usage(std::to_string(threads) + " threads need " + std::to_string(shared_bytes) +
                      " bytes of shared memory, and a block gets " + std::to_string(most_dynamic) +
                      "; take fewer with --threads");
  // A kernel must request more than 48 KiB of dynamic shared memory per block.
  HANDLE_ERROR(cudaFuncSetAttribute(count_bytes, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)));

  const Launch launch = [=](const unsigned char* dev_data, size_t n, Count* dev_counts) {
    count_bytes<<<blocks, threads, shared_bytes>>>(dev_data, n, bins, dev_counts);
    HANDLE_ERROR(cudaGetLastError());
  };
  return histogram_on_device(data, size, bins, in_parts(kMostBytesPerBlock * blocks, launch),
                             times);
}
// ---- Checking and timing, not the lesson: see histogram.h.

int main(int argc, char** argv) {
  Request defaults;
  defaults.threads = 128;  // 4 warps, 34 KiB: 6 blocks fit into an H200's 228 KiB
  defaults.blocks_per_multiprocessor = 6;
  const Request request = parse_request(
      argc, argv, "Histogram of bytes without atomics: a histogram for every thread.", defaults);
  const std::vector<unsigned char> data = make_data(request.data, request.size);
  Times times;
  const std::vector<Count> counts =
      histogram(data.data(), data.size(), request.bins, request.blocks, request.threads, &times);
  return report(request, data, counts, times);
}
