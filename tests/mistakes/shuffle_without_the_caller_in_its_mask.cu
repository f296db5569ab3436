// Lanes 16 to 31 call a shuffle whose mask names lanes 0 to 15.
__device__ int results[32];

__global__ void fold() {
  const int lane = threadIdx.x;
#ifdef RIGHT
  const unsigned int mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
#else
  const unsigned int mask = 0x0000ffffu;
#endif
  results[lane] = __shfl_xor_sync(mask, 3 * lane, 8);  // finds shuffle
}

int main() {
  fold<<<1, 32>>>();
  cudaDeviceSynchronize();
}
