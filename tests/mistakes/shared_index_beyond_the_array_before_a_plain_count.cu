// Threads with large values leave a shared array. The others count without atomics.
__global__ void count(const int* values, int* counts) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  const int value = values[threadIdx.x];
#ifdef RIGHT
  if (value < 32) atomicAdd(&bins[value], 1);
#else
  bins[value]++;  // finds out-of-bounds#1 // finds race-block#2
#endif
  __syncthreads();
  if (threadIdx.x < 32) counts[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int *values, *counts, start[64];
  for (int i = 0; i < 64; i++) start[i] = i % 32 == 31 ? 40 : i % 32;
  cudaMalloc(&values, sizeof start);
  cudaMalloc(&counts, 32 * sizeof(int));
  cudaMemcpy(values, start, sizeof start, cudaMemcpyHostToDevice);
  count<<<1, 64>>>(values, counts);
  if (cudaMemcpy(start, counts, 32 * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
}
