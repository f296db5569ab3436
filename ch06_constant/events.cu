// Measures how long a kernel takes, with two events.
//
// The book's section 6.3. What to look at: an event is a mark in the queue of work that the host
// gives to the device. cudaEventRecord puts it there and returns at once; the time stamp is taken
// when the device gets to it. So the host must wait for the second event before it asks for the
// time between the two: cudaEventSynchronize is the line that events_broken lacks.
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

// The formula: `steps` random numbers by Marsaglia's xorshift, one after the other, so that the
// kernel takes a while. (Of x = a * x + c compilers make a few multiply-adds for many steps.)
__host__ __device__ inline unsigned scramble(unsigned x, int steps) {
  for (int i = 0; i < steps; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

__global__ void work(unsigned* data, int n, int steps) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) data[i] = scramble(i + 1, steps);  // + 1, because 0 would stay 0
}

// What the two clocks saw, in milliseconds.
struct Timing {
  float events_ms = 0;     // between the two events, on the device
  double launch_ms = 0;    // until the launch had returned, by the host's clock
  double finished_ms = 0;  // until the work was done, by the host's clock
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
  HANDLE_ERROR(cudaEventRecord(start, 0));
  work<<<(n + kThreads - 1) / kThreads, kThreads>>>(dev_data, n, steps);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop, 0));
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

// About how long main() takes: the kernel twice, and the CPU.
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
  printf("between the two events    %9.4f ms\n", timing.events_ms);
  printf("the host's clock, waiting %9.4f ms\n", timing.finished_ms);
  printf("the host's clock, not     %9.4f ms: only the launch\n", timing.launch_ms);
  printf("the kernel took %.0f times as long as its launch\n", timing.events_ms / timing.launch_ms);
  return 0;
}
