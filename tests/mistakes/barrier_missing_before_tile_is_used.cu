// A product by tiles: the tile is read before the other threads have brought their elements.
__device__ float a[8][32], b[32][32], c[8][32];

__global__ void multiply() {
  __shared__ float tile[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < 32; first += 8) {
    tile[y][x] = b[first + y][x];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
    for (int k = 0; k < 8; k++) sum += a[y][first + k] * tile[k][x];  // finds race-block
    __syncthreads();
  }
  c[y][x] = sum;
}

int main() {
  multiply<<<1, dim3(32, 8)>>>();
  cudaDeviceSynchronize();
}
