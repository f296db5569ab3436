// Addresses of device variables that only kernels know, and store for the host's copies.
#include <cstdio>

__device__ int table[4] = {1, 2, 3, 4};
__device__ int* second;

__global__ void tell(int** address) {
  *address = table;
  second = table + 1;
}

int main() {
  int **place, *address = nullptr, *other = nullptr, got[4] = {}, nine = 9;
  cudaMalloc(&place, sizeof(*place));
  tell<<<1, 1>>>(place);
  cudaMemcpy(&address, place, sizeof(address), cudaMemcpyDeviceToHost);
  bool right = cudaMemcpy(got, address, sizeof(got), cudaMemcpyDeviceToHost) == cudaSuccess;
  right &= got[0] == 1 && got[3] == 4;
  cudaMemcpyFromSymbol(&other, second, sizeof(other));
  right &= cudaMemcpy(other, &nine, sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess;
  cudaMemcpyFromSymbol(got, table, sizeof(got));
  right &= got[1] == 9 && got[2] == 3;
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
