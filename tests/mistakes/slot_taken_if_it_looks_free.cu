// Two blocks see that a slot is free, and both take it.
__device__ int owner[4], data[4];

__global__ void take() {
  const int slot = blockIdx.x % 2, me = blockIdx.x + 1;
#ifdef RIGHT
  if (atomicCAS(&owner[slot], 0, me) == 0) data[slot] = me;
#else
  if (atomicAdd(&owner[slot], 0) == 0) {
    atomicExch(&owner[slot], me);  // finds lost-update
    atomicExch(&data[slot], me);
  }
#endif
}

int main() {
  take<<<6, 1>>>();
  cudaDeviceSynchronize();
}
