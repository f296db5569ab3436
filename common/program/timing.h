// Time, measured on the device and on the host, and reference speeds to compare it with.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "../handle_error.h"

namespace course {

// The middle value; the mean of the two middle ones for an even count; 0 for none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// How many billions per second it is if `count` of them take this long: GB/s (10^9, not 2^30) of
// bytes, GFLOP/s of operations. 0 if there is no time.
inline double billions_per_second(double count, double ms) { return ms > 0 ? count / ms * 1e-6 : 0; }

// Wall-clock time on the host, in milliseconds since construction.
class Stopwatch {
 public:
  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Time that the device spends on work queued in a stream between start() and stop().
class EventTimer {
 public:
  explicit EventTimer(cudaStream_t stream = 0) : stream_(stream) {
    HANDLE_ERROR(cudaEventCreate(&start_));
    HANDLE_ERROR(cudaEventCreate(&stop_));
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start() { HANDLE_ERROR(cudaEventRecord(start_, stream_)); }

  // Waits for the work, and returns milliseconds.
  double stop() {
    HANDLE_ERROR(cudaEventRecord(stop_, stream_));
    HANDLE_ERROR(cudaEventSynchronize(stop_));
    float ms = 0;
    HANDLE_ERROR(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_{}, stop_{};
};

// Enough repeating: runs that take longer than this together (in milliseconds) vary little.
constexpr double kLongEnoughMs = 50;

// How long measure_device_ms() and measure_host_ms() take for work of `ms` milliseconds.
inline double measuring_ms(double ms, int repeats = 5) {
  if (ms >= kLongEnoughMs) return ms;
  int runs = 1;
  while (runs < repeats && runs * ms < kLongEnoughMs) runs++;
  return (1 + runs) * ms;
}

// Median of what `repeats` calls of `timed_run` return, in milliseconds, after one call to warm up;
// of fewer calls if they are long. If the first one is long enough, it is the only one.
inline double measure_ms(const std::function<double()>& timed_run, int repeats) {
  const double first_ms = timed_run();
  if (first_ms >= kLongEnoughMs) return first_ms;
  std::vector<double> times;
  Stopwatch all;
  for (int i = 0; i < repeats && (i == 0 || all.elapsed_ms() < kLongEnoughMs); i++)
    times.push_back(timed_run());
  return median(times);
}

// Median time in milliseconds on the device of `repeats` runs of `work`, as measure_ms() says.
inline double measure_device_ms(const std::function<void()>& work, int repeats = 5) {
  EventTimer timer;
  const double ms = measure_ms(
      [&] {
        timer.start();
        work();
        return timer.stop();
      },
      repeats);
  HANDLE_ERROR(cudaGetLastError());
  return ms;
}

// The same on the host.
inline double measure_host_ms(const std::function<void()>& work, int repeats = 5) {
  return measure_ms(
      [&] {
        const Stopwatch watch;
        work();
        return watch.elapsed_ms();
      },
      repeats);
}

// Bytes read plus bytes written per second, in GB/s (10^9), by a copy within device memory: the
// yardstick for every program that is limited by memory. The buffers are large enough to miss the
// caches, or as large as the free memory allows: 1 GiB each on a large GPU, 64 MiB elsewhere.
inline double measure_copy_gb_per_s() {
  size_t free_bytes = 0, total_bytes = 0;
  HANDLE_ERROR(cudaMemGetInfo(&free_bytes, &total_bytes));
  const size_t wanted = total_bytes > (size_t(64) << 30) ? size_t(1) << 30 : size_t(64) << 20;
  const size_t bytes = std::min(wanted, free_bytes / 4);
  if (bytes == 0) return 0;
  void *from = nullptr, *to = nullptr;
  HANDLE_ERROR(cudaMalloc(&from, bytes));
  HANDLE_ERROR(cudaMalloc(&to, bytes));
  HANDLE_ERROR(cudaMemset(from, 1, bytes));
  const double ms = measure_device_ms(
      [=] { HANDLE_ERROR(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
  HANDLE_ERROR(cudaFree(from));
  HANDLE_ERROR(cudaFree(to));
  return billions_per_second(2.0 * bytes, ms);
}

}  // namespace course
