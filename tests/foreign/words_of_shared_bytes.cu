// In the manner of correlations with integers: each thread reads words from bytes in shared memory, at an address of its own. The
// bytes are declared in the file or in the kernel, with and without a size.
#include <cstdio>

extern __shared__ unsigned char bytesOfLaunch[];
__shared__ unsigned char bytesOfFile[8192];

#define FILL_AND_SUM(bytes)                                                                       \
  for (int row = threadIdx.y; row < blockDim.y + rows; row += blockDim.y)                         \
    for (int col = threadIdx.x; col < width + columns; col += blockDim.x)                         \
      bytes[row * pitch + col] = row + col;                                                       \
  __syncthreads();                                                                                \
  for (int col = threadIdx.x; col < width; col += blockDim.x) {                                   \
    unsigned sum = 0;                                                                             \
    int shift = (col & 3) * 8;                                                                    \
    int at = threadIdx.y * pitch + (col & ~3);                                                    \
    for (int j = 0; j < rows; j++) {                                                              \
      const unsigned *row = (const unsigned *)(bytes + at);                                       \
      for (int i = 0; i < columns / 4; i++)                                                       \
        sum = __dp4a(__funnelshift_r(row[i], row[i + 1], shift), 0x01010101u, sum);               \
      at += pitch;                                                                                \
    }                                                                                             \
    sums[threadIdx.y * width + col] = sum;                                                        \
  }

__global__ void ofLaunch(unsigned *sums, int width, int columns, int rows, int pitch) { FILL_AND_SUM(bytesOfLaunch) }
__global__ void ofFile(unsigned *sums, int width, int columns, int rows, int pitch) { FILL_AND_SUM(bytesOfFile) }
__global__ void ofKernel(unsigned *sums, int width, int columns, int rows, int pitch) {
  __shared__ unsigned char own[8192];
  FILL_AND_SUM(own)
}
__global__ void ofKernelAndLaunch(unsigned *sums, int width, int columns, int rows, int pitch) {
  extern __shared__ unsigned char of_any_size[];
  FILL_AND_SUM(of_any_size)
}

int main() {
  const int width = 64, columns = 52, rows = 20, pitch = 192;
  unsigned *sums;
  cudaMallocManaged(&sums, 8 * width * sizeof(unsigned));
  int bad = 0;
  for (int kernel = 0; kernel < 4; kernel++)
    for (int threads = 16; threads <= 64; threads *= 2) {
      cudaMemset(sums, 0, 8 * width * sizeof(unsigned));
      const auto launched = kernel == 0 ? ofLaunch : kernel == 1 ? ofFile : kernel == 2 ? ofKernel : ofKernelAndLaunch;
      launched<<<1, dim3(threads, 8), kernel % 3 == 0 ? 8192 : 0>>>(sums, width, columns, rows, pitch);
      if (cudaDeviceSynchronize() != cudaSuccess) return printf("kernel %d failed\n", kernel), 1;
      for (int y = 0; y < 8; y++)
        for (int col = 0; col < width; col++) {
          unsigned sum = 0;
          for (int j = 0; j < rows; j++)
            for (int i = 0; i < columns; i++) sum += (y + j + col + i) & 255;
          if (sums[y * width + col] != sum && bad++ < 5)
            printf("kernel %d, %d threads: %u, not %u\n", kernel, threads, sums[y * width + col], sum);
        }
    }
  printf("%d wrong\n", bad);
  return bad != 0;
}
