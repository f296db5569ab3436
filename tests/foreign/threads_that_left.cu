// In the manner of listings whose barrier comes after some threads have returned, which GPUs since
// Volta let pass: CPU_DEVICE_EXITED_THREADS=ignore does so, too.
#include <cstdio>
#include <cstdlib>

__global__ void shift(int *x, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  x[i] = i;
  __syncthreads();
  int next = x[(i + 1) % n];
  __syncthreads();
  x[i] += next;
}

int main(int, char **argv) {
  if (getenv("CPU_DEVICE_EXITED_THREADS") == nullptr) {
    setenv("CPU_DEVICE_EXITED_THREADS", "ignore", 1);
    char command[4096];
    snprintf(command, sizeof command, "'%s'", argv[0]);
    return system(command) == 0 ? 0 : 1;
  }
  int *x, result[100];
  cudaMalloc(&x, sizeof result);
  shift<<<1, 128>>>(x, 100);
  if (cudaMemcpy(result, x, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i < 100; i++)
    if (result[i] != i + (i + 1) % 100) {
      printf("%d: %d\n", i, result[i]);
      return 1;
    }
  printf("right\n");
  return 0;
}
