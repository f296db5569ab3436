#include "book.h"

constexpr int kMostCoefficients = 64;
__constant__ float coefficients[kMostCoefficients];

__global__ void evaluate(const float* x, float* y, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* c = coefficients + count;
  float result = *--c;
  while (c != coefficients) result = fmaf(result, x[i], *--c);
  y[i] = result;
}

void polynomial(const float* x, float* y, int n, const float* c, int count) {
  void* symbol;
  HANDLE_ERROR(cudaGetSymbolAddress(&symbol, coefficients));
  HANDLE_ERROR(cudaMemcpy(symbol, c, sizeof(float[1]) * count, cudaMemcpyHostToDevice));
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
