// Copies in one stream, computes in another: out = 2 * in + 1.
#include "book.h"

__global__ void compute(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 2 * data[i] + 1;
}

// n numbers each, both in pinned memory of the host; n is at least 1.
void dependency(const int* in, int* out, int n) {
  const size_t bytes = n * sizeof(int);
  cudaStream_t copies, kernels;
  cudaEvent_t arrived, computed;
  int* data;
  HANDLE_ERROR(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
  HANDLE_ERROR(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
  HANDLE_ERROR(cudaMalloc(&data, bytes));

  HANDLE_ERROR(cudaMemcpyAsync(data, in, bytes, cudaMemcpyHostToDevice, copies));
  // SOLUTION BEGIN, unmarked: the kernel needs the data. What makes its stream wait until they have arrived?
  //? cudaEventRecord(arrived, copies), then cudaStreamWaitEvent(kernels, arrived, 0)
  HANDLE_ERROR(cudaEventRecord(arrived, copies));
  HANDLE_ERROR(cudaStreamWaitEvent(kernels, arrived, 0));
  // SOLUTION END
  compute<<<(n + 127) / 128, 128, 0, kernels>>>(data, n);
  HANDLE_ERROR(cudaGetLastError());
  // SOLUTION BEGIN, unmarked: the copy back needs the result of the kernel in the other stream. What makes it wait?
  HANDLE_ERROR(cudaEventRecord(computed, kernels));
  HANDLE_ERROR(cudaStreamWaitEvent(copies, computed, 0));
  // SOLUTION END
  HANDLE_ERROR(cudaMemcpyAsync(out, data, bytes, cudaMemcpyDeviceToHost, copies));
  HANDLE_ERROR(cudaStreamSynchronize(copies));

  HANDLE_ERROR(cudaStreamSynchronize(kernels));
  HANDLE_ERROR(cudaFree(data));
  HANDLE_ERROR(cudaEventDestroy(arrived));
  HANDLE_ERROR(cudaEventDestroy(computed));
  HANDLE_ERROR(cudaStreamDestroy(copies));
  HANDLE_ERROR(cudaStreamDestroy(kernels));
}
