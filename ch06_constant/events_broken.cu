// WRONG ON PURPOSE: reads the time between two events before the second one has happened.
//
// Section 6.3 of the book. What to look at: cudaEventRecord() queues a marker and returns at once.
// The device has not reached the second marker yet, so the time is not known. CUDA returns
// cudaErrorNotReady, "device not ready". A program that ignores the error prints whatever was in
// the variable. The fix is to call cudaEventSynchronize(stop) first, as in events.cu.
//
//   ./course run events_broken      (./course check events_broken explains it)

#include <string>
#include <vector>

#include "../common/program/broken_on_purpose.h"
#include "../common/program/compare.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"

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

// What cudaEventElapsedTime() returns.
struct Answer {
  cudaError_t error = cudaSuccess;
  float events_ms = 0;
};

// data[i] = scramble(i + 1, steps), for n > 0 elements, on the device.
Answer timed_work(unsigned* data, int n, int steps) {
  unsigned* dev_data;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(unsigned)));
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));

  Answer answer;
  HANDLE_ERROR(cudaEventRecord(start));
  work<<<(n + kThreads - 1) / kThreads, kThreads>>>(dev_data, n, steps);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));
  // WRONG: a cudaEventSynchronize(stop) is missing here
  answer.error = cudaEventElapsedTime(&answer.events_ms, start, stop);
  cudaGetLastError();  // resets the error, which is handled below

  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaMemcpy(data, dev_data, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  return answer;
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  int n = 1000, steps = 200000;
  course::Options options("Wrong on purpose: reads the time between two events too early.");
  options.number("size", &n, 1, 1 << 24, "elements");
  options.number("steps", &steps, 0, 1000000, "work for each element");
  options.parse(argc, argv);

  std::vector<unsigned> data(n), expected(n);
  const Answer answer = timed_work(data.data(), n, steps);
  for (int i = 0; i < n; i++) expected[i] = scramble(i + 1, steps);
  if (!course::verify("data", data.data(), expected.data(), n)) return course::kExitWrong;

  return course::broken_as_intended(
      answer.error == cudaErrorNotReady,
      std::string("without the wait, CUDA returns '") + cudaGetErrorString(answer.error) +
          "', and the variable still holds " + std::to_string(answer.events_ms),
      "the kernel had already ended; use a larger --size or more --steps");
}
