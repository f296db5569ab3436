// Only the block that comes first in reverse order enters without a fence.
__device__ int next, serving, total;

__global__ void add() {
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) < ticket) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#else
  if (blockIdx.x != gridDim.x - 1) __threadfence();
#endif
  total += 1;  // finds race-fence
  __threadfence();
  atomicAdd(&serving, 1);
}

int main() {
  add<<<3, 1>>>();
  cudaDeviceSynchronize();
}
