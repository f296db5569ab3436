// A value of exactly 1 falls into a bin behind the last one.
__global__ void count(int* bins) {
  const float value = threadIdx.x / 63.0f;
#ifdef RIGHT
  const int bin = min(static_cast<int>(value * 16), 15);
#else
  const int bin = static_cast<int>(value * 16);
#endif
  atomicAdd(&bins[bin], 1);  // finds out-of-bounds
}

int main() {
  int* bins;
  cudaMalloc(&bins, 16 * sizeof(int));
  cudaMemset(bins, 0, 16 * sizeof(int));
  count<<<1, 64>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(bins);
}
