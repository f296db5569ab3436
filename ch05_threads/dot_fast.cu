// Computes the dot product at memory bandwidth: four floats per load, all multiprocessors
// busy.
//
// Not in the book. The kernel is memory-bound: it reads two numbers for each multiplication and
// addition. So it must keep enough loads in flight. What to look at, compared with dot.cu: a load
// reads four floats. The grid has as many blocks as the device can hold at a time. The sums move
// between the lanes of a warp by shuffles, with a single barrier.
//
//   ./course run dot_fast --size 268435456

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/lessons/dot_reference.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;

// The sum over a warp, in its lane 0.
__device__ inline float warp_sum(float sum) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

// Each block stores the sum of its products in partial[blockIdx.x].
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
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

  __shared__ float warp_sums[kWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  float sum = warp_sum((sum0 + sum1) + (sum2 + sum3));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0);
  if (lane == 0) partial[blockIdx.x] = sum;
}

// As many blocks as the device can hold at a time, or fewer if there is less work.
inline int blocks_for(size_t n) {
  int blocks_each = 0;
  HANDLE_ERROR(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, dot_kernel, kThreads, 0));
  const size_t work = (n / 4 + kThreads - 1) / kThreads;
  const size_t most = size_t(blocks_each) * course::multiprocessors();
  return static_cast<int>(std::clamp<size_t>(work, 1, most));
}

// The dot product of a and b, n elements each, on the device.
double dot(const float* a, const float* b, size_t n) {
  if (n == 0) return 0;
  const int blocks = blocks_for(n);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  dot_kernel<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());

  std::vector<float> partial(blocks);
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));

  double sum = 0;
  for (float one : partial) sum += one;
  return sum;
}

// ---- Checking and timing, not the lesson.

// The longest chain of additions in the kernel, for the error bound.
double additions(size_t n) {
  const double chain = std::ceil(n / 4 / (1.0 * kThreads * blocks_for(n)));
  return chain + 3 + std::log2(kWarp) + std::log2(kWarp);  // remainder, 4 sums, two trees
}

struct Times {
  double kernel_ms, copies_ms, end_to_end_ms;
};

// Measures where the time goes.
Times measure(const std::vector<float>& a, const std::vector<float>& b) {
  const size_t n = a.size(), bytes = n * sizeof(float);
  const int blocks = blocks_for(n);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  Times times;
  times.copies_ms = course::measure_host_ms([&] {
    HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));
  });
  times.kernel_ms = course::measure_device_ms(
      [=] { dot_kernel<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial); });
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  times.end_to_end_ms = course::measure_host_ms([&] { dot(a.data(), b.data(), n); });
  return times;
}

// a[i] = i and b[i] = 2i.
void fill(std::vector<float>& a, std::vector<float>& b) {
  for (size_t i = 0; i < a.size(); i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
}

// About how long main() takes for n elements.
double estimate_s(size_t n) {
  const size_t part = std::max<size_t>(1 << 22, n / 8);
  if (n < 8 * part) return 0;
  std::vector<float> a(part), b(part);
  const double host_s = course::estimate_s(n, part, [&] {
    fill(a, b);
    dot_reference(a.data(), b.data(), part, 1);
  });
  const double dot_s = course::estimate_s(n, part, [&] { dot(a.data(), b.data(), part); });
  // The kernel, the copies, and both together. Each of the first two takes about half of the total.
  return host_s + dot_s +
         1e-3 * (2 * course::measuring_ms(500 * dot_s) + course::measuring_ms(1e3 * dot_s));
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  course::Options options("The dot product of two vectors, as fast as the memory.");
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.parse(argc, argv);
  const double bytes = 1.0 * sizeof(float) * n;
  course::require_memory(2 * bytes, 2 * bytes);

  course::LongRun long_run(estimate_s(n), 4 * bytes);
  std::vector<float> a(n), b(n);
  fill(a, b);
  const double result = dot(a.data(), b.data(), n);
  const DotReference reference = dot_reference(a.data(), b.data(), n, additions(n));
  long_run.hide();
  if (!course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound))
    return course::kExitWrong;
  printf("dot product of %s by %s of %s on %s\n", course::count_of(n, "element").c_str(),
         course::count_of(blocks_for(n), "block").c_str(),
         course::count_of(kThreads, "thread").c_str(), course::device_name().c_str());
  printf("%.9g, in double %.9g: off by %.2g, %.2g would be allowed\n", result, reference.value,
         std::fabs(result - reference.value), reference.bound);
  // With a[i] = i and b[i] = 2i it is twice the sum of squares, for which there is a formula.
  const double last = n > 0 ? static_cast<double>(n - 1) : 0;
  printf("by the formula: %.9g\n", 2 * (last * (last + 1) * (2 * last + 1) / 6));
  if (n == 0) return 0;

  const Times times = measure(a, b);
  const double copy_gb_per_s = course::measure_copy_gb_per_s();
  long_run.hide();
  printf("kernel %.4f ms, copies %.3f ms, end to end %.3f ms\n", times.kernel_ms, times.copies_ms,
         times.end_to_end_ms);
  printf("the kernel reads %.1f GB/s; a copy within the device's memory moves %.1f GB/s\n",
         course::billions_per_second(2 * bytes, times.kernel_ms), copy_gb_per_s);
  return 0;
}
