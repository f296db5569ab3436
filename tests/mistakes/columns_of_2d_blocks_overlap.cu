// The 2-D blocks are one column wider than their distance, so that two write the same column.
__device__ int image[8][4 * 8 + 1];

__global__ void paint() {
#ifdef RIGHT
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
#else
  const int x = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
#endif
  image[threadIdx.y][x] = blockIdx.x;  // finds race-grid
}

int main() {
  paint<<<4, dim3(8, 8)>>>();
  cudaDeviceSynchronize();
}
