// Transposes a matrix through a tile in shared memory, so that reads and writes go along rows.
// Topic: shared memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kTile = 32;  // threads per block in each dimension

// out = in transposed. Each row of the tile has one element more, so that the elements of a column
// are in different banks.
__global__ void transpose_kernel(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = blockIdx.y * kTile + threadIdx.x, out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_x < height && out_y < width) out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

// Transposes a matrix with `height` rows of `width` elements.
void transpose(const float* in, float* out, int width, int height) {
  const size_t bytes = width * height * sizeof(float);
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  const dim3 blocks((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose_kernel<<<blocks, dim3(kTile, kTile)>>>(dev_in, dev_out, width, height);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_in);
  cudaFree(dev_out);
}

int main() {
  const int width = 100, height = 70;
  std::vector<float> in(width * height), out(width * height);
  for (int i = 0; i < width * height; i++) in[i] = i;
  transpose(in.data(), out.data(), width, height);
  int wrong = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) wrong += out[x * height + y] != in[y * width + x];
  printf("%d elements are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
