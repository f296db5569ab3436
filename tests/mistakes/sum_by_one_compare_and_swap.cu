// A compare-and-swap that fails is not repeated, so what it was to add is lost.
__global__ void add(const int* values, int* sum) {
  const int mine = values[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef RIGHT
  int old = *sum, assumed;
  do {
    assumed = old;
    old = atomicCAS(sum, assumed, assumed + mine);
  } while (old != assumed);
#else
  const int old = *sum;
  atomicCAS(sum, old, old + mine);  // finds lost-update
#endif
}

int main() {
  int values[64], *dev_values, *sum;
  for (int i = 0; i < 64; i++) values[i] = 3 * i + 1;
  cudaMalloc(&dev_values, sizeof values);
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(dev_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  add<<<2, 32>>>(dev_values, sum);
  cudaDeviceSynchronize();
  cudaFree(dev_values);
  cudaFree(sum);
}
