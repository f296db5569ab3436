// A binary search keeps its lower end when one element is left, and goes on for ever.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__global__ void find(const int* values, int n, int wanted, int* result) {
  int low = 0, high = n;
#ifdef RIGHT
  while (high - low > 1)
#else
  while (low < high)
#endif
    (values[(low + high) / 2] <= wanted ? low : high) = (low + high) / 2;  // finds no-progress
  *result = low;
}

int main() {
  int *values, *result;
  cudaMalloc(&values, 16 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemset(values, 0, 16 * sizeof(int));
  find<<<1, 1>>>(values, 16, 5, result);
  cudaDeviceSynchronize();
  cudaFree(result);
  cudaFree(values);
}
