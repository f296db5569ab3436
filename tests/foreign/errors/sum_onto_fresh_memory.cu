// A counter that nobody has set to 0: on a GPU it happened to be.
// expect: sum_onto_fresh_memory.cu:5: CPU device: atomic update of uninitialized memory in kernel count
#include <cstdio>

__global__ void count(int *counter) { atomicAdd(counter, 1); }

int main() {
  int *counter, result;
  cudaMalloc(&counter, sizeof(int));
  count<<<4, 64>>>(counter);
  cudaMemcpy(&result, counter, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 256;
}
