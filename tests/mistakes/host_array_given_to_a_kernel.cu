// A kernel is given a pointer to memory of the host.
#include <cstdlib>

__device__ int results[32];

__global__ void copy(const int* values) {
  results[threadIdx.x] = values[threadIdx.x];  // finds wrong-side
}

int main() {
  int *host = static_cast<int*>(calloc(32, sizeof(int))), *values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemcpy(values, host, 32 * sizeof(int), cudaMemcpyHostToDevice);
#ifdef RIGHT
  copy<<<1, 32>>>(values);
#else
  copy<<<1, 32>>>(host);
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
  free(host);
}
