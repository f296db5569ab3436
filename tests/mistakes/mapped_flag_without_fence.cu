// The host sees a flag in mapped memory, and reads what was written before it.
#include <cstdio>
__global__ void work(volatile int* flag, int* data) {
  *data = 42;  // finds race-host
#ifdef RIGHT
  __threadfence_system();
#endif
  *flag = 1;
}
int main() {
  int* h;
  cudaHostAlloc(&h, 8, cudaHostAllocMapped);
  h[0] = h[1] = 0;
  work<<<1, 1>>>(h, h + 1);
  while (*(volatile int*)h == 0) {
  }
  printf("%d\n", h[1]);  // finds race-host
  cudaDeviceSynchronize();
}
