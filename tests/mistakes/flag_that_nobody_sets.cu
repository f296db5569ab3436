// The kernel waits for a flag that the host sets only after it has waited for the kernel.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__global__ void wait_for_host(const volatile int* flag, int* result) {
  while (*flag == 0) __nanosleep(100);  // finds no-progress
  *result = 1;
}

int main() {
  int *flag, *result;
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  cudaMalloc(&result, sizeof(int));
  *flag = 0;
#ifdef RIGHT
  *flag = 1;
#endif
  wait_for_host<<<1, 1>>>(flag, result);
  cudaDeviceSynchronize();
  *flag = 1;
  cudaFree(result);
  cudaFreeHost(flag);
}
