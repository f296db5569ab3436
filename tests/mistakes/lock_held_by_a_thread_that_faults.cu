// A thread leaves all memory while it holds a lock. The others wait for the lock, which is no mistake of its own.
__device__ int lock, total;

__global__ void add(const int* values, int n) {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
#ifdef RIGHT
  if (blockIdx.x < n)
#endif
    total += values[blockIdx.x * 100000000LL];  // finds out-of-bounds
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int* values;
  cudaMalloc(&values, sizeof(int));
  cudaMemset(values, 0, sizeof(int));
  add<<<4, 1>>>(values, 1);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
}
