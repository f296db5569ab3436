// Verdict: given hidden fresh checked counts: row 
// REGION 1
  int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * kSide + threadIdx.x;
  y = blockIdx.x * kSide + threadIdx.y;
  if (x < columns && y < rows) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
