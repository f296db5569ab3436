// A product by tiles: the next tile overwrites this one while other threads still read it.
__device__ float a[8][32], b[32][32], c[8][32];

__global__ void multiply() {
  __shared__ float tile[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < 32; first += 8) {
    tile[y][x] = b[first + y][x];  // finds race-block
    __syncthreads();
    for (int k = 0; k < 8; k++) sum += a[y][first + k] * tile[k][x];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  c[y][x] = sum;
}

int main() {
  multiply<<<1, dim3(32, 8)>>>();
  cudaDeviceSynchronize();
}
