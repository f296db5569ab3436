// A bitmap of all blocks is changed with atomicOr_block().
__device__ unsigned int bitmap[4];

__global__ void mark() {
  const unsigned int bit = 1u << (threadIdx.x + 8 * blockIdx.x) % 32;
#ifdef RIGHT
  atomicOr_system(&bitmap[threadIdx.x % 4], bit);
#else
  atomicOr_block(&bitmap[threadIdx.x % 4], bit);  // finds race-scope
#endif
}

int main() {
  mark<<<4, 32>>>();
  cudaDeviceSynchronize();
}
