// A volatile counter is read, added to and written: each access is one of memory, but they are three steps.
__global__ void count(volatile int* counter) {
#ifdef RIGHT
  atomicAdd((int*)counter, 1);
#else
  *counter = *counter + 1;  // finds lost-update
#endif
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<4, 1>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
}
