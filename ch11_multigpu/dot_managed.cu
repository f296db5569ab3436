// Dot product of vectors in managed memory, with and without telling where they will be needed.
//
// Today, against dot_zero_copy: managed memory has one address, and its pages lie where they were
// touched last. The host has filled the vectors, so the kernel finds every page on the other side,
// and each comes when a thread asks for it. What to look at: cudaMemPrefetchAsync brings them before
// the kernel begins, in large pieces, like a copy. Nothing else changes, and the result is right
// without it: it is a hint, whose worth the times show.
//
//   ./course run dot_managed

#include <algorithm>

#include "dot.h"

// Room for n floats, at one address for the host and all devices.
float* allocate(size_t n) {
  float* memory;
  HANDLE_ERROR(cudaMallocManaged(&memory, std::max<size_t>(n, 1) * sizeof(float)));
  return memory;
}

// Brings the pages to a device before a kernel asks for them. Without hardware that moves pages while
// kernels run (Windows, old GPUs) all of them come with the launch anyway.
void prefetch(const float* memory, size_t n, int device) {
  int pages_move = 0;
  HANDLE_ERROR(
      cudaDeviceGetAttribute(&pages_move, cudaDevAttrConcurrentManagedAccess, device));
  if (pages_move == 0) return;
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
  HANDLE_ERROR(cudaDeviceSynchronize());  // no copy that would wait for the kernel
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
      fill_like_the_book(a, b, n);  // brings the pages to the host
      dot_on_device(a, b, n, blocks, ahead, &one);
    }
    printf("%s", ahead ? "pages fetched ahead: " : "pages on demand:     ");
    print_times(median_times(times), n);
  }
  for (float* memory : {a, b}) HANDLE_ERROR(cudaFree(memory));
  return 0;
}
