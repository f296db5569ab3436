// The host's flag is a plain variable, for the host and for the kernel that polls it beside another.
__global__ void work(volatile int* task, int* stop, int* done) {
#ifdef RIGHT
  volatile
#endif
  int* stop_now = stop;
  int round = 0;
  while (*stop_now == 0)  // finds race-host
    if (*task > round) round++;
  *done = round;
}

int main() {
  int *mail, *done;
  cudaMallocHost(&mail, 2 * sizeof(int));
  cudaMalloc(&done, sizeof(int));
  mail[0] = mail[1] = 0;
  volatile int* task = mail;
  work<<<1, 1>>>(mail, mail + 1, done);
  cudaStreamQuery(0);
  *task = 1;
  cudaStreamQuery(0);
#ifdef RIGHT
  *(volatile int*)(mail + 1) = 1;
#else
  mail[1] = 1;  // finds race-host
#endif
  cudaDeviceSynchronize();
  cudaFree(done);
  cudaFreeHost(mail);
}
