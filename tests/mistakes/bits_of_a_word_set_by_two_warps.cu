// Setting a bit reads and writes the whole word, which another warp does at the same time.
__device__ unsigned int masks[32];

__global__ void mark() {
  __shared__ unsigned int bits[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (warp == 0) bits[lane] = 0;
  __syncthreads();
#ifdef RIGHT
  atomicOr(&bits[lane], 1u << warp);
#else
  bits[lane] |= 1u << warp;  // finds race-block
#endif
  __syncthreads();
  if (warp == 0) masks[lane] = bits[lane];
}

int main() {
  mark<<<1, 128>>>();
  cudaDeviceSynchronize();
}
