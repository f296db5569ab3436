// A kernel that is still running answers the host; only a fence puts the answer before its flag.
#include <cstdio>

__global__ void answer(volatile int* question, volatile int* answered, int* result) {
  for (int round = 1; round <= 2; round++) {
    while (*question != round) {
    }
    *result = round * round;  // finds race-host
#ifdef RIGHT
    __threadfence_system();
#endif
    *answered = round;
  }
}

int main() {
  int* mail;
  cudaMallocHost(&mail, 3 * sizeof(int));
  for (int i = 0; i < 3; i++) mail[i] = 0;
  volatile int *question = mail, *answered = mail + 1;
  answer<<<1, 1>>>(mail, mail + 1, mail + 2);
  for (int round = 1; round <= 2; round++) {
    *question = round;
    while (*answered != round) {
    }
    printf("%d\n", mail[2]);  // finds race-host
  }
  cudaDeviceSynchronize();
  cudaFreeHost(mail);
}
