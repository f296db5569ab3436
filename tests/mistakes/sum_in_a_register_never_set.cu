// The sum of a row begins with whatever its register holds.
__global__ void sum_rows(const float* in, float* out, int n) {
#ifdef RIGHT
  float sum = 0;
#else
  float sum;
#endif
  for (int i = 0; i < n; i++) sum += in[threadIdx.x * n + i];  // warns: from g++ 13
  out[threadIdx.x] = sum;  // warns: to g++ 12
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * 8 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * 8 * sizeof(float));
  sum_rows<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
