// Verdict: everything: beyond
// REGION 2
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float number = field[y * width + x];
  pixels[(height - y) * width + x] = make_uchar4(level(number), 0, level(-number), 255);
