// A matrix is transposed in place, and both threads of each pair exchange its elements.
__global__ void transpose(float* matrix, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef RIGHT
  if (x >= n || y >= n || x >= y) return;
#else
  if (x >= n || y >= n) return;
#endif
  const float kept = matrix[y * n + x];   // finds race-grid
  matrix[y * n + x] = matrix[x * n + y];  // finds race-grid
  matrix[x * n + y] = kept;               // finds race-grid
}

int main() {
  const int n = 20;
  float* matrix;
  cudaMalloc(&matrix, n * n * sizeof(float));
  cudaMemset(matrix, 0, n * n * sizeof(float));
  transpose<<<dim3(3, 3), dim3(8, 8)>>>(matrix, n);
  cudaDeviceSynchronize();
  cudaFree(matrix);
}
