// Verdict: given hidden fresh checked: out of bounds
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width) return;
  inside[y * width + x] = belongs(x, y, width, height, c_real, c_imaginary);
