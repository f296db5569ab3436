// Verdict: everything: pixels are wrong
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  inside[x * height + y] = belongs(x, y, width, height, c_real, c_imaginary);
