// A flag for all blocks is set with an atomic of the block.
__device__ int stop, results[8];

__global__ void search() {
  const int b = blockIdx.x;
#ifdef RIGHT
  if (b == 3) atomicExch(&stop, 1);
#else
  if (b == 3) atomicExch_block(&stop, 1);  // finds race-scope
#endif
  if (b != 3) results[b] = atomicAdd(&stop, 0);  // finds race-scope
}

int main() {
  search<<<8, 1>>>();
  cudaDeviceSynchronize();
}
