// Each block launches a kernel, which adds to the same sum. The two kernels may run at the same time. Right: one block
// launches both.
// gpu: nvcc -rdc=true
__global__ void add(int* sum, int value) {
  *sum += value;  // finds race-kernels
}

__global__ void add_all(int* sum) {
#ifdef RIGHT
  if (blockIdx.x > 0) return;
  for (unsigned i = 0; i < gridDim.x; i++) add<<<1, 1>>>(sum, i + 1);
#else
  add<<<1, 1>>>(sum, blockIdx.x + 1);
#endif
}

int main() {
  int *sum, result;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add_all<<<2, 1>>>(sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return result != 3;
}
