// One thread waits for the host's flag; without a barrier behind it the others read before that.
__global__ void scale(volatile int* flag, const float* input, float* output) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence_system();
  }
#ifdef RIGHT
  __syncthreads();
#endif
  output[threadIdx.x] = 2 * input[threadIdx.x];  // finds race-host
}

int main() {
  const int n = 64;
  int* flag;
  float *input, *output;
  cudaMallocHost(&flag, sizeof(int));
  cudaMallocHost(&input, n * sizeof(float));
  cudaMalloc(&output, n * sizeof(float));
  *flag = 0;
  scale<<<1, n>>>(flag, input, output);
  cudaStreamQuery(0);
  for (int i = 0; i < n; i++) input[i] = i;  // finds race-host
  *(volatile int*)flag = 1;
  cudaDeviceSynchronize();
  cudaFree(output);
  cudaFreeHost(input);
  cudaFreeHost(flag);
}
