// The dot product of vectors that are copied to the device, from any kind of host memory: what
// dot_pageable and dot_pinned share.
#pragma once

#include <vector>

#include "dot.h"

// a and b are in host memory, n elements each.
inline double dot_on_device(const float* a, const float* b, size_t n, int blocks,
                            Times* times = nullptr) {
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

// ---- Checking and timing, not the lesson.

// Reads the options, checks the memory, and chooses the number of blocks.
inline Request parse_request(int argc, char** argv, const char* purpose) {
  Request request;
  course::Options options(purpose);
  add_options(options, &request);
  options.parse(argc, argv);
  const double bytes = 2.0 * sizeof(float) * request.size;
  course::require_memory(bytes, bytes);
  if (request.blocks == 0) request.blocks = default_blocks();
  return request;
}

// Fills a and b, computes, verifies, and prints the times. Returns the exit code.
inline int copied_dot_program(float* a, float* b, const Request& request) {
  const size_t n = request.size;
  fill_like_the_book(a, b, n);
  const double result = dot_on_device(a, b, n, request.blocks);
  if (!verify_dot(result, a, b, n, request.blocks)) return course::kExitWrong;

  std::vector<Times> times(5);
  for (Times& one : times) dot_on_device(a, b, n, request.blocks, &one);
  print_times(median_times(times), n);
  return 0;
}
