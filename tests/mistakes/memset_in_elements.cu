// cudaMemset() is given the number of elements where bytes are meant.
__global__ void count(int* bins) {
  atomicAdd(&bins[threadIdx.x % 16], 1);  // finds uninitialized
}

int main() {
  int* bins;
  cudaMalloc(&bins, 16 * sizeof(int));
#ifdef RIGHT
  cudaMemset(bins, 0, 16 * sizeof(int));
#else
  cudaMemset(bins, 0, 16);
#endif
  count<<<1, 64>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(bins);
}
