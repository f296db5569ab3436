// A kernel calls cudaMalloc() for its own memory, and counts its elements as bytes.
// gpu: nvcc -rdc=true
__global__ void add_up(int* sum, int n) {
  int* own;
#ifdef RIGHT
  if (cudaMalloc(&own, n * sizeof(int)) != cudaSuccess) return;
#else
  if (cudaMalloc(&own, n) != cudaSuccess) return;
#endif
  for (int i = 0; i < n; i++) own[i] = i;  // finds out-of-bounds
  for (int i = n - 1; i >= 0; i--)
    *sum += own[i / 4];
  cudaFree(own);
}

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add_up<<<1, 1>>>(sum, 64);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
