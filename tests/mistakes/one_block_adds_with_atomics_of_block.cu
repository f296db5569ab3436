// Most blocks add for the whole device, the first one only within itself.
__device__ int total;

__global__ void add() {
#ifdef RIGHT
  if (blockIdx.x == 0) atomicAdd(&total, 1);
#else
  if (blockIdx.x == 0) atomicAdd_block(&total, 1);  // finds race-scope
#endif
  if (blockIdx.x != 0) atomicAdd(&total, 1);  // finds race-scope
}

int main() {
  add<<<4, 32>>>();
  cudaDeviceSynchronize();
}
