// expect: name a multiple of 32 threads, and no more than the block has.
// A named barrier for the 33 threads that have work.
#include <cstdio>

__global__ void first_33(int *out) {
  if (threadIdx.x < 33) {
    out[threadIdx.x] = 1;
    asm volatile("bar.sync 1, 33;" ::: "memory");
    out[32 - threadIdx.x] += 1;
  }
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  first_33<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
