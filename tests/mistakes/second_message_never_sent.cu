// The kernel waits for two messages of the host, which sends one and then waits for the kernel.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__global__ void receive(volatile int* mail, int* result) {
  for (int message = 1; message <= 2; message++) {
    while (mail[0] != message) {  // finds no-progress
    }
    *result = message;
    __threadfence_system();
    mail[1] = message;
  }
}

int main() {
  volatile int* mail;
  int* result;
  cudaMallocHost((void**)&mail, 2 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  mail[0] = mail[1] = 0;
  receive<<<1, 1>>>(mail, result);
  cudaStreamQuery(0);
  mail[0] = 1;
  while (mail[1] != 1) {
  }
#ifdef RIGHT
  mail[0] = 2;
#endif
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(result);
  cudaFreeHost((void*)mail);
}
