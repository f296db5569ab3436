// Adds two vectors at memory bandwidth: four numbers per load, and no loop.
//
// Not in the book. What to look at, compared with vector_add_stride: a load reads 16 bytes instead
// of 4, so a quarter of the instructions keeps the memory equally busy. A thread has no loop,
// because starting a block costs almost nothing on today's GPUs. The kernel moves as many GB/s
// as a copy within the device's memory.
//
//   ./course run vector_add_wide --size 1000000000

#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

// Thread i adds elements 4 * i to 4 * i + 3. Thread n / 4 adds the last 0 to 3 elements.
__global__ void add(const int* a, const int* b, int* c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const int4 p = reinterpret_cast<const int4*>(a)[i];  // cudaMalloc aligns to 256 bytes
    const int4 q = reinterpret_cast<const int4*>(b)[i];
    reinterpret_cast<int4*>(c)[i] =
        make_int4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
  } else if (i == n / 4) {
    for (size_t k = 4 * i; k < n; k++) c[k] = a[k] + b[k];
  }
}

// The number of blocks for n elements: a thread for each four, and one for the last 0 to 3.
int blocks_for(size_t n, int threads) {
  return static_cast<int>((n / 4 + 1 + threads - 1) / threads);
}

// c = a + b on the device; a, b and c hold n elements each.
void vector_add(const int* a, const int* b, int* c, size_t n, int threads) {
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));

  add<<<blocks_for(n, threads), threads>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}
// ---- Checking and timing, not the lesson.

// Prints where the time goes. The values do not matter for the time.
void print_times(int* a, int* c, size_t n, int threads) {
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemset(dev_a, 1, bytes));
  HANDLE_ERROR(cudaMemset(dev_b, 2, bytes));
  const double kernel_ms = course::measure_device_ms(
      [=] { add<<<blocks_for(n, threads), threads>>>(dev_a, dev_b, dev_c, n); });
  const double copies_ms = course::measure_host_ms([=] {
    HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, a, bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  });
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  const double end_to_end_ms = course::measure_host_ms([=] { vector_add(a, a, c, n, threads); });
  printf("kernel %.3f ms, copies %.3f ms, end to end %.3f ms\n", kernel_ms, copies_ms,
         end_to_end_ms);
  printf("the kernel reads and writes %.1f GB/s; a copy within the device's memory, %.1f GB/s\n",
         course::billions_per_second(3.0 * bytes, kernel_ms), course::measure_copy_gb_per_s());
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  int threads = 256;
  course::Options options("Adds two vectors on the device, four numbers per load.");
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.number("threads", &threads, 32, 1024, "threads per block");
  options.parse(argc, argv);
  course::require_memory(3.0 * sizeof(int) * n, 4.0 * sizeof(int) * n);

  std::vector<int> a(n), b(n), c(n), expected(n);
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<int>(i % 1000000);
    b[i] = static_cast<int>(i * i % 1000000007);  // i * i exceeds an int from 46341 on
    expected[i] = a[i] + b[i];
  }
  vector_add(a.data(), b.data(), c.data(), n, threads);

  if (!course::verify("c", c.data(), expected.data(), n)) return course::kExitWrong;
  printf("%zu sums by %d blocks of %d threads on %s: all verified\n", n, blocks_for(n, threads),
         threads, course::device_name().c_str());
  if (n > 0) print_times(a.data(), c.data(), n, threads);
  return 0;
}
