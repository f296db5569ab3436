// What the stream programs share: everything except the order in which they queue their work.
#pragma once

#include <stdio.h>

#include <functional>
#include <string>
#include <vector>

#include "../common/lessons/pinned_memory.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "../common/program/write_file.h"
#include "average.h"
#include "timeline.h"

// c = average(a, b), n elements each, with `rounds` rounds of more work, in chunks of `chunk`
// elements, a multiple of kGroup. Returns the milliseconds between the first call that queues work
// and the end of all work.
using Run = std::function<double(const int* a, const int* b, int* c, size_t n, size_t chunk,
                                 int rounds, Timeline& timeline)>;

// The median time of the copies alone, chunk by chunk in one stream: of `arrays` arrays of n
// elements to the device or to the host.
inline double copies_alone_ms(int* host, size_t n, size_t chunk, int arrays, cudaMemcpyKind kind) {
  if (n == 0) return 0;
  int* device;
  HANDLE_ERROR(cudaMalloc(&device, chunk * sizeof(int)));
  HANDLE_ERROR(cudaMemset(device, 0, chunk * sizeof(int)));
  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  const double ms = course::measure_host_ms([&] {
    for (size_t begin = 0; begin < n; begin += chunk)
      for (int array = 0; array < arrays; array++) {
        const size_t bytes = std::min(chunk, n - begin) * sizeof(int);
        if (kind == cudaMemcpyHostToDevice)
          HANDLE_ERROR(cudaMemcpyAsync(device, host + begin, bytes, kind, stream));
        else
          HANDLE_ERROR(cudaMemcpyAsync(host + begin, device, bytes, kind, stream));
      }
    HANDLE_ERROR(cudaStreamSynchronize(stream));
  });
  HANDLE_ERROR(cudaStreamDestroy(stream));
  HANDLE_ERROR(cudaFree(device));
  return ms;
}

// The kernel of one chunk with a number of rounds, and how long it takes.
struct KernelWork {
  int rounds = 0;
  double ms = 0;
};

// As many rounds as make the kernel of a chunk take about `target_ms`, or `rounds` if not negative.
inline KernelWork kernel_work(size_t chunk, double target_ms, int rounds) {
  int *a, *b, *c;
  for (int** array : {&a, &b, &c}) {
    HANDLE_ERROR(cudaMalloc(array, chunk * sizeof(int)));
    HANDLE_ERROR(cudaMemset(*array, 0, chunk * sizeof(int)));
  }
  const auto kernel_ms = [&](int tried) {
    course::EventTimer timer;
    timer.start();
    average<<<blocks_for(chunk), kGroup>>>(a, b, c, chunk, tried);
    HANDLE_ERROR(cudaGetLastError());
    return timer.stop();
  };
  kernel_ms(0);  // the first launch loads the kernel
  KernelWork work = {rounds, 0};
  if (rounds < 0) {
    constexpr int kMost = 1 << 16;
    work.rounds = 16;
    while (kernel_ms(work.rounds) < target_ms && work.rounds < kMost) work.rounds *= 2;
    const double ratio = target_ms / std::max(kernel_ms(work.rounds), 1e-3);
    work.rounds = std::max(1, static_cast<int>(work.rounds * std::min(1.0, ratio)));
  }
  work.ms = kernel_ms(work.rounds);
  for (int* array : {a, b, c}) HANDLE_ERROR(cudaFree(array));
  return work;
}

// Options, data, verification, times, timeline. Returns the exit code.
inline int stream_program(int argc, char** argv, const std::string& purpose, const Run& run) {
  size_t n = 20 << 20, chunk = 1 << 20;  // the book's
  int rounds = -1;
  std::string svg;
  course::Options options(purpose);
  options.number("size", &n, 0, 1LL << 36, "elements of each array");
  options.number("chunk", &chunk, kGroup, 1LL << 31, "elements per chunk, a multiple of 256");
  options.number("rounds", &rounds, -1, 1000000,
                 "rounds of work per element, -1: the kernels take as long as the copies to the "
                 "device");
  options.output("save", &svg, "write the timeline as a picture (.svg)");
  options.parse(argc, argv);
  if (chunk % kGroup != 0)
    course::bad_usage("--chunk must be a multiple of " + std::to_string(kGroup) + ", not " +
                      std::to_string(chunk));
  if (!svg.empty() && (svg.size() < 5 || svg.substr(svg.size() - 4) != ".svg"))
    course::bad_usage("--save needs a file that ends in .svg, not '" + svg + "'");
  chunk = std::min(chunk, std::max<size_t>((n + kGroup - 1) / kGroup, 1) * kGroup);
  course::require_memory(2 * 3.0 * sizeof(int) * chunk, 4.0 * sizeof(int) * n);

  int device = 0, copy_engines = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&copy_engines, cudaDevAttrAsyncEngineCount, device));
  if (copy_engines == 0) course::skip("this device cannot copy while a kernel runs");

  PinnedMemory<int> a(n), b(n), c(n);
  fill_randomly(a.get(), n, 10);
  fill_randomly(b.get(), n, 11);
  std::fill(c.get(), c.get() + n, -1);
  const size_t chunks = (n + chunk - 1) / chunk;
  const double up_ms = copies_alone_ms(a.get(), n, chunk, 2, cudaMemcpyHostToDevice);
  const double down_ms = copies_alone_ms(c.get(), n, chunk, 1, cudaMemcpyDeviceToHost);
  const KernelWork kernel = kernel_work(chunk, n == 0 ? 0 : up_ms / chunks, rounds);
  std::fill(c.get(), c.get() + n, -1);
  Timeline no_timeline;
  run(a.get(), b.get(), c.get(), n, chunk, kernel.rounds, no_timeline);
  const std::vector<int> expected = average_on_cpu(a.get(), b.get(), n, kernel.rounds);
  if (!course::verify("c", c.get(), expected.data(), n)) return course::kExitWrong;
  printf("%s in chunks of %zu, all verified\n", course::count_of(n, "average").c_str(), chunk);
  if (n == 0) return 0;

  std::vector<double> times;
  for (int i = 0; i < 5; i++)
    times.push_back(run(a.get(), b.get(), c.get(), n, chunk, kernel.rounds, no_timeline));
  const double all_ms = course::median(times);
  printf(
      "all %.2f ms; the copies alone: to the device %.2f ms (%.1f GB/s), to the host %.2f ms "
      "(%.1f GB/s)\n",
      all_ms, up_ms, course::billions_per_second(8.0 * n, up_ms), down_ms, course::billions_per_second(4.0 * n, down_ms));
  printf("%.2f times the longer of the two, %.2f times their sum; %s, %d copy engines\n",
         all_ms / std::max(up_ms, down_ms), all_ms / (up_ms + down_ms),
         course::device_name().c_str(), copy_engines);
  printf("the kernels alone: about %.2f ms, with %s of work per element\n", kernel.ms * chunks,
         course::count_of(kernel.rounds, "round").c_str());
  if (course::runs_on_cpu_device())
    printf("times on the CPU device say nothing about a GPU: nothing overlaps there\n");

  Timeline timeline(true);
  run(a.get(), b.get(), c.get(), n, chunk, kernel.rounds, timeline);
  timeline.print();
  if (!svg.empty()) {
    const std::string picture = timeline.svg(purpose);
    course::write_file(svg, picture.data(), picture.size());
    printf("wrote %s\n", svg.c_str());
  }
  return 0;
}
