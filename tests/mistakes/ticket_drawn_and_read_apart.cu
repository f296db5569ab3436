// trap: the ticket is read first and drawn afterwards, so two blocks may have the same one.
__device__ int next, serving, total;

__global__ void add() {
#ifdef RIGHT
  const int ticket = atomicAdd(&next, 1);
#else
  const int ticket = atomicAdd(&next, 0);
  atomicAdd(&next, 1);
#endif
  while (atomicAdd(&serving, 0) < ticket) __nanosleep(20);
  __threadfence();
  total += 1;  // finds race-exclusion
  __threadfence();
  atomicAdd(&serving, 1);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
