// Checking and timing, not the lesson: what the programs that count under a lock share.
#pragma once

#include <functional>

#include "../common/handle_error.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "soak.h"

// Launches a kernel that adds to the counter. Returns the counter, and the kernel's time in
// *kernel_ms if that is not null.
inline int counted_by(const std::function<void(int* dev_counter)>& launch, double* kernel_ms) {
  int counter = 0;
  int* dev_counter;
  HANDLE_ERROR(cudaMalloc(&dev_counter, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_counter, 0, sizeof(int)));
  course::EventTimer timer;
  timer.start();
  launch(dev_counter);
  const double ms = timer.stop();
  if (kernel_ms != nullptr) *kernel_ms = ms;
  HANDLE_ERROR(cudaMemcpy(&counter, dev_counter, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_counter));
  return counter;
}

// main(): count_threads(blocks, threads, &kernel_ms) must count each thread once.
inline int lock_program(int argc, char** argv, const char* purpose,
                        int (*count_threads)(int, int, double*)) {
  int blocks = 100, threads = 32, seconds = 0;
  course::Options options(purpose);
  options.number("blocks", &blocks, 1, 100000, "blocks");
  options.number("threads", &threads, 1, 1024, "threads per block");
  options.number("seconds", &seconds, 0, 86400, "repeat for this long, and look for memory leaks");
  options.parse(argc, argv);

  const int expected = blocks * threads;
  double ms = 0;
  const auto count_and_verify = [&] {
    const int counter = count_threads(blocks, threads, &ms);
    return course::verify("the counter", &counter, &expected, 1);
  };
  if (!count_and_verify()) return course::kExitWrong;
  printf("%s counted one after the other, verified\n",
         course::count_of(expected, "thread").c_str());
  printf("kernel %.2f ms, %.0f ns for each; %s\n", ms, 1e6 * ms / expected,
         course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  if (seconds > 0 && !soak(seconds, count_and_verify)) return course::kExitWrong;
  return 0;
}
