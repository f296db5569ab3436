// In the manner of code since Volta: one lane adds up volatile memory by itself, while the others of its warp wait for its flag.
// The lanes are not kept in step then, though the steps look like those of warp-synchronous code.
#include <cstdio>

__global__ void sumByOne(const int *x, int *out) {
  volatile __shared__ int s[64];
  __shared__ int flag;
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 40) {
    for (int k = 0; k < 3; k++) {
      s[t] += s[t + 1];
      s[t] += s[t + 2];
    }
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
  }
  out[t] = s[40] + t;
}

int main() {
  int *x, *out, bad = 0;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) x[i] = i;
  sumByOne<<<1, 64>>>(x, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++) bad += out[i] != 40 + 3 * (41 + 42) + i;
  printf("%d of 64 wrong\n", bad);
  return bad != 0;
}
