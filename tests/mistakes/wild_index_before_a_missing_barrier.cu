// One thread follows an index that was never set, and leaves all memory. The others go on: a barrier is also missing.
__global__ void gather(const int* values, const int* indices, int* sums) {
  __shared__ int own[64];
  const int i = threadIdx.x;
#ifdef RIGHT
  own[i] = values[indices[i] & 63];
  __syncthreads();
#else
  own[i] = values[indices[i]];  // finds out-of-bounds#1 // finds race-block#2
#endif
  sums[i] = own[i] + own[63 - i];  // finds race-block#2
}

int main() {
  int *values, *indices, *sums, start[64];
  for (int i = 0; i < 64; i++) start[i] = i == 5 ? 1 << 30 : i;
  cudaMalloc(&values, sizeof start);
  cudaMalloc(&indices, sizeof start);
  cudaMalloc(&sums, sizeof start);
  cudaMemcpy(values, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemcpy(indices, start, sizeof start, cudaMemcpyHostToDevice);
  gather<<<1, 64>>>(values, indices, sums);
  if (cudaMemcpy(start, sums, sizeof start, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
}
