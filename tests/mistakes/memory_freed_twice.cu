// The same memory is freed twice: once where it was used, and once at the end.
__global__ void fill(int* values) { values[threadIdx.x] = 1; }

static void work(int* values) {
  fill<<<1, 32>>>(values);
  cudaDeviceSynchronize();
#ifndef RIGHT
  cudaFree(values);
#endif
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  work(values);
  cudaFree(values);  // finds use-after-free
}
