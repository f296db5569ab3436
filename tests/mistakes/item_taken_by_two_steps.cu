// The index of the next item is read, and counted up by an exchange: two blocks take the same item.
__device__ int next_item, taken[16];

__global__ void take() {
#ifdef RIGHT
  const int mine = atomicAdd(&next_item, 1);
#else
  const int mine = atomicAdd(&next_item, 0);
  atomicExch(&next_item, mine + 1);  // finds lost-update
#endif
  if (mine < 16) taken[mine] = blockIdx.x;  // finds race-exclusion
}

int main() {
  take<<<8, 1>>>();
  cudaDeviceSynchronize();
}
