// Measures how fast copies between host and device are, from pageable and from pinned memory, in
// both directions.
//
// The book's section 10.2. Also replaces the sample bandwidthTest, which CUDA no longer ships.
// What to look at: the operating system may move or swap out memory from malloc, so the driver
// first copies such data into its own pinned staging buffer. Memory from cudaHostAlloc stays in
// place (it is pinned, or page-locked), so the copy engine reads it directly. The system cannot
// reclaim pinned pages: pin only transfer buffers, and free them early.
//
//   ./course run copy_bandwidth --size 268435456

#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"

// GB/s (10^9 bytes per second) in each direction, and whether the data came back unchanged.
struct Bandwidth {
  double to_device = 0, to_host = 0;
  bool verified = false;
};

// Returns the rates of two copies of `bytes` bytes, one in each direction, from their times.
Bandwidth bandwidth_of(size_t bytes, double to_device_ms, double to_host_ms) {
  Bandwidth bandwidth;
  bandwidth.to_device = course::billions_per_second(double(bytes), to_device_ms);
  bandwidth.to_host = course::billions_per_second(double(bytes), to_host_ms);
  return bandwidth;
}

// Returns the sum of both rates, for two copies of `bytes` bytes that ran at the same time.
double together_gb_per_s(size_t bytes, double ms) { return course::billions_per_second(2.0 * bytes, ms); }

// `sent` and `received` are host buffers of `bytes` bytes. The data are copied `copies` times in
// each direction, after one copy to warm up.
Bandwidth measure(unsigned char* sent, unsigned char* received, size_t bytes, int copies) {
  course::Random random(static_cast<uint32_t>(bytes));
  for (size_t i = 0; i < bytes; i++) sent[i] = static_cast<unsigned char>(random.bits() & 0xff);
  memset(received, 0, bytes);
  unsigned char* device;
  HANDLE_ERROR(cudaMalloc(&device, bytes));

  const auto median_ms = [&](void* to, const void* from, cudaMemcpyKind kind) {
    HANDLE_ERROR(cudaMemcpy(to, from, bytes, kind));  // once to warm up
    std::vector<double> times;
    for (int i = 0; i < copies; i++) {
      course::Stopwatch watch;
      HANDLE_ERROR(cudaMemcpy(to, from, bytes, kind));
      HANDLE_ERROR(cudaDeviceSynchronize());
      times.push_back(watch.elapsed_ms());
    }
    return course::median(times);
  };
  const double up_ms = median_ms(device, sent, cudaMemcpyHostToDevice);
  const double down_ms = median_ms(received, device, cudaMemcpyDeviceToHost);
  HANDLE_ERROR(cudaFree(device));

  Bandwidth bandwidth = bandwidth_of(bytes, up_ms, down_ms);
  bandwidth.verified = course::verify("received", received, sent, bytes);
  return bandwidth;
}

Bandwidth measure_pageable(size_t bytes, int copies) {
  std::vector<unsigned char> sent(bytes), received(bytes);  // pageable, like memory from malloc
  return measure(sent.data(), received.data(), bytes, copies);
}

Bandwidth measure_pinned(size_t bytes, int copies) {
  unsigned char *sent, *received;
  HANDLE_ERROR(cudaHostAlloc(&sent, bytes, cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&received, bytes, cudaHostAllocDefault));
  const Bandwidth bandwidth = measure(sent, received, bytes, copies);
  HANDLE_ERROR(cudaFreeHost(sent));  // not free()
  HANDLE_ERROR(cudaFreeHost(received));
  return bandwidth;
}

// Copies in both directions at the same time, each in a stream of its own. Returns the sum of both
// rates, in GB/s.
double measure_both_ways(size_t bytes, int copies) {
  unsigned char *up, *down, *device_up, *device_down;
  cudaStream_t up_stream, down_stream;
  HANDLE_ERROR(cudaHostAlloc(&up, bytes, cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&down, bytes, cudaHostAllocDefault));
  HANDLE_ERROR(cudaMalloc(&device_up, bytes));
  HANDLE_ERROR(cudaMalloc(&device_down, bytes));
  HANDLE_ERROR(cudaStreamCreate(&up_stream));
  HANDLE_ERROR(cudaStreamCreate(&down_stream));
  memset(up, 1, bytes);
  HANDLE_ERROR(cudaMemset(device_down, 2, bytes));
  const double ms = course::measure_host_ms(
      [&] {
        HANDLE_ERROR(cudaMemcpyAsync(device_up, up, bytes, cudaMemcpyHostToDevice, up_stream));
        HANDLE_ERROR(
            cudaMemcpyAsync(down, device_down, bytes, cudaMemcpyDeviceToHost, down_stream));
        HANDLE_ERROR(cudaDeviceSynchronize());
      },
      copies);
  HANDLE_ERROR(cudaFreeHost(up));
  HANDLE_ERROR(cudaFreeHost(down));
  HANDLE_ERROR(cudaFree(device_up));
  HANDLE_ERROR(cudaFree(device_down));
  HANDLE_ERROR(cudaStreamDestroy(up_stream));
  HANDLE_ERROR(cudaStreamDestroy(down_stream));
  return together_gb_per_s(bytes, ms);
}

int main(int argc, char** argv) {
  size_t bytes = 40 << 20;  // the book's 10 Mi ints
  int copies = 20;
  course::Options options("Speed of copies between host and device, pageable and pinned.");
  options.number("size", &bytes, 1, 1LL << 40, "bytes per copy");
  options.number("copies", &copies, 1, 10000,
                 "copies in each direction; the median counts");
  options.parse(argc, argv);
  course::require_memory(2.0 * bytes, 2.0 * bytes);

  const Bandwidth pageable = measure_pageable(bytes, copies);
  const Bandwidth pinned = measure_pinned(bytes, copies);
  if (!pageable.verified || !pinned.verified) return course::kExitWrong;
  printf("%s, median of %d %s, contents verified; %s\n", course::count_of(bytes, "byte").c_str(),
         copies, copies == 1 ? "copy" : "copies", course::device_name().c_str());
  printf("%-24s %14s %14s\n", "", "to the device", "to the host");
  printf("%-24s %9.2f GB/s %9.2f GB/s\n", "pageable (malloc)", pageable.to_device,
         pageable.to_host);
  printf("%-24s %9.2f GB/s %9.2f GB/s\n", "pinned (cudaHostAlloc)", pinned.to_device,
         pinned.to_host);
  printf("%-24s %9.2f GB/s together\n", "pinned, both at once", measure_both_ways(bytes, copies));
  return 0;
}
