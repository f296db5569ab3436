// The host sets the flag first, and only then writes what the kernel reads when it sees the flag.
__global__ void square(volatile int* flag, const int* question, int* result) {
  while (*flag == 0) {
  }
  __threadfence_system();
  *result = *question * *question;  // finds race-host
}

int main() {
  int *mail, *result;
  cudaMallocHost(&mail, 2 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  mail[0] = mail[1] = 0;
  volatile int* flag = mail;
  square<<<1, 1>>>(mail, mail + 1, result);
  cudaStreamQuery(0);
#ifdef RIGHT
  mail[1] = 7;
#endif
  *flag = 1;
#ifndef RIGHT
  mail[1] = 7;  // finds race-host
#endif
  cudaDeviceSynchronize();
  cudaFree(result);
  cudaFreeHost(mail);
}
