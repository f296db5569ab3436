// The last 32 threads of a reduction without __syncwarp(): right only while the lanes stay in step, and said so.
// notes: CPU device: warp-synchronous code in kernel sum
#include <cstdio>

__device__ void warpReduce(volatile int *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void sum(const int *x, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) warpReduce(s, t);
  if (t == 0) *out = s[0];
}

int main() {
  int *x, *out;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 64; i++) x[i] = 1;
  sum<<<1, 64>>>(x, out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  return *out != 64;
}
