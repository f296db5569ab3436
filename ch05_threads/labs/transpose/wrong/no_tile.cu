// Verdict: counts: sectors of 32 bytes per request of a warp
// REGION 1
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = 0;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
