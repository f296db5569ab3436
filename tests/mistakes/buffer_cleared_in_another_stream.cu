// One stream clears the buffer into which a kernel of the other stream counts.
__global__ void count(int* bins) {
  atomicAdd(&bins[threadIdx.x % 8], 1);  // finds race-kernels
}

int main() {
  cudaStream_t first, second;
  int* bins;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemsetAsync(bins, 0, 8 * sizeof(int), first);  // finds race-kernels
#ifdef RIGHT
  cudaStreamSynchronize(first);
#endif
  count<<<1, 64, 0, second>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(bins);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
