// A kernel adds to memory from cudaMalloc() that nobody has set to zero.
__global__ void add(float* sums) {
  sums[threadIdx.x] += 1.5f;  // finds uninitialized
}

int main() {
  float* sums;
  cudaMalloc(&sums, 64 * sizeof(float));
#ifdef RIGHT
  cudaMemset(sums, 0, 64 * sizeof(float));
#endif
  add<<<1, 64>>>(sums);
  cudaDeviceSynchronize();
  cudaFree(sums);
}
