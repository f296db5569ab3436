// The fence after a ticket of another block was seen reaches no further than the block.
__device__ int next, serving, total;

__global__ void add() {
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) != ticket) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#else
  __threadfence_block();
#endif
  total += ticket;  // finds race-scope
  __threadfence();
  atomicAdd(&serving, 1);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
