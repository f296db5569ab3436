// A case for DEBUGGING.md: the second kernel crashes.
#include <cstdio>

constexpr int kElements = 1000;

__global__ void make_index(int* index, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n - 1) index[i] = (i * 7) % n;
}

__global__ void gather(const int* index, const float* table, float* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = table[index[i]];
}

int main() {
  int* index;
  float *table, *out;
  cudaMalloc(&index, kElements * sizeof(int));
  cudaMalloc(&table, kElements * sizeof(float));
  cudaMalloc(&out, kElements * sizeof(float));
  cudaMemset(table, 0, kElements * sizeof(float));
  make_index<<<4, 256>>>(index, kElements);
  gather<<<4, 256>>>(index, table, out, kElements);
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
