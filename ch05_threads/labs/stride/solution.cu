// y = factor * x + y with a fixed number of threads.
#include "book.h"

__global__ void scale_and_add(float factor, const float* x, float* y, int n) {
  // SOLUTION BEGIN: for (int i = first; i < n; i += threads of the whole grid)
  //? the whole grid has blockDim.x * gridDim.x threads
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] += factor * x[i];
  //| const int i = blockIdx.x * blockDim.x + threadIdx.x;
  //| if (i < n) y[i] += factor * x[i];
  // SOLUTION END
}

// n elements each, in the host's memory.
void stride(float factor, const float* x, float* y, int n) {
  float *dev_x, *dev_y;
  HANDLE_ERROR(cudaMalloc(&dev_x, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_y, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_x, x, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_y, y, n * sizeof(float), cudaMemcpyHostToDevice));
  scale_and_add<<<8, 128>>>(factor, dev_x, dev_y, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(y, dev_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  HANDLE_ERROR(cudaFree(dev_y));
}
