// trap: the last block may reset the counter plainly, all others being done; the second may not.
__device__ unsigned int done, tickets[16];

__global__ void finish() {
  const unsigned int ticket = atomicAdd(&done, 1u);  // finds race-atomic
  __threadfence();
#ifdef RIGHT
  const bool resets = ticket == gridDim.x - 1;
#else
  const bool resets = blockIdx.x == 1;
#endif
  if (resets) done = 0;  // finds race-atomic
  tickets[blockIdx.x] = ticket;
}

int main() {
  finish<<<16, 1>>>();
  cudaDeviceSynchronize();
}
