// A lock guards a volatile variable. An atomic that releases it does not put the write before it in order.
__global__ void enter(volatile int* last, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *last = blockIdx.x + 1;  // finds race-volatile
#ifdef RIGHT
  __threadfence();
#endif
  atomicExch(lock, 0);
}

int main() {
  int* memory;
  cudaMalloc(&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  enter<<<2, 1>>>(memory, memory + 1);
  int last = 0;
  cudaMemcpy(&last, memory, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return last == 0;
}
