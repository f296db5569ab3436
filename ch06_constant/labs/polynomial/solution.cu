// y = c[0] + c[1] * x + c[2] * x^2 ...: the coefficients are in constant memory.
#include "book.h"

constexpr int kMostCoefficients = 64;
__constant__ float coefficients[kMostCoefficients];

__global__ void evaluate(const float* x, float* y, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // SOLUTION BEGIN: float sum = 0; for (int k = count - 1; k >= 0; k--) ...
  //? in the loop: sum = sum * x[i] + coefficients[k]
  float sum = 0;
  for (int k = count - 1; k >= 0; k--) sum = sum * x[i] + coefficients[k];
  y[i] = sum;
  //| y[i] = count * x[i];
  // SOLUTION END
}

// x, y: n elements, n at least 1; c: `count` coefficients, 1 to 64; all in the host's memory.
void polynomial(const float* x, float* y, int n, const float* c, int count) {
  // SOLUTION BEGIN: cudaMemcpyToSymbol(symbol, from, bytes): the symbol itself, no & before it
  //? the size is in bytes: count * sizeof(float)
  HANDLE_ERROR(cudaMemcpyToSymbol(coefficients, c, count * sizeof(float)));
  //| (void)c;  // remove this line
  // SOLUTION END
  float *dev_x, *dev_y;
  HANDLE_ERROR(cudaMalloc(&dev_x, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_y, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_x, x, n * sizeof(float), cudaMemcpyHostToDevice));
  evaluate<<<(n + 127) / 128, 128>>>(dev_x, dev_y, n, count);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(y, dev_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  HANDLE_ERROR(cudaFree(dev_y));
}
