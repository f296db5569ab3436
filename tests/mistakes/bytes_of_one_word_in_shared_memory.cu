// trap: threads of two warps may write bytes side by side; here one of them writes the whole word.
__device__ unsigned int results[32];

__global__ void pack() {
  __shared__ unsigned int words[32];
  unsigned char* bytes = reinterpret_cast<unsigned char*>(words);
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
#ifdef RIGHT
  bytes[4 * lane + warp] = t;
#else
  // clang-format off
  if (warp == 0) words[lane] = t; else bytes[4 * lane + warp] = t;  // finds race-block
    // clang-format on
#endif
  __syncthreads();
  if (warp == 0) results[lane] = words[lane];
}

int main() {
  pack<<<1, 128>>>();
  cudaDeviceSynchronize();
}
