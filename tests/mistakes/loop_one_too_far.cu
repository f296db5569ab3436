// A loop up to and including n reads one element past the end of the array.
__global__ void sum_up(const int* values, int n, int* result) {
  int sum = 0;
#ifdef RIGHT
  for (int i = 0; i < n; i++)
#else
  for (int i = 0; i <= n; i++)
#endif
    sum += values[i];  // finds out-of-bounds
  *result = sum;
}

int main() {
  const int n = 50;
  int *values, *result;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  sum_up<<<1, 1>>>(values, n, result);
  cudaDeviceSynchronize();
  cudaFree(result);
  cudaFree(values);
}
