// A value and its flag are volatile, but no fence says which of them is visible first.
__global__ void pass(volatile int* flag, volatile int* value, int* out) {
  if (blockIdx.x == 0) {
    *value = 42;  // finds race-volatile
#ifdef RIGHT
    __threadfence();
#endif
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
#ifdef RIGHT
    __threadfence();
#endif
    *out = *value;  // finds race-volatile
  }
}

int main() {
  int* memory;
  cudaMalloc(&memory, 3 * sizeof(int));
  cudaMemset(memory, 0, 3 * sizeof(int));
  pass<<<2, 1>>>(memory, memory + 1, memory + 2);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
