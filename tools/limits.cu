// What this device can do at best, for tools/bench.py: limits [tiny] prints lines "name<TAB>value".
//
//   copy          GB/s, bytes read plus bytes written within the device's memory
//   read          GB/s
//   random_reads  billions per second of 8 bytes from 1 GiB, anywhere
//   multiply_add  GFLOP/s, single precision
//   launch        milliseconds of an empty kernel, one of many in a row

#include <stdint.h>
#include <stdio.h>

#include <algorithm>
#include <string>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;
constexpr int kMany = 100;

__global__ void nothing() {}

// No sum is ever equal to `never`, but the compiler cannot know.
__global__ void read(const uint4* data, size_t count, uint32_t never, uint32_t* out) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  uint32_t sum = 0;
#pragma unroll 8
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < count; i += stride) {
    const uint4 words = data[i];
    sum |= (words.x | words.y) | (words.z | words.w);
  }
  if (sum == never) *out = sum;
}

// Four at a time, none of which waits for another. count is a power of two.
__global__ void read_anywhere(const uint64_t* data, size_t count, int rounds, uint64_t never,
                              uint64_t* out) {
  uint64_t state = 4 * (threadIdx.x + uint64_t(blockIdx.x) * blockDim.x) * rounds, sum = 0;
  for (int round = 0; round < rounds; round++)
#pragma unroll
    for (int k = 0; k < 4; k++) {
      uint64_t bits = ++state * 0x9e3779b97f4a7c15u;
      bits = (bits ^ bits >> 32) * 0xbf58476d1ce4e5b9u;
      sum |= data[(bits ^ bits >> 29) & (count - 1)];
    }
  if (sum == never) *out = sum;
}

// Independent sums, so that no instruction waits for the one before.
constexpr int kChains = 32;
__global__ void multiply_add(float* out, float factor, int rounds) {
  float sum[kChains];
#pragma unroll
  for (int k = 0; k < kChains; k++) sum[k] = static_cast<float>(threadIdx.x + k);
  for (int round = 0; round < rounds; round++)
#pragma unroll
    for (int k = 0; k < kChains; k++) sum[k] = sum[k] * factor + 1.0f;
  float total = 0;
#pragma unroll
  for (int k = 0; k < kChains; k++) total += sum[k];
  out[threadIdx.x + blockIdx.x * blockDim.x] = total;
}

void print(const char* name, double value) {
  printf("%s\t%.6g\n", name, value);
  fflush(stdout);
}

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::string(argv[1]) == "tiny";
  const int multiprocessors = course::multiprocessors();
  const int blocks = 8 * multiprocessors;
  const bool large = !tiny && multiprocessors > 8;
  const size_t bytes = size_t(1) << (large ? 32 : tiny ? 16 : 26);
  const size_t random_bytes = std::min(bytes, size_t(1) << 30);
  const int rounds = large ? 4096 : tiny ? 1 : 256;

  print("copy", course::measure_copy_gb_per_s());

  void* memory = nullptr;
  HANDLE_ERROR(cudaMalloc(&memory, bytes));
  HANDLE_ERROR(cudaMemset(memory, 0, bytes));
  uint64_t* out = nullptr;
  HANDLE_ERROR(cudaMalloc(&out, std::max<size_t>(8, sizeof(float) * blocks * kThreads)));
  const double read_ms = course::measure_device_ms([=] {
    read<<<blocks, kThreads>>>(static_cast<uint4*>(memory), bytes / 16, 1,
                               reinterpret_cast<uint32_t*>(out));
  });
  print("read", bytes / read_ms * 1e-6);

  const int reads = large ? 64 : 1;
  const double random_ms = course::measure_device_ms([=] {
    read_anywhere<<<blocks, kThreads>>>(static_cast<uint64_t*>(memory), random_bytes / 8, reads, 1,
                                        out);
  });
  print("random_reads", 4.0 * reads * blocks * kThreads / random_ms * 1e-6);

  const double compute_ms = course::measure_device_ms(
      [=] { multiply_add<<<blocks, kThreads>>>(reinterpret_cast<float*>(out), 0.999f, rounds); });
  print("multiply_add", 2.0 * kChains * rounds * blocks * kThreads / compute_ms * 1e-6);

  const double launches_ms = course::measure_device_ms([] {
    for (int i = 0; i < kMany; i++) nothing<<<1, 1>>>();
  });
  print("launch", launches_ms / kMany);
  HANDLE_ERROR(cudaFree(memory));
  HANDLE_ERROR(cudaFree(out));
  return 0;
}
