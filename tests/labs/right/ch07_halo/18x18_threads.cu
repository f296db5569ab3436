// Blocks of 18 x 18 threads: all load, the inner 16 x 16 compute.
#include "book.h"

enum { INNER = 16, OUTER = INNER + 2 };

__global__ void step(const float* in, float* out, int width, int height, float speed) {
  __shared__ float tile[OUTER][OUTER];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = (int)(blockIdx.x * INNER) + tx - 1, y = (int)(blockIdx.y * INNER) + ty - 1;
  int cx = x < 0 ? 0 : x >= width ? width - 1 : x;
  int cy = y < 0 ? 0 : y >= height ? height - 1 : y;
  tile[ty][tx] = in[cy * width + cx];
  __syncthreads();
  if (tx == 0 || tx == OUTER - 1 || ty == 0 || ty == OUTER - 1) return;
  if (x >= width || y >= height) return;
  float c = tile[ty][tx];
  float sum = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  out[y * width + x] = c + speed * (sum - 4.0f * c);
}

void halo(const float* in, float* out, int width, int height, float speed) {
  const size_t bytes = sizeof(float) * width * height;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  dim3 blocks((width + INNER - 1) / INNER, (height + INNER - 1) / INNER);
  dim3 threads(OUTER, OUTER);
  step<<<blocks, threads>>>(dev_in, dev_out, width, height, speed);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}
