// A kernel launches several kernels that need not wait for each other, and one that needs the results of all.
// gpu: nvcc -rdc=true
__global__ void square(int* values) {
  values[blockIdx.x] *= values[blockIdx.x];  // finds race-kernels
}
__global__ void add_up(const int* values, int n, int* sum) {
  for (int i = 0; i < n; i++) *sum += values[i];  // finds race-kernels
}

__global__ void add_squares(int* values, int* sum) {
  for (int i = 0; i < 4; i++) square<<<8, 1, 0, cudaStreamFireAndForget>>>(values + 8 * i);
#ifdef RIGHT
  add_up<<<1, 1, 0, cudaStreamTailLaunch>>>(values, 32, sum);
#else
  add_up<<<1, 1, 0, cudaStreamFireAndForget>>>(values, 32, sum);
#endif
}

int main() {
  int *values, *sum, start[32], result;
  for (int i = 0; i < 32; i++) start[i] = i;
  cudaMalloc(&values, sizeof start);
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(values, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  add_squares<<<1, 1>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  return result != 31 * 32 * 63 / 6;
}
