// Verdict: did not end
// A kernel that never ends.
__global__ void spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

void vector_add(const float*, const float*, float*, int) {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  spin<<<4, 32>>>(flag);
  cudaDeviceSynchronize();
}
