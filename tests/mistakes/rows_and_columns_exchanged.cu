// The picture is wider than high; row and column are exchanged in the index.
__global__ void paint(unsigned char* picture, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
#ifdef RIGHT
  picture[y * width + x] = x + y + height;
#else
  picture[x * width + y] = x + y + height;  // finds out-of-bounds
#endif
}

int main() {
  const int width = 64, height = 16;
  unsigned char* picture;
  cudaMalloc(&picture, width * height);
  paint<<<height, width>>>(picture, width, height);
  cudaDeviceSynchronize();
  cudaFree(picture);
}
