// All threads of all blocks increment one counter with ++.
__global__ void count(int* counter) {
#ifdef RIGHT
  atomicAdd(counter, 1);
#else
  *counter = *counter + 1;  // finds race-grid
#endif
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<4, 64>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
}
