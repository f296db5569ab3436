// A kernel launches another, which reads what the parent's blocks have written, and more.
// gpu: nvcc -rdc=true
__global__ void add(const int* values, int n, int* sum) {
  if (threadIdx.x < n) atomicAdd(sum, values[threadIdx.x]);  // finds uninitialized
}

__global__ void fill_and_add(int* values, int n, int* sum) {
  if (threadIdx.x < n) values[threadIdx.x] = threadIdx.x;
  __syncthreads();
#ifdef RIGHT
  if (threadIdx.x == 0) add<<<1, 64>>>(values, n, sum);
#else
  if (threadIdx.x == 0) add<<<1, 64>>>(values, n + 1, sum);
#endif
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  fill_and_add<<<1, 64>>>(values, 40, sum);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(sum);
}
