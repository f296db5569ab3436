// Verdict: given hidden fresh checked: row
// REGION 1
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char grey = brightness(x, y, width, height, time);
  const int place = y * blockDim.x * gridDim.x + x;
  if (place < width * height) pixels[place] = make_uchar4(grey, grey, grey, 255);
