// Verdict: given hidden fresh checked: pixels are wrong
// REGION 1
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width || y >= height) return;
  inside[y * width + x] = belongs(x, y, width, height, c_real, c_imaginary);
