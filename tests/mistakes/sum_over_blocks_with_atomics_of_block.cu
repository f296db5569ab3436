// atomicAdd_block() is atomic within a block; all blocks add to this sum.
__device__ int total;

__global__ void add() {
  const int sum = __reduce_add_sync(0xffffffffu, static_cast<int>(threadIdx.x));
#ifdef RIGHT
  if (threadIdx.x == 0) atomicAdd(&total, sum);
#else
  if (threadIdx.x == 0) atomicAdd_block(&total, sum);  // finds race-scope
#endif
}

int main() {
  add<<<4, 32>>>();
  cudaDeviceSynchronize();
}
