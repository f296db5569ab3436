// Two consumers see that a message is there, and both take it.
__device__ int full = 1, message = 7, taken;

__global__ void take() {
#ifdef RIGHT
  const bool mine = atomicExch(&full, 0) == 1;
#else
  const bool mine = atomicAdd(&full, 0) == 1;
  if (mine) atomicSub(&full, 1);
#endif
  if (mine) taken += message;  // finds race-exclusion
}

int main() {
  take<<<4, 1>>>();
  cudaDeviceSynchronize();
}
