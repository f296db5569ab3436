// 62 floats are read as 16 times four: the last two lie past the end.
__global__ void add(const float4* vectors, float* sums) {
  const float4 v = vectors[threadIdx.x];  // finds out-of-bounds
  sums[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
#ifdef RIGHT
  const int n = 64;
#else
  const int n = 62;
#endif
  float4* vectors;
  float* sums;
  cudaMalloc(&vectors, n * sizeof(float));
  cudaMalloc(&sums, 16 * sizeof(float));
  cudaMemset(vectors, 0, n * sizeof(float));
  add<<<1, 16>>>(vectors, sums);
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(vectors);
}
