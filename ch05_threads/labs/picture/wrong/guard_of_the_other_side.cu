// Verdict: given hidden fresh checked counts: out
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= height || y >= width) return;
