// Verdict: given hidden fresh checked: race
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned char grey = brightness(x, y, width, height, time);
  pixels[y * width + x] = make_uchar4(grey, grey, grey, 255);
