// Dot product with pinned host memory: the same copies, faster.
//
// Not in the book, which compares pageable copies with no copies at all. What to look at: the only
// change is cudaHostAlloc in main; the function below is the one of dot_pageable. This is what
// dot_zero_copy has to be compared with.
//
//   ./course run dot_pinned

#include "dot.h"
#include "host_memory.h"

// a and b are in host memory, n elements each.
double dot_on_device(const float* a, const float* b, size_t n, int blocks, Times* times = nullptr) {
  if (n == 0) return 0;
  float *dev_a, *dev_b, *dev_partial;
  std::vector<float> partial(blocks);
  HANDLE_ERROR(cudaMalloc(&dev_a, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));

  course::Stopwatch watch;
  HANDLE_ERROR(cudaMemcpy(dev_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
  const double copied_ms = watch.elapsed_ms();
  dot<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  const double computed_ms = watch.elapsed_ms();
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  const double result = finish(partial.data(), blocks);
  const double elapsed_ms = watch.elapsed_ms();
  if (times != nullptr)
    *times = {copied_ms + (elapsed_ms - computed_ms), computed_ms - copied_ms, elapsed_ms};

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return result;
}

int main(int argc, char** argv) {
  Request request;
  course::Options options("Dot product of vectors in pinned host memory.");
  add_options(options, &request);
  options.parse(argc, argv);
  const size_t n = request.size;
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);
  const int blocks = request.blocks == 0 ? default_blocks() : request.blocks;

  HostFloats a(n, cudaHostAllocDefault), b(n, cudaHostAllocDefault);
  fill_like_the_book(a.get(), b.get(), n);
  const double result = dot_on_device(a.get(), b.get(), n, blocks);
  if (!verify_dot(result, a.get(), b.get(), n, blocks)) return course::kExitWrong;

  std::vector<Times> times(5);
  for (Times& one : times) dot_on_device(a.get(), b.get(), n, blocks, &one);
  print_times(median_times(times), n);
  return 0;
}
