// WRONG ON PURPOSE: reads the result of an asynchronous copy without waiting for it.
//
// The book's section 10.4. What to look at: cudaMemcpyAsync returns before the copy is done, often
// before it has started. The host reads the old contents of its buffer. On a GPU, a small copy may
// still win the race, and the program seems to work. On the CPU device, the copy is always
// late. One cudaStreamSynchronize fixes the program, as the second run shows.
//
//   ./course run missing_synchronize      (./course check missing_synchronize explains it)

#include "../common/program/broken_on_purpose.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"

__global__ void count_up(int* data, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] = static_cast<int>(i);
}

// Fills n elements on the device with 0, 1, 2 ... and copies them to the host. Returns how many
// elements are right when the host reads them.
size_t count_right(size_t n, bool synchronize) {
  int *host, *device;
  cudaStream_t stream;
  HANDLE_ERROR(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocDefault));
  HANDLE_ERROR(cudaMalloc(&device, n * sizeof(int)));
  HANDLE_ERROR(cudaStreamCreate(&stream));
  volatile int* const seen = host;  // the compiler must not assume that only the host writes here
  for (size_t i = 0; i < n; i++) seen[i] = -1;

  count_up<<<static_cast<int>((n + 255) / 256), 256, 0, stream>>>(device, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  if (synchronize) HANDLE_ERROR(cudaStreamSynchronize(stream));
  size_t right = 0;
  for (size_t k = n; k-- > 0;)  // from the end, where the copy arrives last
    if (seen[k] == static_cast<int>(k)) right++;

  HANDLE_ERROR(cudaStreamSynchronize(stream));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  HANDLE_ERROR(cudaFree(device));
  HANDLE_ERROR(cudaFreeHost(host));
  return right;
}

int main(int argc, char** argv) {
  size_t n = 4 << 20;
  course::Options options("Wrong on purpose: a forgotten cudaStreamSynchronize.");
  options.number("size", &n, 1, 1 << 30, "elements");
  options.parse(argc, argv);
  course::require_memory(1.0 * sizeof(int) * n, 1.0 * sizeof(int) * n);

  const size_t without = count_right(n, false);
  const size_t with = count_right(n, true);
  printf("without cudaStreamSynchronize %10zu of %zu elements are right\n", without, n);
  printf("with cudaStreamSynchronize    %10zu of %zu elements are right\n", with, n);
  if (with != n) {
    fprintf(stderr, "only %zu of %zu elements are right after cudaStreamSynchronize\n", with, n);
    return course::kExitWrong;
  }
  return course::broken_as_intended(without < n,
                                    course::count_of(n - without, "element") + " read too early",
                                    "the copy was faster than the host");
}
