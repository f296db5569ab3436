// The warps of a block draw work from a counter in shared memory: they read it, and add to it afterwards.
__device__ int results[8];

__global__ void work() {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  for (int i = 0; i < 2; i++) {
#ifdef RIGHT
    const int item = atomicAdd(&next, 1);
#else
    const int item = atomicAdd(&next, 0);
    atomicAdd(&next, 1);
#endif
    results[item] = threadIdx.x;  // finds race-exclusion
  }
}

int main() {
  work<<<1, 128>>>();
  cudaDeviceSynchronize();
}
