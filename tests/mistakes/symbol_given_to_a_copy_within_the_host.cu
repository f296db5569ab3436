// The name of a __constant__ variable is the host's copy of it, whatever the direction says.
#include <cstdio>
__constant__ float coefficients[4];
__global__ void poly(float* y) { y[threadIdx.x] = coefficients[0] + threadIdx.x * coefficients[1]; }  // finds wrong-pointer
int main() {
  float h[4] = {1, 2, 3, 4}, *y;
#ifdef RIGHT
  cudaMemcpyToSymbol(coefficients, h, sizeof h);
#else
  cudaMemcpy(coefficients, h, sizeof h, cudaMemcpyHostToHost);  // finds wrong-pointer
#endif
  cudaMalloc(&y, 32 * sizeof(float));
  poly<<<1, 32>>>(y);
  cudaDeviceSynchronize();
}
