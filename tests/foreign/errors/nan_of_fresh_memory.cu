// A kernel whose input was never copied: everything is NaN, which the test at the end does not find.
// expect: nan_of_fresh_memory.cu:15: CPU device: note: all 32 bytes of the copy come from memory that was never initialized
#include <cmath>
#include <cstdio>

__global__ void twice(const float *in, float *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  float *in, *out, got[8];
  cudaMalloc(&in, sizeof got), cudaMalloc(&out, sizeof got);
  twice<<<1, 8>>>(in, out, 8);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++)
    if (fabs(got[i] - 2 * i) > 1e-5) return printf("wrong\n"), 2;
  printf("PASSED, says the test of old: %g\n", got[7]);
  return got[7] != 14;
}
