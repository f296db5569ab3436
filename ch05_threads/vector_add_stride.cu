// Adds two vectors of any length with a fixed number of threads: a grid-stride loop.
//
// Section 5.2.1 of the book, "vectors of arbitrary length". What to look at: each thread starts at
// its global index and advances by the total number of threads. So any number of threads gives the
// right result, and only the memory limits the length. The number of threads decides the speed:
//
//   ./course run vector_add_stride --size 100000000
//   ./course run vector_add_stride --size 100000000 --blocks 1056 --threads 256

#include <algorithm>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

// Any number of elements for any number of threads.
__global__ void add(const int* a, const int* b, int* c, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = first; i < n; i += stride) c[i] = a[i] + b[i];
}

// c = a + b on the device with `blocks` blocks of `threads` threads; a, b and c hold n elements
// each.
void vector_add(const int* a, const int* b, int* c, size_t n, int blocks, int threads) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(int);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));

  add<<<blocks, threads>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
}

// ---- Checking and timing, not the lesson.

// Adds vectors of n elements, and compares with the CPU's sums.
bool add_and_verify(size_t n, int blocks, int threads) {
  std::vector<int> a(n), b(n), c(n), expected(n);
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<int>(i % 1000000);
    b[i] = static_cast<int>(i * i % 1000000007);  // i * i exceeds an int from 46341 on
    expected[i] = a[i] + b[i];
  }
  vector_add(a.data(), b.data(), c.data(), n, blocks, threads);
  return course::verify("c", c.data(), expected.data(), n);
}

struct Times {
  double kernel_ms, copies_ms, end_to_end_ms;
};

// Measures where the time goes. The values do not matter for the time.
Times measure(size_t n, int blocks, int threads) {
  const size_t bytes = n * sizeof(int);
  std::vector<int> a(n), c(n);
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemset(dev_a, 0, bytes));
  HANDLE_ERROR(cudaMemset(dev_b, 0, bytes));
  Times times;
  times.kernel_ms =
      course::measure_device_ms([=] { add<<<blocks, threads>>>(dev_a, dev_b, dev_c, n); });
  times.copies_ms = course::measure_host_ms([&] {
    HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, a.data(), bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(c.data(), dev_c, bytes, cudaMemcpyDeviceToHost));
  });
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  times.end_to_end_ms = course::measure_host_ms(
      [&] { vector_add(a.data(), a.data(), c.data(), n, blocks, threads); });
  return times;
}

// About how long main() takes for n elements.
double estimate_s(size_t n, int blocks, int threads) {
  const size_t part = std::max<size_t>(1 << 22, n / 8);
  const double once_s = course::estimate_s(n, part, [=] { add_and_verify(part, blocks, threads); });
  std::vector<int> a(once_s > 0 ? part : 0);
  const double add_s = course::estimate_s(
      n, part, [&] { vector_add(a.data(), a.data(), a.data(), part, blocks, threads); });
  // The kernel, the copies, and both together. Each of the first two takes about half of the total.
  return once_s +
         1e-3 * (2 * course::measuring_ms(500 * add_s) + course::measuring_ms(1e3 * add_s));
}

int main(int argc, char** argv) {
  size_t n = 33 * 1024;
  int blocks = 128, threads = 128;
  course::Options options("Adds two vectors on the device, with a fixed number of threads.");
  options.number("size", &n, 0, 1LL << 40, "elements");
  options.number("blocks", &blocks, 1, 65536, "blocks");
  options.number("threads", &threads, 1, 1024, "threads per block");
  options.parse(argc, argv);
  const double bytes = 1.0 * sizeof(int) * n;
  course::require_memory(3 * bytes, 4 * bytes);

  course::LongRun long_run(estimate_s(n, blocks, threads), 7 * bytes);
  const bool right = add_and_verify(n, blocks, threads);
  long_run.hide();
  if (!right) return course::kExitWrong;
  printf("%s by %s of %s on %s: all verified\n", course::count_of(n, "sum").c_str(),
         course::count_of(blocks, "block").c_str(), course::count_of(threads, "thread").c_str(),
         course::device_name().c_str());
  if (n == 0) return 0;

  const Times times = measure(n, blocks, threads);
  const double copy_gb_per_s = course::measure_copy_gb_per_s();
  long_run.hide();
  printf("kernel %.3f ms, copies %.3f ms, end to end %.3f ms\n", times.kernel_ms, times.copies_ms,
         times.end_to_end_ms);
  printf("the kernel reads and writes %.1f GB/s; a copy within the device's memory, %.1f GB/s\n",
         course::billions_per_second(3 * bytes, times.kernel_ms), copy_gb_per_s);
  if (course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU)\n");
  return 0;
}
