// The host reads managed memory while the kernel that writes it may still be running.
#include <cstdio>

__global__ void square(int* values) {
  values[threadIdx.x] *= values[threadIdx.x];  // finds race-host
}

int main() {
  int* values;
  cudaMallocManaged(&values, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) values[i] = i;
  square<<<1, 64>>>(values);
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  printf("%d\n", values[8]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFree(values);
}
