// For debugger_test.sh, whose sessions name these lines: keep them where they are.
#include <cstdio>

__global__ void smooth(const float* in, float* out, int n, int width) {
  int i = threadIdx.x;
  if (i >= n) return;
  float first = in[i];
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int at = i + k;
    if (at < n) {
      sum += in[at] * first;
    }
  }
  while (sum > n) {
    sum -= in[i] + n;
  }
  out[i] = sum / width;
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 100 * sizeof(float));
  cudaMallocManaged(&out, 100 * sizeof(float));
  for (int i = 0; i < 100; i++) in[i] = i;
  smooth<<<1, 100>>>(in, out, 100, 2);
  cudaDeviceSynchronize();
  printf("%g\n", out[8]);
  return 0;
}
