// out[i] = factor * in[i] + in[i - 1]
#include "book.h"

__global__ void scale(const float* in, float* out, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // SOLUTION BEGIN, unmarked, met 3: what does thread 0 read?
  const float before = i > 0 ? in[i - 1] : 0.0f;
  //| const float before = in[i - 1];
  // SOLUTION END
  out[i] = factor * in[i] + before;
}

// n elements each, in the host's memory; n is at least 1.
void scale_all(const float* in, float* out, int n, float factor) {
  float *dev_in, *dev_out;
  // SOLUTION BEGIN, unmarked, met 1: cudaMalloc takes a number of bytes, not of elements
  HANDLE_ERROR(cudaMalloc(&dev_in, n * sizeof(float)));
  //| HANDLE_ERROR(cudaMalloc(&dev_in, n));
  // SOLUTION END
  HANDLE_ERROR(cudaMalloc(&dev_out, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, n * sizeof(float), cudaMemcpyHostToDevice));
  // SOLUTION BEGIN, unmarked, met 2: whose memory does each argument of the launch point to?
  scale<<<(n + 127) / 128, 128>>>(dev_in, dev_out, n, factor);
  //| scale<<<(n + 127) / 128, 128>>>(in, dev_out, n, factor);
  // SOLUTION END
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}
