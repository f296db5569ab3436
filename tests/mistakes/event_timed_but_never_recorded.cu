// The time since an event is asked for that was never recorded.
#include <cstdio>

__global__ void work() {}

int main() {
  cudaEvent_t start, stop;
  float milliseconds = 0;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
#ifdef RIGHT
  cudaEventRecord(start);
#endif
  work<<<1, 32>>>();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&milliseconds, start, stop);  // finds call-order
  printf("%d\n", milliseconds < 0);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
