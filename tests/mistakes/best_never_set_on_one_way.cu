// The best of the candidates so far is compared before there is one.
__device__ float best_of(const float* in, int n) {
#ifdef RIGHT
  float best = in[0];
#else
  float best;
#endif
  for (int i = 0; i < n; i++)
    if (in[i] > best) best = in[i];
  return best;  // warns
}

__global__ void find(const float* in, float* out, int n) { out[threadIdx.x] = best_of(in, n); }  // warns

int main() {
  float *in, *out;
  cudaMalloc(&in, 8 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 8 * sizeof(float));
  find<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
