// Measures how long a kernel takes, with two events.
//
// Section 6.3 of the book. What to look at: an event is a marker in the device's queue of work.
// cudaEventRecord() queues it and returns at once. The device takes the time stamp when it reaches
// the marker. So the host must wait for the second event before it reads the time between the two:
// cudaEventSynchronize() is the line that events_broken lacks.
//
//   ./course run events

#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kThreads = 256;

// Computes `steps` random numbers by Marsaglia's xorshift, one after the other, so that the kernel
// takes a while. (Compilers would shorten many steps of x = a * x + c to a few multiply-adds.)
__host__ __device__ inline unsigned scramble(unsigned x, int steps) {
  for (int i = 0; i < steps; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

__global__ void work(unsigned* data, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = scramble(i + 1, steps);  // + 1, because 0 would stay 0
}

// The times of the two clocks, in milliseconds.
struct Timing {
  float events_ms = 0;     // on the device, between the two events
  double launch_ms = 0;    // on the host, until the launch and both records had returned
  double finished_ms = 0;  // on the host, until the kernel had ended
};

// data[i] = scramble(i + 1, steps), for n > 0 elements, on the device.
Timing timed_work(unsigned* data, int n, int steps) {
  unsigned* dev_data;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(unsigned)));
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));

  Timing timing;
  const course::Stopwatch watch;
  HANDLE_ERROR(cudaEventRecord(start));
  work<<<(n + kThreads - 1) / kThreads, kThreads>>>(dev_data, n, steps);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));
  timing.launch_ms = watch.elapsed_ms();
  HANDLE_ERROR(cudaEventSynchronize(stop));
  timing.finished_ms = watch.elapsed_ms();
  HANDLE_ERROR(cudaEventElapsedTime(&timing.events_ms, start, stop));

  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaMemcpy(data, dev_data, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  return timing;
}

// ---- Checking and timing, not the lesson.

std::vector<unsigned> reference(int n, int steps) {
  std::vector<unsigned> result(n);
  for (int i = 0; i < n; i++) result[i] = scramble(i + 1, steps);
  return result;
}

// Estimates the time of main(): the kernel twice, and the CPU.
double estimate_s(int n, int steps) {
  const int part_steps = 1000, part = course::device_threads();
  std::vector<unsigned> data(part);
  const double all = double(n) * steps;
  return 2 * course::estimate_s(all, double(part) * part_steps,
                                [&] { timed_work(data.data(), part, part_steps); }) +
         course::estimate_s(all, 1000.0 * part_steps, [] { reference(1000, part_steps); });
}

int main(int argc, char** argv) {
  int n = 1000, steps = 200000;
  course::Options options("Measures the time of a kernel with two events.");
  options.number("size", &n, 1, 1 << 24, "elements");
  options.number("steps", &steps, 0, 1000000, "work for each element");
  options.parse(argc, argv);
  course::require_memory(double(n) * sizeof(unsigned), 2.0 * n * sizeof(unsigned));

  course::LongRun long_run(estimate_s(n, steps), 3.0 * n * sizeof(unsigned));
  std::vector<unsigned> data(n);
  timed_work(data.data(), n, steps);  // the first launch also loads the kernel
  const Timing timing = timed_work(data.data(), n, steps);

  const std::vector<unsigned> expected = reference(n, steps);
  long_run.hide();
  if (!course::verify("data", data.data(), expected.data(), n)) return course::kExitWrong;
  printf("%s on %s, all verified\n", course::count_of(n, "element").c_str(),
         course::device_name().c_str());
  printf("between the two events         %9.4f ms\n", timing.events_ms);
  printf("host's clock, with waiting     %9.4f ms\n", timing.finished_ms);
  printf("host's clock, without waiting  %9.4f ms: only the launch\n", timing.launch_ms);
  printf("the kernel took %.0f times as long as its launch\n", timing.events_ms / timing.launch_ms);
  if (course::runs_on_cpu_device()) printf("(times on the CPU device say nothing about a GPU)\n");
  return 0;
}
