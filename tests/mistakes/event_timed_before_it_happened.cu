// The time up to an event is asked for without waiting for the event.
#include <cstdio>

__global__ void work() {}

int main() {
  cudaEvent_t start, stop;
  float milliseconds = 0;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<1, 32>>>();
  cudaEventRecord(stop);
#ifdef RIGHT
  cudaEventSynchronize(stop);
#endif
  cudaEventElapsedTime(&milliseconds, start, stop);  // finds call-order
  printf("%d\n", milliseconds < 0);
  cudaDeviceSynchronize();
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
