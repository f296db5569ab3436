// WRONG ON PURPOSE: copies in one stream and computes in another, without any order between them.
//
// Not in the book, whose streams are independent. What to look at: CUDA guarantees order only
// within a stream. A kernel in one stream does not wait for the copy in another that brings its
// data. cudaEventRecord in one stream and cudaStreamWaitEvent in the other establish the order, and
// the host waits for nothing. The second run does this for the data and for the result.
//
//   ./course run missing_dependency      (./course check missing_dependency explains it)

#include "../common/program/broken_on_purpose.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"

__global__ void add_one(int* data, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

// Copies 0, 1, 2 ... to the device in one stream, adds 1 to each in another, and copies them back
// in the first one. Returns how many are right.
size_t count_right(size_t n, bool dependencies) {
  int *host, *device;
  cudaStream_t copy_stream, kernel_stream;
  cudaEvent_t arrived, computed;
  const size_t bytes = n * sizeof(int);
  HANDLE_ERROR(cudaHostAlloc(&host, bytes, cudaHostAllocDefault));
  HANDLE_ERROR(cudaMalloc(&device, bytes));
  HANDLE_ERROR(cudaMemset(device, 0, bytes));
  HANDLE_ERROR(cudaDeviceSynchronize());
  HANDLE_ERROR(cudaStreamCreate(&copy_stream));
  HANDLE_ERROR(cudaStreamCreate(&kernel_stream));
  HANDLE_ERROR(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
  HANDLE_ERROR(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
  for (size_t i = 0; i < n; i++) host[i] = static_cast<int>(i);

  HANDLE_ERROR(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, copy_stream));
  if (dependencies) {
    HANDLE_ERROR(cudaEventRecord(arrived, copy_stream));
    HANDLE_ERROR(cudaStreamWaitEvent(kernel_stream, arrived, 0));
  }
  add_one<<<static_cast<int>((n + 255) / 256), 256, 0, kernel_stream>>>(device, n);
  HANDLE_ERROR(cudaGetLastError());
  if (dependencies) {
    HANDLE_ERROR(cudaEventRecord(computed, kernel_stream));
    HANDLE_ERROR(cudaStreamWaitEvent(copy_stream, computed, 0));
  }
  HANDLE_ERROR(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, copy_stream));
  HANDLE_ERROR(cudaStreamSynchronize(copy_stream));
  size_t right = 0;
  for (size_t i = 0; i < n; i++)
    if (host[i] == static_cast<int>(i) + 1) right++;

  HANDLE_ERROR(cudaDeviceSynchronize());
  HANDLE_ERROR(cudaEventDestroy(arrived));
  HANDLE_ERROR(cudaEventDestroy(computed));
  HANDLE_ERROR(cudaStreamDestroy(copy_stream));
  HANDLE_ERROR(cudaStreamDestroy(kernel_stream));
  HANDLE_ERROR(cudaFree(device));
  HANDLE_ERROR(cudaFreeHost(host));
  return right;
}

int main(int argc, char** argv) {
  size_t n = 4 << 20;
  course::Options options("Wrong on purpose: a forgotten dependency between two streams.");
  options.number("size", &n, 1, 1 << 30, "elements");
  options.parse(argc, argv);
  course::require_memory(1.0 * sizeof(int) * n, 1.0 * sizeof(int) * n);

  // The first launch of a kernel loads it. That takes longer than the copy and would hide that the
  // kernel does not wait for it. So load the kernel first.
  count_right(1, true);
  const size_t without = count_right(n, false);
  const size_t with = count_right(n, true);
  printf("two streams, no event   %10zu of %zu elements are right\n", without, n);
  printf("two streams, two events %10zu of %zu elements are right\n", with, n);
  if (with != n) {
    fprintf(stderr, "only %zu of %zu elements are right although the streams wait for each other\n", with, n);
    return course::kExitWrong;
  }
  return course::broken_as_intended(
      without < n, course::count_of(n - without, "element") + " used too early or too late",
      "the streams happened to run in the right order");
}
