// The barrier runs in every second step only; the steps between are not ordered.
__device__ int values[4][32];

__global__ void move_down() {
  __shared__ int rows[2][4][32];
  const int x = threadIdx.x, y = threadIdx.y;
  rows[0][y][x] = values[y][x];
  __syncthreads();
  for (int step = 0; step < 4; step++) {
    const int from = step % 2;
    rows[1 - from][y][x] = rows[from][(y + 1) % 4][x] + 1;  // finds race-block
#ifndef RIGHT
    if (from == 0)
#endif
      __syncthreads();
  }
  values[y][x] = rows[0][y][x];
}

int main() {
  move_down<<<1, dim3(32, 4)>>>();
  cudaDeviceSynchronize();
}
