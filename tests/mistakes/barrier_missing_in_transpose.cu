// A tile is read by columns while other threads still write its rows.
__device__ float in[32][32], out[32][32];

__global__ void transpose() {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y][x];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  out[y][x] = tile[x][y];  // finds race-block
}

int main() {
  transpose<<<1, dim3(32, 32)>>>();
  cudaDeviceSynchronize();
}
