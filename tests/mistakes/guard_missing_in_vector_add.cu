// The grid is rounded up to whole blocks, and nothing keeps the last threads from going too far.
const int n = 1000;

__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
  if (i < n)
#endif
    c[i] = a[i] + b[i];  // finds out-of-bounds
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  add<<<(n + 255) / 256, 256>>>(a, b, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
