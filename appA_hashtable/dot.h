// What the dot product programs share: the way to the device, the check, and main().
#pragma once

#include <stdio.h>

#include <cmath>
#include <functional>
#include <vector>

#include "../common/handle_error.h"
#include "../common/lessons/dot_block.h"
#include "../common/lessons/dot_reference.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "soak.h"

constexpr int kThreads = 256;  // per block, a power of two

// Compares with the CPU's sum in double. A product goes through the additions of its thread, of
// which the first, to 0, is exact, 8 in halves for 256 threads, and one for each block.
inline bool verify_dot(float result, const std::vector<float>& a, const std::vector<float>& b,
                       int blocks) {
  const double per_thread = std::ceil(static_cast<double>(a.size()) / (1.0 * blocks * kThreads));
  const DotReference reference =
      dot_reference(a.data(), b.data(), a.size(), per_thread - 1 + 8 + blocks);
  return course::verify("the dot product", &result, &reference.value, 1, 0, reference.bound);
}

// Vectors on the device, and the one float for the result.
struct DeviceVectors {
  float *a, *b, *result;
};

inline DeviceVectors copy_to_device(const std::vector<float>& a, const std::vector<float>& b) {
  DeviceVectors device;
  const size_t bytes = a.size() * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&device.a, bytes));
  HANDLE_ERROR(cudaMalloc(&device.b, bytes));
  HANDLE_ERROR(cudaMalloc(&device.result, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(device.a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(device.b, b.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(device.result, 0, sizeof(float)));
  return device;
}

inline void free_vectors(const DeviceVectors& device) {
  HANDLE_ERROR(cudaFree(device.a));
  HANDLE_ERROR(cudaFree(device.b));
  HANDLE_ERROR(cudaFree(device.result));
}

// The options of a run.
struct Request {
  size_t size = 33 * 1024 * 1024;  // the book's
  int blocks = 0;
  int seconds = 0;
};

inline Request parse_request(int argc, char** argv, const char* purpose) {
  Request request;
  course::Options options(purpose);
  options.number("size", &request.size, 0, 1LL << 36, "elements of each vector");
  options.number("blocks", &request.blocks, 0, 65535, "blocks, 0: 8 per multiprocessor");
  options.number("seconds", &request.seconds, 0, 86400,
                 "repeat for this long, and look for lost memory");
  options.parse(argc, argv);
  course::require_memory(2.0 * sizeof(float) * request.size, 2.0 * sizeof(float) * request.size);
  if (request.blocks == 0) request.blocks = 8 * course::multiprocessors();
  return request;
}

// Starts a program's kernel on vectors on the device.
using LaunchDot = std::function<void(const DeviceVectors& device)>;

// The dot product of a and b, which have equal sizes. `kernel_ms`, if wanted, is filled with the
// time of the kernel.
inline float finished_dot(const std::vector<float>& a, const std::vector<float>& b,
                          const LaunchDot& launch, double* kernel_ms) {
  if (a.empty()) return 0;
  const DeviceVectors device = copy_to_device(a, b);
  course::EventTimer timer;
  timer.start();
  launch(device);
  HANDLE_ERROR(cudaGetLastError());
  const double ms = timer.stop();
  if (kernel_ms != nullptr) *kernel_ms = ms;
  float result = 0;
  HANDLE_ERROR(cudaMemcpy(&result, device.result, sizeof(float), cudaMemcpyDeviceToHost));
  free_vectors(device);
  return result;
}

// main(): `dot_on_device` is a program's own.
inline int finished_dot_program(int argc, char** argv, const char* purpose,
                                float (*dot_on_device)(const std::vector<float>& a,
                                                       const std::vector<float>& b, int blocks,
                                                       double* kernel_ms)) {
  const Request request = parse_request(argc, argv, purpose);
  std::vector<float> a(request.size), b(request.size);
  fill_like_the_book(a.data(), b.data(), request.size);
  double ms = 0;
  float result = 0;
  const auto compute_and_verify = [&] {
    result = dot_on_device(a, b, request.blocks, &ms);
    return verify_dot(result, a, b, request.blocks);
  };
  if (!compute_and_verify() || !compute_and_verify()) return course::kExitWrong;  // cold, then warm
  printf("dot product %.9g, verified\n", result);
  printf("kernel %.3f ms, %.2f GB/s; this device copies %.0f GB/s; %s\n", ms,
         course::billions_per_second(8.0 * request.size, ms), course::measure_copy_gb_per_s(),
         course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  if (request.seconds > 0 && !soak(request.seconds, compute_and_verify)) return course::kExitWrong;
  return 0;
}
