// Events: when they have happened, and the times between them. On any device; no test expects a
// time, only that times fit each other.

#include <doctest/doctest.h>

#include <vector>

#include "../../../common/handle_error.h"
#include "../../../common/program/timing.h"

namespace {

// Takes `steps` dependent steps.
__global__ void work(unsigned* result, int steps) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < steps; i++) x = 1664525u * x + 1013904223u;
  result[threadIdx.x] = x;
}

struct Event {
  cudaEvent_t event;
  explicit Event(unsigned flags = cudaEventDefault) {
    HANDLE_ERROR(cudaEventCreateWithFlags(&event, flags));
  }
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
};

unsigned* memory() {
  static unsigned* pointer = [] {
    unsigned* allocated = nullptr;
    HANDLE_ERROR(cudaMalloc(&allocated, 1024 * sizeof(unsigned)));
    return allocated;
  }();
  return pointer;
}

float elapsed_ms(cudaEvent_t start, cudaEvent_t stop) {
  float ms = -1;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start, stop));
  return ms;
}

}  // namespace

TEST_CASE("the time between two events: positive, and part of the host's") {
  const Event start, stop;
  const course::Stopwatch watch;
  HANDLE_ERROR(cudaEventRecord(start));
  work<<<1, 64>>>(memory(), 1000000);
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  const double host_ms = watch.elapsed_ms();
  const float ms = elapsed_ms(start, stop);
  CHECK(ms > 0);
  CHECK(ms <= host_ms * 1.01 + 0.01);    // two clocks
  CHECK(elapsed_ms(start, stop) == ms);  // asked again: the same
  CHECK(elapsed_ms(stop, start) == -ms);
  CHECK(elapsed_ms(start, start) == 0);
}

TEST_CASE("times add up") {
  const Event a, b, c;
  HANDLE_ERROR(cudaEventRecord(a));
  work<<<1, 64>>>(memory(), 100000);
  HANDLE_ERROR(cudaEventRecord(b));
  work<<<1, 64>>>(memory(), 100000);
  HANDLE_ERROR(cudaEventRecord(c));
  HANDLE_ERROR(cudaEventSynchronize(c));
  CHECK(elapsed_ms(a, b) + elapsed_ms(b, c) == doctest::Approx(elapsed_ms(a, c)).epsilon(0.01));
}

TEST_CASE("an event that was recorded again tells the later time") {
  const Event start, stop;
  HANDLE_ERROR(cudaEventRecord(start));
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  const float first = elapsed_ms(start, stop);
  work<<<1, 64>>>(memory(), 100000);
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  CHECK(elapsed_ms(start, stop) > first);
}

TEST_CASE("asking an event does not wait, and in the end it has happened") {
  const Event event;
  CHECK(cudaEventQuery(event) == cudaSuccess);  // never recorded: nothing to wait for
  work<<<1, 64>>>(memory(), 2000000);
  HANDLE_ERROR(cudaEventRecord(event));
  cudaError_t state = cudaEventQuery(event);
  CHECK((state == cudaErrorNotReady || state == cudaSuccess));
  while (state == cudaErrorNotReady) state = cudaEventQuery(event);
  CHECK(state == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);  // "not ready" is no error to remember
}

TEST_CASE("waiting for an event waits for all that was queued before it") {
  const Event event;
  HANDLE_ERROR(cudaMemset(memory(), 0, 64 * sizeof(unsigned)));
  work<<<1, 64>>>(memory(), 1);
  HANDLE_ERROR(cudaEventRecord(event));
  HANDLE_ERROR(cudaEventSynchronize(event));
  std::vector<unsigned> result(64);
  HANDLE_ERROR(cudaMemcpy(result.data(), memory(), 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(result[0] == 1013904223u);
}

TEST_CASE("events without a time") {
  const Event start(cudaEventDisableTiming), stop;
  HANDLE_ERROR(cudaEventRecord(start));
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  CHECK(cudaEventQuery(start) == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("events that were never recorded have no time between them") {
  const Event start, stop;
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  HANDLE_ERROR(cudaEventRecord(start));
  HANDLE_ERROR(cudaEventSynchronize(start));
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("a destroyed event leaves the queue alone") {
  cudaEvent_t event;
  HANDLE_ERROR(cudaEventCreate(&event));
  work<<<1, 64>>>(memory(), 1000);
  HANDLE_ERROR(cudaEventRecord(event));
  HANDLE_ERROR(cudaEventDestroy(event));
  HANDLE_ERROR(cudaDeviceSynchronize());
}

TEST_CASE("one stream waits for an event of another") {
  cudaStream_t first, second;
  HANDLE_ERROR(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  const Event written;
  unsigned *a, *b;
  HANDLE_ERROR(cudaMalloc(&a, 64 * sizeof(unsigned)));
  HANDLE_ERROR(cudaMalloc(&b, 64 * sizeof(unsigned)));
  HANDLE_ERROR(cudaMemset(a, 0, 64 * sizeof(unsigned)));
  HANDLE_ERROR(cudaDeviceSynchronize());
  work<<<1, 64, 0, first>>>(a, 100000);
  HANDLE_ERROR(cudaEventRecord(written, first));
  HANDLE_ERROR(cudaStreamWaitEvent(second, written, 0));
  HANDLE_ERROR(cudaMemcpyAsync(b, a, 64 * sizeof(unsigned), cudaMemcpyDeviceToDevice, second));
  HANDLE_ERROR(cudaStreamSynchronize(second));
  std::vector<unsigned> result_a(64), result_b(64);
  HANDLE_ERROR(cudaMemcpy(result_a.data(), a, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(result_b.data(), b, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(result_a == result_b);
  CHECK(result_b[0] != 0);
  HANDLE_ERROR(cudaFree(a));
  HANDLE_ERROR(cudaFree(b));
  HANDLE_ERROR(cudaStreamDestroy(first));
  HANDLE_ERROR(cudaStreamDestroy(second));
}
