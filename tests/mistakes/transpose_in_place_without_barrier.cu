// A matrix is transposed in place: what one thread writes, another may not have read yet.
__device__ float matrix[32][32];

__global__ void transpose() {
  const int x = threadIdx.x, y = threadIdx.y;
#ifdef RIGHT
  const float value = matrix[x][y];
  __syncthreads();
  matrix[y][x] = value;
#else
  matrix[y][x] = matrix[x][y];  // finds race-block
#endif
}

int main() {
  transpose<<<1, dim3(32, 32)>>>();
  cudaDeviceSynchronize();
}
