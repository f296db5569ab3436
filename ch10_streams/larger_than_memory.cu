// Computes on data larger than the device's memory, in as many chunks as necessary.
//
// The book's section 10.4 mentions that a program that works in chunks needs device memory only for
// the chunks in flight (queued, but not finished). What to look at: the chunk size follows from
// --memory (48 MiB unless set) or from the free memory, whichever is less. The result does not
// depend on it. The arrays are ordinary vectors. cudaHostRegister pins their memory, so that the
// copies can be asynchronous.
//
//   CPU_DEVICE_MEMORY=33554432 ./course run --cpu larger_than_memory     a device of 32 MiB
//   ./course run larger_than_memory --memory 33554432                    at most 32 MiB of any device

#include <stdio.h>

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "average.h"

constexpr int kStreams = 2;

// Returns the largest chunk, in elements, of which kStreams with three arrays each fit into `bytes`
// of device memory: a multiple of kGroup, and 0 if not even one group fits. 64 KiB per array allow
// for small rounding. The memory that main() leaves free allows for the GPU's pages of 2 MiB.
size_t chunk_for(size_t bytes) {
  const size_t per_array = bytes / (3 * kStreams);
  const size_t rounding = 64 << 10;
  return per_array <= rounding ? 0 : (per_array - rounding) / sizeof(int) / kGroup * kGroup;
}

// c = average(a, b), n elements each, in host memory, with buffers of `chunk` elements.
void average_in_chunks(int* a, int* b, int* c, size_t n, size_t chunk) {
  if (n == 0) return;
  for (int* array : {a, b, c})
    HANDLE_ERROR(cudaHostRegister(array, n * sizeof(int), cudaHostRegisterDefault));
  cudaStream_t stream[kStreams];
  int *dev_a[kStreams], *dev_b[kStreams], *dev_c[kStreams];
  for (int s = 0; s < kStreams; s++) {
    HANDLE_ERROR(cudaStreamCreate(&stream[s]));
    HANDLE_ERROR(cudaMalloc(&dev_a[s], chunk * sizeof(int)));
    HANDLE_ERROR(cudaMalloc(&dev_b[s], chunk * sizeof(int)));
    HANDLE_ERROR(cudaMalloc(&dev_c[s], chunk * sizeof(int)));
  }

  int s = 0;
  for (size_t i = 0; i < n; i += chunk, s = (s + 1) % kStreams) {
    const size_t count = std::min(chunk, n - i), bytes = count * sizeof(int);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a[s], a + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    HANDLE_ERROR(cudaMemcpyAsync(dev_b[s], b + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    average<<<blocks_for(count), kGroup, 0, stream[s]>>>(dev_a[s], dev_b[s], dev_c[s], count);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(c + i, dev_c[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int k = 0; k < kStreams; k++) HANDLE_ERROR(cudaStreamSynchronize(stream[k]));

  for (int k = 0; k < kStreams; k++) {
    HANDLE_ERROR(cudaFree(dev_a[k]));
    HANDLE_ERROR(cudaFree(dev_b[k]));
    HANDLE_ERROR(cudaFree(dev_c[k]));
    HANDLE_ERROR(cudaStreamDestroy(stream[k]));
  }
  for (int* array : {a, b, c}) HANDLE_ERROR(cudaHostUnregister(array));
}

int main(int argc, char** argv) {
  size_t n = 20 << 20;
  size_t memory = 48 << 20;
  course::Options options("Data larger than the device's memory, in chunks.");
  options.number("size", &n, 0, 1LL << 38, "elements of each of the three arrays");
  options.number("memory", &memory, 0, 1LL << 50,
                 "bytes of device memory to use, 0: all that is free");
  options.parse(argc, argv);
  course::require_memory(0, 4.0 * sizeof(int) * n);

  size_t free_bytes = 0, total_bytes = 0;
  HANDLE_ERROR(cudaMemGetInfo(&free_bytes, &total_bytes));
  const size_t usable = free_bytes / 10 * 9;  // the driver also needs some
  const size_t chunk = chunk_for(memory == 0 ? usable : std::min(memory, usable));
  if (chunk == 0)
    course::bad_usage("the device memory to use is not enough for chunks of " +
                      std::to_string(kGroup) + " elements; give it more with --memory");

  std::vector<int> a(n), b(n), c(n, -1);
  fill_randomly(a.data(), n, 10);
  fill_randomly(b.data(), n, 11);
  course::Stopwatch watch;
  average_in_chunks(a.data(), b.data(), c.data(), n, std::min(chunk, (n / kGroup + 1) * kGroup));
  const double elapsed_ms = watch.elapsed_ms();
  const std::vector<int> expected = average_on_cpu(a.data(), b.data(), n);
  if (!course::verify("c", c.data(), expected.data(), n)) return course::kExitWrong;

  printf("data %s; device memory %s, free %s, used at most %s\n",
         course::bytes_in_words(12.0 * n).c_str(),
         course::bytes_in_words(static_cast<double>(total_bytes)).c_str(),
         course::bytes_in_words(static_cast<double>(free_bytes)).c_str(),
         course::bytes_in_words(12.0 * kStreams * std::min(chunk, n)).c_str());
  printf("%s in %s, all verified\n", course::count_of(n, "average").c_str(),
         course::count_of((n + chunk - 1) / chunk, "chunk").c_str());
  printf("end to end, with pinning and allocation: %.2f ms, %.2f GB/s\n", elapsed_ms,
         course::billions_per_second(12.0 * n, elapsed_ms));
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  return 0;
}
