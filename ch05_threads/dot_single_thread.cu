// The dot product with a reduction by one thread: the slow way, for comparison with dot.
//
// The book's section 5.3.1, where it is only described. What to look at: after the barrier, thread
// 0 adds the sums of all threads of its block, one after the other, while the others have nothing
// to do: 256 steps for 256 threads. The tree in dot.cu takes 8. Otherwise the programs are the
// same.
//
//   ./course run dot_single_thread --threads 1024
//   ./course run dot --threads 1024

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/book.h"
#include "../common/compare.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "dot_reference.h"

constexpr int kMaxThreads = 1024;

// Each block leaves the sum of its products in partial[blockIdx.x].
__global__ void dot_kernel(const float* a, const float* b, size_t n, float* partial) {
  __shared__ float cache[kMaxThreads];  // one for each block
  const unsigned cache_index = threadIdx.x;

  float sum = 0;  // stays 0 in threads without elements, which then add nothing below
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) sum += a[i] * b[i];
  cache[cache_index] = sum;
  __syncthreads();

  if (cache_index != 0) return;
  for (unsigned i = 1; i < blockDim.x; i++) sum += cache[i];
  partial[blockIdx.x] = sum;
}

// As many blocks as there is work for, max_blocks at most.
inline int blocks_for(size_t n, int threads, int max_blocks) {
  return static_cast<int>(std::min<size_t>(max_blocks, (n + threads - 1) / threads));
}

// The dot product of a and b, n elements each, on the device. `threads`: up to 1024.
double dot(const float* a, const float* b, size_t n, int threads, int max_blocks) {
  if (n == 0) return 0;
  const int blocks = blocks_for(n, threads, max_blocks);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  dot_kernel<<<blocks, threads>>>(dev_a, dev_b, n, dev_partial);
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

// The longest chain of additions in the kernel, for the error bound.
double additions(size_t n, int threads, int max_blocks) {
  const double all_threads = 1.0 * threads * std::max(1, blocks_for(n, threads, max_blocks));
  return std::ceil(n / all_threads) + threads;
}

// Prints where the time goes.
void print_times(const std::vector<float>& a, const std::vector<float>& b, int threads,
                 int max_blocks) {
  const size_t n = a.size(), bytes = n * sizeof(float);
  const int blocks = blocks_for(n, threads, max_blocks);
  float *dev_a, *dev_b, *dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  const double copies_ms = course::measure_host_ms([&] {
    HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));
  });
  const double kernel_ms = course::measure_device_ms(
      [=] { dot_kernel<<<blocks, threads>>>(dev_a, dev_b, n, dev_partial); });
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  const double end_to_end_ms =
      course::measure_host_ms([&] { dot(a.data(), b.data(), n, threads, max_blocks); });
  printf("kernel %.4f ms, copies %.3f ms, end to end %.3f ms\n", kernel_ms, copies_ms,
         end_to_end_ms);
  printf("the kernel reads %.1f GB/s; a copy within the device's memory moves %.1f GB/s\n",
         2.0 * bytes / kernel_ms * 1e-6, course::measure_copy_gb_per_s());
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  int threads = 256, max_blocks = 32;
  course::Options options("The dot product of two vectors, each block summed up by one thread.");
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.number("threads", &threads, 1, kMaxThreads, "threads per block");
  options.number("blocks", &max_blocks, 1, 65536, "blocks at most");
  options.parse(argc, argv);
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);

  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  const double result = dot(a.data(), b.data(), n, threads, max_blocks);

  const DotReference reference =
      dot_reference(a.data(), b.data(), n, additions(n, threads, max_blocks));
  if (!course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound))
    return course::kExitWrong;
  printf("dot product of %s by %s of %s on %s\n", course::count_of(n, "element").c_str(),
         course::count_of(blocks_for(n, threads, max_blocks), "block").c_str(),
         course::count_of(threads, "thread").c_str(), course::device_name().c_str());
  printf("%.9g, in double %.9g: off by %.2g, %.2g would be allowed\n", result, reference.value,
         std::fabs(result - reference.value), reference.bound);
  // With a[i] = i and b[i] = 2i it is twice the sum of squares, for which there is a formula.
  const double last = n > 0 ? static_cast<double>(n - 1) : 0;
  printf("by the formula: %.9g\n", 2 * (last * (last + 1) * (2 * last + 1) / 6));
  if (n > 0) print_times(a, b, threads, max_blocks);
  return 0;
}
