// Two sums in a local array, of which nobody has set the second.
__global__ void moments(const float* in, float* out, int n) {
#ifdef RIGHT
  float sum[2] = {0, 0};
#else
  float sum[2];
  sum[0] = 0;
#endif
  for (int i = 0; i < n; i++) {
    sum[0] += in[i];
    sum[1] += in[i] * in[i];  // warns: from g++ 13
  }
  out[0] = sum[0] / n;
  out[1] = sum[1] / n;  // warns: to g++ 12
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 8 * sizeof(float));
  cudaMalloc(&out, 2 * sizeof(float));
  cudaMemset(in, 0, 8 * sizeof(float));
  moments<<<1, 1>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
