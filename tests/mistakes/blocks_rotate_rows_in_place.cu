// Each block overwrites its row with the next block's, which may have changed already.
__device__ int rows[2][4][64];

__global__ void rotate() {
  const int t = threadIdx.x, b = blockIdx.x;
#ifdef RIGHT
  rows[1][b][t] = rows[0][(b + 1) % 4][t];
#else
  rows[0][b][t] = rows[0][(b + 1) % 4][t];  // finds race-grid
#endif
}

int main() {
  rotate<<<4, 64>>>();
  cudaDeviceSynchronize();
}
