// The host sends an array of malloc() that it has never filled.
#include <cstdlib>

__global__ void add(const float* values, float* sum) {
  atomicAdd(sum, values[threadIdx.x]);  // finds uninitialized
}

int main() {
  float *host = static_cast<float*>(malloc(64 * sizeof(float))), *values, *sum;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
#ifdef RIGHT
  for (int i = 0; i < 64; i++) host[i] = i;
#endif
  cudaMemcpy(values, host, 64 * sizeof(float), cudaMemcpyHostToDevice);
  add<<<1, 64>>>(values, sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(values);
  free(host);
}
