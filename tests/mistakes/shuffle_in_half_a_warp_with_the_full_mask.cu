// A shuffle names all 32 lanes, and only 16 of them come.
__device__ int results[32];

__global__ void fold() {
  const int lane = threadIdx.x;
  if (lane >= 16) return;
#ifdef RIGHT
  const unsigned int mask = 0x0000ffffu;
#else
  const unsigned int mask = 0xffffffffu;
#endif
  results[lane] = __shfl_xor_sync(mask, 3 * lane, 8);  // finds shuffle
}

int main() {
  fold<<<1, 32>>>();
  cudaDeviceSynchronize();
}
