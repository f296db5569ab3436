// expect: it names 64 threads, but others wait at barrier 3 with 96,
// The warp that joins a named barrier counts fewer warps than those that wait there.
#include <cstdio>

__global__ void join(int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x < 64)
    asm volatile("bar.sync 3, 96;" ::: "memory");
  else
    asm volatile("bar.arrive 3, 64;" ::: "memory");
}

int main() {
  int *out;
  cudaMalloc(&out, 96 * sizeof(int));
  join<<<1, 96>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
