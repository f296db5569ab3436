// Blocks of an iteration that have changed something all write true to the flag of the next iteration.
__global__ void relax(int* values, bool* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] < 3) {
    values[i]++;
#ifdef RIGHT
    if (i == 0) *changed = true;
#else
    *changed = true;  // finds race-same-value
#endif
  }
}

int main() {
  int* values;
  bool* changed;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMemset(values, 0, 128 * sizeof(int));
  cudaMalloc(&changed, sizeof(bool));
  cudaMemset(changed, 0, sizeof(bool));
  relax<<<4, 32>>>(values, changed);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(changed);
}
