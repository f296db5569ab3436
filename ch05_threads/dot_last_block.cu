// Computes the dot product in one launch: the last block to finish adds the sums of all blocks.
//
// Not in the book. In dot and dot_fast the CPU adds the sums of the blocks. Here the result stays
// on the device, and a following kernel can use it at once. Each block stores its sum and takes a
// number with atomicInc(). The block that gets the last number is the last to finish. What to look
// at:
//   - Without the two fences the last block could see the numbers before the sums.
//   - The sums are added in the order of the blocks, so every run gives the same bits.
//   - atomicInc() wraps around to 0, ready for the next launch.
// A second kernel could also add the sums. But for a short vector nearly all of the time is the
// launch, and here there is only one.
//
//   ./course run dot_last_block --size 33792

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/lessons/dot_reference.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;

// The sum over a block, in its thread 0. All threads must call it, with a barrier between two
// calls.
__device__ inline float block_sum(float sum) {
  __shared__ float warp_sums[kWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  sum = 0;
  if (threadIdx.x == 0)
    for (int w = 0; w < kWarps; w++) sum += warp_sums[w];
  return sum;
}

// Stores the dot product in *result. `partial` has room for one sum per block. *done must be 0, and
// is 0 again afterwards.
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial,
                           unsigned int* done, float* result) {
  const float4* a4 = reinterpret_cast<const float4*>(a);  // cudaMalloc aligns to 256 bytes
  const float4* b4 = reinterpret_cast<const float4*>(b);
  const size_t quads = n / 4;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;

  // Four sums, so that an addition does not wait for the previous one.
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
#pragma unroll 4
  for (size_t i = first; i < quads; i += stride) {
    const float4 p = a4[i];
    const float4 q = b4[i];
    sum0 += p.x * q.x;
    sum1 += p.y * q.y;
    sum2 += p.z * q.z;
    sum3 += p.w * q.w;
  }
  if (first < n % 4) sum0 += a[4 * quads + first] * b[4 * quads + first];  // the last 0 to 3
  float sum = block_sum((sum0 + sum1) + (sum2 + sum3));

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();  // the sum is visible before the number
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // read the sums after the numbers
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *result = sum;
}

// As many blocks as fit on the device at a time, or fewer if there is less work.
inline int blocks_for(size_t n) {
  int blocks_each = 0;
  HANDLE_ERROR(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, dot_kernel, kThreads, 0));
  const size_t work = (n / 8 + kThreads - 1) / kThreads;  // 8 products per thread if n is small
  const size_t most = size_t(blocks_each) * course::multiprocessors();
  return static_cast<int>(std::clamp<size_t>(work, 1, most));
}

// Two vectors on the device, and what else the kernel needs.
struct DeviceVectors {
  float *a, *b, *partial, *result;
  unsigned int* done;
  size_t n;
  int blocks;

  DeviceVectors(const float* host_a, const float* host_b, size_t count)
      : n(count), blocks(blocks_for(count)) {
    HANDLE_ERROR(cudaMalloc(&a, n * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&b, n * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&partial, blocks * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&result, sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&done, sizeof(unsigned int)));
    HANDLE_ERROR(cudaMemset(done, 0, sizeof(unsigned int)));
    HANDLE_ERROR(cudaMemcpy(a, host_a, n * sizeof(float), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(b, host_b, n * sizeof(float), cudaMemcpyHostToDevice));
  }
  ~DeviceVectors() {
    for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(partial),
                         static_cast<void*>(result), static_cast<void*>(done)})
      cudaFree(memory);
  }
  DeviceVectors(const DeviceVectors&) = delete;
  DeviceVectors& operator=(const DeviceVectors&) = delete;

  void launch(cudaStream_t stream = 0) const {
    dot_kernel<<<blocks, kThreads, 0, stream>>>(a, b, n, partial, done, result);
    HANDLE_ERROR(cudaGetLastError());
  }
};

// The dot product of a and b, n elements each, on the device.
double dot(const float* a, const float* b, size_t n) {
  if (n == 0) return 0;
  const DeviceVectors vectors(a, b, n);
  vectors.launch();
  float result = 0;
  HANDLE_ERROR(cudaMemcpy(&result, vectors.result, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}
// ---- Checking and timing, not the lesson.

// The longest chain of additions in the kernel, for the error bound.
double additions(size_t n) {
  const double blocks = blocks_for(n);
  const double chain = std::ceil(n / 4 / (1.0 * kThreads * blocks)) + std::ceil(blocks / kThreads);
  return chain + 3 + 2 * (std::log2(kWarp) + kWarps);  // as in dot_fast, for two sums of a block
}

// Milliseconds for each of `count` launches that follow each other in a graph: the host launches
// all of them with one call, and the device starts each one when the previous one has ended.
double measure_graph_ms(const DeviceVectors& vectors, int count) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t launches;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < count; i++) vectors.launch(stream);
  HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&launches, graph, 0));
  const double ms = course::measure_device_ms([&] { HANDLE_ERROR(cudaGraphLaunch(launches, 0)); });
  HANDLE_ERROR(cudaGraphExecDestroy(launches));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  return ms / count;
}

// Prints where the time goes. It times a single launch, and one of many launches in a row.
void print_times(const std::vector<float>& a, const std::vector<float>& b) {
  const size_t n = a.size(), bytes = n * sizeof(float);
  constexpr int kMany = 100;
  const DeviceVectors vectors(a.data(), b.data(), n);
  const double kernel_ms = course::measure_device_ms([&] { vectors.launch(); }, 21);
  const double many_ms = course::measure_device_ms([&] {
    for (int i = 0; i < kMany; i++) vectors.launch();
  });
  const double end_to_end_ms = course::measure_host_ms([&] { dot(a.data(), b.data(), n); });
  printf("kernel %.5f ms, one of %d in a row %.5f ms, in a graph %.5f ms, end to end %.3f ms\n",
         kernel_ms, kMany, many_ms / kMany, measure_graph_ms(vectors, kMany), end_to_end_ms);
  printf("the kernel reads %.1f GB/s; a copy within the device's memory moves %.1f GB/s\n",
         course::billions_per_second(2.0 * bytes, kernel_ms), course::measure_copy_gb_per_s());
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  course::Options options("The dot product of two vectors, in one launch.");
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.parse(argc, argv);
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);

  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  const double result = dot(a.data(), b.data(), n);

  const DotReference reference = dot_reference(a.data(), b.data(), n, additions(n));
  if (!course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound))
    return course::kExitWrong;
  printf("dot product of %zu elements by %d blocks of %d threads on %s\n", n, blocks_for(n),
         kThreads, course::device_name().c_str());
  printf("%.9g, in double %.9g: off by %.2g, %.2g would be allowed\n", result, reference.value,
         std::fabs(result - reference.value), reference.bound);
  if (n > 0) print_times(a, b);
  return 0;
}
