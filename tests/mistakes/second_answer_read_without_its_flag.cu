// The host waits for the kernel's first flag, and reads what the kernel writes for the second.
#include <cstdio>

__global__ void produce(volatile int* done, int* results) {
  for (int i = 0; i < 2; i++) {
    results[i] = 10 + i;  // finds race-host
    __threadfence_system();
    done[i] = 1;
  }
}

int main() {
  int* mail;
  cudaMallocHost(&mail, 4 * sizeof(int));
  for (int i = 0; i < 4; i++) mail[i] = 0;
  volatile int* done = mail;
  produce<<<1, 1>>>(mail, mail + 2);
  while (!done[0]) cudaStreamQuery(0);
  printf("%d\n", mail[2]);
#ifdef RIGHT
  while (!done[1]) cudaStreamQuery(0);
#endif
  printf("%d\n", mail[3]);  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(mail);
}
