// Verdict: everything: row 0, column 3 is 0
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char grey = brightness(x, y, width, height, time);
  pixels[y * width + x] = make_uchar4(grey, grey, grey, 0);
