// trap: atomics of block scope are right for bins of the block's own; these belong to all.
__device__ int bins[4][16];

__global__ void count() {
#ifdef RIGHT
  int* mine = bins[blockIdx.x];
#else
  int* mine = bins[0];
#endif
  atomicAdd_block(&mine[threadIdx.x * 3 % 16], 1);  // finds race-scope
}

int main() {
  count<<<4, 64>>>();
  cudaDeviceSynchronize();
}
