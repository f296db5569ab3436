// Lane 0 of each warp takes work for all of its lanes, and tells them through volatile memory.
// notes: CPU device: warp-synchronous code in kernel work
#include <cstdio>

__global__ void work(int *next, int *done, int n) {
  volatile __shared__ int chunk[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  while (true) {
    if (lane == 0) chunk[warp] = atomicAdd(next, 32);
    int i = chunk[warp] + lane;
    if (chunk[warp] >= n) break;
    if (i < n) atomicAdd(&done[i], 1);
  }
}
int main() {
  const int n = 1000;
  int *next, *done, bad = 0;
  cudaMallocManaged(&next, sizeof(int));
  cudaMallocManaged(&done, n * sizeof(int));
  *next = 0;
  for (int i = 0; i < n; i++) done[i] = 0;
  work<<<1, 64>>>(next, done, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) bad += done[i] != 1;
  printf("%d of %d not done once\n", bad, n);
  return bad != 0;
}
