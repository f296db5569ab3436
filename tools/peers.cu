// What NVIDIA's libraries need for the same work, for tools/bench.py: peers TOPIC prints lines
// "name<TAB>rate", in the unit of that topic. Needs the Toolkit: nvcc peers.cu -lcublas

#include <cublas_v2.h>
#include <stdint.h>
#include <stdio.h>

#include <cub/cub.cuh>
#include <string>

#include "../common/timing.h"

constexpr int kRepeats = 9;

// Random bytes, or floats from 0 to 1.
__global__ void fill_bytes(uint32_t* words, size_t count) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < count; i += stride) {
    uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;  // SplitMix64 (Steele, Lea, Flood 2014)
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    words[i] = static_cast<uint32_t>(bits ^ bits >> 31);
  }
}
__global__ void to_floats(uint32_t* words, size_t count) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < count; i += stride)
    words[i] = __float_as_uint((words[i] >> 8) * 0x1p-24f);
}

void* random_memory(size_t bytes, bool floats) {
  void* memory = nullptr;
  HANDLE_ERROR(cudaMalloc(&memory, bytes));
  fill_bytes<<<1024, 256>>>(static_cast<uint32_t*>(memory), bytes / 4);
  if (floats) to_floats<<<1024, 256>>>(static_cast<uint32_t*>(memory), bytes / 4);
  HANDLE_ERROR(cudaDeviceSynchronize());
  return memory;
}

void print(const char* name, double rate) { printf("%s\t%.6g\n", name, rate); }

void dot() {
  const size_t n = 268435456;
  float* const a = static_cast<float*>(random_memory(n * sizeof(float), true));
  float* const b = static_cast<float*>(random_memory(n * sizeof(float), true));
  float* result = nullptr;
  HANDLE_ERROR(cudaMalloc(&result, sizeof(float)));
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) exit(1);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  const double ms = course::measure_device_ms(
      [&] { cublasSdot(handle, static_cast<int>(n), a, 1, b, 1, result); }, kRepeats);
  print("cuBLAS", 8.0 * n / ms * 1e-6);
}

void histogram() {
  const long long n = 4294967296;
  const auto* const data = static_cast<unsigned char*>(random_memory(n, false));
  unsigned int* counts = nullptr;  // no count comes near 2^32 here
  HANDLE_ERROR(cudaMalloc(&counts, 256 * sizeof(unsigned int)));
  void* scratch = nullptr;
  size_t bytes = 0;
  const auto count = [&] {
    HANDLE_ERROR(cub::DeviceHistogram::HistogramEven(scratch, bytes, data, counts, 257, 0, 256, n));
  };
  count();  // says how much scratch memory it wants
  HANDLE_ERROR(cudaMalloc(&scratch, bytes));
  print("CUB", n / course::measure_device_ms(count, kRepeats) * 1e-6);
}

int main(int argc, char** argv) {
  const std::string topic = argc > 1 ? argv[1] : "";
  if (topic == "dot") dot();
  if (topic == "histogram") histogram();
  return 0;
}
