// A case for DEBUGGING.md: the kernel never ends.
#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  __shared__ int cache[64];
  cache[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half -= half / 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = cache[0];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 64; i++) in[i] = 1;
  reduce<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d, expected 64\n", *out);
  return *out != 64;
}
