// A filter of a thread's own keeps the last 4 values; the first one looks before its array.
__device__ int results[32];

__global__ void difference(int first) {
  int last[4] = {1, 2, 4, 8};
  int sum = 0;
  for (int i = first; i < 4; i++) sum += last[i] - last[i - 1];  // finds out-of-bounds
  results[threadIdx.x] = sum;
}

int main() {
#ifdef RIGHT
  difference<<<1, 32>>>(1);
#else
  difference<<<1, 32>>>(0);
#endif
  cudaDeviceSynchronize();
}
