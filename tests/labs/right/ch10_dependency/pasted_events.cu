// "order two streams": with one event object used twice
#include "book.h"

__global__ void compute(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 2 * data[i] + 1;
}

#define AFTER(waiting, finished)                                         \
  do {                                                                   \
    HANDLE_ERROR(cudaEventRecord(event_##finished, finished));           \
    HANDLE_ERROR(cudaStreamWaitEvent(waiting, event_##finished));        \
  } while (false)

void dependency(const int* in, int* out, int n) {
  const size_t bytes = n * sizeof(int);
  cudaStream_t copies, kernels;
  cudaEvent_t event_copies, event_kernels;
  int* data;
  HANDLE_ERROR(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaEventCreate(&event_copies));
  HANDLE_ERROR(cudaEventCreate(&event_kernels));
  HANDLE_ERROR(cudaMalloc(&data, bytes));

  HANDLE_ERROR(cudaMemcpyAsync(data, in, bytes, cudaMemcpyHostToDevice, copies));
  AFTER(kernels, copies);
  compute<<<(n + 127) / 128, 128, 0, kernels>>>(data, n);
  HANDLE_ERROR(cudaGetLastError());
  AFTER(copies, kernels);
  HANDLE_ERROR(cudaMemcpyAsync(out, data, bytes, cudaMemcpyDeviceToHost, copies));
  HANDLE_ERROR(cudaStreamSynchronize(copies));

  HANDLE_ERROR(cudaFree(data));
  HANDLE_ERROR(cudaEventDestroy(event_copies));
  HANDLE_ERROR(cudaEventDestroy(event_kernels));
  HANDLE_ERROR(cudaStreamDestroy(copies));
  HANDLE_ERROR(cudaStreamDestroy(kernels));
}
