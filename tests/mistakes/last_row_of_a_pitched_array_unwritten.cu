// Rows with a pitch are copied to rows without: one row more than the kernel has written.
__global__ void number(int* rows, size_t pitch, int height) {
  if (threadIdx.y < height) reinterpret_cast<int*>(reinterpret_cast<char*>(rows) + threadIdx.y * pitch)[threadIdx.x] = threadIdx.x;
}

int main() {
  const int width = 5, height = 4;
  int *rows, host[height][width];
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, width * sizeof(int), height);
#ifdef RIGHT
  number<<<1, dim3(width, height)>>>(rows, pitch, height);
#else
  number<<<1, dim3(width, height)>>>(rows, pitch, height - 1);
#endif
  cudaMemcpy2D(host, width * sizeof(int), rows, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int y = 0; y < height; y++) sum += host[y][width - 1];  // finds unwritten-copy
  cudaFree(rows);
  return sum == 0;
}
