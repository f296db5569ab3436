// A stencil reads the rows above and below before their threads have surely written them.
__device__ float in[8][32], out[8][32];

__global__ void smooth() {
  __shared__ float rows[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  rows[y][x] = in[y][x];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (y > 0 && y < 7) out[y][x] = 0.5f * (rows[y - 1][x] + rows[y + 1][x]);  // finds race-block
}

int main() {
  smooth<<<1, dim3(32, 8)>>>();
  cudaDeviceSynchronize();
}
