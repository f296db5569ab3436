// A bitmap: blocks set different bits of the same word with |=.
__device__ unsigned int bitmap[32];

__global__ void mark() {
  const unsigned int bit = 1u << blockIdx.x;
#ifdef RIGHT
  atomicOr(&bitmap[threadIdx.x], bit);
#else
  bitmap[threadIdx.x] |= bit;  // finds race-grid
#endif
}

int main() {
  mark<<<8, 32>>>();
  cudaDeviceSynchronize();
}
