// Square roots, chunk by chunk in two streams.
#include <algorithm>

#include "book.h"

constexpr int kChunk = 1000;

__global__ void square_root(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = sqrtf(data[i]);
}

// n numbers each, both in pinned memory of the host.
void overlap(const float* in, float* out, int n) {
  // SOLUTION BEGIN: cudaStream_t stream[2]; float* buffer[2]; cudaStreamCreate(&stream[s])
  //? for (int first = 0, s = 0; first < n; first += kChunk, s = 1 - s) with stream s and buffer s
  //? square_root<<<blocks, threads, 0, stream[s]>>>(buffer[s], some)
  cudaStream_t stream[2];
  float* buffer[2];
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamCreate(&stream[s]));
    HANDLE_ERROR(cudaMalloc(&buffer[s], kChunk * sizeof(float)));
  }
  for (int first = 0, s = 0; first < n; first += kChunk, s = 1 - s) {
    const int some = std::min(kChunk, n - first);
    const size_t bytes = some * sizeof(float);
    HANDLE_ERROR(
        cudaMemcpyAsync(buffer[s], in + first, bytes, cudaMemcpyHostToDevice, stream[s]));
    square_root<<<(some + 127) / 128, 128, 0, stream[s]>>>(buffer[s], some);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(
        cudaMemcpyAsync(out + first, buffer[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamSynchronize(stream[s]));
    HANDLE_ERROR(cudaStreamDestroy(stream[s]));
    HANDLE_ERROR(cudaFree(buffer[s]));
  }
  //| std::copy(in, in + n, out);
  // SOLUTION END
}
