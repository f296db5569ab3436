// 20 elements in blocks of 32, rounded down, are no block: the launch fails, and nobody asks.
__device__ int values[32];

__global__ void fill(int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = 1;
}

int main() {
  const int n = 20;
#ifdef RIGHT
  fill<<<(n + 31) / 32, 32>>>(n);
#else
  fill<<<n / 32, 32>>>(n);  // finds unchecked
#endif
  cudaDeviceSynchronize();
}
