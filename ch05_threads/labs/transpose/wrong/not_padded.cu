// Verdict: counts: bank conflicts
// REGION 1
  __shared__ float square[kSide][kSide];
  (void)tile;
  int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  if (x < columns && y < rows) square[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * kSide + threadIdx.x;
  y = blockIdx.x * kSide + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = square[threadIdx.x][threadIdx.y];
