// One warp writes the words of a union, the other reads their bytes without a barrier.
union Pixel {
  unsigned int word;
  unsigned char bytes[4];
};

__device__ Pixel pixels[32];
__device__ int reds[32];

__global__ void paint() {
  const int t = threadIdx.x;
  if (t < 32) pixels[t].word = 0x01020304u;  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (t >= 32) reds[t - 32] = pixels[t - 32].bytes[3];  // finds race-block
}

int main() {
  paint<<<1, 64>>>();
  cudaDeviceSynchronize();
}
