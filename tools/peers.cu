// What NVIDIA's libraries need for the same work, for tools/bench.py: peers TOPIC SIZE prints lines
// "name<TAB>milliseconds", nothing for a topic without a library. A result that is wrong ends it
// with 1. Needs the Toolkit: nvcc peers.cu -lcublas

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform.h>

#include <cmath>
#include <cub/cub.cuh>
#include <functional>
#include <string>
#include <vector>

#include "../common/program/timing.h"

constexpr int kRepeats = 9;
constexpr int kMany = 100;  // as in dot_last_block

// Random bits, or floats from 0 to 1.
__global__ void fill_bits(uint32_t* words, size_t count, uint64_t seed) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < count; i += stride) {
    uint64_t bits = (i + seed) * 0x9e3779b97f4a7c15u;  // SplitMix64 (Steele, Lea, Flood 2014)
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

template <typename T>
T* allocate(size_t count) {
  void* memory = nullptr;
  HANDLE_ERROR(cudaMalloc(&memory, (count * sizeof(T) + 3) / 4 * 4));
  return static_cast<T*>(memory);
}

template <typename T>
T* random_memory(size_t count, bool floats = false) {
  static uint64_t seed = 1;  // other bits each time
  seed += count;
  T* const memory = allocate<T>(count);
  const size_t words = (count * sizeof(T) + 3) / 4;
  fill_bits<<<1024, 256>>>(reinterpret_cast<uint32_t*>(memory), words, seed);
  if (floats) to_floats<<<1024, 256>>>(reinterpret_cast<uint32_t*>(memory), words);
  HANDLE_ERROR(cudaDeviceSynchronize());
  return memory;
}

void require(bool right, const char* name) {
  if (right) return;
  fprintf(stderr, "%s: the result is wrong\n", name);
  exit(1);
}

void print(const char* name, const std::function<void()>& work) {
  printf("%s\t%.6g\n", name, course::measure_device_ms(work, kRepeats));
}
void print_one_of_many(const char* name, const std::function<void()>& work) {
  const double ms = course::measure_device_ms(
      [&] {
        for (int i = 0; i < kMany; i++) work();
      },
      kRepeats);
  printf("%s, one of %d\t%.6g\n", name, kMany, ms / kMany);
}

// kMany calls of `work`, which queues into `stream`, as one graph.
void print_one_of_graph(const char* name, cudaStream_t stream, const std::function<void()>& work) {
  cudaGraph_t graph;
  cudaGraphExec_t calls;
  HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kMany; i++) work();
  HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&calls, graph, 0));
  const double ms =
      course::measure_device_ms([&] { HANDLE_ERROR(cudaGraphLaunch(calls, 0)); }, kRepeats);
  printf("%s, one of %d in a graph\t%.6g\n", name, kMany, ms / kMany);
  HANDLE_ERROR(cudaGraphExecDestroy(calls));
  HANDLE_ERROR(cudaGraphDestroy(graph));
}

void vector_add(size_t n) {
  int* const a = random_memory<int>(n);
  int* const b = random_memory<int>(n);
  int* const c = allocate<int>(n);
  const auto add = [=] {
    thrust::transform(thrust::cuda::par_nosync, thrust::device_pointer_cast(a),
                      thrust::device_pointer_cast(a + n), thrust::device_pointer_cast(b),
                      thrust::device_pointer_cast(c), thrust::plus<int>());
  };
  add();
  int last[3] = {0, 0, 0};
  HANDLE_ERROR(cudaMemcpy(&last[0], a + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&last[1], b + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&last[2], c + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  require(static_cast<unsigned>(last[0]) + last[1] == static_cast<unsigned>(last[2]), "Thrust");
  print("Thrust (transform)", add);
}

struct Product {
  const float *a, *b;
  __host__ __device__ float operator()(long long i) const { return a[i] * b[i]; }
};

void dot(size_t n, bool in_a_row) {
  float* const a = random_memory<float>(n, true);
  float* const b = random_memory<float>(n, true);
  float* const result = allocate<float>(1);
  const auto require_near = [&](const char* name) {  // products of numbers from 0 to 1: 1/4 each
    float sum = 0;
    HANDLE_ERROR(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
    require(std::fabs(sum - 0.25 * n) < 3 * std::sqrt(1.0 * n) + 1e-3 * n, name);
  };

  cublasHandle_t handle;
  require(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  const auto cublas = [&] {
    if (cublasSdot(handle, static_cast<int>(n), a, 1, b, 1, result) != CUBLAS_STATUS_SUCCESS)
      require(false, "cuBLAS");
  };
  cublas();
  require_near("cuBLAS");

  const auto products =
      thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), Product{a, b});
  void* scratch = nullptr;
  size_t bytes = 0;
  cudaStream_t stream = 0;
  const auto cub_sum = [&] {
    HANDLE_ERROR(cub::DeviceReduce::Sum(scratch, bytes, products, result, static_cast<long long>(n),
                                        stream));
  };
  cub_sum();  // says how much scratch memory it wants
  HANDLE_ERROR(cudaMalloc(&scratch, bytes));
  cub_sum();
  require_near("CUB");

  print("cuBLAS (Sdot)", cublas);
  print("CUB (DeviceReduce)", cub_sum);
  if (in_a_row) {
    print_one_of_many("cuBLAS", cublas);
    print_one_of_many("CUB", cub_sum);
    HANDLE_ERROR(cudaStreamCreate(&stream));  // a graph is captured in a stream of its own
    require(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS, "cublasSetStream");
    print_one_of_graph("cuBLAS", stream, cublas);
    print_one_of_graph("CUB", stream, cub_sum);
  }
}

__global__ void to_halves(const float* in, __half* out, size_t count) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < count; i += stride) out[i] = __float2half(in[i]);
}

__half* halves_of(const float* in, size_t count) {
  __half* const out = allocate<__half>(count);
  to_halves<<<1024, 256>>>(in, out, count);
  HANDLE_ERROR(cudaDeviceSynchronize());
  return out;
}

// n x n matrices; cuBLAS stores them by columns. c[0] is compared with row 0 of a times column 0 of b.
void matmul(const char* name, size_t n, cudaDataType_t type, cublasComputeType_t compute) {
  const float* const a = random_memory<float>(n * n, true);
  const float* const b = random_memory<float>(n * n, true);
  float* const c = allocate<float>(n * n);
  const void *in_a = a, *in_b = b;
  if (type == CUDA_R_16F) {
    in_a = halves_of(a, n * n);
    in_b = halves_of(b, n * n);
  }

  cublasHandle_t handle;
  require(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  const int size = static_cast<int>(n);
  const float one = 1, zero = 0;
  const auto multiply = [&] {
    require(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, in_a, type, size, in_b, type, size, &zero,
                         c, CUDA_R_32F, size, compute, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
            name);
  };
  multiply();
  std::vector<float> row(n), column(n);
  float first = 0;
  HANDLE_ERROR(cudaMemcpy2D(row.data(), sizeof(float), a, n * sizeof(float), sizeof(float), n, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(column.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&first, c, sizeof first, cudaMemcpyDeviceToHost));
  double expected = 0;
  for (size_t k = 0; k < n; k++) expected += static_cast<double>(row[k]) * column[k];
  require(std::fabs(first - expected) < 1e-3 * expected, name);  // tf32 and half keep 11 bits of each number
  print(name, multiply);
}

void histogram(size_t n) {
  const auto* const data = random_memory<unsigned char>(n);
  unsigned int* const counts = allocate<unsigned int>(256);  // of random bytes: far below 2^32
  void* scratch = nullptr;
  size_t bytes = 0;
  const auto count = [&] {
    HANDLE_ERROR(cub::DeviceHistogram::HistogramEven(scratch, bytes, data, counts, 257, 0, 256,
                                                     static_cast<long long>(n)));
  };
  count();  // says how much scratch memory it wants
  HANDLE_ERROR(cudaMalloc(&scratch, bytes));
  count();
  std::vector<unsigned int> host(256);
  HANDLE_ERROR(cudaMemcpy(host.data(), counts, 256 * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  size_t sum = 0;
  for (unsigned int one : host) sum += one;
  require(sum == n, "CUB");
  print("CUB (DeviceHistogram)", count);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: peers TOPIC SIZE\n");
    return 2;
  }
  const std::string topic = argv[1];
  const size_t size = strtoull(argv[2], nullptr, 10);
  if (topic == "vector_add") vector_add(size);
  if (topic == "dot") dot(size, false);
  if (topic == "dot_short") dot(size, true);
  if (topic == "histogram") histogram(size);
  if (topic == "matmul") matmul("cuBLAS (Sgemm)", size, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  if (topic == "matmul_tf32") matmul("cuBLAS (GemmEx, tf32)", size, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  if (topic == "matmul_half") matmul("cuBLAS (GemmEx, half)", size, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  return 0;
}
