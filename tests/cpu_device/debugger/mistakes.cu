// For debugger_test.sh, whose sessions name these lines: keep them where they are.
#include <cstdio>

__global__ void dot_broken(const int* a, int* sum) {
  __shared__ int cache[64];
  cache[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      cache[threadIdx.x] += cache[threadIdx.x + half];
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) *sum = cache[0];
}

__global__ void lost_update(int* counter) {
  int before = *counter;
  *counter = before + 1;
}

__global__ void beyond(int* a, int n) {
  if (threadIdx.x <= n) a[threadIdx.x] = 1;
}

__global__ void lock_counter(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter += 1;
  if (threadIdx.x != 7) atomicExch(lock, 0);
}

int main() {
  int *a, *lock;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&lock, sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  lost_update<<<1, 2>>>(a);
  dot_broken<<<1, 64>>>(a, lock);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaMalloc(&a, 64 * sizeof(int));
  beyond<<<1, 128>>>(a, 64);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&lock, sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  lock_counter<<<1, 64>>>(lock, a);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return *a;
}
