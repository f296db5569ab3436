// Computes a dot product of vectors in managed memory, with and without prefetching.
//
// Not in the book. Today's alternative to dot_zero_copy. Managed memory has one address, and each
// page stays where it was last used, until another processor accesses it. The host has filled the
// vectors, so the kernel faults on each page, and the page moves to the device. What to look at:
// cudaMemPrefetchAsync moves the pages before the kernel starts, in large pieces, like a copy. It
// is a hint: the result is the same without it, and the times show what it gains.
//
//   ./course run dot_managed

#include <algorithm>

#include "dot.h"

// Memory for n floats, at one address for the host and all devices.
float* allocate(size_t n) {
  float* memory;
  HANDLE_ERROR(cudaMallocManaged(&memory, std::max<size_t>(n, 1) * sizeof(float)));
  return memory;
}

// Moves the pages to a device before a kernel needs them. If pages cannot move while kernels run
// (Windows, WSL, Jetson), the launch moves all of them anyway.
void prefetch(const float* memory, size_t n, int device) {
  int can_migrate = 0;
  HANDLE_ERROR(cudaDeviceGetAttribute(&can_migrate, cudaDevAttrConcurrentManagedAccess, device));
  if (can_migrate == 0) return;
#if CUDART_VERSION >= 13000
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  place.id = device;
  HANDLE_ERROR(cudaMemPrefetchAsync(memory, n * sizeof(float), place, 0, 0));
#else
  HANDLE_ERROR(cudaMemPrefetchAsync(memory, n * sizeof(float), device, 0));
#endif
}

// a and b are in managed memory, n elements each.
double dot_on_device(const float* a, const float* b, size_t n, int blocks, bool ahead,
                     Times* times = nullptr) {
  if (n == 0) return 0;
  float* partial = allocate(blocks);
  int device = 0;
  HANDLE_ERROR(cudaGetDevice(&device));

  course::Stopwatch watch;
  if (ahead) {
    prefetch(a, n, device);
    prefetch(b, n, device);
  }
  dot<<<blocks, kThreads>>>(a, b, n, partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // no copy follows that would wait
  const double computed_ms = watch.elapsed_ms();
  const double result = finish(partial, blocks);
  if (times != nullptr) *times = {0, computed_ms, watch.elapsed_ms()};
  HANDLE_ERROR(cudaFree(partial));
  return result;
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  Request request;
  course::Options options("Dot product of vectors in managed memory.");
  add_options(options, &request);
  options.parse(argc, argv);
  const size_t n = request.size;
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);
  const int blocks = request.blocks == 0 ? default_blocks() : request.blocks;

  float *a = allocate(n), *b = allocate(n);
  for (bool ahead : {false, true}) {
    fill_like_the_book(a, b, n);
    const double result = dot_on_device(a, b, n, blocks, ahead);
    if (!verify_dot(result, a, b, n, blocks)) return course::kExitWrong;
  }
  for (bool ahead : {false, true}) {
    std::vector<Times> times(5);
    for (Times& one : times) {
      fill_like_the_book(a, b, n);  // moves the pages to the host
      dot_on_device(a, b, n, blocks, ahead, &one);
    }
    printf("%s", ahead ? "pages prefetched: " : "pages on demand:  ");
    print_times(median_times(times), n);
  }
  for (float* memory : {a, b}) HANDLE_ERROR(cudaFree(memory));
  return 0;
}
