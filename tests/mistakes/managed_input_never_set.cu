// A kernel adds up managed memory that nobody has filled.
__global__ void add(const int* values, int* sum) {
  atomicAdd(sum, values[threadIdx.x]);  // finds uninitialized
}

int main() {
  int *values, *sum;
  cudaMallocManaged(&values, 64 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
#ifdef RIGHT
  for (int i = 0; i < 64; i++) values[i] = i;
#endif
  add<<<1, 64>>>(values, sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(values);
}
