// The kernel sees the host's flag, and reads what the host wrote before it; only a fence puts that read
// behind the flag's.
#include <cstdio>

__global__ void answer(volatile int* flag, volatile int* answered, const int* question) {
  for (int round = 1; round <= 2; round++) {
    while (*flag != round) {
    }
#ifdef RIGHT
    __threadfence_system();
#endif
    const int value = *question;  // finds race-host
    __threadfence_system();
    answered[1] = value * value;
    __threadfence_system();
    *answered = round;
  }
}

int main() {
  int* mail;
  cudaMallocHost(&mail, 4 * sizeof(int));
  for (int i = 0; i < 4; i++) mail[i] = 0;
  volatile int *flag = mail, *answered = mail + 1;
  answer<<<1, 1>>>(mail, mail + 1, mail + 3);
  for (int round = 1; round <= 2; round++) {
    mail[3] = 10 + round;  // finds race-host
    *flag = round;
    while (*answered != round) {
    }
    printf("%d\n", answered[1]);
  }
  cudaDeviceSynchronize();
  cudaFreeHost(mail);
}
