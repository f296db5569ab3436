// In the manner of programs with small helpers of their own: names that CUDA has too, time() and
// rand() without their headers.
#include <stdio.h>

template <typename T>
__host__ __device__ T max(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
__host__ __device__ inline T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

__global__ void busy_wait(long long ticks, int *done) {
  clock_t start = clock();
  while (clock() - start < ticks) {
  }
  *done = clamp(12, 0, 10);
}

int main() {
  srand(time(NULL));
  int random = rand() % 100, *done;
  clock_t begin = clock();
  cudaMallocManaged(&done, sizeof(int));
  busy_wait<<<1, 1>>>(100000, done);
  cudaDeviceSynchronize();
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  printf("%d %d %g s\n", random, *done, seconds);
  return *done == 10 && seconds < 60 && max(3.0, 4.0) == 4.0 && max(2u, 1u) == 2u ? 0 : 1;
}
