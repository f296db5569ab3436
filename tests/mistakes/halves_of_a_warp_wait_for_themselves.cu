// trap: right, since each half reads only what it wrote itself; wrong without any __syncwarp().
__device__ int results[32];

__global__ void mirror_halves() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  values[lane] = lane + 1;  // finds race-warp
#ifdef RIGHT
  if (lane < 16)
    __syncwarp(0x0000ffffu);
  else
    __syncwarp(0xffff0000u);
#endif
  results[lane] = values[lane ^ 15];  // finds race-warp
}

int main() {
  mirror_halves<<<1, 32>>>();
  cudaDeviceSynchronize();
}
