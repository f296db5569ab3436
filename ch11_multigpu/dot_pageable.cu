// Dot product with ordinary host memory: copy to the device, compute, copy back.
//
// The book's section 11.2.1, the version to compare with. What to look at: almost all of the time
// is spent in the copies. Which part of that is the copying, and which the pageable memory, shows
// the next program, dot_pinned.
//
//   ./course run dot_pageable

#include "dot.h"

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
  course::Options options("Dot product of vectors in pageable host memory.");
  add_options(options, &request);
  options.parse(argc, argv);
  const size_t n = request.size;
  course::require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);
  const int blocks = request.blocks == 0 ? default_blocks() : request.blocks;

  std::vector<float> a(n), b(n);
  fill_like_the_book(a.data(), b.data(), n);
  const double result = dot_on_device(a.data(), b.data(), n, blocks);
  if (!verify_dot(result, a.data(), b.data(), n, blocks)) return course::kExitWrong;

  std::vector<Times> times(5);
  for (Times& one : times) dot_on_device(a.data(), b.data(), n, blocks, &one);
  print_times(median_times(times), n);
  return 0;
}
